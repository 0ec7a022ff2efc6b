"""A compiled loop hands control back now and then, so that a run can be interrupted; it goes on where it stopped.

Signals are met by Python alone: Ctrl-C waits until the loop returns, which within one long window may be never.
"""

from __future__ import annotations

PAUSED = -1  # what a loop returns, besides its own statuses, which are not negative
TURNS = 1 << 19  # of a loop between two pauses: 0.03 to 1 s
