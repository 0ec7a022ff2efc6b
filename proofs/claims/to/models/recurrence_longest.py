"""Positive recurrence for decode lengths without a bound, under any algorithm that is work-conserving by (2.6) alone.

Such an algorithm may idle where fewer than b tokens can be loaded, whatever the requests that are there have left. But
while it idles a long request may come, and then another; where at most b requests are long, and nothing comes for a
while, it spends the other tokens, and then b long requests have to be loaded at once, the longest among them.

A request is long where it has more than ``short`` decode tokens left; G is how many are, Y their tokens beyond
``short``, W all other tokens, and H the decode tokens, no more than ``long`` of each. The function of SQUARES is
diminished by eps Y exp(-kappa F), F = (1 + b) long - H + R + (1 + b) t_b W, where G <= b, and by nothing where G > b. F
falls by one at least in a slot without arrivals unless all tokens loaded are of long requests, when the squares pay,
and, where fewer than b tokens can be loaded, in a slot that brings a long request and at most ``few`` other tokens:
prefill tokens, its own among them, and decode tokens, no more than ``short`` of each, its own among them too.

That some slots bring nothing (``none``) is what this function asks for; irreducibility is assumed beside it, and not
concluded from it: an algorithm that is work-conserving by (2.6) alone need not empty the queue.
"""

from __future__ import annotations

from dataclasses import replace

from .recurrence import (
    ABLE,
    BATCH,
    CAME,
    CONSERVING,
    FEASIBLE,
    GAP,
    LOAD,
    MARK,
    MARK_LEFT,
    MEANS,
    NEW_SQUARES,
    NEW_TOKENS,
    NUMBERS,
    SLOT,
    SLOTS,
    SQUARES,
    SQUARES_SOURCES,
    VALUED,
    WEIGHT,
    WORDS,
    recurrent,
)
from .recurrence_named import two_types


def brings(summand: str) -> str:
    return f"Sum({summand}, (i, 1, m))"


def term(before: str = "", more: tuple[str, str, str] = ("", "", "")) -> str:
    """eps Y exp(-kappa F) where G <= b, of what is left of the requests, with so many more in G, H and W."""
    r = "R1" if before else "r"
    g, h, w = (f"({x}{before}{y})" for x, y in zip("GHW", more, strict=True))
    return (f"eps*Y{before}*Max(0, Min(1, 1 + b - {g}))"
            f"*exp(-kappa*(span - {h} + {r} + pay*{w}))")


FREE = f"Or(free == 0, And(free == 1, {NEW_TOKENS} == 0))"
LONG = (f"Or(lucky == 0, And(lucky == 1, {brings('Min(Max(vd(i) - short, 0), 1)')} <= 1, "
        f"{brings('Min(vd(i), long)')} >= long, {brings('vp(i) + Min(vd(i), short)')} <= few))")
ROOM = "long >= b + t_b + pay*few"
PAY, SPAN = "pay == (1 + b)*t_b", "span == (1 + b)*long"
SMALL = f"eps == Min(1, c, {GAP}/(4*b))"
STEEP = "kappa == log(2/(none*good))"
FARTHEST = "far == span + pay*(1 + short)*b"
LEVEL = "level == 2*b + b*exp(kappa*far)/eps"
SIZES = ("short in naturals", "long in naturals", "few in naturals")
CHANCES = ("none > 0", "none <= 1", "good > 0", "good <= 1")
WHOLE = "M in naturals"
CHAIN = replace(
    SQUARES.chain, given=(*NUMBERS, *MEANS, "Q >= 0", LOAD, WEIGHT, *SIZES, PAY, SPAN, ROOM, *CHANCES, SMALL, STEEP,
                          FARTHEST, LEVEL),
    outcomes=(replace(SQUARES.chain.outcomes[0], mean={
        "": "T_left + R1*b/t_b", NEW_TOKENS: "1", NEW_SQUARES: "c", "free": f"-{term('_left')}",
        "lucky": f"-{term('_left', (' + 1', ' + long', ' + few'))}"}),),
    totals={"T": VALUED, "Y": "Max(d(i) - short, 0)", "G": "Min(Max(d(i) - short, 0), 1)", "H": "Min(d(i), long)",
            "W": "p(i) + Min(d(i), short)"},
    choices=(FEASIBLE, MARK, MARK_LEFT, BATCH, ABLE, WHOLE, SLOT, SLOTS, CONSERVING),
    inputs=(*SQUARES.chain.inputs, "free", "lucky"), input=(*SQUARES.chain.input, FREE, LONG),
    moments={NEW_TOKENS: CAME, NEW_SQUARES: "Q", "free": "none", "lucky": "good"})
LONGEST = replace(
    SQUARES, chain=CHAIN, parameters=(*SQUARES.parameters, "short", "long", "few", "pay", "span", "none", "good", "eps",
                                      "kappa", "far", "level"),
    value=f"T + r*b/t_b - {term()}", exception="And(r <= 0, M < b, Y < level)", rate=f"{GAP}/4",
    most="(2 + short + kinds)*b + level", words=WORDS.format(mean=(
        "lambda (m_p + m_d) tokens, and Q in squares of 1 + v_d(i),")) + "; none is the probability of some slots that "
    "bring no request (free), and good is that of some (lucky) that bring at most one request of more than short "
    "decode tokens, at least long decode tokens, no more than long of each request counted, and at most few tokens "
    "that are prefill tokens, or decode tokens, no more than short of each request counted")
SOURCES = {
    **SQUARES_SOURCES,
    SIZES[0]: "added: a number of decode tokens", SIZES[1]: "added: a number of decode tokens",
    SIZES[2]: "added: a number of tokens", ROOM: "added: how long a long request is, by the other tokens of its slot",
    CHANCES[0]: "added: P{a_n = 0} > 0, for the function to fall; l. 176 offers it for irreducibility, which is "
                "assumed apart from it",
    CHANCES[2]: "added: long requests come, with no more than so many other tokens",
    CHANCES[1]: "a probability", CHANCES[3]: "a probability",
    **dict.fromkeys((PAY, SPAN, SMALL, STEEP, FARTHEST, LEVEL), "a definition"),
    WHOLE: "l. 168: a sum of natural numbers"}
UNBOUNDED = replace(recurrent(LONGEST, SOURCES), budget=300)
TWO_TYPES_UNBOUNDED = replace(two_types(LONGEST, SOURCES), budget=300)
