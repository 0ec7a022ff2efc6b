import csv
import json
import subprocess
import sys

import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.engines import LLMEngine
from qtheory.simulate.kernel.policies import POLICIES
from qtheory.simulate.networks import Network
from qtheory.simulate.scenarios import SHIPPED, load, parse, with_changes

NAMES = sorted(p.stem for p in SHIPPED.glob("*.toml"))
ENGINE = """
horizon = 50.0
[engine]
policy = "sarathi"
budget = 64
[engine.time]
law = "affine"
constants = [0.02, 0.001]
[[class]]
name = "r"
prompt = {law = "deterministic", value = 20}
output = {law = "geometric", mean = 10}
arrivals = {law = "exponential", mean = 1.0}
"""


def test_every_policy_has_a_scenario():
    used = {m.policy for n in NAMES for m in load(n).variants.values() if isinstance(m, LLMEngine)}
    assert used == set(POLICIES)


@pytest.mark.parametrize("name", NAMES)
def test_shipped_scenarios_run(name):
    from qtheory.simulate.experiments import run_scenario, summarise

    scenario = load(name)
    short = with_changes(scenario, horizon=min(scenario.horizon, 20.0), replications=5, windows=50)
    calls = []
    results = run_scenario(short, done=lambda finished, events: calls.append((finished, events)))
    summary = summarise(short, results)
    assert list(summary) == list(scenario.variants)
    assert calls[-1][0] == 5 * len(scenario.variants) and calls[-1][1] > 0
    for label, model in scenario.variants.items():
        opened = isinstance(model, Network) or not model.saturated
        assert (summary[label]["stability"] is not None) == opened


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("budget = 64", "budgets = 64"), r"unknown key in engine 'budgets'; nearest: budget"),
        (("budget = 64", "budget = 0"), "budget must be a whole number"),
        (("budget = 64", 'budget = "many"'), "must be a number"),
        (("budget = 64", ""), "engine lacks budget"),
        (('"sarathi"', '"sarati"'), "nearest: sarathi"),
        (("horizon = 50.0", ""), "lacks horizon"),
        (("horizon = 50.0", "horizon = -1"), "horizon must be positive"),
        (("horizon = 50.0", "horizon = 50.0\nseed = 1.5"), "seed must be a whole number"),
        (("horizon = 50.0", "horizon = 50.0\nhorizons = 1"), "unknown key in the scenario 'horizons'"),
        (("mean = 1.0", "mean = -1.0"), "must be positive"),
        (("mean = 1.0", "rate = 1.0"), "unknown key in class 1.arrivals 'rate'"),
        (('law = "exponential"', 'law = "exponentail"'), "nearest: exponential"),
        (('"affine"', '"afine"'), "nearest: affine"),
        (("[0.02, 0.001]", "[0.02]"), "needs 2 constants"),
        (("budget = 64", "budget = 64\ncapacity = 15"), "exceeds the capacity"),
        (("budget = 64", "budget = 64\nsaturated = 1"), "true or false"),
        (("[[class]]", "[class]"), "written as"),
        (("[engine]", "[[engine]]"), "written as|line"),
        (("budget = 64", "budget = 64\noverhead = 1.0"), "overhead|must be"),
        (("budget = 64", "budget = 64\noverhead = [1.0]"), "three nonnegative"),
        (("horizon = 50.0", "horizon = = 50.0"), r"line 2, column 11"),
    ],
)
def test_bad_scenarios_are_one_line(change, says):
    text = ENGINE.replace(*change)
    assert text != ENGINE
    with pytest.raises(InputError, match=says) as caught:
        parse(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ") and "\n" not in str(caught.value)


def test_an_unknown_file_names_the_shipped_ones():
    with pytest.raises(UnknownNameError, match="mm1"):
        load("mm2")


def command(*arguments):
    code = "from qtheory.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, "simulate", *arguments], capture_output=True, text=True)


def test_command_writes_what_it_prints(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(ENGINE)
    out = command(str(file), "--replications", "6", "--seed", "3", "-o", str(tmp_path / "out"), "--format", "json")
    assert out.returncode == 0 and out.stderr == ""
    document = json.loads(out.stdout)
    assert document == json.loads((tmp_path / "out" / "results.json").read_text())
    assert document["replications"] == 6 and document["seed"] == 3
    measures = document["variants"][0]["measures"]
    rows = list(csv.DictReader((tmp_path / "out" / "results.csv").open()))
    assert {r["measure"]: float(r["estimate"]) for r in rows} == {k: v["estimate"] for k, v in measures.items() if v}
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["results.csv", "results.json"]
    again = command(str(file), "--replications", "6", "--seed", "3", "--workers", "2", "--format", "json")
    assert again.stdout == out.stdout


def test_command_gives_the_growth_in_place_of_delays(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(ENGINE.replace("mean = 1.0", "mean = 0.01"))
    out = command(str(file))
    assert out.returncode == 0
    assert "unstable" in out.stdout and "grows by" in out.stdout
    assert "TTFT" not in out.stdout and "latency" not in out.stdout


@pytest.mark.parametrize("arguments", [("nothing.toml",), ("mm1", "--replications", "2"), ("mm1", "--format", "xml")])
def test_command_ends_in_one_line_and_status_2(arguments):
    out = command(*arguments)
    assert out.returncode == 2 and out.stdout == ""
    assert out.stderr.startswith("qtheory: ") and out.stderr.count("\n") == 1
