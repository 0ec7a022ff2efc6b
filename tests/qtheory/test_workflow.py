"""Workflows of agents: what networks they become, and what is known of the shipped ones."""

from __future__ import annotations

import json
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from qtheory.cli import main
from qtheory.errors import InputError, UnknownNameError
from qtheory.models.network import AgentNetwork
from qtheory.models.network_files import dumps
from qtheory.models.network_files import parse as parse_network
from qtheory.models.workflow import parse, schema
from qtheory.models.workflow_network import compiled
from qtheory.networks import decide, workflow
from qtheory.networks.judging import judge, load, names
from qtheory.networks.simulation import evidence
from qtheory.theory.stability import nominal_loads

ENGINES = '[[engine]]\nname = "a"\n[[engine]]\nname = "b"\n'


def network(flow: str, engines: str = ENGINES) -> AgentNetwork:
    return compiled(parse(engines + flow)).network


def flow(*steps: str, loop: str = "", rate: str = "1") -> str:
    return f'[[workflow]]\nname = "w"\nrate = {rate}\n' + "".join(f"[[workflow.step]]\n{s}\n" for s in steps) + (
        f"[[workflow.loop]]\n{loop}\n" if loop else "")


def step(name: str, engine: str = "a", prompt: str = "1", more: str = "") -> str:
    return f'name = "{name}"\nengine = "{engine}"\nprompt = {prompt}\n{more}'


def test_steps_in_a_row_are_visits_in_a_row() -> None:
    found = network(flow(step("x"), step("y", "b", "0.5", "output = 2")))
    assert [(v.name, v.engine, v.length, v.after) for v in found.visits] == [
        ("x", "a", 1, ()), ("y", "b", F(5, 2), ("x",))]
    assert not found.routed


def test_a_loop_of_bounded_length_is_unrolled() -> None:
    """Rounds 1, 2, 3 are made by all, by 3/4 and by 9/16 of the requests; each prompt is 10 longer than the last."""
    found = network(flow(step("x"), step("y", "b", "5"), step("z", "a"),
                         loop='steps = ["x", "y"]\nagain = 0.75\nat_most = 3\ngrows = {x = 10}'))
    assert [v.name for v in found.visits] == ["x.1", "x.2", "x.3", "y.1", "y.2", "y.3", "z"]
    assert [found.rates[f"{n}.{r}"] for n in "xy" for r in (1, 2, 3)] == [1, F(3, 4), F(9, 16)] * 2
    assert found.rates["z"] == 1 and [v.prompt for v in found.visits[:3]] == [1, 11, 21]
    assert found.routing["y.1"] == {"x.2": F(3, 4), "z": F(1, 4)} and found.routing["y.3"] == {"z": 1}


def test_a_loop_of_fixed_length_needs_no_chance() -> None:
    found = network(flow(step("x"), step("y", "b"), loop='steps = ["x"]\nat_most = 3'))
    assert not found.routed and {v.name: v.after for v in found.visits} == {
        "x.1": (), "x.2": ("x.1",), "x.3": ("x.2",), "y": ("x.3",)}


def test_one_round_is_no_loop() -> None:
    found = network(flow(step("x"), step("y", "b"), loop='steps = ["x"]\nagain = 0.5\nat_most = 1'))
    assert not found.routed and [v.name for v in found.visits] == ["x.1", "y"]


def test_notes_tell_what_became_of_copies_and_of_nothing_else() -> None:
    told = compiled(parse(ENGINES + flow(step("x", more="copies = 3"), step("y", "b")))).notes
    assert told == ("x: 3 visits side by side",)
    assert compiled(parse(ENGINES + flow(step("x"), step("y", "b")))).notes == ()


def test_a_retry_is_a_route_back() -> None:
    found = network(flow(step("x", more="retry = 0.2"), step("y", "b")))
    assert found.routing["x"] == {"x": F(1, 5), "y": F(4, 5)} and found.rates == {"x": F(5, 4), "y": 1}


def test_a_retry_in_a_fork_is_work_within_its_visit() -> None:
    """The fluid model is the same as with a route back: a visit of its own tries on average."""
    found = network(flow(step("x", more="copies = 3\nretry = 0.2\noutput = 2"), step("y", "b")))
    assert [(v.prompt, v.output) for v in found.visits[:3]] == [(F(5, 4), F(5, 2))] * 3
    assert found.visits[3].after == ("x 1", "x 2", "x 3") and found.joins == (found.visits[3],)
    alone = network(flow(step("x", more="retry = 0.2\noutput = 2"), step("y", "b")))
    assert nominal_loads(found)["a"] == 3 * nominal_loads(alone)["a"]


