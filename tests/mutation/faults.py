"""The faults: one small change of one place of a file, found in its syntax tree and made in its text.

The kinds are those that slip into formulas and loops: a sign, an operator, a constant, a comparison made strict, one
too many or too few, arguments swapped, a term dropped, another divisor of a variance, branches swapped.
"""

from __future__ import annotations

import ast
import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DRAWN, CHOSEN = "drawn", "chosen"

# what a fault belongs to: its name in the table, where its files lie, which of them are left out
ROOMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "testing": ("qtheory/testing", ()),
    "theory": ("qtheory/theory", ()),
    "statistics": ("simulate/statistics", ()),
    "networks": ("qtheory/networks", ()),
    "numerics": ("numerics", ()),
    "models": ("qtheory/models", ()),
    "profiles": ("qtheory/profiles", ()),
    "report": ("qtheory/report", ()),
    "policies": ("simulate/kernel/policies", ()),
    "simulate": ("simulate", ("simulate/kernel/policies", "simulate/statistics")),
    "proofs": ("proofs", ("proofs/kernel", "proofs/claims")),
}


@dataclass(frozen=True)
class Fault:
    """The text ``before`` at an offset of a file that becomes ``after``; ``origin``: drawn or chosen."""

    file: str
    line: int
    start: int
    before: str
    after: str
    origin: str
    within: str  # the function's qualified name, "" in none
    id: str  # of the file, the function, its first line and its place there: stays where other lines change

    @property
    def room(self) -> str:
        return next(name for name, (folder, but) in ROOMS.items()
                    if self.file.startswith(f"{folder}/") and not self.file.startswith(but or "\0"))

    def planted(self, source: str) -> str:
        """The file's text with the fault in it."""
        end = self.start + len(self.before)
        if source[self.start:end] != self.before:
            raise ValueError(f"{self.file}:{self.line}: not the text that the fault was found in")
        return source[:self.start] + self.after + source[end:]


COMPARISONS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
               ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}
OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "/", ast.Mod: "//", ast.Pow: "*"}
OTHERS = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor", "argmin": "argmax",
          "argmax": "argmin", "minimum": "maximum", "maximum": "minimum", "log1p": "log", "expm1": "exp",
          "cumsum": "cumprod", "mean": "median"}  # fmt: skip


