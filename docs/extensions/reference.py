"""The reference pages: every command by its own help, every public module by its docstrings."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import shutil
from pathlib import Path
from typing import Any

import typer

from qtheory.cli import COMMANDS, build_app

FOLDER = "reference"
# what a user of the library calls; the other modules serve these
ROOMS = {
    "theory": ("qtheory.theory", "Theory", "Symbolic functions, a module a subject: what each needs and gives, in "
                                           "which unit, and from which paper and equation."),
    "models": ("qtheory.models", "Models", "Iteration-time laws and networks of agents, with their assumptions."),
    "workloads": ("qtheory.workloads", "Workloads", "Request classes, laws of lengths, arrivals and traces."),
    "profiles": ("qtheory.profiles", "Profiles", "Hardware constants measured on GPUs, and fits."),
    "numerics": ("qtheory.numerics", "Numerics", "Numbers: special functions, chains, linear programs, estimation."),
    "simulate": ("qtheory.simulate", "Simulator", "Scenarios, engines, networks and statistics."),
    "networks": ("qtheory.networks", "Networks", "Stability verdicts on networks of agents."),
    "testing": ("qtheory.testing", "Testing", "Strategies and assertions for hypothesis and pytest."),
}


def written(app: Any) -> None:
    folder = Path(app.srcdir) / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "commands.md").write_text(_commands(), encoding="utf-8")
    for name, (package, heading, words) in ROOMS.items():
        (folder / f"{name}.rst").write_text(_room(package, heading, words), encoding="utf-8")
    listed = "\n".join(["commands", *ROOMS])
    (folder / "index.md").write_text(f"# Reference\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n",
                                     encoding="utf-8")


def _commands() -> str:
    """Each command's help, as it prints it."""
    from typer.testing import CliRunner

    out = ["# Every command"]
    for name, line in COMMANDS.items():
        group = typer.main.get_command(build_app(name))
        under = [[]] + [[sub] for sub in getattr(group.commands[name], "commands", ())]
        out.append(f"## qtheory {name}\n\n{line}")
        for more in under:
            shown = CliRunner().invoke(build_app(name), [name, *more, "--help"], prog_name="qtheory",
                                       env={"COLUMNS": "100", "TERM": "dumb"}).output
            out.append(f"```text\n{shown.strip()}\n```")
    return "\n\n".join(out) + "\n"


def _room(package: str, heading: str, words: str) -> str:
    """The public modules of a package."""
    found = importlib.import_module(package)
    names = [m.name for m in pkgutil.iter_modules(found.__path__, f"{package}.")
             if not m.name.rpartition(".")[2].startswith("_") and _public(m.name)]
    out = [heading, "=" * len(heading), "", words, ""]
    for name in names:
        short = name.removeprefix("qtheory.")
        out += [short, "-" * len(short), "", f".. automodule:: {name}", "   :members:", ""]
    return "\n".join(out)


def _public(name: str) -> bool:
    """Has the module a function or class that its users may call?"""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return False
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    return any(isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.name.startswith("_") for n in tree.body)


def plain(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Single backticks of a docstring hold code, and a bar is a bar."""
    lines[:] = [re.sub(r"(:\w+:`[^`]+`|``[^`]+``)|`([^`]+)`", lambda m: m[1] or f"``{m[2]}``", line)
                .replace("|", "\\|") if "``" not in line or "|" not in line else line for line in lines]


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", written)
    app.connect("autodoc-process-docstring", plain)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
