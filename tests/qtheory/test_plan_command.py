"""``qtheory plan``: shipped clusters, a recorded trace, formats, and bad input."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.models.cluster import parse
from qtheory.planning import shipped
from qtheory.planning.certified import CertifiedOptimum
from qtheory.planning.deciding import cost_bound, decide, fleet, fluid, workers_of
from qtheory.planning.requests import hour, redrawn
from qtheory.planning.simulating import simulate_fleet
from qtheory.theory.planning.kinds import plan_kinds

SMALL = """
title = "small"
seconds = 60
[prices]
prefill = 0.1
decode = 0.4
[limits]
ttft = 1.0
tpot = 0.05
[engine]
chunk = 256
slots = 16
[[gpu]]
name = "H100"
profile = "h100-llama-8b-vllm-kernels"
price = 2.5
[[gpu]]
name = "A100"
profile = "a100-llama-8b-vllm-kernels"
price = 1.5
[[class]]
name = "chat"
prompt = {law = "geometric", mean = 300}
output = {law = "geometric", mean = 60}
rate = 20.0
"""


def status(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def run(*arguments: str) -> int:
    return status("plan", *arguments)


def written(tmp_path: Path, text: str, name: str = "cluster.toml") -> str:
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def test_a_plan_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(written(tmp_path, SMALL)) == 0
    out = capsys.readouterr().out
    assert "proved by both checkers" in out and "meet the limits in simulation: gap" in out
    assert "One more" in out and "Cheapest found" in out


@pytest.mark.later
def test_json_holds_the_same_numbers_and_certificates_can_be_checked(tmp_path: Path,
                                                                     capsys: pytest.CaptureFixture[str]) -> None:
    file, out, cert = written(tmp_path, SMALL), tmp_path / "plan.json", tmp_path / "cert.json"
    assert run(file, "-o", str(out), "--certificate", str(cert)) == 0
    found = json.loads(out.read_text())
    decision = decide(shipped.load(file))
    assert found["plan"]["value"] == str(decision.plan.value)
    assert [f["least"] for f in found["fleets"]] == [f.least for f in decision.fleets]
    for f in found["fleets"]:
        assert 0 <= f["gap"] <= 1 and f["found"] == f["tried"][-1]["gpus"]
    optima = json.loads(cert.read_text())["optima"]
    assert set(optima) == {"plan", "H100, this hour", "H100, long run", "A100, this hour", "A100, long run", "cost"}
    plan = {k: v for k, v in optima["plan"].items() if k != "value"}
    optimum = decision.plan.optimum
    assert CertifiedOptimum(optimum.program, optimum.point, plan).value == optimum.value
    part = tmp_path / "bound.json"
    part.write_text(json.dumps(plan["bound"]))
    assert status("check", str(part)) == 0


@pytest.mark.parametrize(("form", "mark"), [("md", "| GPU"), ("latex", r"\begin{table}")])
def test_tables_for_a_paper(form: str, mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(written(tmp_path, SMALL), "--format", form) == 0
    assert mark in capsys.readouterr().out


@pytest.mark.later
def test_a_recorded_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join(f"{i * 0.05:.3f},{200 + i % 300},{5 + i % 40}" for i in range(1200))
    (tmp_path / "trace.csv").write_text("arrived_at,num_prefill_tokens,num_decode_tokens\n" + rows + "\n")
    text = SMALL.partition("[[class]]")[0] + '[[class]]\nname = "code"\ntrace = "trace.csv"\ncopies = 3\n'
    file = written(tmp_path, text)
    assert run(file, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["requests"] == 3600 and found["plan"]["classes"][0]["rate"] == pytest.approx(60, rel=0.01)
    at = hour(shipped.load(file)).requests
    again = redrawn(at, 5.0, 1)
    assert len(again) == pytest.approx(len(at), rel=0.2) and (again.arrivals[1:] >= again.arrivals[:-1]).all()


@pytest.mark.parametrize("name", shipped.names())
def test_shipped_clusters_are_planned(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The plan alone; the fleets of all three are a study."""
    cluster = shipped.load(name)
    at = hour(cluster)
    counts = [g.count or 8 for g in cluster.gpu]
    plan = plan_kinds(fluid(cluster, at, workers_of(cluster), counts))
    assert plan.optimum.check() == [] and plan.value > 0
    if name == "two-classes":
        assert run(name, "--no-fleets") == 0
        assert "is worth $1.39 an hour and costs $1.8" in capsys.readouterr().out