def test_branches_fork_and_join() -> None:
    found = network(flow(step("x", more='next = ["y", "z"]'), step("y", "b", more='next = "u"'), step("z", "b"),
                         step("u")))
    assert {v.name: set(v.after) for v in found.visits} == {"x": set(), "y": {"x"}, "z": {"x"}, "u": {"y", "z"}}


def test_rounds_of_copies() -> None:
    found = network(flow(step("x"), step("y", "b", more="copies = 2"), loop='steps = ["x", "y"]\nat_most = 2'))
    assert {v.name: set(v.after) for v in found.visits} == {
        "x.1": set(), "y.1 1": {"x.1"}, "y.1 2": {"x.1"}, "x.2": {"y.1 1", "y.1 2"},
        "y.2 1": {"x.2"}, "y.2 2": {"x.2"}}


def test_ways_are_chosen() -> None:
    found = network(flow(step("x", more='choose = {y = "1/2", z = "1/4"}'), step("y", "b", more="next = []"),
                         step("z", "b", more='choose = {x = "1/3"}')))
    assert found.rates["y"] == found.rates["x"] / 2 and found.rates["x"] == 1 + found.rates["z"] / 3
    assert found.rates["x"] == F(12, 11)


def test_a_priority_of_a_step_is_one_of_all_its_rounds() -> None:
    engines = '[[engine]]\nname = "a"\npriority = ["z", "x"]\n[[engine]]\nname = "b"\n'
    found = network(flow(step("x"), step("y", "b"), step("z"), loop='steps = ["x", "y"]\nagain = 0.5\nat_most = 2'),
                    engines)
    assert found.groups["a"] == (("z",), ("x.1", "x.2"))
    engines = engines.replace('"x"]', '"x.2", "x.1"]')
    found = network(flow(step("x"), step("y", "b"), step("z"), loop='steps = ["x", "y"]\nagain = 0.5\nat_most = 2'),
                    engines)
    assert found.groups["a"] == (("z",), ("x.2",), ("x.1",))


def test_two_workflows_share_engines_and_names() -> None:
    second = flow(step("x", "b")).replace('"w"', '"v"')
    found = compiled(parse(ENGINES + flow(step("x"), step("y", "b")) + second))
    assert [v.name for v in found.network.visits] == ["w.x", "w.y", "v.x"]
    assert [t.name for t in found.network.types] == ["w", "v"] and found.visits["v.x"] == ("v.x",)


@pytest.mark.parametrize(("engine", "seconds"), [
    ('budget = 4\nbatch_time = 2', F(1, 2)),
    ('budget = 100\ntime = {law = "affine", constants = {alpha = 1, beta = 0.01}}', F(1, 50)),
    ('budget = 512\nprofile = "a100-40gb-qwen-4b-mixed"', None),
    ('budget = 512\nprofile = "h100-llama-8b-vllm-kernels"\ncontext = 100000', None),
    ('budget = 512\nprofile = "a100-40gb-qwen-4b"', None),
])  # fmt: skip
def test_the_times_of_engines(engine: str, seconds: F | None) -> None:
    found = network(flow(step("x")), f'[[engine]]\nname = "a"\n{engine}\n')
    assert found.works["x"] == seconds if seconds else 0 < found.works["x"] < 1
    assert parse_network(dumps(found)) == found


