"""The files of machine code: what is damaged is compiled again, what cannot be kept is said with its folder."""

import os
from pathlib import Path

import pytest

from qtheory.simulate.kernel import compiler, histogram, sealed_cache
from qtheory.simulate.kernel.machine import Loaded

FUNCTION = histogram.edge.py_func


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def compiles(digest="1" * 64):
    """Whether a process that meets the function compiles it; the value is right either way."""
    told = []
    made = entries(digest)
    content = made.content(("int",), lambda: compiler.machine_code(FUNCTION, {}, (5,)), lambda: told.append(1))
    made = Loaded(content).caller((5,))
    assert [made(i) for i in (0, 5, 700)] == [FUNCTION(i) for i in (0, 5, 700)]
    return bool(told)


def entries(digest="1" * 64):
    return sealed_cache.SealedFiles("qtheory.simulate.kernel.histogram.edge", digest)


def files(folder):
    return sorted(folder.rglob("*.code"))


def test_what_was_compiled_is_found_again_and_only_for_its_sources(folder):
    assert compiles() and not compiles()
    (first,) = files(folder)
    assert first.name.startswith("qtheory.simulate.kernel.histogram.edge-1111") and not list(folder.rglob("*.nb?"))
    assert compiles("2" * 64) and not compiles("2" * 64) and not compiles()  # two checkouts may take turns
    old = first.stat().st_mtime - 40 * 86400
    os.utime(first, (old, old))
    assert compiles("3" * 64)
    assert first not in files(folder) and len(files(folder)) == 2  # what belongs to other sources goes after a month


@pytest.mark.parametrize("damage", [
    lambda file: b"",
    lambda file: b"\x80",
    lambda file: file[: len(file) // 2],
    lambda file: file[:-50] + bytes([file[-50] ^ 1]) + file[-49:],
    lambda file: bytes([file[0] ^ 1]) + file[1:],
    lambda file: file[:65] + b"no pickle",
    lambda file: b"\0" * len(file),
], ids=["empty", "byte", "half", "bit", "seal", "text", "zeros"])  # fmt: skip
def test_a_damaged_entry_is_compiled_again(folder, damage):
    assert compiles()
    (file,) = files(folder)
    file.write_bytes(damage(file.read_bytes()))
    assert compiles() and not compiles()
    assert files(folder) == [file]


def test_an_entry_may_be_forgotten(folder):
    assert compiles()
    entries().flush()
    assert files(folder) == [] and compiles()


def test_a_full_disk_is_said_with_its_folder_and_the_function_runs(folder, monkeypatch):
    def full(path, content):
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sealed_cache.Path, "write_bytes", full)
    with pytest.warns(RuntimeWarning, match="compiled functions cannot be kept there: No space left on device") as said:
        assert compiles()
    named = Path(str(said[0].message).split(": compiled")[0])
    assert named.is_dir() and named.is_relative_to(folder) and not list(folder.rglob("*.code*"))


def test_an_interrupt_while_it_compiles_leaves_no_lock_and_the_collector_as_it_was(folder, monkeypatch):
    import gc

    from qtheory.simulate.kernel import jit

    def interrupted(files, path, content):
        assert not gc.isenabled()
        raise KeyboardInterrupt

    save = sealed_cache.SealedFiles.save
    monkeypatch.setattr(sealed_cache.SealedFiles, "save", interrupted)
    with pytest.raises(KeyboardInterrupt):
        jit.compiled(FUNCTION)(5)
    assert gc.isenabled()
    monkeypatch.setattr(sealed_cache.SealedFiles, "save", save)
    assert jit.compiled(FUNCTION)(5) == FUNCTION(5) and len(files(folder)) == 1  # it waited for nobody
