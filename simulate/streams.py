"""What every run is given: its horizon, its windows, and the key of its random streams; and how it is followed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.checks import whole
from qtheory.simulate.kernel.pause import PAUSED

_MAX_32 = 2**32
MOST_WINDOWS = 10**6
MOST_EVENTS = 2**53  # sums of events and times are floating-point numbers: beyond it one more changes nothing


@dataclass(frozen=True)
class Plan:
    """One replication over ``horizon`` seconds from the start of a model, in ``windows`` windows of equal length.

    ``warm_up``: fraction of the horizon that histograms leave out; ``seed``, ``replication``: of the random streams;
    ``records``: keep all that happened, so that memory grows with the horizon; ``progress``: called after each window
    with the fraction done and the events so far. Raises InputError for a run that cannot be.
    """

    horizon: float
    windows: int = 200
    warm_up: float = 0.0
    seed: int = 0
    replication: int = 0
    records: bool = False
    progress: Callable[[float, int], None] | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Plan:
        """The plan of these options; InputError for one that it lacks, UnknownNameError for one that it does not
        have."""
        known = [f.name for f in fields(cls)]
        for name in options:
            if name not in known:
                raise UnknownNameError("option of a run", name, known)
        if "horizon" not in options:
            raise InputError("a run needs its length in seconds: horizon=SECONDS")
        return cls(**options)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.horizon) and self.horizon > 0):
            raise InputError(f"the horizon must be positive and finite, not {self.horizon}")
        whole("the number of windows", self.windows, 1, MOST_WINDOWS)
        if not 0 <= self.warm_up < 1:
            raise InputError(f"the warm-up is a fraction in [0, 1), not {self.warm_up}")
        if not self.window > 0:
            raise InputError(f"the horizon {self.horizon} is too short for {self.windows} windows")
        for name, value in (("seed", self.seed), ("replication", self.replication)):
            if not 0 <= value < _MAX_32:
                raise InputError(f"the {name} lies in 0 ... 2**32 - 1, not {value}")

    @property
    def window(self) -> float:
        """Length of a window; seconds."""
        return self.horizon / self.windows

    @property
    def warm(self) -> int:
        """Windows of the warm-up."""
        return math.ceil(self.warm_up * self.windows)

    @property
    def key(self) -> np.ndarray:
        """The key of the random streams."""
        from qtheory.simulate.kernel.random import stream_key

        return stream_key(self.seed, self.replication)

    def check_events(self, rate: float, what: str) -> None:
        """Raise InputError for a horizon that holds more events, ``rate`` a second of ``what``, than can be counted."""
        held = self.horizon * rate
        if held > MOST_EVENTS:
            raise InputError(f"a horizon of {self.horizon:g} s holds {held:.3g} {what}, more than the 2**53 that can "
                             f"be counted: give one of at most {MOST_EVENTS / rate:.3g} s")  # fmt: skip

    def follow(
        self,
        advance: Callable[[int], int],
        meet: Callable[[int], None],
        events: Callable[[], int],
        at_warm: Callable[[], None] | None = None,
    ) -> None:
        """Let a compiled loop run to the end of the last window.

        ``advance(stop)`` runs until ``stop`` windows have ended and returns 0, or before that a status that is
        ``meet``-ed; ``at_warm`` is called once when the warm-up has ended. The loop returns PAUSED now and then, so
        that Ctrl-C ends a run, whatever the length of its windows.
        """
        stops = range(1, self.windows + 1) if self.progress else sorted({self.warm, self.windows})
        for stop in stops:
            while status := advance(stop):
                if status != PAUSED:
                    meet(status)
            if at_warm and stop == self.warm:
                at_warm()
            if self.progress:
                self.progress(stop / self.windows, events())
