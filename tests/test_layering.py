"""Who may import whom: from the numbers at the bottom to the faces on top."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = {"qtheory": "qtheory", "numerics": "qtheory.numerics", "simulate": "qtheory.simulate",
           "proofs": "qtheory.proofs"}
ERRORS, WRITING, PROGRESS = "qtheory.errors", "qtheory.files", "qtheory.progress"
LIBRARY = {"qtheory.profiles", "qtheory.workloads", "qtheory.models", "qtheory.theory"}
REFEREE = {f"qtheory.proofs.{name}" for name in ("kernel", "chains", "recheck", "tactics", "claims")}
# Each room, and the rooms that it may import besides itself; the longest name that fits a module is its room.
MAY_IMPORT: dict[str, set[str]] = {
    ERRORS: set(),
    WRITING: {ERRORS},
    PROGRESS: set(),
    "qtheory.numerics": {ERRORS},
    **{room: {*LIBRARY, "qtheory.numerics", WRITING, ERRORS} for room in LIBRARY},
    "qtheory.networks.shipped": {"qtheory.models", ERRORS},  # networks by name, as data
    "qtheory.simulate": {"qtheory.networks.shipped", "qtheory.models", "qtheory.workloads", "qtheory.profiles",
                         "qtheory.numerics", WRITING, ERRORS},
    "qtheory.simulate.fleet": {"qtheory.simulate", "qtheory.theory", ERRORS},  # clusters run by a plan
    "qtheory.proofs.kernel": set(),
    "qtheory.proofs.recheck": {ERRORS},
    "qtheory.proofs.limits": {"qtheory.proofs.kernel", ERRORS},  # what is too long or no number, for every door
    "qtheory.proofs.verdict": {"qtheory.proofs", WRITING, "qtheory.proofs.kernel", ERRORS},  # words
    "qtheory.proofs.proving.lines": {"qtheory.proofs.kernel", ERRORS},  # a proof's lines, as data
    "qtheory.proofs.proving": {"qtheory.proofs.kernel", "qtheory.proofs.proving.lines", "qtheory.proofs.claims",
                               "qtheory.proofs.tactics", "qtheory.proofs", ERRORS},
    "qtheory.proofs.functions": {"qtheory.proofs.kernel", "qtheory.proofs.tactics"},  # a file a function
    "qtheory.proofs.tactics": {"qtheory.proofs.kernel", "qtheory.proofs.functions", "qtheory.proofs.limits",
                               "qtheory.proofs.proving.lines", "qtheory.numerics", ERRORS},
    "qtheory.proofs.chains": {"qtheory.proofs", "qtheory.proofs.kernel"},  # what a Markov chain is, as data
    "qtheory.proofs.claims": {"qtheory.proofs.kernel", "qtheory.proofs.proving", "qtheory.proofs.proving.lines",
                              WRITING, "qtheory.proofs.limits", "qtheory.proofs.chains",
                              "qtheory.proofs.verdict",
                              "qtheory.proofs.tactics",
                              "qtheory.theory", "qtheory.simulate", "qtheory.profiles", "qtheory.numerics", ERRORS},
    "qtheory.proofs": {*REFEREE, WRITING, PROGRESS, "qtheory.proofs.limits", "qtheory.proofs.verdict",
                       "qtheory.proofs.proving",
                       "qtheory.proofs.proving.lines", "qtheory.theory", "qtheory.numerics", ERRORS},
}
FACE = "qtheory"  # what is in no room above: the command line, reports, testing; they stand on everything


def module_name(path: Path) -> str:
    """The import name of a file of the repository."""
    folder, *rest = path.relative_to(ROOT).with_suffix("").parts
    return ".".join([FOLDERS[folder], *(rest[:-1] if rest[-1] == "__init__" else rest)])


FILES = {module_name(f): f for folder in FOLDERS for f in sorted((ROOT / folder).rglob("*.py"))}


def room(module: str) -> str:
    fits = [r for r in MAY_IMPORT if module == r or module.startswith(r + ".")]
    return max(fits, key=len, default=FACE)


def imports(source: str, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """(line, module of the project) for each import, wherever it stands; an object's name becomes its module's."""
    own = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if a.name.partition(".")[0] == "qtheory")
        elif isinstance(node, ast.ImportFrom):
            base = own[:len(own) - node.level + 1] if node.level else []
            name = ".".join([*base, *filter(None, [node.module])])
            if name.partition(".")[0] == "qtheory":
                for a in node.names:
                    inner = f"{name}.{a.name}"
                    yield node.lineno, inner if inner in FILES else name


def breaches(source: str, module: str, is_package: bool = False) -> list[str]:
    """The imports that this module's room may not make."""
    here = room(module)
    if here == FACE:
        return []
    allowed = MAY_IMPORT[here] | {here}
    return [f"{module}, line {line}: {name}" for line, name in imports(source, module, is_package)
            if room(name) not in allowed]


