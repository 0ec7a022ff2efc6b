"""The second checker: re-checks the kernel's certificates, written separately and on other arithmetic.

It reads the same JSON and the same statement texts as the kernel and shares no code with it: statements are parsed
to a syntax tree and lowered in a second pass, terms are interned graph nodes compared by identity, identities are
decided by FLINT's multivariate polynomials, and enclosures come from Arb balls.  Where the two checkers disagree on
a certificate, one of them is wrong.
"""

from .errors import RecheckError
from .replay import certifies, check

__all__ = ["RecheckError", "certifies", "check"]