@pytest.mark.parametrize(("change", "message"), [
    (("price = 2.5", "price = -2.5"), "key 'gpu.0.price': Input should be greater than or equal to 0"),
    (("price = 2.5", "price = 2.5\ncount = 0"), "key 'gpu.0.count': Input should be greater than or equal to 1"),
    (("prefill = 0.1", "prefill = -0.1"), "key 'prices.prefill'"),
    (("tpot = 0.05", "tpot = 0.005"), "no fleet meets the limits: H100: these cannot hold together: a decode on H100 "
                                      "lasts at least its own iteration"),
    (("ttft = 1.0", "ttft = 0.001"), "the limit ttft = 0.001 s conflicts with the prompts"),
    (("h100-llama-8b-vllm-kernels", "h1000"), "unknown profile 'h1000'"),
    (("h100-llama-8b-vllm-kernels", "a100-40gb-qwen-8b"), "the law of a100-40gb-qwen-8b is prefill_decode"),
    (("slots = 16", "slots = 300"), "a chunk of 256 tokens has no room for the decodes of 300 slots"),
    (("rate = 20.0", ""), "class 'chat' needs prompt, output and rate, or a trace"),
    (("rate = 20.0", "rate = 1e9"), "at most 2,000,000 are simulated"),
    (('name = "A100"', 'name = "H100"'), "two are named 'H100'"),
    (('law = "geometric", mean = 60', 'law = "geometri", mean = 60'), "nearest: geometric"),
    (("seconds = 60", "second = 60"), "key 'second': unknown key"),
    (("title =", "title"), "cluster.toml:2:7"),
    (("ttft = 1.0", "ttft = 1.0"), "no number of GPUs is given, and fleets are not looked for: give count"),
    (("ttft = 1.0", "ttft = 1e308"), "key 'limits.ttft': Input should be less than or equal to"),
    (("prefill = 0.1", "prefill = 1e308"), "key 'prices.prefill': Input should be less than or equal to"),
    (("price = 2.5", f"price = 2.5\ncount = {10**309}"), "key 'gpu.0.count': Input should be less than or equal to"),
    (("chunk = 256", f"chunk = {2**63}"), "key 'engine.chunk': Input should be less than or equal to"),
    (('{law = "geometric", mean = 60}', "3_000_000_000"), "the requests are too long"),
    (("mean = 300", "mean = 1e300"), "the requests are too long"),
    (("rate = 20.0", "rate = 20.0\ncopies = 5"), "copies are of a trace"),
    (("seconds = 60", 'folder = "/"'), "key 'folder': unknown key"),
    (('price = 2.5', 'price = 2.5\ncount = 1\n'), None),
])
def test_bad_input_is_one_line(change: tuple[str, str], message: str | None, tmp_path: Path,
                               capsys: pytest.CaptureFixture[str]) -> None:
    text = SMALL.replace(*change)
    if message is None:  # one GPU, and nobody gives up: the plan's rows conflict
        text = text.replace("rate = 20.0", "rate = 200.0")
        message = "the plan for 1 H100 is infeasible: these cannot hold together"
    planned = "plan for" in message or "looked for" in message
    assert run(written(tmp_path, text), "--no-fleets" if planned else "--fleets") == 2
    error = capsys.readouterr().err
    assert message in error and "Traceback" not in error and len(error.strip().splitlines()) == 1


@pytest.mark.parametrize(("times", "message"), [((0.0, 0.0001), "less than a millisecond"),
                                                ((-5.0, 1.0), "begin at -5")])
