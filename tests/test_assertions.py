"""No test asserts nothing: each asserts, expects an error, or calls a helper that does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# what fails of itself: of pytest, of numpy, of a pytester's result
FAILING = ("raises", "warns", "errstate", "assert_allclose", "assert_array_equal", "assert_array_less",
           "assert_outcomes", "fnmatch_lines", "no_fnmatch_line")


def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def called(function: ast.AST) -> set[str]:
    """Names that are used in it, as functions or as methods: a helper may be handed on."""
    return {n.attr if isinstance(n, ast.Attribute) else n.id for n in ast.walk(function)
            if isinstance(n, ast.Attribute | ast.Name)}


def idle(sources: dict[str, str]) -> list[str]:
    """The tests of these files of which nothing can fail but what they try."""
    trees = {file: ast.parse(text) for file, text in sources.items()}
    every = [f for tree in trees.values() for f in functions(tree)]
    failing = {*FAILING, *(f.name for f in every if any(isinstance(n, ast.Assert) and not isinstance(
        n.test, ast.Constant) for n in ast.walk(f)))}
    calls = {f.name: called(f) for f in every if not f.name.startswith("test_")}
    while more := {name for name, used in calls.items() if used & failing} - failing:
        failing |= more
    return [f"{file}: {f.name}" for file, tree in trees.items() for f in functions(tree)
            if f.name.startswith("test_") and f.name not in failing and not called(f) & failing]


@pytest.mark.slow(5)
def test_each_test_of_ours_asserts() -> None:
    sources = {p.relative_to(TESTS).as_posix(): p.read_text(encoding="utf-8") for p in TESTS.rglob("*.py")}
    assert not idle(sources)


def test_one_that_asserts_nothing_is_named() -> None:
    text = ("def held(x):\n    assert x\ndef told(x):\n    return x\ndef test_a():\n    held(1)\n"
            "def test_b():\n    told(1)\ndef test_c():\n    assert True\n")
    assert idle({"t.py": text}) == ["t.py: test_b", "t.py: test_c"]
