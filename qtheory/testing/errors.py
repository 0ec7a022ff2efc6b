"""What can go wrong with a theorem that is asserted; each message is one line, or one with the case below it."""

from __future__ import annotations

from qtheory.errors import InputError, QTheoryError


class TheoremFailedError(AssertionError):
    """The implementation under test, or the theorem itself, is wrong at a case: a test's failure."""


class BrokenHypothesesError(InputError):
    """The case does not meet the theorem's hypotheses, so it tells nothing about it."""


class MissingValueError(InputError):
    """The case lacks the value of a variable that nothing fixes."""


class NotATheoremError(InputError):
    """The claim is refuted (the message names its correction) or not proved."""


class NoFiniteCasesError(QTheoryError, TypeError):
    """The claim says nothing about a single case: a limit, a process, a measured or printed number."""