WRONG = [
    (flow(step("x", "c")), "unknown engine 'c'"),
    (flow(step("x", more='next = "q"')), "unknown step 'q'"),
    (flow(step("x"), step("x")), "two steps are named 'x'"),
    (flow(step("x", more='next = "y"\nchoose = {y = 1}'), step("y")), "has next and choose"),
    (flow(step("x", more="choose = {y = 0.7, z = 0.7}"), step("y"), step("z")), "sum to more than 1"),
    (flow(step("x", more="retry = 1")), "less than 1"),
    (flow(step("x", more="retry = 0")), "greater than 0"),
    (flow(step("x", more='retry = "x"')), "an exact number"),
    (flow(step("x", more="retry = true")), "an exact number"),
    (flow(step("x", more="copies = 0")), "greater than or equal to 1"),
    (flow(step("x", more="copies = true")), "valid integer"),
    (flow(step("x"), step("y", "b"), loop='steps = ["x"]\nat_most = true'), "valid integer"),
    (flow(step("x", more="copies = 2000"), step("y", more="copies = 2")), "more than 2000 visits"),
    (flow(step("x", prompt="0")), "length 0"),
    (flow(step("x", prompt="-1")), "greater than or equal to 0"),
    (flow(step("x", more="colour = 1")), "unknown key"),
    (flow(step("x"), rate="0"), "greater than 0"),
    (flow(), "key 'workflow.0.step'"),
    ("", "key 'workflow': missing"),
    (flow(step("x", more='next = ["x"]')), "a loop without exit"),
    (flow(step("x", more="next = []"), step("y")), "'y' follows no other"),
    (flow(step("x", more="copies = 2"), step("y", more="choose = {z = 0.5}"), step("z")), "it forks at 'x'"),
    (flow(step("x"), step("y", more="copies = 2"), loop='steps = ["x"]\nagain = 0.5\nat_most = 2'), "it forks at 'y'"),
    (flow(step("x"), loop='steps = ["q"]\nat_most = 2'), "a loop has the unknown step 'q'"),
    (flow(step("x"), loop='steps = []\nat_most = 2'), "at least 1 item"),
    (flow(step("x"), loop='steps = ["x"]\nat_most = 0'), "greater than or equal to 1"),
    (flow(step("x"), loop='steps = ["x", "x"]\nat_most = 2'), "in two loops, or twice"),
    (flow(step("x"), step("y"), loop='steps = ["y", "x"]\nat_most = 2'), "the loop's steps follow each other"),
    (flow(step("x"), step("y", more='choose = {x = 0.5}'), loop='steps = ["x", "y"]\nat_most = 2'),
     "enters or repeats the loop"),
    (flow(step("x", more="choose = {z = 1}"), step("y"), step("z"), loop='steps = ["y", "z"]\nat_most = 2'),
     "enters or repeats the loop"),
    (flow(step("x"), step("y"), loop='steps = ["x"]\nat_most = 2\ngrows = {y = 1}'), "which the loop does not repeat"),
]


@pytest.mark.parametrize(("text", "wanted"), WRONG)
def test_what_is_no_workflow_is_one_line(text: str, wanted: str) -> None:
    with pytest.raises(InputError, match=wanted) as error:
        network(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("engine", "wanted"), [
    ('batch_time = 1\nprofile = "a100-40gb-qwen-4b"', "give one of batch_time"),
    ('decode_time = 1\nprofile = "a100-40gb-qwen-4b"', "give one of batch_time"),
    ("context = 5", "context goes with a profile"),
    ('profile = "h100-llama-8b-vllm-kernels"', "give their mean in full batches as context"),
    ('profile = "a100-40gb-qwen-4b"\ncontext = 5', "do not depend on a context"),
    ('profile = "no-such"', "unknown profile 'no-such'"),
    ('time = {law = "affine", constants = {alpha = 1}}', "the affine law has the constants alpha, beta"),
    ('time = {law = "none", constants = {}}', "none"),
    ('priority = ["y"]', "the priorities name an unknown step 'y'"),
    ('policy = "fcfs"\npriority = ["x"]', "goes with the policy 'priority'"),
    ('policy = "lifo"', "policy"),
])  # fmt: skip
def test_what_is_no_engine_is_one_line(engine: str, wanted: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=wanted) as error:
        network(flow(step("x")), f'[[engine]]\nname = "a"\n{engine}\n')
    assert "\n" not in str(error.value)


def graph() -> nx.DiGraph:
    found = nx.DiGraph()
    found.add_node("think", engine="model", prompt=400, output=60)
    found.add_node("call", engine="tools", prompt=1, retry="1/10")
    found.add_node("answer", engine="model", prompt=800, output=200)
    found.add_edge("think", "call", probability="2/3")
    found.add_edge("think", "answer", probability="1/3")
    found.add_edge("call", "think", probability=1)
    found.graph["first"] = "think"
    return found


MODEL = [{"name": "model", "budget": 512, "batch_time": "1/20"}, {"name": "tools", "batch_time": "1/50"}]


def test_a_graph_says_what_a_file_says() -> None:
    found = workflow(graph(), MODEL, rate=2, budget=5)
    rates = found.network.rates
    assert rates["think"] == 6 and rates["call"] == 4 / F(9, 10) and rates["answer"] == 2
    assert found.decision.verdict == "stable" and found.free.verdict == "stable"
    loads = found.decision.loads
    assert found.critical == (1 / max(loads.values()),) * 2
    assert f"critical rate of request: stable below {2 / max(loads.values())}" in str(found)


