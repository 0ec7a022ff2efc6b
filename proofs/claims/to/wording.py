"""What the claims of this paper share: where each condition is stated, and the fluid model as texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qtheory.proofs.claims.model import Claim, sourced
from qtheory.proofs.kernel.statements import Statement

# condition -> the paper's own sentence (line of the seed file) that states it
STATED: dict[str, str] = {
    "lam >= 0": "(2.2), l. 83: the mean of the numbers of requests that arrive in a slot",
    "m_p >= 1": "Sec. 2.1, l. 77: v_p(i) in N = {1, 2, ...}; (2.2), l. 83",
    "m_d >= 1": "Sec. 2.1, l. 77: v_d(i) in N = {1, 2, ...}; (2.2), l. 83",
        **dict.fromkeys(("m_p > 0", "m_d > 0", "b > 0", "t_b > 0"), "Sec. 2.1, l. 77 and 100, and Sec. 2.2, l. 156: "
                    "numbers of tokens, and of slots"),
    "b in naturals": "Sec. 2.1, l. 100: a token budget",
    "b >= 1": "Sec. 2.1, l. 100: a token budget",
    "t_b >= 1": "Sec. 2.2, l. 156: the number of slots required for a batch",
    "K in naturals": "Sec. 4.1, l. 246: K identical LLM engines",
    "K >= 1": "Sec. 4.1, l. 246: K identical LLM engines",
    "t_p == t_b": "App. C, l. 474: t_p is the processing time of a full batch",
    "m_b == m_d": "App. C, l. 474: m_p and m_b are mean prefill and decode token sizes",
    "lam*(m_p + m_b) < b/t_p": "(C.1), l. 472",
    "lam*(m_p + m_d) < b/t_b": "(2.7), l. 182",
    "lam*(m_p + m_d) > b/t_b": "(2.8), l. 186",
    "lam*(m_p + m_d) > b/t_p": "(C.18), l. 555",
    "lam*(m_p + m_d) < K*b/t_b": "(4.1), l. 248",
    # the fluid model at a time t; Z_p0 and Z_d0 are Z_p(0) and Z_d(0)
    "t >= 0": "App. C.2, l. 514: for any time t in R_+",
    "t > 0": "App. C.2, l. 534: a point t > 0",
    "Z_p0 >= 0": "App. C.3, l. 614: z in R^2_+",
    "Z_d0 >= 0": "App. C.3, l. 614: z in R^2_+",
    "Z_p >= 0": "(C.4), l. 498, for its fluid counterpart",
    "Z_d >= 0": "(C.5), l. 499, for its fluid counterpart",
    "Z_p == Z_p0 + lam*t - F_p": "(C.10), l. 516",
    "Z_d == Z_d0 + F_p - F_d": "(C.11), l. 517",
    "F_p == B_p/m_p": "(C.13), l. 519",
    "F_d == B_d/m_d": "(C.13), l. 519",
    "W_p == m_p*Z_p": "(C.14), l. 520",
    "W_d == m_d*Z_d": "(C.14), l. 520",
    "And(0 <= B_p, B_p <= t*b/t_b)": "(C.12), l. 518, between 0 and t",
    "And(0 <= B_d, B_d <= t*b/t_b)": "(C.12), l. 518, between 0 and t",
    # its derivatives at a regular time
    "dZ_p == lam - dF_p": "(C.10), l. 516, at a regular time",
    "dZ_d == dF_p - dF_d": "(C.11), l. 517, at a regular time",
    "dF_p == dB_p/m_p": "(C.13), l. 519, at a regular time",
    "dF_d == dB_d/m_d": "(C.13), l. 519, at a regular time",
    "And(0 <= dB_p, dB_p <= b/t_b)": "(C.12), l. 518, at a regular time",
    "And(0 <= dB_d, dB_d <= b/t_b)": "(C.12), l. 518, at a regular time",
    "Or(W_p + W_d <= 0, dB_p + dB_d == b/t_b)": "(C.17), l. 538",
}

POSITIVE = ("lam >= 0", "m_p > 0", "m_d > 0", "b > 0", "t_b > 0")  # all that most proofs need
RATES = ("lam >= 0", "m_p >= 1", "m_d >= 1", "b >= 1", "t_b >= 1")
CONTENT = ("t >= 0", "Z_p0 >= 0", "Z_d0 >= 0", "Z_p >= 0", "Z_d >= 0", "Z_p == Z_p0 + lam*t - F_p",
           "Z_d == Z_d0 + F_p - F_d", "F_p == B_p/m_p", "F_d == B_d/m_d")
BOUNDS = ("And(0 <= B_p, B_p <= t*b/t_b)", "And(0 <= B_d, B_d <= t*b/t_b)")
LEVELS = ("Z_p >= 0", "Z_d >= 0", "W_p == m_p*Z_p", "W_d == m_d*Z_d")
SLOPES = ("dZ_p == lam - dF_p", "dZ_d == dF_p - dF_d", "dF_p == dB_p/m_p", "dF_d == dB_d/m_d",
          "And(0 <= dB_p, dB_p <= b/t_b)", "And(0 <= dB_d, dB_d <= b/t_b)")
BUSY = "Or(W_p + W_d <= 0, dB_p + dB_d == b/t_b)"

# (C.19) as printed, and the tokens that are left: those of a prefill request are m_p + m_d
PRINTED = ("f = m_p*Z_p + (m_p + m_d)*Z_d",)
PRINTED_0 = ("f0 = m_p*Z_p0 + (m_p + m_d)*Z_d0",)
PRINTED_SLOPE = ("df = m_p*dZ_p + (m_p + m_d)*dZ_d",)
TOKENS = ("f = (m_p + m_d)*Z_p + m_d*Z_d",)
TOKENS_0 = ("f0 = (m_p + m_d)*Z_p0 + m_d*Z_d0",)
TOKENS_SLOPE = ("df = (m_p + m_d)*dZ_p + m_d*dZ_d",)
RAW_WEIGHTS = ("Raw line 563: 'm_p Z_p(t) + (m_p + m_d) Z_d(t)', in both transcriptions of the formula. Independent "
               "uses: l. 266 (Section 4.2's f) and l. 678 (f^k) have the same weights. A request in prefill has m_p + "
               "m_d tokens to come, one in decode m_d: the weights stand the wrong way round. ")

NO_AXIOM = "It rests on Dai's fluid criterion, which is not among the axioms. "


def claim(id: str, place: str, quote: str, line: int | tuple[int, int], kind: str, goal: str,
          where: tuple[str, ...] = (), let: tuple[str, ...] = (), *,
          sources: Mapping[str, str] | None = None, table: Mapping[str, str] | None = None, **more: Any) -> Claim:
    """A claim with a statement; its conditions' sources are its own, its section's (``table``), or else in STATED."""
    stated = sourced(id, where, sources, table, STATED)
    return Claim(id, place, quote, spread(line), kind, Statement(goal, where, let), sources=stated, **more)


def correction(of: str, place: str, line: int | tuple[int, int], kind: str, goal: str, where: tuple[str, ...] = (),
               let: tuple[str, ...] = (), **more: Any) -> Claim:
    return claim(f"{of}.corrected", place, "", line, kind, goal, where, let, corrects=of, **more)


def refuted(id: str, place: str, quote: str, line: int | tuple[int, int], kind: str, goal: str,
            where: tuple[str, ...] = (), let: tuple[str, ...] = (), *, severity: str = "substantive",
            corrected_by: str = "", **more: Any) -> Claim:
    """A claim whose refutation is on record; its correction is ``id``.corrected unless named."""
    return claim(id, place, quote, line, kind, goal, where, let, severity=severity,
                 corrected_by=corrected_by or f"{id}.corrected", **more)


def given(id: str, place: str, quote: str, line: int | tuple[int, int], kind: str, verdict: str, note: str = "",
          readings: tuple[str, ...] = ()) -> Claim:
    """A claim with nothing to compute: ``reported``, ``assumed``, ``unknown`` with its obstacle, or ``imprecise``."""
    return Claim(id, place, quote, spread(line), kind, verdict=verdict, note=note, readings=readings)


def spread(line: int | tuple[int, int]) -> tuple[int, int]:
    return (line, line) if isinstance(line, int) else line
