"""What a sweep keeps on disk is whole, is believed only as it was written, and lets a killed run go on."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.simulate import keeping, results
from qtheory.simulate.experiments import run_scenario
from qtheory.simulate.fingerprint import fingerprint
from qtheory.simulate.keeping import Place
from qtheory.simulate.scenarios import Point, parse_points
from qtheory.simulate.workers import in_order

SWEEP = """
horizon = {horizon}
windows = 60
replications = 5
[[station]]
name = "server"
[[class]]
name = "jobs"
station = "server"
service = {{law = "exponential", mean = 1.0}}
arrivals = {{law = "poisson-process", rate = 0.5}}
[[sweep]]
key = "class.1.arrivals.rate"
values = [0.3, 0.5]
"""
POINTS = parse_points(SWEEP.format(horizon=200.0))
CHAIN = parse_points("""
horizon = 50.0
windows = 50
replications = 5
[engine]
policy = "sarathi"
budget = 8
time = {law = "affine", constants = [0.01, 0.001]}
[[class]]
name = "r"
prompt = {law = "geometric", mean = 4}
output = {law = "geometric", mean = 4}
arrivals = {law = "poisson-process", rate = 2.0}
""")


@pytest.mark.parametrize("changes", [{"seed": 1}, {"horizon": 100.0}, {"confidence": 0.9}, {"claim": "another"}])
def test_what_is_kept_is_of_this_very_scenario(changes):
    """However short a notebook shows it."""
    point, model = POINTS[0], POINTS[1].scenario.variants
    assert fingerprint(point) == fingerprint(Point(point.settings, replace(point.scenario)))
    for other in (replace(point.scenario, **changes), replace(point.scenario, variants=model)):
        assert fingerprint(point) != fingerprint(Point(point.settings, other))


def same(one, other):
    for name, value in vars(one).items():
        if isinstance(value, np.ndarray):
            assert value.dtype == getattr(other, name).dtype and value.tobytes() == getattr(other, name).tobytes()
        else:
            assert value == getattr(other, name)


@pytest.mark.parametrize("point", [POINTS[0], CHAIN[0]], ids=["network", "engine"])
def test_a_replication_that_was_kept_is_the_one_that_was_run(tmp_path, point):
    place = Place(tmp_path, "f" * 64)
    [(label, runs)] = run_scenario(point.scenario).items()
    for run in runs:
        place.keep_run(0, run)
        same(run, place.run(0, run.replication, point.scenario.variants[label]))
    assert place.run(0, len(runs), point.scenario.variants[label]) is None


def test_only_what_is_missing_is_run(tmp_path, monkeypatch):
    ran = []

    def noted(job):
        ran.append(job[1]["replication"])
        if len(ran) == 8:
            raise KeyboardInterrupt
        return job[0].run(**job[1])

    monkeypatch.setattr("qtheory.simulate.runs.run_one", noted)
    monkeypatch.setattr("qtheory.simulate.experiments.TOGETHER", 0)  # else a point this short is one task
    with pytest.raises(KeyboardInterrupt):
        results.run_points(POINTS, tmp_path)
    assert ran == [0, 1, 2, 3, 4, 0, 1, 2]
    ran[:] = [0] * 10
    documents = results.run_points(POINTS, tmp_path)
    assert ran[10:] == [2, 3, 4]
    assert documents == results.run_points(POINTS)
    assert sorted(p.suffix for p in (tmp_path / "points").iterdir()) == [".json", ".json"]


@pytest.mark.parametrize("edit", [
    lambda d: d["variants"][0]["measures"].popitem(),
    lambda d: d["variants"][0]["stability"].update(verdict="unstable"),
    lambda d: d.update(seed=7), lambda d: d.pop("seal"), lambda d: d.update(seal="0" * 64)])  # fmt: skip
def test_an_edited_point_is_run_again(tmp_path, edit):
    wanted = results.run_points(POINTS, tmp_path)
    file = min((tmp_path / "points").iterdir())
    document = json.loads(file.read_text())
    edit(document)
    file.write_text(json.dumps(document))
    kept, ran = [], []
    again = results.run_points(POINTS, tmp_path, kept=kept.append, each=lambda n, point, runs: ran.append(n))
    assert again == wanted and len(kept) == 1 and len(ran) == 1 and kept != ran


def test_an_edited_replication_is_run_again(tmp_path):
    place = Place(tmp_path, "f" * 64)
    [(label, runs)] = run_scenario(POINTS[0].scenario).items()
    place.keep_run(0, runs[0])
    file = place.run_file(0, 0)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert place.run(0, 0, POINTS[0].scenario.variants[label]) is None


def test_two_runs_write_one_file_at_once(tmp_path, monkeypatch):
    """Each has a draft of its own: the one that is renamed first takes nothing from the other."""
    drafts, sync = [], os.fsync

    def meanwhile(handle):
        drafts.append(sorted(p.name for p in tmp_path.iterdir()))
        if len(drafts) == 1:
            keeping.put(tmp_path / "point.json", b"the same")
        sync(handle)

    monkeypatch.setattr(keeping.os, "fsync", meanwhile)
    keeping.put(tmp_path / "point.json", b"the same")
    assert (tmp_path / "point.json").read_bytes() == b"the same"
    assert len(drafts[1]) == 2 and [p.name for p in tmp_path.iterdir()] == ["point.json"]


def test_a_file_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeping.os, "fsync", full)
    with pytest.raises(InputError, match=r"point\.json: cannot be written: No space left"):
        keeping.put(tmp_path / "point.json", b"much")
    assert list(tmp_path.iterdir()) == []


def test_tasks_without_end_are_handed_out_as_their_results_are_asked_for():
    from concurrent.futures import ThreadPoolExecutor
    from itertools import count, islice

    with ThreadPoolExecutor(2) as pool:
        assert list(islice(in_order(lambda n: n * n, count(), pool), 5)) == [0, 1, 4, 9, 16]


def children(caller):
    return [int(p) for file in Path(f"/proc/{caller}/task").glob("*/children") for p in file.read_text().split()]


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_killed_leaves_no_process_and_goes_on(tmp_path, kind):
    (tmp_path / "long.toml").write_text(SWEEP.format(horizon=2e7))
    command = [sys.executable, "-m", "qtheory.cli", "simulate", str(tmp_path / "long.toml"), "--workers", "2", "-o",
               str(tmp_path / "out")]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
        while not list((tmp_path / "out").glob("points/*/*.run")):
            assert process.poll() is None
            time.sleep(0.05)
        workers = children(process.pid)
        process.send_signal(kind)
        _, err = process.communicate(timeout=120)
    assert len(workers) >= 2 and "Traceback" not in err
    for _ in range(600):
        if not any(map(alive, workers)):
            break
        time.sleep(0.1)
    assert not any(map(alive, workers))
    assert list((tmp_path / "out").glob("points/*/*.run"))
