"""The trusted code is short, exact and alone: what a reader has to read is all that there is."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import qtheory.proofs.kernel
import qtheory.proofs.recheck
from qtheory.proofs.trusted import code_lines, kernel_lines

KERNEL = Path(qtheory.proofs.kernel.__file__ or "").parent
RECHECK = Path(qtheory.proofs.recheck.__file__ or "").parent
MOST_LINES = 1500
EXACT_MATH = {"isqrt"}  # all that the kernel may use of math: it is exact on integers
INEXACT = {"float", "complex", "round", "divmod", "eval", "exec", "__import__", "compile"}


def imported(source: str, package: str) -> set[str]:
    """The full names of the modules that the source imports, also inside functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[:len(package.split(".")) - node.level + 1] if node.level else []
            names.add(".".join([*base, *filter(None, [node.module])]))
    return names


def foreign(source: str, package: str) -> set[str]:
    """Imports from outside the standard library and the package itself."""
    return {m for m in imported(source, package) if m.partition(".")[0] not in sys.stdlib_module_names
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


def test_the_kernel_is_short() -> None:
    counted = sum(code_lines(f.read_text(encoding="utf-8")) for f in KERNEL_FILES)
    assert counted == kernel_lines()
    assert 500 < counted <= MOST_LINES


def test_what_counts_as_a_line() -> None:
    head = '"""Why.\n\nIt is sound."""\n\n# a remark\n'
    body = 'def f(x):\n    """An argument."""\n    y = """a\n\nb"""\n    return x\n'
    assert code_lines(head + body) == 4  # def, the three-line text's two lines that are not blank, return


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
    assert {m for m in outside if m.partition(".")[0] == "qtheory"} <= {"qtheory.errors"}


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
