"""Where the conditions of Appendix C's claims hold, found by hand: at beta_d = beta_p = 0 the cycle's costs are closed.

The first place has theta = 1/2 at eta = 1; the second theta0 = 1/2 and theta = 3/4, where the square root of Appendix C
is 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

COSTS = ("p0 = 1", "N = 1", "mu_L = 1", "alpha_d = 1", "beta_d = 0", "beta_p = 0")
ROOT = "sqrt(1 - 2*log(1/2))"
AT_HALF: Mapping[str, Any] = {
    "at": (*COSTS, "eta = 1"),
    "witness": {"alpha_p": f"1/{ROOT} + 1 - {ROOT}", "theta": "1/2", "d": "1/4", "phi": "1/2"}}
ABOVE: Mapping[str, Any] = {
    "at": COSTS,
    "witness": {"alpha_p": "1 + log(1/2)", "eta": "-2/log(1/2)", "theta": "3/4", "theta0": "1/2"},
    "lemmas": ("log(1/4) == 2*log(1/2)", "log(1/2) < 0", "1 - 2*(-2/log(1/2))*log(1/4) == 9",
               "sqrt(1 - 2*(-2/log(1/2))*log(1/4)) == 3")}
MET: Mapping[str, Mapping[str, Any]] = {
    **{id: {"met": AT_HALF} for id in ("eb.lem-C.2", "eb.lem-C.2.local", "eb.lem-C.2.soc")},
    **{id: {"met": ABOVE} for id in ("eb.sec-3.2.2.higher.fluid", "eb.app-C.5.Phi")},
    "eb.lem-C.2.global.inference.corrected": {"met": {"at": ("theta = 1/2", "s = 1", "W(t) = t")}}}
