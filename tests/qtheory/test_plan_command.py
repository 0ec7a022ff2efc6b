"""``qtheory plan``: shipped clusters, a recorded trace, formats, and bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.planning import shipped
from qtheory.planning.certified import CertifiedOptimum
from qtheory.planning.deciding import decide, fluid, workers_of
from qtheory.planning.requests import hour, redrawn
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


def test_json_holds_the_same_numbers_and_certificates_can_be_checked(tmp_path: Path,
                                                                     capsys: pytest.CaptureFixture[str]) -> None:
    file, out, cert = written(tmp_path, SMALL), tmp_path / "plan.json", tmp_path / "cert.json"
    assert run(file, "-o", str(out), "--certificate", str(cert)) == 0
    found = json.loads(out.read_text())
    decision = decide(shipped.load(file))
    assert found["plan"]["value"] == str(decision.plan.value)
    assert [f["least"] for f in found["fleets"]] == [f.least for f in decision.fleets]
    for fleet in found["fleets"]:
        assert 0 <= fleet["gap"] <= 1 and fleet["found"] == fleet["tried"][-1]["gpus"]
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
        assert "is worth $2.377 an hour and costs $1.8" in capsys.readouterr().out


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
