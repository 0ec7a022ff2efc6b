"""Calls whose arguments do not fit end in the library's own error: what is wrong, and what the call looks like."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from typing import Any, TypeVar, cast

from qtheory.errors import InputError

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)


class ArgumentsError(InputError, TypeError):
    """A call with an argument too many, too few, or of a name that the function does not have."""


def fitting(function: Function, **elsewhere: str) -> Function:
    """The function, which raises ArgumentsError for arguments that do not fit it.

    ``elsewhere``: names of arguments that belong to another function, each with where it belongs.
    """
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    own = parameters[:1] if parameters and parameters[0].name == "self" else []
    shown = f"{'d.' * bool(own)}{function.__name__}{_shown(parameters[len(own):])}"

    @wraps(function)
    def called(*arguments: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        try:
            signature.bind(*arguments, **named)
        except TypeError as error:
            why = str(error).replace("missing a required argument: ", "the argument is missing: ")
            for strange in [n for n in named if n not in signature.parameters][:1]:
                near = "".join(f", but {n!r}" for n in get_close_matches(strange, list(signature.parameters), n=1))
                why = elsewhere.get(strange, f"there is no argument {strange!r}{near}")
            raise ArgumentsError(f"{function.__name__}: {why}; the call is {shown}") from None
        try:
            return function(*arguments, **named)
        except ValueError as error:
            if "integer string conversion" not in str(error):
                raise
            most = sys.get_int_max_str_digits()
            raise InputError(f"{function.__name__}: a number has more than {most} digits; no longer one is "
                             "read") from None

    return cast(Function, called)


def methods_fitting(kind: Class) -> Class:
    """The class, each of its public methods as `fitting` makes it."""
    for name, value in list(vars(kind).items()):
        if inspect.isfunction(value) and not name.startswith("_"):
            setattr(kind, name, fitting(value))
    return kind


def _shown(parameters: list[inspect.Parameter]) -> str:
    """The parameters as a call writes them: optional ones in brackets, those that go by name with an equals sign."""
    texts = []
    for p in parameters:
        many = p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        text = p.name + ", ..." * (p.kind is p.VAR_POSITIONAL) + "=..." * (p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD))
        texts.append(text if p.default is p.empty and not many else f"[{text}]")
    return f"({', '.join(texts)})"


__all__ = ["ArgumentsError", "fitting", "methods_fitting"]