def test_arrival_times_that_are_none(times: tuple[float, float], message: str, tmp_path: Path,
                                     capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{t},10,10\n" for t in times)
    written(tmp_path, "arrival_time,prompt_length,output_length\n" + rows, "hour.csv")
    text = SMALL[:SMALL.index("[[class]]")] + '[[class]]\nname = "all"\ntrace = "hour.csv"\n'
    assert run(written(tmp_path, text.replace("price = 2.5", "price = 2.5\ncount = 1")), "--no-fleets") == 2
    error = capsys.readouterr().err
    assert message in error and len(error.strip().splitlines()) == 1


def test_a_kind_that_breaks_a_limit_by_itself_is_in_the_bound_of_mixed_fleets() -> None:
    """Ten slow GPUs beside a fast one meet the limits for a price below that of fast ones alone."""
    text = SMALL[:SMALL.index("[[class]]")].replace("ttft = 1.0", "ttft = 0.28").replace(
        "chunk = 256", "chunk = 512").replace("slots = 16", "slots = 64").replace("2.5", "50.0").replace("1.5", "0.1")
    text = text.replace("a100-llama-8b-vllm-kernels", "a100-40gb-qwen-8b-mixed")
    cluster = parse(text + '[[class]]\nname = "c"\nprompt = 3000\noutput = 20\nrate = 30.0\n', "cluster.toml")
    at, workers = hour(cluster), workers_of(cluster)
    assert fleet(cluster, at, cluster.gpu[1], workers[1]).conflict
    mixed = simulate_fleet(at.requests, [g.law for g in cluster.gpu], workers, [1, 10], rule="in-turns")
    assert mixed.meets(0.28, 0.05)
    bound = cost_bound(cluster, at, workers)
    assert bound is not None and 0 < -bound.value <= 51


def test_what_one_more_gpu_or_slot_is_worth_is_what_it_adds() -> None:
    cluster = shipped.load("two-classes")
    counted = fluid(cluster, hour(cluster), workers_of(cluster), [1])
    found, (kind,) = plan_kinds(counted), counted.kinds
    more = [plan_kinds(replace(counted, kinds=(replace(kind, **change),))).value - found.value
            for change in ({"count": kind.count + 1}, {"batch": kind.batch + 1})]
    assert [found.gpu_worth(1), found.slot_worth(1)] == more


def test_nobody_is_said_to_be_served_who_gives_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = SMALL.replace("0.1\ndecode = 0.4", "1\ndecode = 0").replace("ttft = 1.0\ntpot = 0.05", "").replace(
        "seconds", 'charging = "separate"\nseconds').replace("rate = 20.0", "rate = 2.0\npatience = 0.1")
    assert run(written(tmp_path, text.replace("price = 2.5", "price = 2.5\ncount = 1")), "--no-fleets") == 0
    out = capsys.readouterr().out
    assert "who gives up would have paid nothing" in out and "every request is served" not in out


def test_without_a_limit_fleets_begin_at_the_long_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(written(tmp_path, SMALL.replace("tpot = 0.05", "").replace("20.0", "80.0"))) == 0
    out = capsys.readouterr().out
    assert "GPUs when such requests come for ever, proved" in out and "no stable fleet, kinds mixed" in out


def test_no_gpu_and_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(written(tmp_path, "gpu = []\n" + SMALL.replace("[[gpu]]", "[[other]]"))) == 2
    assert "at least one [[gpu]]" in capsys.readouterr().err
    assert run("nowhere.toml") == 2 and "no such file" in capsys.readouterr().err
    assert run("eight-task") == 2 and "nearest: eight-tasks" in capsys.readouterr().err
    assert run() == 2 and "qtheory plan --list" in capsys.readouterr().err


def test_schema_and_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--schema") == 0
    schema: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert {"prices", "gpu", "class"} <= set(schema["properties"])
    assert run("--list") == 0 and "eight-tasks" in capsys.readouterr().out
