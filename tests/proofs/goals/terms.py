"""What the looks by numbers share: texts parsed by Python's grammar, powers and naturals, and what may go wrong."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

from mpmath import mp, mpf

FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
SIGNS: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
Env = dict[str, Any]


class Undefined(Exception):
    """A term that has no value."""


class Unsure(Exception):
    """The digits do not tell."""


@cache
def parsed(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


@cache
def names_in(node: ast.AST) -> frozenset[str]:
    """Names that stand for variables: all but those that are called."""
    called = {id(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) not in called)


def defined_by(let: tuple[str, ...]) -> dict[str, tuple[list[str], ast.expr]]:
    """Definitions ``f(x) = term`` and ``c = term`` by name: the parameters and the term."""
    found: dict[str, tuple[list[str], ast.expr]] = {}
    for text in let:
        head, _, body = text.partition("=")
        left = parsed(head)
        if isinstance(left, ast.Call):
            found[left.func.id] = ([a.id for a in left.args], parsed(body))  # type: ignore[attr-defined]
        else:
            found[left.id] = ([], parsed(body))  # type: ignore[attr-defined]
    return found


def power(a: Any, b: Any) -> Any:
    if mp.isint(b):
        if a == 0 and b < 0:
            raise Undefined
        return mp.power(a, int(b)) if abs(b) < 10**6 else mp.power(a, b)
    if a < 0 or (a == 0 and b < 0):
        raise Undefined
    return mpf(0) if a == 0 else mp.exp(b * mp.log(a))


def natural(n: Any) -> int:
    if not mp.isint(n) or n < 0:
        raise Undefined
    return int(n)