def test_a_graph_with_a_retry_as_an_edge() -> None:
    """The probabilities of all edges count together: half goes back, a quarter each goes on to either."""
    found = nx.DiGraph()
    for n in "xyz":
        found.add_node(n, engine="a", prompt=1)
    for to, p in (("x", "1/2"), ("y", "1/4"), ("z", "1/4")):
        found.add_edge("x", to, probability=p)
    rates = workflow(found, [{"name": "a"}], rate="1/10", budget=2).network.rates
    assert rates == {"x": F(1, 5), "y": F(1, 20), "z": F(1, 20)}


def test_a_graph_that_forks_and_loops() -> None:
    found = nx.DiGraph([("x", "y"), ("x", "z"), ("y", "u"), ("z", "u")])
    nx.set_node_attributes(found, {n: {"engine": "a", "prompt": "1/10"} for n in found})
    judged = workflow(found, [{"name": "a"}], rate=1, loops=[{"steps": ["u"], "at_most": 2}], name="task", budget=2)
    assert {v.name: set(v.after) for v in judged.network.visits} == {
        "x": set(), "y": {"x"}, "z": {"x"}, "u.1": {"y", "z"}, "u.2": {"u.1"}}
    assert judged.network.types[0].name == "task" and judged.decision.verdict == "stable"


def broken(change: Any) -> nx.DiGraph:
    found = graph()
    change(found)
    return found


@pytest.mark.parametrize(("source", "options", "wanted"), [
    (broken(lambda g: g.graph.clear()), {"rate": 1}, "a workflow begins at one step"),
    (broken(lambda g: g.add_edge("think", "think")), {"rate": 1}, "followed by itself with certainty"),
    (broken(lambda g: g["think"]["call"].clear()), {"rate": 1}, "either all or none"),
    (broken(lambda g: g.nodes["call"].pop("engine")), {"rate": 1}, "key 'step.1.engine': missing"),
    (graph(), {}, "a graph needs a rate"),
    (graph(), {"rate": 0.5}, "key 'rate': an exact number"),
    (graph(), {"rate": 1, "loops": [{"steps": ["call"]}]}, "key 'at_most': missing"),
    ("react-agent", {"rate": 1}, "a file has its own"),
])  # fmt: skip
def test_what_is_no_graph_of_a_workflow(source: Any, options: dict[str, Any], wanted: str) -> None:
    with pytest.raises(InputError, match=wanted):
        workflow(source, MODEL, **options)


# ---- the shipped ones ----

CRITICAL = {"plan-execute-verify": F(21888, 15925), "map-reduce-research": F(1024, 705)}


@pytest.mark.parametrize("name", ["map-reduce-research", "plan-execute-verify", "react-agent"])
def test_the_shipped_workflows(name: str) -> None:
    """Each is stable up to the load of its busiest engine, exactly."""
    assert name in names() and load(name).title
    found = workflow(name, budget=30)
    low, high = found.critical
    assert low == high == 1 / max(found.decision.loads.values()) and CRITICAL.get(name, low) == low
    assert found.decision.verdict == "stable" and found.region.share("undecided") == 0
    json.dumps(found.to_json())


@pytest.mark.later
def test_the_priority_that_destabilises_plan_execute_verify() -> None:
    """Loads are near 0.7; the steps of much work first, at both engines, and it is not stable, by a certificate."""
    found = workflow("plan-execute-verify", budget=30)
    assert found.destabilising == {"large": ["verify", "plan"], "small": ["execute", "check"]}
    assert max(found.decision.loads.values()) < F(3, 4)
    bad = found.network.with_priority({e: tuple(order) for e, order in found.destabilising.items()})
    again = decide(bad)
    assert again.verdict == "unstable" and again.overloaded is None
    assert "priorities: not stable where large serves first verify, then plan" in str(found)


@pytest.mark.slow
def test_the_bad_order_has_a_critical_rate_of_its_own() -> None:
    """Far below the load's; simulated at nine tenths of the file's rate it grows (exponential times)."""
    text = (Path(__file__).parents[2] / "qtheory/networks/workflows/plan-execute-verify.toml").read_text("utf-8")
    found = judge(compiled(parse(text.replace('["plan", "verify"]', '["verify", "plan"]'))), budget=30)
    low, high = found.critical
    assert found.decision.verdict == "unstable" and high is not None
    assert F(3, 4) < low < high < F(9, 10) < 1 / max(found.decision.loads.values())
    assert found.region.at((F(9, 10),)) == "unstable" and found.region.at((low / 2,)) == "stable"
    simulated = evidence(found.network.scaled(F(9, 10)), replications=6, events=60_000)
    assert simulated.stability.verdict == "unstable"


