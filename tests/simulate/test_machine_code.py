"""A warm process runs the loops without Numba, bit for bit as with it; where a file is amiss, Numba steps in."""

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from qtheory.models.network_classics import fork_join
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.counts import CountsChain, Factor, Move
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import histogram, jit, machine_code
from qtheory.simulate.laws import Discrete, Erlang, Exponential, Geometric
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate

NETWORK = Network(
    (Station("s", 2), Station("t")),
    (JobClass("a", "s", Erlang(2, 1.0), Exponential(1.0), routes={"b": 0.5}), JobClass("b", "t", Exponential(1.0))),
)
MODELS = (
    NETWORK,
    LLMEngine(
        (RequestClass("r", Geometric.with_mean(20), Geometric.with_mean(30), Exponential(0.5)),),
        IterationTime("piecewise", (0.0455, 0.00030, 64.0)), "sarathi", {"budget": 64},
    ),
    CountsChain(
        {"n": 0},
        (Move("in", {"n": 1}, 0.5, (Factor("between", {"n": 1.0}, high=20),)),
         Move("out", {"n": -1}, 1.0, (Factor("clamp", {"n": 1.0}, high=1.0),))),
    ),
    CountsChain(
        {"n": 5000},
        (Move("out", {"n": -1}, 0.3, (Factor("clamp", {"n": 1.0}),), "binomial"),
         Move("in", {"n": 1}, 1.0, (), "law", Discrete.binomial(4000, 0.25))),
        step=1.0,
    ),
    SlottedAgents(fork_join()),
)  # fmt: skip


def digest(value):
    """SHA-256 over all arrays and numbers of a run, bit for bit."""
    if isinstance(value, np.ndarray):
        return hashlib.sha256(value.tobytes()).hexdigest()
    if isinstance(value, list | tuple):
        return hashlib.sha256("".join(map(digest, value)).encode()).hexdigest()
    if hasattr(value, "__dict__"):
        models = ("network", "engine", "chain", "model")
        return digest([v for name, v in sorted(vars(value).items()) if name not in models])
    return repr(value)


def runs():
    """Digests of a run of every loop, and of a law's sample."""
    found = [digest(m.run(horizon=300, windows=30, seed=7)) for m in MODELS]
    return [*found, digest(Erlang(3, 2.0).sample(101, seed=3))]


def in_a_process(code, **settings):
    """What ``code`` prints as JSON in a process of its own, which finds this file."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import json, sys\n" + code], capture_output=True, text=True,
        cwd=Path(__file__).parent, env={**os.environ, **settings},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_second_process_runs_every_loop_without_numba_bit_for_bit(monkeypatch):
    kept = runs()
    monkeypatch.setattr(machine_code, "kinds", lambda arguments: None)
    assert kept == runs()  # through Numba's own dispatchers
    found = in_a_process(
        "import test_machine_code as t\nprint(json.dumps([t.runs(), [m for m in sys.modules if m[:5] == 'numba']]))"
    )
    assert found == [kept, []]


def test_numba_works_in_a_process_that_began_without_it():
    code = """
from qtheory.simulate.laws import Exponential
first = Exponential(1.0).sample(4).tolist()
without = "numba" not in sys.modules
import numba
@numba.njit
def refused(n):
    if n < 0:
        raise ValueError("negative", n)
    return n
try:
    refused(-1)
except ValueError as error:
    text = str(error)
print(json.dumps([without, text, first == Exponential(1.0).sample(4).tolist(), bool(numba._helperlib.c_helpers)]))
"""
    Exponential(1.0).sample(4)
    assert in_a_process(code) == [True, "('negative', -1)", True, True]


def test_without_a_compiler_the_functions_run_as_python():
    code = "from qtheory.simulate.laws import Erlang\nprint(json.dumps(Erlang(3, 2.0).sample(4).tolist()))"
    assert in_a_process(code, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="ignore") == Erlang(3, 2.0).sample(4).tolist()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder of machine code."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path / "qtheory"


def edge():
    """The function that gives a bin's edge, as a process meets it first."""
    return jit.Compiled(histogram.edge.py_func, cached=True, options={})


def needs_numba(function, argument=5):
    assert function(argument) == histogram.edge.py_func(argument)
    return "dispatcher" in vars(function)


def test_code_is_kept_in_the_folder_that_the_user_names_and_loaded_from_it(folder):
    assert needs_numba(edge())
    (file,) = folder.iterdir()
    assert file.name.startswith("qtheory.simulate.kernel.histogram.edge-") and file.suffix == ".code"
    assert not needs_numba(edge())
    assert needs_numba(edge(), np.int64(5))  # another kind of argument has a file of its own
    assert len(list(folder.iterdir())) == 2


