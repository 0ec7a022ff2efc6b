"""M/M/10 at load 0.9, 10 million arrivals: events a second of the compiled network loop beside its peers.

An event is one arrival or departure; every simulator keeps each customer's sojourn time, on one thread. Times are
processor time, so that what else the machine does counts little. Run as ``python tests/benchmarks/bench_network.py``:
prints the ratios and exits 1 where a promised one is missed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from qtheory.simulate import measures
from qtheory.simulate.laws import Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import run

SERVERS, GAP, SERVICE = 10, 1.0 / 0.9, 10.0
ARRIVALS = 10_000_000
MEAN_SOJOURN = 16.687  # Erlang C
LIST, ALONE = "C++ -O3 event list", "C++ -O3 for M/M/c alone"
PROMISED = {LIST: 0.8, "Cimba": 4.0, "Ciw": 150.0}  # of the others the ratio is shown
SLOW = {"Ciw", "SimPy"}  # timed once, on fewer customers
Timing = tuple[float, float]  # events a second, mean sojourn time in s


def compiled_loop() -> Timing:
    station = Station("s", SERVERS)
    network = Network((station,), (JobClass("a", "s", Exponential(SERVICE), Exponential(GAP)),))
    begin = time.process_time()
    got = run(network, horizon=ARRIVALS * GAP)
    seconds = time.process_time() - begin
    return got.events / seconds, measures.sojourn("a").value(got)


def cpp(program: Path) -> Timing:
    arguments = [str(v) for v in (SERVERS, GAP, SERVICE, ARRIVALS * GAP, 0)]
    out = subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout.split()
    events, departures, sojourns, seconds = map(float, out)
    return events / seconds, sojourns / departures


def build_cpp(folder: str, name: str) -> Path:
    program = Path(folder) / name
    source = Path(__file__).with_name(f"{name}.cpp")
    subprocess.run(["g++", "-O3", "-march=native", "-o", program, source], check=True)
    return program


def cimba_model() -> Callable[[float], Timing]:
    import cimba as cb
    from cimba_queue import Queue

    model = Queue()
    model.gap = cb.inputs.dist.exponential(mean=GAP)
    model.work = cb.inputs.dist.exponential(mean=SERVICE)

    def timed(arrivals: float) -> Timing:
        experiment = cb.Experiment(model, replications=1, window=cb.Window(warmup=0, duration=arrivals * GAP), seed=1)
        begin = time.process_time()
        result = experiment.run(workers=1)[model]
        seconds = time.process_time() - begin
        return 2.0 * float(result.jobs.values[0, 0]) / seconds, float(result.mean.values[0, 0])

    return timed


def ciw_queue(arrivals: int = 100_000) -> Timing:
    import ciw

    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(1.0 / GAP)],
        service_distributions=[ciw.dists.Exponential(1.0 / SERVICE)],
        number_of_servers=[SERVERS],
    )
    ciw.seed(1)
    simulation = ciw.Simulation(network)
    begin = time.process_time()
    simulation.simulate_until_max_time(arrivals * GAP)
    seconds = time.process_time() - begin
    records = simulation.get_all_records()
    return 2.0 * len(records) / seconds, sum(r.exit_date - r.arrival_date for r in records) / len(records)


def simpy_queue(arrivals: int = 100_000) -> Timing:
    import random

    import simpy

    environment, chance = simpy.Environment(), random.Random(1)
    servers, sojourns = simpy.Resource(environment, SERVERS), []

    def customer() -> Iterator[simpy.Event]:
        born = environment.now
        with servers.request() as turn:
            yield turn
            yield environment.timeout(chance.expovariate(1.0 / SERVICE))
        sojourns.append(environment.now - born)

    def source() -> Iterator[simpy.Event]:
        while True:
            yield environment.timeout(chance.expovariate(1.0 / GAP))
            environment.process(customer())

    environment.process(source())
    begin = time.process_time()
    environment.run(until=arrivals * GAP)
    seconds = time.process_time() - begin
    return 2.0 * len(sojourns) / seconds, sum(sojourns) / len(sojourns)


WARM_START = """
import time
import qtheory
begin = time.process_time()
from qtheory.simulate.laws import Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import run
run(Network((Station("s"),), (JobClass("a", "s", Exponential(1.0), Exponential(2.0)),)), horizon=1.0)
print(time.process_time() - begin)
"""


def best_start(code: str, folder: str) -> float:
    """Processor seconds that ``code`` prints in a new process, best of ten after one that fills the cache."""
    program = Path(folder) / "start.py"
    program.write_text(code)
    command = [sys.executable, str(program)]
    times = [float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(11)]
    return min(times[1:])


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        peers: dict[str, Callable[[], Timing]] = {}
        with_list, alone = build_cpp(folder, "mmc"), build_cpp(folder, "fast_mmc")
        peers |= {LIST: lambda: cpp(with_list), ALONE: lambda: cpp(alone)}
        try:
            timed = cimba_model()
            begin = time.process_time()
            timed(100.0)  # long enough for a customer to leave: the mean divides by their number
            print(f"Cimba compiles in {time.process_time() - begin:.2f} s (not counted)")
            peers["Cimba"] = lambda: timed(1e6)
        except ImportError:
            print("Cimba is not installed: pip install cimba")
        peers["Ciw"] = ciw_queue
        if find_spec("simpy"):
            peers["SimPy"] = simpy_queue
        else:
            print("SimPy is not installed: pip install simpy")
        begin = time.process_time()
        run(Network((Station("s"),), (JobClass("a", "s", Exponential(1.0), Exponential(2.0)),)), horizon=1.0)
        print(f"the loop loads or compiles in {time.process_time() - begin:.2f} s (not counted)")
        ours, best = 0.0, dict.fromkeys(peers, 0.0)
        for attempt in range(6):  # interleaved, the best of six: the machine does other work too
            speed, mean = compiled_loop()
            assert abs(mean - MEAN_SOJOURN) < 0.1, mean
            ours = max(ours, speed)
            for name, peer in peers.items():
                if name not in SLOW or attempt == 0:
                    speed, mean = peer()
                    assert abs(mean - MEAN_SOJOURN) < 1.5, (name, mean)
                    best[name] = max(best[name], speed)
    print(f"qtheory: {ours / 1e6:.1f} million events a second")
    missed = 0
    for name, speed in best.items():
        promised = PROMISED.get(name, 0.0)
        good = ours / speed >= promised
        missed += not good
        print(f"{name}: {speed / 1e6:.3g} million; ratio {ours / speed:.3g}"
              + (f", promised {promised}" if promised else "") + ("" if good else "  MISSED"))  # fmt: skip
    name = max(best, key=best.__getitem__)
    print(f"worst ratio: {ours / best[name]:.3g}, of {name}")
    with tempfile.TemporaryDirectory() as folder:
        start = best_start(WARM_START, folder)
    missed += start >= 0.5
    print(f"warm start: {start:.2f} s, promised 0.5" + ("" if start < 0.5 else "  MISSED"))
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
