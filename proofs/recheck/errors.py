"""The one error of the second checker."""


class RecheckError(Exception):
    """Data that is no valid certificate, or a text that is no statement; says why."""


def demand(condition: bool, why: str) -> None:
    """Raise RecheckError unless the condition holds."""
    if not condition:
        raise RecheckError(why)
