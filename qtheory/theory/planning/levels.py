"""Service levels of the fluid plan: fairness of prefill and decode, and the mean time per output token.

Each may be a constraint with a bound, or a penalty with a weight that is subtracted from the revenue. Source:
arXiv:2602.02987v1, (43) to (48). The largest difference of occupancies is linear with two more variables a level, the
largest and the least occupancy; the mean time per output token is a ratio of linear functions of the sum x of prefill
occupancies, of which a bound is linear after multiplication by the denominator B - x, which is positive for x <= 1 < B.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from qtheory.errors import InputError
from qtheory.theory.planning.instance import exact


@dataclass(frozen=True)
class _Level:
    """``bound``: at most this, as a constraint; ``weight``: $ a second for each unit of it, as a penalty."""

    bound: Fraction | None = None
    weight: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.bound is not None:
            object.__setattr__(self, "bound", exact(self.bound, f"the bound on {self}"))
            if self.bound < 0:
                raise InputError(f"the bound on {self} must be at least 0, not {float(self.bound):g}")
        object.__setattr__(self, "weight", exact(self.weight, f"the weight of {self}"))
        if self.weight < 0:
            raise InputError(f"the weight of {self} must be at least 0, not {float(self.weight):g}")

    def __str__(self) -> str:
        return {"PrefillFairness": "prefill fairness", "DecodeFairness": "decode fairness",
                "TokenTime": "the mean time per output token"}[type(self).__name__]


class PrefillFairness(_Level):
    """``max_{i,j} (x_i - x_j)`` (43), (44)."""


class DecodeFairness(_Level):
    """``max_{i,j} (y_s,i - y_s,j)`` (45), (46)."""


class TokenTime(_Level):
    """The mean time per output token (47), (48), in seconds."""


ServiceLevel: TypeAlias = PrefillFairness | DecodeFairness | TokenTime
