"""Copies of the kernel, or of another package, from changed source, under another name, beside the intact one."""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.abc
import importlib.util
import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import qtheory.proofs.kernel

SOURCES = Path(qtheory.proofs.kernel.__file__ or "").parent
CHECKS = ("require", "require_form", "require_limit")
READERS = ("grammar.py", "statements.py", "factorials.py", "averages.py", "events.py", "operators.py", "endless.py")
GUARDS = ("terms", "formulas", "apart", "bounded", "finite")  # called for nothing but to refuse
_names = itertools.count(1)


@dataclass(frozen=True)
class Check:
    """One call of require, require_form or require_limit; ``key`` names it apart from its place in the file."""

    key: tuple[str, str, str]
    kind: str
    line: int
    column: int


@cache
def tree(file: str) -> ast.Module:
    return ast.parse((SOURCES / file).read_text(encoding="utf-8"), file)


def checks() -> list[Check]:
    """Every check in the kernel's source; a message that a function repeats is numbered."""
    found: list[Check] = []
    for path in sorted(SOURCES.glob("*.py")):
        for function, call in _calls(tree(path.name), ""):
            why = call.args[1]
            message = str(why.value) if isinstance(why, ast.Constant) else ast.unparse(why)
            key = (path.name, function, message)
            earlier = sum(c.key[:2] == key[:2] and c.key[2].partition(" #")[0] == message for c in found)
            key = (*key[:2], f"{message} #{earlier + 1}" if earlier else message)
            found.append(Check(key, call.func.id, call.lineno, call.col_offset))  # type: ignore[attr-defined]
    return found


def guards() -> list[Check]:
    """Every refusal in the statement reader: its raise statements, and its calls of functions that only refuse."""
    found: list[Check] = []
    for file in READERS:
        for function, statement in _refusals(tree(file), ""):
            key = (file, function, ast.unparse(statement))
            assert key not in {c.key for c in found}, f"the same refusal twice: {key}"
            found.append(Check(key, type(statement).__name__, statement.lineno, statement.col_offset))
    return found


def _refusals(node: ast.AST, name: str) -> Iterator[tuple[str, ast.stmt]]:
    for child in ast.iter_child_nodes(node):
        inner = name
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner = f"{name}.{child.name}" if name else child.name
        call = child.value if isinstance(child, ast.Expr) else None
        guard = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in GUARDS
        if isinstance(child, ast.Raise) or (guard and isinstance(child, ast.stmt)):
            yield name, child
        yield from _refusals(child, inner)


def _calls(node: ast.AST, name: str) -> Iterator[tuple[str, ast.Call]]:
    for child in ast.iter_child_nodes(node):
        inner = name
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner = f"{name}.{child.name}" if name else child.name
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id in CHECKS:
            yield name, child
        yield from _calls(child, inner)


class _Remove(ast.NodeTransformer):
    def __init__(self, check: Check) -> None:
        self.check = check

    def here(self, node: ast.expr | ast.stmt) -> bool:
        return (node.lineno, node.col_offset) == (self.check.line, self.check.column)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        named = isinstance(node.func, ast.Name) and node.func.id == self.check.kind
        return ast.copy_location(ast.Constant(None), node) if named and self.here(node) else node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return ast.copy_location(ast.Pass(), node) if self.check.kind == "Raise" and self.here(node) else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if self.check.kind == "Expr" and self.here(node):
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)


@cache
def code(path: Path) -> CodeType:
    return compile(path.read_text(encoding="utf-8"), path.name, "exec")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, package: str, sources: Path, changed: dict[str, CodeType]) -> None:
        self.package, self.sources, self.changed = package, sources, changed

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname.partition(".")[0] != self.package:
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=fullname == self.package)

    def exec_module(self, module: ModuleType) -> None:
        file = module.__name__.partition(".")[2]
        name = f"{file or '__init__'}.py"
        exec(self.changed.get(name) or code(self.sources / name), module.__dict__)


@contextlib.contextmanager
def kernel_without(check: Check | None) -> Iterator[ModuleType]:
    """The certificate module of a kernel in which that one call does nothing."""
    changed: dict[str, CodeType] = {}
    if check is not None:
        fresh = ast.parse((SOURCES / check.key[0]).read_text(encoding="utf-8"), check.key[0])
        changed[check.key[0]] = compile(ast.fix_missing_locations(_Remove(check).visit(fresh)), check.key[0], "exec")
    with copied(SOURCES, changed) as package:
        yield importlib.import_module(f"{package}.certificate")


@contextlib.contextmanager
def copied(sources: Path, changed: dict[str, CodeType]) -> Iterator[str]:
    """The name of a copy of the package, which has no subpackages, with that code for some of its files."""
    package = f"{sources.name}_copy_{next(_names)}"
    finder = _Finder(package, sources, changed)
    sys.meta_path.insert(0, finder)
    try:
        yield package
    finally:
        sys.meta_path.remove(finder)
        for name in [n for n in sys.modules if n.partition(".")[0] == package]:
            del sys.modules[name]
