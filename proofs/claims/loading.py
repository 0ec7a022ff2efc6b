"""The claims by their ids, read from the corpus's folders or from files of one's own.

Nothing here is believed: a verdict is on the statement that it displays, whichever claim was found under an id.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from types import ModuleType

from qtheory.errors import InputError, UnknownNameError, blaming, told
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.papers import SETTINGS, Paper, read, require_short_file

PACKAGE = "qtheory.proofs.claims"


# ---- the corpus ----

@cache
def papers() -> tuple[str, ...]:
    """The papers that have a folder of claims."""
    return tuple(sorted(f.parent.name for f in Path(__file__).parent.glob("*/paper.toml")))


@cache
def paper(name: str) -> Paper:
    """What the folder of this paper holds. Raises InputError for a paper that has none."""
    if name not in papers():
        raise InputError(f"there is no paper {name!r}; the papers are {', '.join(papers())}")
    return read(Path(__file__).parent / name, f"{PACKAGE}.{name}")


def claims(source: str | None = None) -> Mapping[str, Claim]:
    """The claims by id: of the corpus, or of one's own: a Markdown file or folder (``docs/claims.md``), or Python files
    that have ``CLAIMS``."""
    files = () if source is None else _files(Path(source))
    with blaming(str(source)) if files else nullcontext():
        return _claims(files, tuple(require_short_file(f).read_bytes() for f in files))


@cache
def _claims(files: tuple[Path, ...], texts: tuple[bytes, ...]) -> Mapping[str, Claim]:
    """The claims of these files, which may change within a tick of the clock; of the corpus where there are none."""
    listed = _own(files) if files else [("the corpus", paper(name).claims) for name in papers()]
    found: dict[str, Claim] = {}
    for place, those in listed:
        for claim in those:
            if claim.id in found:
                raise InputError(f"two claims have the id {claim.id!r}")
            if files and re.split(r"[._-]", claim.id)[0].lower() in papers():
                raise InputError(f"{place}: the id {claim.id!r} is one of the corpus or looks it; choose one that does "
                                 f"not begin with {', '.join(papers())}")
            found[claim.id] = claim
    return found


def _own(files: tuple[Path, ...]) -> list[tuple[str, Sequence[Claim]]]:
    if files[0].suffix == ".py":
        return [(str(f), _listed(_module(f))) for f in files]
    path = files[0].parent if files[0].name == SETTINGS else files[0]
    return [(str(path), read(path).claims)]


def _files(path: Path) -> tuple[Path, ...]:
    """The file, or those of a folder: its paper's, or the Python files that speak of CLAIMS; no other is run."""
    if not path.is_dir():
        return (path,)
    if (path / SETTINGS).exists():
        return (path / SETTINGS, *sorted(path.glob("*.md")))
    files = tuple(f for f in sorted(path.rglob("*.py")) if b"CLAIMS" in f.read_bytes())
    if not files:
        raise InputError(f"{path}: this folder has no {SETTINGS}, and no Python file in it has CLAIMS")
    return files


def _module(file: Path) -> ModuleType:
    name = str(file.with_suffix("")).replace(".", "_")  # which no other file has
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        exec(compile(file.read_bytes(), str(file), "exec", dont_inherit=True), vars(module))  # what it says now
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the user's file may fail in any way; say where
        raise InputError(f"{file}: {_where(error, file)}{told(error)}") from None
    return module


def _where(error: BaseException, file: Path) -> str:
    trace, line = error.__traceback__, getattr(error, "lineno", None)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"line {line}: " if line else ""


def _listed(module: ModuleType) -> Sequence[Claim]:
    listed = getattr(module, "CLAIMS", None)
    place = module.__file__ or module.__name__
    if not isinstance(listed, list | tuple) or not all(isinstance(c, Claim) for c in listed):
        raise InputError(f"{place}: CLAIMS must be a list of qtheory.proofs.claims.model.Claim")
    return listed


def select(names: Iterable[str]) -> list[tuple[str | None, str]]:
    """(source, id) of the claims that ids (``note.md#ID`` for one's own), papers and paths name; of the whole corpus
    where nothing is named."""
    names = list(names)
    if not names:
        return [(None, i) for i in claims()]
    out: dict[tuple[str | None, str], None] = {}
    for name in names:
        if name in papers():
            wanted: Iterable[tuple[str | None, str]] = [(None, c.id) for c in paper(name).claims]
        elif name in claims():
            wanted = [(None, name)]
        elif "#" in name:
            wanted = [placed(name)]
        elif name.endswith((".py", ".md")) or os.sep in name or Path(name).is_dir():
            source = own(name)
            wanted = [(source, i) for i in claims(source)]
        else:
            raise UnknownNameError("claim or paper", name, [*papers(), *claims()])
        out.update(dict.fromkeys(wanted))
    if len({i for _, i in out}) < len(out):
        raise InputError("two claims of different files have one id; name one file at a time")
    return list(out)


def placed(name: str) -> tuple[str | None, str]:
    """(source, id) of a claim that is named by its id or, in a file or folder of one's own, as ``note.md#ID``.

    Raises UnknownNameError with the nearest ids, and InputError for a file that is none.
    """
    where, mark, id = name.rpartition("#")
    if not mark and name.endswith((".md", ".py")) and Path(name).exists():
        raise InputError(f"{name} is a file; name one of its claims: " + ", ".join(
            f"{name}#{i}" for i in list(claims(str(Path(name).resolve())))[:3]))
    source = own(where) if mark else None
    if source is None and _of_its_paper(id):
        return None, id
    if id not in claims(source):
        raise UnknownNameError("claim" + f" of {where}" * bool(mark), id, list(claims(source)))
    return source, id


def own(name: str) -> str:
    """The path of a file or folder of one's own claims; InputError for what is none."""
    path = Path(name)
    if not name or not path.exists():
        raise InputError(f"{name or 'before #'}: no such file or folder")
    if not path.is_dir() and not (path.is_file() and path.suffix in (".md", ".py")):
        raise InputError(f"{name}: claims of one's own stand in a Markdown file (.md), a Python file or a folder")
    return str(path.resolve())


def find(name: str) -> Claim:
    """The claim of this name (see ``placed``)."""
    source, id = placed(name)
    return (_of_its_paper(id) if source is None else None) or claims(source)[id]


def _of_its_paper(id: str) -> Claim | None:
    """The corpus's claim of that id, for which the other papers need not be read."""
    key = id.partition(".")[0]
    return next((c for c in paper(key).claims if c.id == id), None) if key in papers() else None


def select_main(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Of the named papers, all that have some by default: the ids of the claims on their main results, with the parts
    and corrections of these, and those of the main results that have no claim yet."""
    wanted = list(names) or [p for p in papers() if paper(p).main]
    if bare := [p for p in wanted if p not in papers() or not paper(p).main]:
        listed = ", ".join(p for p in papers() if paper(p).main)
        raise InputError(f"{bare[0]} is no paper that lists its main results; these do: {listed or 'none'}")
    found = [c.id for p in wanted for c in paper(p).claims
             if any(c.id == i or c.id.startswith(f"{i}.") for i in paper(p).main)]
    return found, [i for p in wanted for i in paper(p).main if i in paper(p).open]
