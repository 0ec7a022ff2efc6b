"""Prints the page of strategies: ``python -m qtheory.proofs.tactics > docs/strategies.md``."""

from qtheory.proofs.tactics.telling import strategies_page

print(strategies_page(), end="")
