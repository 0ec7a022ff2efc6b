"""Prints the page of strategies: ``python -m qtheory.proofs.tactics > docs/strategies.md``."""

from qtheory.proofs.tactics.telling import strategies_page

if __name__ == "__main__":  # what imports every module prints nothing
    print(strategies_page(), end="")