@pytest.mark.later
def test_no_priority_destabilises_the_others() -> None:
    found = workflow("react-agent", budget=10)
    assert found.free.verdict == "stable" and found.destabilising is None
    assert "priorities: none destabilises it" in str(found)


def test_an_overloaded_workflow_has_no_order_that_helps() -> None:
    text = (Path(__file__).parents[2] / "qtheory/networks/workflows/react-agent.toml").read_text("utf-8")
    found = compiled(parse(text.replace("rate = 4", "rate = 40")))
    told = judge(found, budget=10)
    assert told.decision.verdict == "unstable" and "no order helps" in str(told)
    assert told.critical[0] == told.critical[1] == 1 / max(told.decision.loads.values())


# ---- the command ----

def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["workflow", *arguments])
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


@pytest.mark.later
def test_the_command_tells_and_writes_the_network(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "net.toml"
    status, out, _ = run(capsys, "plan-execute-verify", "-o", str(file))
    assert status == 0 and "critical rate of task: stable below 87552/15925 = 5.49777 requests a second" in out
    assert parse_network(file.read_text("utf-8")) == compiled(load("plan-execute-verify")).network
    status, out, _ = run(capsys, "plan-execute-verify", "--format", "json", "--budget", "20")
    found = json.loads(out)
    assert found["priorities"]["destabilising"]["large"] == ["verify", "plan"]
    assert found["critical"]["rates"] == {"task": "87552/15925"}


def test_the_schema_describes_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--schema")
    assert status == 0 and json.loads(out) == schema()
    tables = [schema(), *schema()["$defs"].values()]
    assert len(tables) == 6
    for table in tables:
        assert all(entry.get("description") for entry in table["properties"].values()), table["title"]


def test_the_shipped_ones_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--list")
    assert status == 0 and [line.split()[0] for line in out.splitlines()] == names() == [
        "map-reduce-research", "plan-execute-verify", "react-agent"]


@pytest.mark.parametrize(("arguments", "wanted"), [
    ([], "which workflow?"), (["no-such"], "unknown workflow 'no-such'"), (["no.toml"], "no.toml: no such file"),
    (["react-agent", "--budget", "0"], "the budget is 0"), (["react-agent", "--budget", "inf"], "the budget is inf"),
    (["react-agent", "-o", "no/net.toml"], "there is no folder no"),
])  # fmt: skip
def test_bad_input_is_one_line(arguments: list[str], wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "") and wanted in err and err.count("\n") == 1


@pytest.mark.slow
def test_many_branches_that_nothing_waits_for_end_within_the_budget() -> None:
    """Of 30 visits side by side 2^30 sets may be pushed first; only as many as are tried are made."""
    found = judge(compiled(parse(ENGINES + flow(step("x"), step("y", "b", more="copies = 30"), rate='"1/100"'))),
                  budget=2)
    assert found.decision.verdict == "stable" and found.critical == (F(10, 3), F(10, 3))
    assert "virtual stations: not all within the budget" in found.decision.searched
    hurried = decide(found.network, budget=1e-9)  # too little for what is stable, so that orders are looked at
    assert hurried.verdict == "undecided" and any("growing cycles" in line for line in hurried.searched)


@pytest.mark.later
def test_a_loop_of_many_rounds_is_overloaded_or_undecided_within_the_budget() -> None:
    """An engine of load 20 whose certificate would be too long a text, and one of load 1/5."""
    many = 'steps = ["x"]\nat_most = 400'
    for rate, word in (('"1/20"', "is overloaded: its load is 20"), ('"1/2000"', "no certificate was found")):
        found = judge(compiled(parse(ENGINES + flow(step("x"), loop=many, rate=rate))), budget=1)
        assert found.decision.verdict == "undecided" and word in found.decision.reason


@pytest.mark.parametrize("text", ["[", "a = " + "[" * 5000, "a = nan", "[[engine]]\nname = 1", 'title = "x"'])
def test_a_file_that_is_no_workflow(text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "flow.toml"
    file.write_text(text, encoding="utf-8")
    status, out, err = run(capsys, str(file))
    assert (status, out) == (2, "") and "flow.toml" in err and err.count("\n") == 1
