"""Where the paper states the conditions of the theorems that are proved by code of this folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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

# two types of requests, Section 4.2
MEANS = ("m_p1 >= 1", "m_d1 >= 1", "m_p2 >= 1", "m_d2 >= 1", "l1 >= 0", "l2 >= 0", "b >= 1", "t_b >= 1")
BALANCE = ("dZ_p1 == l1 - dB_p1/m_p1", "dZ_d1 == dB_p1/m_p1 - dB_d1/m_d1", "dZ_p2 == l2 - dB_p2/m_p2",
           "dZ_d2 == dB_p2/m_p2 - dB_d2/m_d2", "dB_p1 >= 0", "dB_d1 >= 0", "dB_p2 >= 0", "dB_d2 >= 0")
FULL = "dB_p1 + dB_d1 + dB_p2 + dB_d2 == b/t_b"
LOAD = "l1*(m_p1 + m_d1) + l2*(m_p2 + m_d2) < b/t_p"
SAME = "t_p == t_b"
TWO_TYPES: Mapping[str, str] = {
    **dict.fromkeys(MEANS[:4], "Sec. 4.2, l. 260, and Sec. 2.1, l. 77: mean token sizes"),
    **dict.fromkeys(MEANS[4:6], "Sec. 4.2, l. 260: an arrival rate"),
    **dict.fromkeys(MEANS[6:], "Sec. 2.1, l. 100, and Sec. 2.2, l. 156"),
    **dict.fromkeys(BALANCE[:4], "(C.10), (C.11) and (C.13), l. 516 to 519, type by type ('developed similarly', l. "
                                 "264)"),
    **dict.fromkeys(BALANCE[4:], "(C.12), l. 518, type by type"),
    FULL: "l. 270, where f(t) > 0", LOAD: "(4.2), l. 262", SAME: "App. C, l. 474: t_p is the processing time of a full "
    "batch; l. 274 has b/t_b"}


def sourced(where: Sequence[str], own: Mapping[str, str] | None = None,
            others: Mapping[str, str] | None = None) -> dict[str, str]:
    """Where each condition of a theorem is stated: by itself, or else by others of its kind, or else by the paper.

    Raises KeyError for a condition that nothing states, and for a source of what is no condition.
    """
    if unused := set(own or ()).difference(where):
        raise KeyError(f"sources for what is no condition: {sorted(unused)}")
    stated = {**STATED, **(others or {}), **(own or {})}
    return {w: stated[w] for w in where}
