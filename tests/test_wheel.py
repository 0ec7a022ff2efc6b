"""What is shipped: every module and every data file, importable and well typed, from the wheel alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import qtheory as qt

ROOT = Path(__file__).parents[1]
FOLDERS = {"qtheory": "qtheory", "numerics": "qtheory/numerics", "simulate": "qtheory/simulate",
           "proofs": "qtheory/proofs"}
DATA = {".md", ".toml", ".json", ".jsonl", ".typed", ".html", ".tex", ".j2", ".css", ".js", ".v"}
IMPORT_ALL = """
import importlib, pkgutil, sys
import qtheory
names = ["qtheory", *(m.name for m in pkgutil.walk_packages(qtheory.__path__, "qtheory."))]
for name in names:
    module = importlib.import_module(name)
    print(name, module.__file__)
"""


def shipped(suffixes: set[str]) -> set[str]:
    """The places that the repository's files of these kinds should have in the wheel."""
    places = set()
    for folder, target in FOLDERS.items():
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in suffixes and file.is_file() and "__pycache__" not in file.parts:
                places.add(f"{target}/{file.relative_to(ROOT / folder).as_posix()}")
    return places


def run(*command: str, cwd: Path, **variables: str) -> str:
    """What the command prints; a failure shows all of it."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MYPYPATH")} | variables
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the sources, so that no earlier build folder can fill a gap."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    for folder in FOLDERS:
        if (ROOT / folder).is_dir():
            shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
        "--wheel-dir", str(out), ".", cwd=source)
    [built] = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(interpreter, site-packages) of an environment with the wheel; what it depends on is read from this one."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, symlinks=True)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)}))
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site),
        str(wheel), cwd=home)
    paths = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "dependencies.pth").write_text("\n".join(sorted(paths)) + "\n", encoding="utf-8")
    script = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    return home / script, site


@pytest.mark.slow(25)
def test_every_module_and_data_file_is_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert shipped({".py"} | DATA) - names == set(), "not in pyproject.toml's packages or package-data"
    assert {"qtheory/py.typed", "qtheory/proofs/claims/eb/section-3-2-1.md"} <= names
    assert sum(n.startswith("qtheory/profiles/data/") for n in names) >= 10
    assert sum(n.startswith("qtheory/workloads/data/") for n in names) >= 10


@pytest.mark.slow(25)
def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    """No bare ``proofs`` or ``tests`` that could shadow a user's own."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {n.partition("/")[0] for n in names if ".dist-info/" not in n} == {"qtheory"}
    assert {n for n in names if n.startswith("qtheory/") and n.endswith(".py")} == shipped({".py"})


@pytest.mark.slow(25)
def test_every_module_is_imported_from_the_wheel(installed: tuple[Path, Path], tmp_path: Path) -> None:
    python, site = installed
    lines = run(str(python), "-I", "-c", IMPORT_ALL, cwd=tmp_path).splitlines()
    found = {name: Path(file) for name, file in (line.split(" ", 1) for line in lines)}
    assert [n for n, file in found.items() if not file.is_relative_to(site)] == []
    modules = {p.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for p in shipped({".py"})}
    assert modules == set(found)


def typed(*arguments: str, site: Path, folder: Path) -> str:
    """What mypy says of the installed copy: in the checkout the folders do not stand where their import names say."""
    return run(sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *arguments, "--cache-dir",
               str(folder / "cache"), cwd=folder, MYPYPATH=os.pathsep.join(map(str, (site, folder))))


@pytest.fixture(scope="module")
def public() -> list[str]:
    rooms = {"qt": qt, "qt.simulate": qt.simulate, "qt.testing": qt.testing}
    return [*(f"{room}.{name}" for room, module in rooms.items() for name in module.__all__), "qt.prove('1 > 0')"]


@pytest.fixture(scope="module")
def said(public: list[str], installed: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of all modules, and of a file that asks for the types of the public names."""
    folder = tmp_path_factory.mktemp("types")
    asked = "\n".join(f"reveal_type({name})" for name in public)
    (folder / "asked.py").write_text(f"import qtheory as qt\n{asked}\n", encoding="utf-8")
    return typed("-p", "qtheory", "-m", "asked", site=installed[1], folder=folder)


@pytest.mark.slow(25)
def test_types(said: str) -> None:
    assert "Success: no issues found" in said


@pytest.mark.slow(25)
def test_type_checkers_see_the_public_names(said: str, public: list[str]) -> None:
    """Loaded on first use, each has its type all the same: none is Any."""
    assert said.count("Revealed type is") == len(public) and '"Any"' not in said
    assert "qtheory.proofs.verdict.Verdict" in said


def test_the_kernel_is_strictly_typed() -> None:
    """The types of all modules are checked at once; those of the kernel by each flag that mypy's --strict stands for,
    in the words of its help."""
    told = " ".join(run(sys.executable, "-m", "mypy", "--help", cwd=ROOT).split()).replace("- ", "-")
    flags = re.search(r"Strict mode; enables the following flags: ((?:--[a-z-]+, )*--[a-z-]+)", told)
    assert flags
    named = [f for f in re.findall(r"--([a-z-]+)", flags[1]) if f != "warn-unused-configs"]  # of the file, not of types
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    [kernel] = [found for found in settings["overrides"] if found["module"] == ["qtheory.proofs.kernel.*"]]
    asked = {flag.removeprefix("no-").replace("-", "_"): not flag.startswith("no-") for flag in named}
    assert len(asked) > 10 and asked == {flag: (settings | kernel).get(flag) for flag in asked}


@pytest.mark.slow(25)
def test_processes_import_what_is_installed(installed: tuple[Path, Path], tmp_path: Path) -> None:
    """Not the folder ``qtheory`` that lies where a command is run."""
    (tmp_path / "qtheory").mkdir()
    (tmp_path / "qtheory" / "__init__.py").write_text("raise SystemExit('not this one')\n", encoding="utf-8")
    command = "from qtheory.cli import main\nif __name__ == '__main__':\n    main()"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "qtheory").write_text(f"{command}\n", encoding="utf-8")  # as a wheel's script is
    out = run(str(installed[0]), "bin/qtheory", "verify", "eb.sec-3.2.1.Td", "eb.lem-B.2", "-j", "2", cwd=tmp_path)
    assert "2 claims: 2 proved" in out
