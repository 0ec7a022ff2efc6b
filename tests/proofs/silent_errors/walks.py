"""Walks on the naturals that are no positive recurrent chains, or are so for another reason than the one given.

A line changes the true walk of ``WALK``, ``key: value; key: value``: up by one with probability ``up``, down by one,
where there is room, with probability ``down``, else still; and the chain is said to be positive recurrent, for what
Foster's theorem asks.  What a theorem by axioms does not show is unknown, for it refutes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from qtheory.proofs.chains import FOSTER, Chain, Outcome, Recurrence, State
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.proving.lines import Line, Proof
from qtheory.proofs.theorems import referee_theorem

WALK: Mapping[str, str] = {
    "given": "0 <= up, up < down, up + down <= 1", "up": "up", "down": "down*Min(x, 1)",
    "still": "1 - up - down*Min(x, 1)", "above": "x + 1",
    "below": "x - 1", "value": "x", "exception": "x < 1", "rate": "down - up", "most": "1", "lowest": "0",
    "parameters": "up, down", "space": "", "instance": "x = 3, up = 1/4, down = 1/2"}

WALKS = {
    "walks that run away": """
= given: 0 <= up, up < down, up + down <= 1
given: 0 <= down, down < up, up + down <= 1; instance: x = 3, up = 1/2, down = 1/4
given: 0 <= down, down < up, up + down <= 1; rate: up - down; instance: x = 3, up = 1/2, down = 1/4
given: 0 <= up, up == down, up + down <= 1; instance: x = 3, up = 1/2, down = 1/2
given: 0 <= up, up == down, up + down <= 1; rate: 1; instance: x = 3, up = 1/2, down = 1/2
given: 0 <= up, up <= down, up + down <= 1; instance: x = 3, up = 1/4, down = 1/2
up: 9/10; down: Min(x, 1)/10; still: 1/10 - Min(x, 1)/10; rate: 1/10
up: 1; down: 0; still: 0; rate: 1
above: x + 3
below: x
below: x + 1
""",
    "constants that follow the state": """
= rate: (down - up)/2
rate: (down - up)/(1 + x)
given: 0 <= up, up == down, up + down <= 1; rate: 1/(1 + x); instance: x = 3, up = 1/2, down = 1/2
given: 0 <= up, up < down, up + down <= 1, up*(x + 1) <= 1/4; instance: x = 0, up = 1/8, down = 1/2
given: 0 <= up, up < down, up + down <= 1, x <= c; parameters: up, down, c; exception: x <= c; most: c
exception: x >= 0; most: x
value: -x; lowest: -x; exception: 0 > 1; rate: 1
given: 0 <= down, down < up, up + down <= 1, low <= -x; value: -x; lowest: low; parameters: up, down, low
given: 0 <= up, up < down, up + down <= 1, 0 < y, y < x; rate: y; parameters: up, down, y
parameters: up, down, x
""",
    "what is no chain": """
= still: 1 - (up + Min(x, 1)*down)
still: 1 - up
still: 0
up: 2*up
up: -up
down: down + x
down: down
below: x - 2
above: x + 1/2
above: x/2
still: 1 - up - down*Min(x, 1) + 0*log(-1)
""",
    "what Foster's theorem does not allow": """
= most: 2
value: -x; rate: up
exception: x >= 0
exception: x >= 0; most: 5
exception: x < 1; most: 0 - 1
rate: 0
rate: up - down
rate: 2*(down - up)
lowest: 1
exception: 0 > 1
value: 0*x
""",
}


def said(line: str, budget: float) -> str:
    changes = dict(part.split(": ", 1) for part in line.split("; "))
    walk = {**WALK, **{key.strip(): value.strip() for key, value in changes.items()}}

    def several(key: str) -> tuple[str, ...]:
        return tuple(part.strip() for part in walk[key].split(", ") if part.strip())

    chain = Chain(given=several("given"), state=State(("x",)), space=several("space"), outcomes=(
        Outcome({"x": walk["above"]}, walk["up"]), Outcome({"x": walk["below"]}, walk["down"]),
        Outcome({}, walk["still"])))
    try:
        claim = Recurrence(chain, several("parameters"), walk["value"], walk["exception"], walk["rate"], walk["most"],
                           "a walk on the naturals", walk["lowest"])
        drift = Line(label=f"{FOSTER}: drift", cases=("x - 1",))
        return referee_theorem(claim, Proof((drift,), instance=several("instance")), max(budget, 2.0)).verdict
    except KernelError:
        return "unknown"
