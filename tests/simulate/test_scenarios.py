import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import jsonschema
import numpy as np
import pytest

from qtheory.cli import main
from qtheory.errors import InputError, UnknownNameError
from qtheory.networks import shipped
from qtheory.simulate import agent_instances, measures
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.counts import CountsChain, Move, up_to
from qtheory.simulate.engines import LLMEngine
from qtheory.simulate.experiments import judge_all, run_scenario, summarise
from qtheory.simulate.kernel.policies import POLICIES
from qtheory.simulate.laws import Discrete
from qtheory.simulate.request_records import tpot
from qtheory.simulate.scenarios import SHIPPED, load, parse, parse_points, read, with_changes
from qtheory.simulate.schema import schema

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


@cache
def first_point(name):
    return parse_points(*read(name))[0].scenario


@pytest.mark.slow
def test_every_policy_has_a_scenario():
    used = {m.policy for n in NAMES for m in first_point(n).variants.values() if isinstance(m, LLMEngine)}
    assert used == set(POLICIES)


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "chain-exclusive-batching"))
                                  for n in NAMES])
def test_shipped_scenarios_run(name):
    scenario = first_point(name)
    slotted = isinstance(next(iter(scenario.variants.values())), SlottedAgents)  # a window is a slot or more
    horizon = min(scenario.horizon, 50.0 if slotted else 20.0)
    short = with_changes(scenario, horizon=horizon, replications=5, windows=50)
    calls = []
    results = run_scenario(short, done=calls.append)
    summary = summarise(short, results)
    assert list(summary) == list(scenario.variants)
    expected = tomllib.loads(read(name)[0]).get("expect", [])
    assert [j.says for j in judge_all(short, results)] == [e["says"] for e in expected]
    assert len(calls) == 5 * len(scenario.variants) and min(calls) > 0
    for label, model in scenario.variants.items():
        opened = not isinstance(model, LLMEngine) or not (model.saturated or model.concurrency)
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
        (('"affine"\nconstants = [0.02, 0.001]', '"staircase"\nconstants = [0.01, 0, 0.0001]'),
         r"engine\.time: law 'staircase': the second constant, .* a whole number, at least 1, not 0"),
        (('"affine"\nconstants = [0.02, 0.001]', '"mixed-quadratic"\nconstants = [0.01, 0.0001, -0.0003, 0]'),
         r"an iteration of 64 tokens would take -0\.0028 s"),
        (("budget = 64", "budget = 64\ncapacity = 15"), "exceeds the capacity"),
        (("budget = 64", "budget = 64\nsaturated = 1"), "true or false"),
        (("[[class]]", "[class]"), "written as"),
        (("[engine]", "[[engine]]"), "written as|line"),
        (("budget = 64", "budget = 64\noverhead = 1.0"), "overhead|must be"),
        (("budget = 64", "budget = 64\noverhead = [1.0]"), "three nonnegative"),
        (("horizon = 50.0", "horizon = = 50.0"), r"line 2, column 11"),
        (("horizon = 50.0", "horizon = " + "[" * 100_000), "nested too deeply"),
        (("horizon = 50.0", "horizon = " + "9" * 5000), "4300 digits"),
        (("[[class]]", "[classes]"), "unknown key in the scenario 'classes'"),
        (('name = "r"', ""), "class 1 lacks name"),
        (('law = "exponential", mean = 1.0', 'law = "poisson-process", rate = -2.0'),
         r"class 1\.arrivals: a rate must be positive"),
        (('law = "exponential", mean = 1.0', 'law = "sinusoid-poisson", rate = 1.0, amplitude = 2.0, period = 5.0'),
         "amplitude"),
        (('law = "exponential", mean = 1.0',
          'law = "piecewise-poisson", rates = [1.0], lengths = [5.0], periodic = 1'), "true or false"),
        (("mean = 10}", "mean = -10}"), "must be positive"),
        (("horizon = 50.0", "horizon = 50.0\nexpect = 3"), r"\[\[expect\]\]"),
        (("[[class]]", '[[expect]]\nsays = "x"\nvariant = "sarathi"\n[[class]]'), "either a stability, or a measure"),
        (("[[class]]", '[[expect]]\nsays = "x"\nvariant = "sarath"\nstability = "stable"\n[[class]]'),
         "nearest: sarathi"),
        (("[[class]]", '[[expect]]\nsays = "x"\nvariant = "sarathi"\nstability = "stabel"\n[[class]]'),
         "nearest: stable"),
        (("[[class]]",
          '[[expect]]\nsays = "x"\nvariant = "sarathi"\nmeasure = "latancy"\nhigher_than = "sarathi"\n[[class]]'),
         "nearest: mean latency"),
        (("[[class]]", '[[sweep]]\nkey = "engine.budgt"\nvalues = [1]\n[[class]]'), "nearest: budget"),
        (("[[class]]", '[[sweep]]\nkey = "class.2.name"\nvalues = [1]\n[[class]]'), "none of the numbers 1 to 1"),
        (("[[class]]", '[[sweep]]\nkey = "engine.budget.x"\nvalues = [1]\n[[class]]'), "goes on after a value"),
        (("[[class]]", '[[sweep]]\nkey = "engine.budget"\nvalues = []\n[[class]]'), "at least one value"),
        (("[[class]]", '[[sweep]]\nkey = "engine.budget"\nvalues = [64, 0]\n[[class]]'), "whole number, at least 1"),
        (("[[class]]", '[[sweep]]\nkey = "engine.budget"\nvalues = [64, 32]\n[[class]]'), "a sweep of 2 points"),
        (("[[class]]", '[[sweep]]\nkey = 3\nvalues = [64]\n[[class]]'), "sweep 1.key must be text"),
        (("horizon = 50.0", "horizon = [1, 2]"), "horizon must be a number"),
        (("horizon = 50.0", "horizon = nan"), "horizon must be a number"),
        (("horizon = 50.0", "horizon = 50.0\nwindows = 1000000000000"), "windows must be .* at most 1000000"),
        (("horizon = 50.0", "horizon = 50.0\ntitle = 3"), "title must be text"),
        (("budget = 64", f"budget = {10**30}"), "budget must be a whole number, at most"),
        (("budget = 64", f"budget = {10**400}"), "budget must be a number"),
        (("budget = 64", "budget = nan"), "budget must be a number"),
        (("budget = 64", "budget = [64, 32]"), "budget must be one number"),
        (("budget = 64", "budget = 64\ncapacity = 1e300"), "capacity must be a whole number, at most"),
        (("budget = 64", "budget = 64\norder = 3"), "engine.order must be text"),
        (('"sarathi"', '["sarathi"]'), "engine.policy must be text"),
        (('"sarathi"', "{a = 1}"), "engine.policy must be text"),
        (('name = "r"', 'name = ["r"]'), "class 1.name must be text"),
        (('name = "r"', 'name = "r"\nttft_slo = [1.0]'), "ttft_slo must be a number"),
        (('name = "r"', 'name = "r"\nsizes = {law = "deterministic", value = 1.5}'), "sizes of arrivals must be whole"),
        (('name = "r"', 'name = "r"\nsizes = {law = "exponential", mean = 2.0}'), "sizes of arrivals must be whole"),
        (('name = "r"', 'name = "r"\nsizes = {law = "deterministic", value = 1e9}'), "at most 1,000,000"),
        (("value = 20", "value = 1e18"), "prompt lengths must be whole numbers, .* at most 1,000,000,000"),
        (("mean = 10}", "mean = 1e300}"), "output lengths must be whole numbers"),
        (('law = "exponential", mean = 1.0', 'law = ["exponential"]'), "must be a table with a law"),
        (('law = "exponential", mean = 1.0', 'law = "erlang", stages = 1000000000, mean = 1.0'), "at most 10000"),
        (('law = "exponential", mean = 1.0', 'law = "poisson", mean = 1e300'), "at most 1000000"),
        (('law = "exponential", mean = 1.0', 'law = "binomial", trials = 1000000000, chance = 0.5'), "at most 1000000"),
        (('law = "exponential", mean = 1.0', 'law = "lognormal", location = 1e6, spread = 1.0'), "out of range"),
        (('law = "exponential", mean = 1.0', 'law = "weibull", scale = 1.0, shape = 1e-6'), "at least 0.02"),
        (('law = "exponential", mean = 1.0', 'law = "empirical", values = [[1, 2], [3]]'), "values 1 must be a number"),
        (('law = "exponential", mean = 1.0', 'law = "discrete", values = 1.0, weights = 1.0'), "must be a list"),
        (("mean = 1.0", "mean = [1.0]"), "class 1.arrivals.mean must be a number"),
    ],
)
def test_bad_scenarios_are_one_line(change, says):
    text = ENGINE.replace(*change)
    assert text != ENGINE
    with pytest.raises(InputError, match=says) as caught:
        parse(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ") and "\n" not in str(caught.value)


GATE = """
horizon = 50.0
[[station]]
name = "s"
capacity = 3
[[dispatcher]]
name = "gate"
rule = "round-robin"
to = ["a"]
arrivals = {law = "exponential", mean = 1.0}
[[class]]
name = "a"
station = "s"
service = {law = "exponential", mean = 0.5}
"""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('to = ["a"]', 'to = "a"'), r"dispatcher 1\.to must be a list of classes"),
        (('to = ["a"]', 'to = [1]'), r"dispatcher 1\.to must be text"),
        (('to = ["a"]', 'to = ["b"]'), "unknown class 'b'; nearest: a"),
        (('"round-robin"', '"round-robbin"'), "nearest: round-robin"),
        (('rule = "round-robin"', ""), "dispatcher 1 lacks rule"),
        (("[[dispatcher]]", "[dispatcher]"), r"dispatchers as \[\[dispatcher\]\]"),
        (("capacity = 3", "capacity = 0"), "at least 1, not 0"),
        (("capacity = 3", "capacity = 2.5"), "must be a whole number"),
        (("capacity = 3", 'capacity = 3\nblocking = "after service"'), "nearest: after-service"),
        (("capacity = 3", 'blocking = "after-service"'), "needs a capacity"),
    ],
)
def test_bad_rooms_and_dispatchers_are_one_line(change, says):
    text = GATE.replace(*change)
    assert text != GATE and parse(GATE)
    with pytest.raises(InputError, match=says) as caught:
        parse(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ") and "\n" not in str(caught.value)


def test_the_shipped_trace_is_read_by_its_own_headers():
    model = load("trace-burstgpt").variants["sarathi"]
    table = [r for r in csv.DictReader((SHIPPED / "trace-burstgpt.csv").open())]
    run = model.run(horizon=300.0, windows=50, records=True)
    got = run.records[np.argsort(run.records[:, 6])]
    assert got[:, [4, 5]].tolist() == [[float(r["Request tokens"]), float(r["Response tokens"])] for r in table]
    first = float(table[0]["Timestamp"])
    assert np.diff(got[:, 1]).tolist() == np.diff([float(r["Timestamp"]) - first for r in table]).tolist()
    per_token = tpot(run)[np.argsort(run.records[:, 6])]
    met = (got[:, 2] - got[:, 1] <= 0.2) & ((per_token <= 0.02) | np.isnan(per_token))
    assert measures.ENGINE["fraction within every limit"].value(run) == met.mean() and 0 < met.mean() < 1


AGENTS = """
horizon = 200.0
[agents]
network = "two-types"
rate_factor = 0.5
"""


def test_the_token_level_rybko_stolyar_is_the_one_of_figure_8():
    for other, agents in enumerate(load("rybko-stolyar-tokens").variants.values()):
        paper = agent_instances.figure_8(reversed_priority=bool(other))
        paper = replace(paper, network=replace(paper.network, title=agents.network.title))
        assert agents == paper


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"two-types"', '"two-tipes"'), "nearest: two-types"),
        (('"two-types"', '"mine/net.toml"'), "no such file"),
        (("rate_factor = 0.5", "rate_factor = 0"), r"agents\.rate_factor must be positive"),
        (("rate_factor = 0.5", 'length_law = "posson"'), "nearest: poisson"),
        (("rate_factor = 0.5", "one_token = 1"), r"agents\.one_token must be true or false"),
        (("rate_factor = 0.5", "order = 1"), "unknown key in agents 'order'"),
        (('network = "two-types"', ""), "agents lacks network"),
        (("[agents]", "[[class]]\n[agents]"), "an agents takes no class|takes no class"),
        (("[agents]", "[engine]\n[agents]"), "engine and agents"),
        (("[agents]", '[[expect]]\nsays = "x"\nvariant = "two-types"\nmeasure = "busy fraction"\n'
                      'higher_than = "two-types"\n[agents]'), "of two-types give a stability"),
    ],
)
def test_bad_agents_are_one_line(change, says):
    text = AGENTS.replace(*change)
    assert text != AGENTS and parse(AGENTS)
    with pytest.raises(InputError, match=says) as caught:
        parse(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ") and "\n" not in str(caught.value)


@pytest.mark.later
def test_what_is_changed_above_is_a_scenario_by_the_schema():
    for text in (GATE, AGENTS):
        jsonschema.validate(tomllib.loads(text), schema())


def test_agents_of_a_file_beside_the_scenario_at_another_rate(tmp_path):
    (tmp_path / "net.toml").write_text(shipped.text("two-types"))
    (tmp_path / "mine.toml").write_text(AGENTS.replace("two-types", "net.toml").replace("0.5", "0.1"))
    (agents,) = load(tmp_path / "mine.toml").variants.values()
    assert agents.network == shipped.load("two-types").scaled("1/10")


CHAIN = """
horizon = 50.0
[chain]
step = 0.5
[chain.start]
n = 0
[[chain.move]]
name = "serve"
change = {n = -1}
factors = [{kind = "clamp", weights = {n = 1}, high = 3}]
[[chain.move]]
name = "come"
change = {n = 1}
number = "law"
law = {law = "binomial", trials = 4, chance = 0.5}
"""


def test_a_chain_is_the_one_of_the_library():
    (chain,) = parse(CHAIN).variants.values()
    moves = (
        Move("serve", {"n": -1}, 1.0, (up_to("n", 3),)),
        Move("come", {"n": 1}, 1.0, (), "law", Discrete.binomial(4, 0.5)),
    )
    assert chain == CountsChain({"n": 0}, moves, step=0.5)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("{n = -1}", "{m = -1}"), "unknown count 'm'"),
        (("{n = -1}", "{n = -0.5}"), "changes by must be a whole number"),
        (('"clamp"', '"clam"'), "nearest: clamp"),
        (("step = 0.5", "step = -1.0"), "positive"),
        (("step = 0.5", ""), "belong to discrete time"),
        (("step = 0.5", "steps = 0.5"), "nearest: step"),
        (("n = 0\n", "n = -3\n"), "a whole number, at least 0, not -3"),
        (('number = "law"', 'number = "lax"'), "nearest: law"),
        (("chance = 0.5", "chance = 1.5"), "a chance in \\[0, 1\\]"),
        (('law = "binomial", trials = 4, chance = 0.5', 'law = "exponential", mean = 1.0'), "how often"),
        (('name = "come"', 'name = "serve"'), "defined twice"),
        (('name = "come"', 'name = "come"\nseconds = [1.0]'), "two numbers"),
        (('name = "come"', 'name = "come"\nrate = -1.0'), "nonnegative"),
        (("[chain]", "[[class]]\n[chain]"), "a chain takes no class"),
        (("[chain]", "[engine]\n[chain]"), "engine and chain"),
        (("[[chain.move]]", "[chain.move]", 1), "written as|line|Cannot"),
        (("horizon = 50.0", 'horizon = 50.0\n[[expect]]\nsays = "x"\nvariant = "chain"\nmeasure = "mean n"\n'
                            'higher_than = "chain"'), "between engines; of chain"),
    ],
)  # fmt: skip
def test_bad_chains_are_one_line(change, says):
    text = CHAIN.replace(*change)
    assert text != CHAIN
    with pytest.raises(InputError, match=says) as caught:
        parse(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ") and "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_count_below_zero_names_the_move_and_the_state(tmp_path):
    (tmp_path / "mine.toml").write_text(CHAIN.replace(", high = 3}", ", offset = 1}"))
    run = command(str(tmp_path / "mine.toml"))
    assert run.returncode == 2 and run.stderr.count("\n") == 1 and "Traceback" not in run.stderr
    assert "move 'serve' makes a count negative at n = " in run.stderr


def test_an_unknown_file_names_the_shipped_ones():
    with pytest.raises(UnknownNameError, match="mm1"):
        load("mm2")


def test_empty_classes_are_refused():
    with pytest.raises(InputError, match="at least one request class"):
        parse(ENGINE[: ENGINE.index("[[class]]")].replace("horizon = 50.0", "horizon = 50.0\nclass = []"))


class Ended(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def command(*arguments):
    """What ``qtheory simulate`` does; that it compiles, which a first run says, is left out."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err, pytest.raises(SystemExit) as end:
        main(["simulate", *arguments])
    said = [line for line in err.getvalue().splitlines(keepends=True) if not line.startswith("compiling, once")]
    return Ended(end.value.code or 0, out.getvalue(), "".join(said))


@pytest.mark.slow
def test_a_first_run_says_what_it_compiles_and_the_next_does_not(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    code = "from qtheory.cli import main; main()"
    compiled = "compiling, once for this version: advance of The event loop of multiclass open queueing networks"
    for says in ([compiled], []):
        arguments = ["simulate", "mm1", "--replications", "5", "--horizon", "2000"]
        run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
        assert (run.returncode, run.stderr.splitlines()) == (0, says)


@pytest.mark.slow
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


@pytest.mark.slow
def test_an_interrupt_ends_a_run_within_one_window(tmp_path):
    text = ('horizon = 1e14\n[[station]]\nname = "s"\n[[class]]\nname = "a"\nstation = "s"\n'
            'service = {law = "exponential", mean = 1.0}\narrivals = {law = "poisson-process", rate = 0.5}\n')
    (tmp_path / "long.toml").write_text(text)
    command = [sys.executable, "-m", "qtheory.cli", "simulate", str(tmp_path / "long.toml"), "--workers"]
    # a parent that runs in the background may ignore the signal, and a child would inherit that
    running = [subprocess.Popen([*command, workers], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) for workers in "12"]
    try:
        time.sleep(4.0)  # until they run; they would for 50 days
        assert [process.poll() for process in running] == [None, None]
        for process in running:
            process.send_signal(signal.SIGINT)
        for process in running:
            out, err = process.communicate(timeout=60)
            assert (process.returncode, out) == (130, "") and "Traceback" not in err
    finally:
        for process in running:
            process.kill()


@pytest.mark.slow
def test_command_gives_the_growth_in_place_of_delays(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(ENGINE.replace("mean = 1.0", "mean = 0.01"))
    out = command(str(file))
    assert out.returncode == 0
    assert "unstable" in out.stdout and "grows by" in out.stdout
    assert "TTFT" not in out.stdout and "latency" not in out.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing.toml",),
        ("mm1", "--replications", "2"),
        ("mm1", "--format", "xml"),
        ("mm1", "--horizon", "-5"),
        ("mm1", "--plots"),
        ("mm1", "--table", "excel", "-o", "out"),
        ("mm1", "--table", "parquet"),
        ("mm1", "-o", "/dev/null"),
        ("mm1", "-o", "/dev/null/out"),
        ("mm1", "--seed", "99999999999"),
        ("/",),
        (),
    ],
)
def test_command_ends_in_one_line_and_status_2(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = command(*arguments)
    assert out.returncode == 2 and out.stdout == ""
    assert out.stderr.startswith("qtheory: ") and out.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_where_a_run_fails(tmp_path):
    file = tmp_path / "mine.toml"
    text = ENGINE.replace("budget = 64", "budget = 64\ncapacity = 25").replace("mean = 10}", "mean = 300}")
    file.write_text(text)
    out = command(str(file), "-o", str(tmp_path / "out"))
    assert out.returncode == 2 and out.stderr.count("\n") == 1
    assert "KV cache of 25 tokens" in out.stderr and "requests decoding" in out.stderr
    assert not (tmp_path / "out").exists()


def test_the_schema_admits_what_the_parser_admits():
    checker = jsonschema.Draft202012Validator(json.loads(command("--schema").stdout))
    for name in NAMES:
        checker.validate(tomllib.loads((SHIPPED / f"{name}.toml").read_text()))
    assert json.loads(json.dumps(schema())) == checker.schema
    good = tomllib.loads(ENGINE)
    checker.validate(good)
    for change in (
        {"horizons": 1}, {"engine": {**good["engine"], "budgets": 1}},
        {"engine": {**good["engine"], "policy": "sarati"}},
        {"class": []}, {"class": [{**good["class"][0], "prompt": {"law": "geometric", "means": 3}}]},
        {"engine": {k: v for k, v in good["engine"].items() if k != "budget"}}, {"horizon": "long"},
    ):  # fmt: skip
        assert not checker.is_valid({**good, **change}), change


def test_list_names_every_shipped_scenario():
    assert [line.split()[0] for line in command("--list").stdout.splitlines()] == NAMES


EXPECTED = """
[[compare]]
policy = "vllm"
budget = 64
[[compare]]
policy = "sarathi"
budget = 1
[[expect]]
says = "vLLM batches fewer tokens"
variant = "sarathi"
measure = "tokens an iteration"
higher_than = "vllm"
[[expect]]
says = "the other way round"
variant = "vllm"
measure = "tokens an iteration"
higher_than = "sarathi"
[[expect]]
says = "a policy against itself"
variant = "vllm"
measure = "preemptions a second"
higher_than = "sarathi"
[[expect]]
says = "stable"
variant = "sarathi"
stability = "stable"
[[expect]]
says = "a budget of one is too small"
variant = "sarathi 3"
stability = "stable"
[[class]]
"""


def test_what_a_paper_says_is_judged():
    text = ENGINE.replace("[[class]]", EXPECTED).replace("mean = 1.0", "mean = 0.5").replace("50.0", "500.0")
    scenario = with_changes(parse(text), replications=10)
    judged = judge_all(scenario, run_scenario(scenario))
    assert [j.verdict for j in judged] == ["seen", "not seen", "undecided", "seen", "not seen"]
    assert "difference" in judged[0].numbers and "grows by" in judged[4].numbers


def test_a_sweep_is_the_product_of_its_keys():
    text = ENGINE.replace("[[class]]", '''
[[sweep]]
key = "engine.budget"
values = [32, 64]
[[sweep]]
key = "class.1.arrivals.mean"
values = [1.0, 2.0, 3.0]
[[class]]''')
    points = parse_points(text)
    assert len(points) == 6
    assert points[1].settings == {"engine.budget": 32, "class.1.arrivals.mean": 2.0}
    engines = [p.scenario.variants["sarathi"] for p in points]
    assert [(e.parameters["budget"], e.classes[0].arrivals.mean) for e in engines] == [
        (b, m) for b in (32, 64) for m in (1.0, 2.0, 3.0)
    ]


SWEEP = """
[[sweep]]
key = "class.1.arrivals.mean"
values = [1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25]
[[class]]
"""


@pytest.mark.slow
def test_a_sweep_that_was_killed_goes_on_where_it_stopped(tmp_path):
    file, out = tmp_path / "mine.toml", tmp_path / "out"
    file.write_text(ENGINE.replace("[[class]]", SWEEP).replace("horizon = 50.0", "horizon = 20000.0"))
    code = "from qtheory.cli import main; main()"
    arguments = [sys.executable, "-c", code, "simulate", str(file), "-o", str(out), "--replications", "5"]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    while len(list(out.glob("points/*.json"))) < 2 and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = {p.name: p.stat().st_mtime_ns for p in out.glob("points/*.json")}
    assert 2 <= len(kept) < 10 and not (out / "results.json").exists()
    (out / "points" / "0000000000000000.json").write_text("{")  # what another program left there harms nothing
    assert subprocess.run(arguments, capture_output=True).returncode == 0
    after = {p.name: p.stat().st_mtime_ns for p in out.glob("points/*.json")}
    assert len(after) == 11 and kept.items() <= after.items()
    resumed = (out / "results.json").read_bytes()
    fresh = tmp_path / "fresh"
    assert subprocess.run([*arguments[:5], "-o", str(fresh), *arguments[7:]], capture_output=True).returncode == 0
    assert (fresh / "results.json").read_bytes() == resumed
    assert len(list(csv.DictReader((out / "results.csv").open()))) >= 10 * 10


@pytest.mark.slow
def test_plots_are_drawn(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(ENGINE)
    for name in (str(file), "tandem-priority"):
        out = tmp_path / "out" / name.replace("/", "-")
        got = command(name, "-o", str(out), "--plots", "--horizon", "200", "--replications", "5")
        assert got.returncode == 0, got.stderr
        for plot in ("queue", "delays", "occupancy"):
            assert (out / f"{plot}.pdf").read_bytes().startswith(b"%PDF-")
        assert not list(out.glob(".*"))


@pytest.mark.slow
def test_parquet_holds_the_same_table(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    for table in ("csv", "parquet"):
        got = command("mm1", "-o", str(tmp_path), "--table", table, "--horizon", "50000", "--replications", "5")
        assert got.returncode == 0, got.stderr
    found = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    rows = list(csv.DictReader((tmp_path / "results.csv").open()))
    assert [{k: str(v) for k, v in r.items()} for r in found] == rows and len(rows) > 3


@pytest.mark.later
def test_parquet_without_its_library_says_what_to_do(tmp_path):
    code = "import sys; sys.modules['pyarrow'] = None; from qtheory.cli import main; main()"
    arguments = ["simulate", "mm1", "-o", str(tmp_path / "out"), "--table", "parquet"]
    got = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert got.returncode == 2 and "pip install pyarrow" in got.stderr and not (tmp_path / "out").exists()