class _Places(ast.NodeVisitor):
    """Collects (start, end, replacement, function) of every place of a file that a fault may change."""

    def __init__(self, source: str) -> None:
        self.source = source
        lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))
        self.lines = lines
        self.within: list[str] = []
        self.found: list[tuple[int, int, str, str]] = []

    def at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def text(self, node: ast.expr) -> str:
        start, end = self.span(node)
        return self.source[start:end]

    def change(self, node: ast.expr, after: str) -> None:
        start, end = self.span(node)
        self._add(start, end, after)

    def _add(self, start: int, end: int, after: str) -> None:
        self.found.append((start, end, after, ".<locals>.".join(self.within).replace(".<locals>.@", ".")))

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        """Another operator between two operands, with the brackets that stand there left alone."""
        start, end = self.span(left)[1], self.span(right)[0]
        at = self.source.find(old, start, end)
        if at >= 0 and "#" not in self.source[start:end]:
            self._add(at, at + len(old), new)

    # what is not code of its own

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name in ("__repr__", "__str__"):
            return
        self._inside(node, node.name)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._inside(node, node.name)

    def _inside(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, name: str) -> None:
        method = isinstance(node, ast.FunctionDef) and bool(self.within) and self.is_class
        was, self.is_class = self.is_class, isinstance(node, ast.ClassDef)
        self.within.append(f"@{name}" if method else name)
        if isinstance(node, ast.FunctionDef):
            for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
                self.visit(default)
        for child in node.body:
            self.visit(child)
        self.within.pop()
        self.is_class = was

    is_class = False

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    def visit_Raise(self, node: ast.Raise) -> None:
        pass

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    # the kinds of faults

    def visit_BinOp(self, node: ast.BinOp) -> None:
        name = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
                ast.Pow: "**"}.get(type(node.op))  # fmt: skip
        texts = any(isinstance(n, ast.Constant | ast.JoinedStr) and not _number(n) for n in (node.left, node.right))
        if name is not None and not texts:
            self.between(node.left, node.right, name, OPERATORS[type(node.op)])
            if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.Pow):
                self.change(node, self.text(node.left))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.USub | ast.Not):
            self.change(node, f"({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.change(node, str(not node.value))
        elif isinstance(node.value, int):
            self.change(node, str(node.value + 1))
            if node.value > 0:
                self.change(node, str(node.value - 1))
        elif isinstance(node.value, float):
            self.change(node, repr(2 * node.value if node.value else 1.0))
            self.change(node, repr(node.value / 2 if node.value else -1.0))

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, op, right in zip((node.left, *node.comparators), node.ops, node.comparators, strict=False):
            old = {"Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!=", "Is": "is", "In": "in",
                   "IsNot": "is not", "NotIn": "not in"}[type(op).__name__]  # fmt: skip
            self.between(left, right, old, COMPARISONS[type(op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for i, value in enumerate(node.values):
            kept = [self.text(v) for j, v in enumerate(node.values) if j != i]
            word = " and " if isinstance(node.op, ast.And) else " or "
            self.change(node, f"({word.join(kept)})")
            if i:
                self.between(node.values[i - 1], value, word.strip(), "or" if word == " and " else "and")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.change(node, f"({self.text(node.orelse)} if {self.text(node.test)} else {self.text(node.body)})")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.change(node.test, f"not ({self.text(node.test)})")
            self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        where = node.slice
        if isinstance(where, ast.Slice):
            for bound in (where.lower, where.upper):
                if bound is not None and not isinstance(bound, ast.Constant):
                    self.change(bound, f"({self.text(bound)}) + 1")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        plain = [a for a in node.args if not isinstance(a, ast.Starred | ast.GeneratorExp)]
        if called in OTHERS:
            end = self.span(node.func)[1]
            self._add(end - len(called), end, OTHERS[called])
        if called == "range":
            self.change(node.args[min(1, len(plain) - 1)], f"({self.text(node.args[min(1, len(plain) - 1)])}) - 1")
        if called == "sqrt" and plain:
            self.change(node, f"({self.text(node.args[0])})")
        if called in ("std", "var") and not any(k.arg == "ddof" for k in node.keywords):
            end = self.span(node)[1]
            self._add(end - 1, end, ", ddof=1)" if plain or node.keywords else "ddof=1)")
        if called not in ("isinstance", "getattr", "hasattr", "range", "zip") and len(plain) == len(node.args):
            for one, two in pairwise(plain):
                if not (isinstance(one, ast.Constant) or self.text(one) == self.text(two)):
                    start, end = self.span(one)[0], self.span(two)[1]
                    middle = self.source[self.span(one)[1]:self.span(two)[0]]
                    self._add(start, end, f"{self.text(two)}{middle}{self.text(one)}")
        self.generic_visit(node)


def _number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _compiles(source: str) -> bool:
    try:
        return bool(ast.parse(source))
    except SyntaxError:
        return False


@cache
def _found(source: str) -> list[tuple[int, int, str, str]]:
    """The places of a file's text, read once however many draws are made of it."""
    visitor = _Places(source)
    visitor.visit(ast.parse(source))
    return visitor.found


def files(room: str) -> Iterator[str]:
    folder, but = ROOMS[room]
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(but or "\0"):
            yield name


def drawn(room: str, count: int, seed: int, begin: str = "") -> list[Fault]:
    """The first so many of a seeded order of lines of the room, in files whose names begin so: at most one fault a
    line, so that no line has many.

    A line's place in that order, and the fault in it, hang on the line alone, so that a change of other lines changes
    the draw by as little as it can.
    """
    places: dict[str, list[tuple[str, str, int, int, str, str]]] = {}
    for file in filter(lambda name: name.startswith(begin), files(room)):
        source = (ROOT / file).read_text(encoding="utf-8")
        keys, alike = [], Counter[str]()
        for text in map(str.strip, source.splitlines()):
            parts = (str(seed), room, file, text, str(alike[text]))
            keys.append(hashlib.sha256("\0".join(parts).encode()).hexdigest())
            alike[text] += 1
        for start, end, after, within in _found(source):
            key = keys[source.count("\n", 0, start)]
            places.setdefault(key, []).append((file, source, start, end, after, within))
    chosen: list[Fault] = []
    for key in sorted(places):
        if len(chosen) == count:
            break
        file, source, start, end, after, within = random.Random(key).choice(places[key])
        fault = _made(file, source, start, source[start:end], after, DRAWN, within)
        if source[start:end] != after and _compiles(fault.planted(source)):
            chosen.append(fault)
    return chosen


def _made(file: str, source: str, start: int, before: str, after: str, origin: str, within: str) -> Fault:
    line, begin = source.count("\n", 0, start) + 1, source.rfind("\n", 0, start) + 1
    text = "\0".join((file, within, source[begin:].partition("\n")[0].strip(), str(start - begin), before, after))
    return Fault(file, line, start, before, after, origin, within, hashlib.sha256(text.encode()).hexdigest()[:12])


def by_hand(file: str, before: str, after: str) -> Fault:
    """A chosen fault: a text that stands once in the file, and what it becomes."""
    source = (ROOT / file).read_text(encoding="utf-8")
    if source.count(before) != 1:
        raise ValueError(f"{file}: {source.count(before)} times, not once: {before}")
    start = source.index(before)
    line = source.count("\n", 0, start) + 1
    return _made(file, source, start, before, after, CHOSEN, _function(source, line))


def _function(source: str, line: int) -> str:
    """The qualified name of the innermost function around a line."""
    def search(body: list[ast.stmt], prefix: str) -> str:
        for node in body:
            if node.lineno <= line <= (node.end_lineno or node.lineno):
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    name = f"{prefix}{node.name}"
                    below = search(node.body, f"{name}." if isinstance(node, ast.ClassDef) else f"{name}.<locals>.")
                    return below or name
                children = [c for c in ast.iter_child_nodes(node) if isinstance(c, ast.stmt)]
                return search(children, prefix)
        return ""

    return search(ast.parse(source).body, "")