def test_it_is_told_what_is_compiled(folder):
    told = []
    jit.listeners.append(told.append)
    try:
        assert needs_numba(edge()) and not needs_numba(edge())
    finally:
        jit.listeners.remove(told.append)
    (what,) = told
    assert what.startswith("edge of ") and histogram.__doc__.startswith(what.removeprefix("edge of "))


def resealed(file, code=None, **changes):
    """The file with another head or other code, for which its seal vouches."""
    _, head, old = file.split(b"\n", 2)
    content = json.dumps({**json.loads(head), **changes}).encode() + b"\n" + (old if code is None else code)
    return hashlib.sha256(content).hexdigest().encode() + b"\n" + content


@pytest.mark.parametrize("damage", [
    lambda file: b"",
    lambda file: file[: len(file) // 2],
    lambda file: file[:-100] + bytes([file[-100] ^ 1]) + file[-99:],
    lambda file: b"\xff" + file,
    lambda file: file.replace(b"exp", b"cos"),
    lambda file: resealed(file, sources="0" * 64),
    lambda file: resealed(file, more=1),
    lambda file: resealed(file, mathematics=["no such function"]),
    lambda file: resealed(file, wrapper="no such function"),
    lambda file: resealed(file, b"no object code"),
    lambda file: resealed(file, file.split(b"\n", 2)[2][:1000]),
], ids=[
    "empty", "half", "bit", "text", "head", "stale", "more", "mathematics", "wrapper", "garbage", "cut",
])  # fmt: skip
def test_a_file_that_does_not_serve_is_written_again(folder, damage):
    assert needs_numba(edge())
    (file,) = folder.iterdir()
    good = file.read_bytes()
    file.write_bytes(damage(good))
    assert needs_numba(edge())
    assert file.read_bytes() == good and not needs_numba(edge())


def test_code_of_another_machine_or_numba_is_not_looked_at(folder, monkeypatch):
    assert needs_numba(edge())
    monkeypatch.setattr(machine_code._linker(), "host", "another")
    assert needs_numba(edge())
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("setting", ["NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_BOUNDSCHECK"])
def test_settings_of_numba_have_files_of_their_own(setting, monkeypatch):
    plain = machine_code._Linker().host
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert machine_code._Linker().host == plain
    monkeypatch.setenv(setting, "0")
    assert machine_code._Linker().host != plain


def test_without_llvmlite_or_with_a_settings_file_numba_serves(folder, monkeypatch, tmp_path):
    (tmp_path / ".numba_config.yaml").write_text("")
    monkeypatch.chdir(tmp_path)
    machine_code._linker.cache_clear()
    assert machine_code._linker() is None and needs_numba(edge()) and not folder.exists()
    monkeypatch.chdir(Path(__file__).parent)
    machine_code._linker.cache_clear()
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    assert machine_code._linker() is None
    machine_code._linker.cache_clear()


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    assert needs_numba(edge()) and needs_numba(edge())
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(machine_code, "_FOLDER", tmp_path / "file")
    assert needs_numba(edge()) and not needs_numba(edge())
    assert len(list((tmp_path / "qtheory" / "kernel").iterdir())) == 1


def test_many_may_write_at_once(folder):
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda f: f(5) == histogram.edge.py_func(5), [edge() for _ in range(8)]))
    assert len(list(folder.iterdir())) == 1 and not needs_numba(edge())


def test_worker_processes_agree():
    serial = [digest(r) for r in replicate(NETWORK, replications=2, horizon=100.0)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert [digest(r) for r in replicate(NETWORK, replications=2, horizon=100.0, executor=pool)] == serial


def test_only_what_the_kinds_tell_apart_is_kept():
    ready, count = np.zeros(4), np.zeros((2, 3))
    frozen = np.zeros(4)
    frozen.flags.writeable = False
    assert machine_code.kinds((ready, 1)) == machine_code.kinds((np.ones(9), 2))
    for other in ((count, 1), (ready.astype(">f8"), 1), (ready.astype("f4"), 1), (ready, 1.0), (ready, True)):
        assert machine_code.kinds(other) not in (None, machine_code.kinds((ready, 1)))
    for other in (count.T, ready[::2], frozen):
        assert machine_code.kinds((other, 1)) is None
    assert machine_code.told_apart(((ready, 1), 2)) and not machine_code.told_apart((((1,),),))
    assert not machine_code.told_apart(([1],)) and not machine_code.told_apart(("text",))