@pytest.mark.parametrize("module", sorted(FILES))
def test_a_module_keeps_to_its_layer(module: str) -> None:
    file = FILES[module]
    assert breaches(file.read_text(encoding="utf-8"), module, file.name == "__init__.py") == []


def arrows(*packages: str) -> dict[str, list[tuple[int, str]]]:
    """(column, module) for each import within the packages, by module; those for annotations alone are left out."""
    out: dict[str, list[tuple[int, str]]] = {}
    within = tuple(f"{package}." for package in packages)
    for module in (m for m in FILES if m.startswith(within)):
        tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
        unread = {id(n) for block in ast.walk(tree) if isinstance(block, ast.If)
                  and ast.unparse(block.test) == "TYPE_CHECKING" for n in ast.walk(block)}
        out[module] = [(n.col_offset, n.module) for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)
                       and n.module in FILES and n.module.startswith(within) and id(n) not in unread]
    return out


@pytest.mark.later
def test_the_search_has_no_circles() -> None:
    """Each file stands above all that it imports, and imports at its top: no import is put off to break a circle."""
    found = arrows("qtheory.proofs.tactics", "qtheory.proofs.functions")
    assert [m for m, lines in found.items() if any(column for column, _ in lines)] == []
    order = TopologicalSorter({m: {name for _, name in lines} for m, lines in found.items()})
    assert len(list(order.static_order())) == len(found) > 50


@pytest.mark.slow
def test_nobody_imports_a_folder_by_its_bare_name() -> None:
    """``proofs`` is installed as ``qtheory.proofs``: its bare name works in the checkout alone."""
    bare = set(FOLDERS) - {"qtheory"}
    found = [f"{module}: {name}" for module, file in FILES.items()
             for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
             for name in ([a.name for a in node.names] if isinstance(node, ast.Import)
                          else [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else [])
             if name.partition(".")[0] in bare]
    assert found == []


@pytest.mark.parametrize(("module", "source"), [
    ("qtheory.numerics.tails", "from qtheory.profiles import load"),
    ("qtheory.numerics.tails", "def f():\n    import qtheory.theory"),
    ("qtheory.theory.fluid", "from qtheory.proofs import api"),
    ("qtheory.theory.fluid", "from qtheory import cli"),
    ("qtheory.models.laws", "from qtheory import simulate"),
    ("qtheory.simulate.loop", "from qtheory.theory import stability"),
    ("qtheory.proofs.kernel.terms", "from qtheory.errors import InputError"),
    ("qtheory.proofs.kernel.terms", "from ..tactics.state import Prover"),
    ("qtheory.proofs.recheck.syntax", "from qtheory.proofs.kernel.terms import Node"),
    ("qtheory.proofs.tactics.state", "from qtheory.proofs.claims.model import Claim"),
    ("qtheory.proofs.tactics.state", "from ..printing import term_text"),
    ("qtheory.proofs.claims.model", "from qtheory.proofs.api import prove"),
    ("qtheory.proofs.api", "from qtheory.commands.prove import register"),
])
def test_breaches_are_found(module: str, source: str) -> None:
    assert breaches(source, module)


@pytest.mark.parametrize(("module", "source"), [
    ("qtheory.numerics.tails", "import numpy\nfrom qtheory.errors import InputError"),
    ("qtheory.theory.fluid", "from qtheory.numerics.special import base_threshold"),
    ("qtheory.proofs.tactics.state", "from qtheory.proofs.kernel.terms import Node\nfrom . import builder"),
    ("qtheory.proofs.kernel.terms", "from .logic import cut"),
    ("qtheory.cli", "import qtheory.simulate\nfrom qtheory.proofs.kernel.terms import Node"),
])
def test_what_is_allowed(module: str, source: str) -> None:
    assert breaches(source, module) == []


def test_every_room_is_looked_at() -> None:
    filled = {room(m) for m in FILES}
    assert {ERRORS, FACE, "qtheory.numerics", "qtheory.proofs", "qtheory.theory", *REFEREE} <= filled
