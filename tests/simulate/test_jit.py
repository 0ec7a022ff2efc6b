"""What is compiled runs as its Python does, is compiled once for all processes, and says so."""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import qtheory.simulate
from qtheory.errors import InputError
from qtheory.simulate.kernel import histogram, jit, sealed_cache
from qtheory.simulate.kernel.packing import Packed, packed
from qtheory.simulate.laws import Erlang, Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate

NETWORK = Network(
    (Station("s", 2), Station("t")),
    (JobClass("a", "s", Erlang(2, 1.0), Exponential(1.0), routes={"b": 0.5}), JobClass("b", "t", Exponential(1.0))),
)
USERS_CODE = """
import numba
import numpy as np
from qtheory.simulate.laws import Exponential
Exponential(1.0).sample(2)

@numba.njit
def solved(a, b):
    return np.linalg.solve(a, b), np.dot(a, b)

solution, product = solved(np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([3.0, 5.0]))
print(json.dumps([solution.tolist(), product.tolist()]))
"""
COUNTED = """
from qtheory.simulate.kernel import histogram, jit
told = []
jit.listeners.append(told.append)
value = histogram.edge(700)
print(json.dumps([value, len(told)]))
"""


SAVED = """
import json
from qtheory.simulate.kernel import histogram
from qtheory.simulate.kernel.sealed_cache import SealedFiles
saved, save = [], SealedFiles.save
SealedFiles.save = lambda *of: (saved.append(1), save(*of))
value = histogram.edge(700)
print(json.dumps([value, len(saved)]))
"""


class Numbers(NamedTuple):
    count: int
    table: np.ndarray
    scale: float
    short: np.ndarray


def total(numbers, factor):
    found = numbers.count * factor
    for i in range(numbers.table.shape[0]):
        for j in range(numbers.table.shape[1]):
            found += numbers.scale * numbers.table[i, j] * numbers.short[j]
    numbers.table[0, 0] = found
    return found


def pair(number):
    return number, number


def refused(number):
    if number > 2:
        raise ValueError("too many")
    return number


def digest(value):
    """SHA-256 over all arrays and numbers of a run, bit for bit."""
    if isinstance(value, np.ndarray):
        return hashlib.sha256(value.tobytes()).hexdigest()
    if isinstance(value, list | tuple):
        return hashlib.sha256("".join(map(digest, value)).encode()).hexdigest()
    if hasattr(value, "__dict__"):
        return digest([v for name, v in sorted(vars(value).items()) if name != "network"])
    return repr(value)


def in_a_process(code, **settings):
    """What ``code`` prints as JSON in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import json, sys\n" + code], capture_output=True, text=True,
        env={**os.environ, **settings},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder of machine code."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path / "qtheory"


def test_a_packed_tuple_is_read_and_written_as_the_tuple(folder):
    def numbers():
        return Numbers(3, np.arange(6.0).reshape(2, 3), 0.5, np.array([1, 2, -1], dtype=np.int32))

    here, there = numbers(), numbers()
    assert jit.compiled(total)(here, 2.5) == total(there, 2.5)
    assert here.table.tolist() == there.table.tolist()


def test_a_packed_tuple_takes_only_arrays_that_it_can_address():
    good = Numbers(1, np.zeros((2, 3)), 1.0, np.zeros(3))
    assert isinstance(packed(good), Packed) and packed(5) == 5 and packed(good.table) is good.table
    assert packed(good).kinds == packed(good._replace(table=np.ones((7, 9)))).kinds
    assert packed(good).kinds != packed(good._replace(short=np.zeros(3, dtype=np.int32))).kinds
    frozen = np.zeros((2, 3))
    frozen.flags.writeable = False
    for bad in (np.zeros((3, 2)).T, np.zeros((2, 6))[:, ::2], frozen):
        with pytest.raises(ValueError, match=r"Numbers\.table is not a writeable array in C order"):
            packed(good._replace(table=bad))


def test_what_compiled_code_cannot_take_or_give_is_said(folder):
    with pytest.raises(TypeError, match="takes named tuples and numbers; a ndarray goes"):
        jit.compiled(total)(np.zeros(3), 1.0)
    with pytest.raises(InputError, match=r"pair returns UniTuple\(int64 x 2\); compiled code returns a number or"):
        jit.compiled(pair)(3)
    with pytest.raises(RuntimeError, match=r"compiled code raised an exception: .*refused"):
        jit.compiled(refused)(3)
    assert jit.compiled(refused)(2) == 2


def test_it_is_told_what_is_compiled_and_that_once_for_all_processes(folder):
    told = []
    jit.listeners.append(told.append)
    try:
        assert jit.compiled(histogram.edge.py_func)(700) == histogram.edge.py_func(700)
    finally:
        jit.listeners.remove(told.append)
    (what,) = told
    assert what.startswith("edge of ") and histogram.__doc__.startswith(what.removeprefix("edge of "))
    assert in_a_process(COUNTED) == [histogram.edge.py_func(700), 0]
    assert len(list(folder.glob("*.code"))) == 1


@pytest.mark.slow
def test_processes_that_start_together_compile_it_once(folder):
    running = [subprocess.Popen([sys.executable, "-c", SAVED], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    found = [json.loads(p.communicate()[0]) for p in running]
    assert [value for value, _ in found] == [histogram.edge.py_func(700)] * 3
    assert sum(made for _, made in found) == 1


@pytest.mark.slow
def test_a_user_s_compiled_linear_algebra_works_after_it():
    solution, product = in_a_process(USERS_CODE)
    assert solution == pytest.approx(np.linalg.solve([[2.0, 1.0], [1.0, 3.0]], [3.0, 5.0])) and product == [11.0, 18.0]


def test_without_a_compiler_the_functions_run_as_python():
    code = "from qtheory.simulate.laws import Erlang\nprint(json.dumps(Erlang(3, 2.0).sample(4).tolist()))"
    assert in_a_process(code, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore") == Erlang(3, 2.0).sample(4).tolist()


@pytest.mark.later
def test_worker_processes_agree():
    serial = [digest(r) for r in replicate(NETWORK, replications=2, horizon=100.0)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert [digest(r) for r in replicate(NETWORK, replications=2, horizon=100.0, executor=pool)] == serial


@pytest.mark.parametrize("setting", ["NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_BOUNDSCHECK"])
def test_settings_of_numba_have_files_of_their_own(setting, folder, monkeypatch):
    def path():
        return sealed_cache.SealedFiles("f", "1" * 64)._path("key")

    plain = path()
    monkeypatch.setenv(setting, "0")
    assert path() != plain and path().parent == plain.parent == folder


def test_the_folder_is_the_user_s_cache_where_none_is_named(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/some")
    assert sealed_cache.folder() == Path("/some/qtheory/kernel")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert sealed_cache.folder() == Path.home() / ".cache/qtheory/kernel"


def test_no_private_part_of_numba_is_reached_for():
    sources = [p.read_text(encoding="utf-8") for p in Path(qtheory.simulate.__file__).parent.rglob("*.py")]
    private = r"from numba[\w.]* import _|\b(_dynfunc|_helperlib|cython_blas|_nrt|_cache|_final_module|_linking_\w+)\b"
    assert not [found[0] for s in sources if (found := re.search(private, s))]
