"""How long the code is that must be right: every file whose bug could let a false statement be called ``proved``.

The files are not listed but found: all that the commands prove, check and verify import, inside functions too, and
all that these import in turn. A module is left out, with what it alone imports, only where it is named in ``LIARS``:
for each of these a test makes it return what an enemy would, and nothing false is proved
(``tests/proofs/test_lying_modules.py``). Lines are those that ``ast.unparse`` prints of the code without its
docstrings, the same however the source is laid out, with the data that it holds.

A derivation typed in a notebook is read and shown by more files (the door for LaTeX, units, steps); these are counted
apart. What a derivation saves is checked by ``qtheory check`` without them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ROOTS = ("qtheory.commands.prove", "qtheory.commands.check", "qtheory.commands.verify")
NOTEBOOK = "qtheory.proofs.derivation"
KERNEL = "qtheory.proofs.kernel"
# Modules and packages that are not believed, and why they need not be.
LIARS = {
    "qtheory.proofs.tactics": "what a search finds is a certificate, which both checkers look at",
    "qtheory.proofs.recheck": "accepts or rejects what the kernel has accepted",
    "qtheory.proofs.vacuous": "can only withhold the word",
    "qtheory.proofs.decide": "hands the gate a certificate, and its callers compare the statement",
    "qtheory.proofs.cache": "holds certificates, which both checkers look at on each use",
    "qtheory.proofs.suggest": "proposes a condition in a note",
    "qtheory.proofs.limits": "refuses what is too long, and words an error",
    "qtheory.proofs.plain": "words an undefined subterm, which stands beside a refutation",
    "qtheory.proofs.decimals": "shows the sides of a refuted goal at its counterexample",
    "qtheory.files": "writes what is checked when it is read",
    "qtheory.proofs.working": "its verdicts are compared with the claims that were asked for",
    "qtheory.proofs.theorems": "hands the gate what axioms ask for",
    "qtheory.proofs.proving": "tells the search where to look",
    "qtheory.proofs.records": "is compared with, after the verdicts are given",
    "qtheory.proofs.claims.evidence": "numbers, from which no proof is made",
    "qtheory.errors": "says what went wrong, after which there is no verdict",
    "qtheory.commands.progress": "draws a bar",
    "qtheory.commands.output": "looks whether files can be written",
    "qtheory.commands.sharing": "finds other processes, whose certificates are looked at here",
    "qtheory.proofs.trusted": "counts lines",
}
PACKAGE = "qtheory.proofs.claims."  # papers and what reads them: what they state is displayed, and nothing is checked
AXIOMS = PACKAGE + "axioms"  # which are believed


def kernel_lines() -> int:
    """Lines of the kernel."""
    return sum(n for name, n in counted().items() if name == KERNEL or name.startswith(KERNEL + "."))


def trusted_lines() -> int:
    """Lines of all that is trusted, the kernel included."""
    return sum(counted().values())


def notebook_lines() -> int:
    """Lines that derivations in a notebook rest on besides."""
    return sum(counted(*ROOTS, NOTEBOOK).values()) - trusted_lines()


@cache
def counted(*roots: str) -> dict[str, int]:
    """The trusted modules with their lines: all that these import, by default that prove, check and verify do."""
    found: dict[str, int] = {}
    left = [*(roots or ROOTS)]
    while left:
        name = left.pop()
        source = None if name in found or not believed(name) else source_of(name)
        if source is not None:
            tree = ast.parse(source)
            found[name] = code_lines(source)
            left += [*imported(tree, name), *_packages(name)]
    return found


def believed(name: str) -> bool:
    """Is the module one of ours that no test has made lie?"""
    apart = any(name == liar or name.startswith(liar + ".") for liar in LIARS)
    paper = name.startswith(PACKAGE) and name != AXIOMS
    return name.partition(".")[0] == "qtheory" and not apart and not paper


def source_of(name: str) -> str | None:
    """The text of a module; None of what is no file of Python."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:  # a name of a module, and no module itself
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin).read_text(encoding="utf-8")


def imported(tree: ast.AST, name: str) -> set[str]:
    """What a module may import, by statements anywhere in it: names of modules, and of what may be one."""
    names = set[str]()
    spec = find_spec(name)
    package = name if spec is not None and spec.submodule_search_locations is not None else name.rpartition(".")[0]
    for node in run(tree):
        if isinstance(node, ast.Import):
            names |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[:len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parts, *filter(None, [node.module])])
            names |= {base, *(f"{base}.{a.name}" for a in node.names)}
    return names


def run(tree: ast.AST) -> Iterator[ast.AST]:
    """All that may be run: not what stands under ``if TYPE_CHECKING``, typing's name, which is false then."""
    given = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module == "typing" and not n.level
             and any(a.name == "TYPE_CHECKING" and a.asname is None for a in n.names)]
    bound = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == "TYPE_CHECKING"
             and not isinstance(n.ctx, ast.Load)]
    left = [tree]
    for node in left:  # which grow in number
        yield node
        if given and not bound and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            left += node.orelse
        else:
            left += ast.iter_child_nodes(node)


def _packages(name: str) -> list[str]:
    """The packages in which a module lies: they are run before it."""
    parts = name.split(".")
    return [".".join(parts[:n]) for n in range(1, len(parts))]


def code_lines(source: str) -> int:
    """Lines that ``ast.unparse`` prints of Python without docstrings, blank ones left out."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or ([] if isinstance(node, ast.Module) else [ast.Pass()])
    return sum(1 for line in ast.unparse(tree).splitlines() if line.strip())
