"""Paths of switched systems: ``z' = f(z)`` whose formula changes where the state crosses from one regime to another.

Within a regime the right side is smooth, if often stiff, and is followed by an implicit method (SciPy's Radau); the end
of a regime is found by halving the step at which the regime of the state differs, so that no formula is used beyond its
regime by more than ``TIGHT`` seconds, and no jump of the right side is smoothed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import Radau

Array = NDArray[np.float64]
TIGHT = 1e-9  # seconds within which the end of a regime is found
MOST_REGIMES = 20_000


@dataclass(frozen=True)
class Path:
    """``times`` (n,) and ``states`` (n, d) of a path; ``switches``: times at which the regime changed."""

    times: Array
    states: Array
    switches: tuple[float, ...]

    def at(self, time: float) -> Array:
        """The state at a time, linear between the points of the path."""
        return np.array([np.interp(time, self.times, column) for column in self.states.T])


def follow(regime: Callable[[Array], Hashable], rate: Callable[[Array, Hashable], Array],
           settle: Callable[[Array], Array], start: Array, end: float, *, tolerance: float = 1e-8,
           longest: float = np.inf) -> Path:
    """The path from ``start`` over ``end`` seconds.

    ``regime(z)``: which formula holds at a state; ``rate(z, r)``: the right side of regime r, smooth a little beyond it
    too; ``settle(z)``: the state after jumps that take no time. ``longest``: seconds of a step. ArithmeticError where
    regimes change more than ``MOST_REGIMES`` times, or a step fails.
    """
    now, z = 0.0, settle(np.asarray(start, dtype=float))
    times, states, switches = [now], [z], list[float]()
    while now < end:
        here = regime(z)
        solver = Radau(lambda _, y, here=here: rate(y, here), now, z, end, max_step=longest, rtol=tolerance,
                       atol=tolerance * 0.1, first_step=min(1e-6, end - now))
        while solver.status == "running":
            message = solver.step()
            if solver.status == "failed":
                raise ArithmeticError(f"a step of the path fails at {now:g} s: {message}")
            there = solver.y
            if regime(settle(there)) == here:
                now, z = float(solver.t), there
                times.append(now)
                states.append(settle(z))
                continue
            inside = solver.dense_output()
            low, high = float(solver.t_old or 0.0), float(solver.t)
            while high - low > TIGHT:
                middle = (low + high) / 2
                if middle in (low, high):
                    break
                low, high = (middle, high) if regime(settle(inside(middle))) == here else (low, middle)
            now, z = high, settle(inside(high))
            switches.append(now)
            times.append(now)
            states.append(z)
            if len(switches) > MOST_REGIMES:
                raise ArithmeticError(f"more than {MOST_REGIMES} changes of regime by {now:g} s")
            break
    return Path(np.array(times), np.array(states), tuple(switches))
