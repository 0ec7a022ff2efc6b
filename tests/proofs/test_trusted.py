"""The trusted code is short, exact and alone: what a reader has to read is all that there is."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import qtheory.proofs.kernel
import qtheory.proofs.recheck
import qtheory.proofs.trusted
from qtheory.proofs.trusted import (
    LIARS,
    NOTEBOOK,
    PACKAGE,
    ROOTS,
    code_lines,
    counted,
    imported,
    kernel_lines,
    notebook_lines,
    trusted_lines,
)

KERNEL = Path(qtheory.proofs.kernel.__file__ or "").parent
RECHECK = Path(qtheory.proofs.recheck.__file__ or "").parent
MOST_KERNEL, MOST_TRUSTED = 1800, 4000
# Functions added to the language, each in a file of its own: how long it may be.
ADDED = {f"qtheory.proofs.{name}": 40 for name in (
    "kernel.factorials", "kernel.laws", "kernel.named", "kernel.averages", "kernel.events", "kernel.operators",
    "kernel.endless", "operating", "signs")}
EXACT_MATH = {"isqrt"}  # all that the kernel may use of math: it is exact on integers
INEXACT = {"float", "complex", "round", "divmod", "eval", "exec", "__import__", "compile"}


def foreign(source: str, package: str) -> set[str]:
    """Imports from outside the standard library and the package itself."""
    names = imported(ast.parse(source), f"{package}.module")
    return {m for m in names if m.partition(".")[0] not in sys.stdlib_module_names
            and m != package and not m.startswith(package + ".")}


def inexact(source: str) -> Iterator[str]:
    """Floating point in the source, and ways to bring in what the source does not show."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield f"line {node.lineno}: the number {node.value}"
        elif isinstance(node, ast.Name) and node.id in INEXACT:
            yield f"line {node.lineno}: {node.id}"
        elif isinstance(node, ast.Import) and {a.name.partition(".")[0] for a in node.names} & {"math", "cmath"}:
            yield f"line {node.lineno}: math as a whole"
        elif isinstance(node, ast.ImportFrom) and node.module in ("math", "cmath", "decimal", "random", "importlib"):
            yield from (f"line {node.lineno}: {node.module}.{a.name}" for a in node.names
                        if (node.module, a.name) not in {("math", m) for m in EXACT_MATH})


KERNEL_FILES = sorted(KERNEL.glob("**/*.py"))
RECHECK_FILES = sorted(RECHECK.glob("**/*.py"))


def test_the_trusted_code_is_short() -> None:
    lines = counted()
    assert sum(code_lines(f.read_text(encoding="utf-8")) for f in KERNEL_FILES) == kernel_lines()
    assert all(lines[name] <= most for name, most in ADDED.items())
    assert 500 < kernel_lines() < MOST_KERNEL and trusted_lines() == sum(lines.values()) < MOST_TRUSTED
    assert {m for m in lines if m.startswith("qtheory.proofs.kernel.")} >= {
        f"qtheory.proofs.kernel.{f.stem}" for f in KERNEL_FILES if f.stem != "__init__"}


def test_the_doors_of_a_notebook_are_counted_apart() -> None:
    more = counted(*ROOTS, NOTEBOOK).keys() - counted().keys()
    assert {f"qtheory.proofs.{name}" for name in ("derivation", "latexing", "latex_names", "steps", "units")} <= more
    assert notebook_lines() == sum(counted(*ROOTS, NOTEBOOK)[name] for name in more)


def test_what_gives_words_is_counted() -> None:
    for name in ("gate", "verdict", "checkers", "places", "visible", "bundle", "axiomatic", "claims.axioms", "api",
                 "importing", "printing", "printer", "notation", "corpus"):
        assert f"qtheory.proofs.{name}" in counted(), name
    assert {f"qtheory.commands.{name}" for name in ("prove", "check", "verify")} <= set(counted())
    assert not [m for m in counted() if m.startswith("qtheory.proofs.tactics")]


