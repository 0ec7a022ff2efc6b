"""The functions by the head of their terms."""

from __future__ import annotations

from types import MappingProxyType

from qtheory.proofs.functions.exp import EXP
from qtheory.proofs.functions.floor import FLOOR
from qtheory.proofs.functions.function import Function
from qtheory.proofs.functions.lambert import LAMBERT
from qtheory.proofs.functions.log import LOG
from qtheory.proofs.functions.maximum import MAXIMUM
from qtheory.proofs.functions.power import POWER
from qtheory.proofs.functions.sqrt import SQRT

FUNCTIONS = MappingProxyType({f.head: f for f in (EXP, LOG, SQRT, POWER, MAXIMUM, FLOOR, LAMBERT)})
PARTIAL = tuple(head for head, f in FUNCTIONS.items() if not f.total)  # those that need more than their arguments

__all__ = ["FUNCTIONS", "PARTIAL", "Function"]
