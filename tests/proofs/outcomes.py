"""How a checker ends on hostile input: accepted, rejected, endless, or in a Python error that it must not let out."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

SECONDS = 10.0


class Endless(BaseException):
    """Raised by the alarm; no handler for Exception stops it."""


def outcome(run: Callable[[], Any], rejection: type[Exception], seconds: float = SECONDS) -> str:
    """accepted, rejected, endless, or the name of another Python error."""

    def alarm(*_: Any) -> None:
        raise Endless

    before = signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        run()
        return "accepted"
    except rejection:
        return "rejected"
    except Endless:
        return "endless"
    except Exception as error:
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