def test_each_module_left_out_is_made_to_lie() -> None:
    """``test_lying_modules`` has a test for each of these names, and nothing is left out besides."""
    tests = (Path(__file__).parent / "test_lying_modules.py").read_text(encoding="utf-8")
    for name in (*LIARS, PACKAGE):
        assert f'@lying("{name}")' in tests, name


def test_imports_inside_functions_are_followed() -> None:
    source = "def f():\n    from qtheory.proofs import gate\n    import qtheory.errors\n    from . import api\n"
    names = imported(ast.parse(source), "qtheory.proofs.decide")
    assert {"qtheory.proofs.gate", "qtheory.errors", "qtheory.proofs.api"} <= names


@pytest.mark.parametrize(("head", "counts"), [
    ("from typing import TYPE_CHECKING", False), ("TYPE_CHECKING = True", True), ("from x import TYPE_CHECKING", True),
    ("from typing import TYPE_CHECKING\nTYPE_CHECKING = True", True)])
def test_what_type_checkers_alone_see_is_not_followed(head: str, counts: bool) -> None:
    source = f"{head}\nif TYPE_CHECKING:\n    import qtheory.theory\nelse:\n    import qtheory.errors\n"
    names = imported(ast.parse(source), "qtheory.proofs.decide")
    assert ("qtheory.theory" in names) is counts and "qtheory.errors" in names


def test_what_counts_as_a_line() -> None:
    head = '"""Why.\n\nIt is sound."""\n\n# a remark\n'
    body = 'def f(x):\n    """An argument."""\n    y = (x +\n         1)\n\n    return y\n\n\nDATA = {\n 1: 2}\n'
    assert code_lines(head + body) == 4  # however they are laid out: def, y, return, DATA
    assert code_lines('def f():\n    """Nothing else."""\n') == 2


def test_only_the_gate_has_the_seal() -> None:
    """Nothing else gives the words, or speaks of what lets them be given."""
    root = Path(qtheory.proofs.trusted.__file__ or "").parents[1]
    having = {f.relative_to(root).as_posix() for folder in ("proofs", "qtheory")
              for f in (root / folder).rglob("*.py") if re.search(r"\bSEAL\b", f.read_text(encoding="utf-8"))}
    assert having == {"proofs/gate.py", "proofs/verdict.py"}


@pytest.mark.parametrize("file", KERNEL_FILES, ids=lambda f: f.name)
def test_the_kernel_stands_alone(file: Path) -> None:
    assert foreign(file.read_text(encoding="utf-8"), "qtheory.proofs.kernel") == set()


@pytest.mark.parametrize("file", KERNEL_FILES, ids=lambda f: f.name)
def test_the_kernel_is_exact(file: Path) -> None:
    assert list(inexact(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("file", RECHECK_FILES, ids=lambda f: f.name)
def test_the_second_checker_shares_nothing(file: Path) -> None:
    """Exact polynomials and balls of another library, but nothing of the kernel or of what stands on it."""
    outside = foreign(file.read_text(encoding="utf-8"), "qtheory.proofs.recheck")
    assert not [m for m in outside if m.startswith("qtheory.") and not m.startswith("qtheory.errors")]


@pytest.mark.parametrize("source", ["x = 0.5", "from math import exp", "import math", "x = float(1)",
                                    "import math as m", "from decimal import Decimal",
                                    "x = 2j", "eval('1')", "__import__('sympy')"])
def test_inexact_code_is_found(source: str) -> None:
    assert list(inexact(source))


@pytest.mark.parametrize("source", ["import sympy", "def f():\n    from numpy import exp", "from .. import api",
                                    "from ..tactics import solve", "import qtheory.errors",
                                    "from qtheory.proofs.kernel_copy import x"])
def test_foreign_imports_are_found(source: str) -> None:
    assert foreign(source, "qtheory.proofs.kernel")


def test_own_imports_are_no_foreign_ones() -> None:
    source = "from .terms import ONE\nfrom . import logic\nimport re\nfrom fractions import Fraction"
    assert foreign(source, "qtheory.proofs.kernel") == set()
