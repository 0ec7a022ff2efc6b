import numpy as np
import pytest

from qtheory import profiles, workloads
from qtheory.errors import InputError, UnknownNameError
from qtheory.models import laws as times
from qtheory.simulate.engines import IterationTime
from qtheory.simulate.kernel.engine_time import law_time
from qtheory.simulate.laws import Geometric
from qtheory.simulate.scenarios import load, parse
from qtheory.simulate.sources import iteration_time, length_law, profile_time, workload_law

SCENARIO = """
horizon = 50.0
[engine]
policy = "sarathi"
budget = 512
[engine.time]
profile = "a100-80gb-llama3-70b-tp2"
[[class]]
name = "r"
prompt = {law = "trace", file = "FILE"}
output = {law = "workload", name = "eb-sharegpt"}
arrivals = {law = "trace", file = "FILE"}
"""


class Arrays:
    """What ``law_time`` reads of an engine."""

    def __init__(self, time):
        self.law, self.law_parameters = time.encode()


COUNTED = [n for n in profiles.names() if profiles.load(n).complete]


@pytest.mark.parametrize("name", COUNTED)
def test_the_kernel_agrees_with_the_profile(name):
    law, ours = profiles.load(name).law, Arrays(profile_time(name))
    for n in (1, 63, 64, 65, 128, 129, 1000):
        for prefill in (n, 0):
            pair = isinstance(law, times.PrefillDecodeLaw)
            held = 700.0 * (n - prefill) if isinstance(law, times.ContextAffineLaw) else 0.0
            more = ((0 if prefill else 1),) if pair else (held,) if len(law.variables) == 2 else ()
            exact = float(law.time(n, *more))
            got = law_time.py_func(ours, prefill, n - prefill, held, 0.0)
            assert got == pytest.approx(exact, rel=1e-12)


def test_a_law_at_one_token_count_is_refused():
    with pytest.raises(InputError, match="one token count"):
        iteration_time(times.MixedQuadraticLaw(1.0, 0.1, 0.2))


@pytest.mark.parametrize("name", ["eb-sharegpt", "eb-gamma-2", "eb-geometric-128", "gr-dolly"])
def test_length_laws_keep_their_moments(name):
    law = workloads.load(name).classes[0].output
    ours = length_law(law)
    assert ours.mean == pytest.approx(law.mean, rel=1e-9)
    assert ours.variance == pytest.approx(law.variance, rel=1e-6)


def test_a_geometric_law_stays_geometric():
    assert isinstance(length_law(workloads.Geometric(0.25)), Geometric)


def test_workloads_name_what_is_missing():
    with pytest.raises(UnknownNameError, match="nearest"):
        workload_law("eb-sharegp", "output")
    with pytest.raises(UnknownNameError, match="nearest: all"):
        workload_law("eb-sharegpt", "output", "al")
    with pytest.raises(InputError, match="say which"):
        workload_law("wait-low-demand", "output")


def test_a_scenario_with_profile_workload_and_trace(tmp_path):
    file = tmp_path / "trace.csv"
    file.write_text("arrived_at,num_prefill_tokens,num_decode_tokens\n5.0,10,3\n5.5,20,4\n7.0,30,5\n")
    scenario = parse(SCENARIO.replace("FILE", "trace.csv"), folder=tmp_path)
    assert scenario == parse(SCENARIO.replace("FILE", str(file)))
    (engine,) = scenario.variants.values()
    assert engine.time == IterationTime("piecewise", (0.0455, 0.0003, 64.0))
    assert engine.classes[0].prompt.sample(3).tolist() == [10.0, 20.0, 30.0]
    assert np.cumsum(engine.classes[0].arrivals.sample(3)).tolist() == [0.0, 0.5, 2.0]


def test_a_trace_is_looked_for_beside_the_scenario(tmp_path, monkeypatch):
    (tmp_path / "trace.csv").write_text("arrived_at,num_prefill_tokens,num_decode_tokens\n5.0,10,3\n5.5,20,4\n")
    (tmp_path / "mine.toml").write_text(SCENARIO.replace("FILE", "trace.csv"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (engine,) = load(tmp_path / "mine.toml").variants.values()
    assert engine.classes[0].prompt.sample(2).tolist() == [10.0, 20.0]
    (tmp_path / "trace.csv").unlink()
    with pytest.raises(InputError, match=r"trace\.csv"):
        load(tmp_path / "mine.toml")
