"""A sweep on a Dask cluster of two workers: the same as in one process, also when a worker or the caller is killed."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest
from test_keeping import SWEEP

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.networks import shipped, simulation
from qtheory.proofs import corpus
from qtheory.report import reproduce, reproduce_agents, reproduce_figure_1, stability_map, tables
from qtheory.simulate import results
from qtheory.simulate.runs import replicate, run_some
from qtheory.simulate.scenarios import parse_points
from qtheory.simulate.workers import as_finished, cluster

distributed = pytest.importorskip("distributed")
LONG = SWEEP.format(horizon=400_000.0)  # each replication is a task of its own
POINTS = parse_points(LONG)


@pytest.fixture(scope="module")
def local():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as found:
        found.wait_for_workers(2)
        yield found


@pytest.fixture(scope="module")
def alone():
    return results.run_points(POINTS)


class Counted:
    """What is asked of an executor is ``submit`` alone; it counts how often, and calls ``then`` after each result."""

    def __init__(self, inner: Executor, then=lambda: None) -> None:
        self.inner, self.then, self.submitted = inner, then, 0

    def submit(self, *arguments):
        self.submitted += 1
        future = self.inner.submit(*arguments)
        future.add_done_callback(lambda _: self.then())
        return future


def runs_kept(folder):
    return {p: p.stat().st_mtime_ns for p in folder.glob("points/*/*.run")}


@pytest.mark.slow
def test_a_cluster_gives_what_one_process_gives(local, alone, tmp_path):
    with cluster(local.scheduler_address) as executor:
        counted = Counted(executor)
        assert results.run_points(POINTS, tmp_path, executor=counted) == alone
        assert counted.submitted == 10
        assert results.run_points(POINTS, tmp_path, executor=counted) == alone and counted.submitted == 10


@pytest.mark.later
def test_a_worker_that_is_killed_loses_nothing(local, alone, tmp_path):
    killed = []

    def kill_one():
        if not killed:
            killed.append(next(iter(local.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    with cluster(local.scheduler_address) as executor:
        counted = Counted(executor, then=kill_one)
        assert results.run_points(POINTS, tmp_path, executor=counted) == alone
    assert killed and counted.submitted == 10  # the scheduler had another worker do what the dead one was at


@pytest.mark.slow
def test_a_caller_that_is_killed_does_nothing_twice_that_was_finished(local, tmp_path):
    text = SWEEP.format(horizon=8e6)
    (tmp_path / "sweep.toml").write_text(text)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "qtheory.cli", "simulate", str(tmp_path / "sweep.toml"), "--dask",
               local.scheduler_address, "-o", str(out)]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE) as caller:
        while not runs_kept(out):
            assert caller.poll() is None
            time.sleep(0.02)
        caller.kill()
    kept = runs_kept(out)
    finished = len(list(out.glob("points/*.json")))
    assert finished < 2
    with cluster(local.scheduler_address) as executor:
        counted = Counted(executor)
        points = parse_points(text, "sweep.toml")
        assert results.run_points(points, out, executor=counted) == results.run_points(points)
    assert counted.submitted == 10 - len(kept) - 5 * finished


def test_a_worker_with_another_simulator_is_refused():
    with pytest.raises(InputError, match="same version"):
        run_some(("0" * 64, []))


@pytest.mark.later
@pytest.mark.parametrize("address", ["no-such-file.json", "tcp://127.0.0.1:9"])
def test_no_cluster_is_one_line(address, monkeypatch):
    monkeypatch.setattr("qtheory.simulate.workers._PATIENCE", 0.5)
    with pytest.raises(InputError), cluster(address):
        pass


@pytest.mark.slow
def test_claims_are_refereed_by_any_executor(local):
    names = ["eb.sec-3.2.1.Td", "eb.app-B.6.zeta-prime"]
    here = [(v.id, v.verdict, v.statement) for v in corpus.verify(names)]
    with cluster(local.scheduler_address) as executor:
        assert [(v.id, v.verdict, v.statement) for v in corpus.verify(names, executor=executor)] == here
    with pytest.raises(SystemExit) as end:
        main(["verify", *names, "--dask", local.scheduler_address])
    assert end.value.code == 0
    with ThreadPoolExecutor(2) as threads:  # one at a time: a search counts its own work
        assert [(v.id, v.verdict, v.statement) for v in corpus.verify(names, executor=threads)] == here


def test_results_are_handed_on_as_they_are_finished():
    """What comes late holds nothing back: else a crash would lose what had been finished behind it."""
    import threading

    gate = threading.Event()

    def waits(n):
        if n == 0:
            assert gate.wait(60)
        return n * n

    with ThreadPoolExecutor(2) as pool:
        found = as_finished(waits, range(4), pool)
        assert sorted(next(found) for _ in range(3)) == [(1, 1), (2, 4), (3, 9)]
        gate.set()
        assert list(found) == [(0, 0)]


def test_a_process_that_dies_is_one_line():
    with ProcessPoolExecutor(1, get_context("spawn")) as pool, pytest.raises(InputError, match="ended before its work"):
        list(as_finished(os._exit, [1], pool))


@pytest.mark.slow
def test_a_task_that_kills_every_worker_is_one_line():
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as own:
        with pytest.raises(InputError, match="died of it"), cluster(own.scheduler_address) as executor:
            list(as_finished(os._exit, [1], executor))
        own.wait_for_workers(1)  # Dask starts it anew, and cannot be closed before it is there


def test_a_model_runs_on_a_cluster(local):
    model = POINTS[0].scenario.variants["network"]
    with cluster(local.scheduler_address) as executor:
        spread = replicate(model, replications=3, executor=executor, horizon=500.0)
    assert [r.types.tobytes() for r in spread] == [
        r.types.tobytes() for r in replicate(model, replications=3, horizon=500.0)
    ]


@pytest.mark.slow
def test_networks_are_tested_and_figures_reproduced_side_by_side(local, monkeypatch):
    """Token by token and with exponential times on a cluster, two figures on processes: as in one process."""
    for constant, value in (("SLOTS", 8_000), ("LONG", 16_000), ("REPLICATIONS", 5), ("STARTS", (100, 200))):
        monkeypatch.setattr(reproduce_agents, constant, value)
    monkeypatch.setattr(reproduce_figure_1, "HORIZON", 100.0)
    keys = ("to-fig1", "to-fig8")
    alone = [reproduce.build(key) for key in keys]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        counted = Counted(pool)
        assert [reproduce.build(key, executor=counted) for key in keys] == alone
    assert counted.submitted > 100
    with cluster(local.scheduler_address) as executor:
        counted = Counted(executor)
        for name in ("rybko-stolyar-agents", "tandem"):
            network = shipped.load(name)
            assert simulation.evidence_for(network, counted) == simulation.evidence_for(network)
        monkeypatch.setattr(stability_map, "LENGTHS", (64, 256))
        assert tables.build("to-map", executor=counted) == tables.build("to-map")
    assert counted.submitted == 20 + 3


@pytest.mark.slow
def test_the_commands_take_workers_and_answer_the_same(local):
    for arguments in (["network", "tandem", "--simulate"], ["reproduce", "eb-tab-1"]):
        said = [subprocess.run([sys.executable, "-c", "from qtheory.cli import main; main()", *arguments, *more],
                               capture_output=True, text=True, check=True).stdout
                for more in ([], ["--workers", "2"], ["--dask", local.scheduler_address])]
        assert said[0] and said[1:] == said[:1] * 2
