"""Every single change to a certificate: of numbers, names, operations, indices, exponents, rules, steps, texts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from qtheory.proofs.kernel.theorem import RULES

OTHER_HEAD = {
    "+": ["*", "max"], "*": ["+", "max"], "^": ["max", "+"], "max": ["+", "*"], "exp": ["log", "floor", "sqrt"],
    "log": ["exp", "sqrt"], "sqrt": ["log", "exp"], "floor": ["exp"], ">": [">=", "!=", "="], ">=": [">", "="],
    "=": [">=", "!="], "!=": [">", "="], "isint": ["def", "="], "def": ["undef", "isint"], "undef": ["def"],
    "and": ["or"], "or": ["and"], "imp": ["and"], "all": ["ex"], "ex": ["all"], "sum": ["int"], "int": ["sum"],
    "diff": ["int"], "app": ["sum"], "W": ["exp"],
}
Change = tuple[str, Any]  # the kind of the change, and the changed certificate


def mutants(data: dict[str, Any]) -> Iterator[Change]:
    """All single changes of the certificate outside its statement."""
    for place in range(len(data["nodes"])):
        for kind, node in _nodes(data["nodes"][place]):
            yield kind, _with(data, ("nodes", place), node)
    for place in range(len(data["steps"])):
        for kind, step in _steps(data["steps"][place]):
            yield kind, _with(data, ("steps", place), step)
    for part in ("nodes", "steps"):
        for place in range(len(data[part])):
            items = data[part]
            yield f"{part}: deleted", {**data, part: items[:place] + items[place + 1:]}
            yield f"{part}: doubled", {**data, part: items[:place + 1] + items[place:]}
            swapped = items[:place] + items[place:place + 2][::-1] + items[place + 2:]
            if swapped != items:
                yield f"{part}: swapped", {**data, part: swapped}
    yield "verdict", {**data, "verdict": "refuted" if data["verdict"] == "proved" else "proved"}
    for change in (1, -1):
        for part in ("main", "schema"):
            yield part, {**data, part: data[part] + change}
        yield "witness", {**data, "witness": [step + change for step in data["witness"] or [0]]}


def _with(data: dict[str, Any], path: tuple[str, int], value: Any) -> dict[str, Any]:
    changed = {**data, path[0]: list(data[path[0]])}
    changed[path[0]][path[1]] = value
    return changed


def _nodes(node: Any) -> Iterator[Change]:
    if isinstance(node, str):
        if node[0].isdigit() or node[0] == "-":
            value = Fraction(node)
            for new in {value + 1, value - 1, -value, 2 * value, value * Fraction(101, 100)} - {value}:
                yield "number", str(new)
        else:
            yield "variable", f"{node}'"
            yield "variable", "x" if node != "x" else "y"
        return
    for head in OTHER_HEAD[node[0]]:
        yield "operation", [head, *node[1:]]
    yield from (("child", new) for new in _neighbours(node))


def _steps(step: list[Any]) -> Iterator[Change]:
    for name, (_, kinds) in RULES.items():
        if name != step[0] and kinds == RULES[step[0]][1]:
            yield "rule", [name, *step[1:]]
    for new in _neighbours(step):
        yield "argument", new


def _neighbours(value: list[Any]) -> Iterator[list[Any]]:
    """The list with one number changed by one or negated, one name changed, or one part of an inner list left out."""
    for place, part in enumerate(value):
        variants: list[Any] = []
        if isinstance(part, int):
            variants = [v for v in (part + 1, part - 1, -part) if v != part]
        elif isinstance(part, str) and place > 0:
            variants = [part + "'", "-" + part]
        elif isinstance(part, list):
            variants = [part[:i] + part[i + 1:] for i in range(len(part))] + list(_neighbours(part))
        for variant in variants:
            yield [*value[:place], variant, *value[place + 1:]]


def statements(statement: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The statement with one character of a text changed, or a condition left out or doubled into another."""
    for place, condition in enumerate(statement["where"]):
        rest = statement["where"][:place] + statement["where"][place + 1:]
        yield {**statement, "where": rest}
        for text in _texts(condition):
            yield {**statement, "where": [*statement["where"][:place], text, *statement["where"][place + 1:]]}
    yield {**statement, "where": [*statement["where"], "x > 17"]}
    for text in _texts(statement["goal"]):
        yield {**statement, "goal": text}


def _texts(text: str) -> Iterator[str]:
    swaps = {"+": "-", "-": "+", "*": "+", "/": "*", ">": "<", "<": ">", "x": "y", "n": "m", "t": "u", "(": "["}
    for place, character in enumerate(text):
        if character.isdigit():
            for new in (str((int(character) + 1) % 10), character + "1"):
                yield text[:place] + new + text[place + 1:]
        elif character in swaps:
            yield text[:place] + swaps[character] + text[place + 1:]
    yield f"1 > 0 if {text}"
