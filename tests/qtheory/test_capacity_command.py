"""``qtheory capacity``: the rate, its certificate and the verdicts agree with each other; logs are judged; bad input is
one line."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qtheory import profiles, workloads
from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.models.laws import AffineLaw
from qtheory.report import capacity as report
from qtheory.report import regret, tables
from qtheory.theory.any_law import Times
from qtheory.theory.critical_rate import Engine, critical_rate

PROFILE, WORKLOAD = "h100-llama-8b-vllm-kernels", "to-homogeneous"
MIXED = "a100-40gb-qwen-4b-mixed"  # whose law is given up to 2,048 tokens
PAIR = "a100-40gb-qwen-8b"
CHAT = workloads.Workload("chat", "chat", "", "a test", "", (
    workloads.RequestClass("chat", 1.0, workloads.Deterministic(129), workloads.Geometric(1 / 112)),))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["capacity", *arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def judged(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    status, out, _ = run(capsys, *arguments, "--format", "json")
    return status, json.loads(out)


def test_the_certificate_can_be_checked_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = judged(capsys, "--profile", PROFILE, "--workload", WORKLOAD, "--budget", "512")
    assert status == 0
    c = found["certificate"]
    law = {name: Fraction(value) for name, value in c["law"].items() if name != "kind"}
    line = {name: Fraction(value) for name, value in c["line"].items()}
    for n in range(1, c["tokens_at_most"] + 1):
        assert line["intercept"] + line["slope"] * n <= law["alpha"] + law["beta"] * n
    lengths = {name: Fraction(value) for name, value in c["lengths"].items()}
    m = lengths["prompt"] + lengths["output"]
    seconds = line["intercept"] * m / 512 + line["slope"] * m + law["gamma"] * lengths["held"]
    assert c["rate"] == pytest.approx(float(1 / seconds), rel=1e-14)
    assert found["critical_rate_low"] == found["critical_rate_high"] == c["rate"]


def test_the_status_is_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--profile", PROFILE, "--workload", WORKLOAD, "--budget", "512", "--rate")
    _, found = judged(capsys, *arguments, "1")
    for factor, status, verdict in ((0.99, 0, "stable"), (1.01, 1, "unstable")):
        code, at = judged(capsys, *arguments, str(factor * found["critical_rate_high"]))
        assert (code, at["verdict"]) == (status, verdict)
    code, limited = judged(capsys, *arguments, "10", "--memory", "20000")
    assert (code, limited["verdict"], limited["kind"]) == (3, "undecided", "bounded")


@pytest.mark.parametrize(("scheduler", "limits"), [
    ("vllm", {"budget": 512}), ("faster-transformer", {"budget": 512}), ("request-level", {"batch": 8}),
    ("eb", {"k": 4, "slots": 16}), ("mixed", {"budget": 256, "slots": 16})])
def test_no_scheduler_beats_the_bound_for_all(scheduler: str, limits: dict[str, int]) -> None:
    for name in (PAIR, "a100-codellama-34b-tp2-vidur", "a100-llama3-70b-tp2-vidur-staircase"):
        found = critical_rate(Engine(profiles.load(name).law, scheduler, limits), CHAT)
        assert found.kind == "computed" and found.low is not None, found.note
        assert 0 < found.low <= found.any_scheduler * (1 + 1e-9), (name, scheduler)


@pytest.mark.parametrize("name", [PROFILE, "a100-codellama-34b-tp2-vidur"])
def test_both_checkers_prove_the_line(name: str) -> None:
    import qtheory as qt

    engine = Engine(profiles.load(name).law, "orca", {"budget": 512, "slots": 96})
    goal = report.proof_goal(critical_rate(engine, workloads.load(WORKLOAD)), engine)
    assert goal is not None and qt.prove(goal[0], where=goal[1]).verdict == "proved"


def test_the_simulator_is_the_same_engine() -> None:
    """Far from the critical rate both say the same, for a law with context too."""
    engine, load = Engine(profiles.load(PROFILE).law, "sarathi", {"budget": 512}, 2), workloads.load(WORKLOAD)
    rate = critical_rate(engine, load).high
    for factor, verdict in ((0.7, "stable"), (1.3, "unstable")):
        assert report.simulated(engine, load, factor * rate, requests=1500).verdict == verdict


def log_of(load: float) -> str:
    g = np.random.default_rng(1)
    output = g.geometric(1 / 30, 4000)
    arrival = np.cumsum(g.exponential(40 / load, 4000))
    work = 10.0 + output
    end = np.maximum.accumulate(arrival - np.concatenate(([0.0], np.cumsum(work)[:-1]))) + np.cumsum(work)
    last = arrival[-1]
    rows = ["arrival_time,first_token_time,completion_time,prompt_length,output_length"]
    for a, e, d in zip(arrival, end, output, strict=True):
        first = f"{e - d}" if e - d <= last else ""
        rows.append(f"{a},{first},{e if e <= last else ''},10,{d if e <= last else ''}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize(("load", "status", "verdict"), [(0.6, 0, "not saturated"), (1.6, 1, "saturated")])
def test_a_log_is_judged(load: float, status: int, verdict: str, tmp_path: Path,
                         capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.csv").write_text(log_of(load))
    code, found = judged(capsys, "--log", str(tmp_path / "log.csv"))
    assert (code, found["log"]["verdict"]) == (status, verdict)
    lines = log_of(load).splitlines()
    names = lines[0].split(",")
    (tmp_path / "log.jsonl").write_text("\n".join(
        json.dumps({n: float(c) if c else None for n, c in zip(names, line.split(","), strict=True)})
        for line in lines[1:]))
    assert judged(capsys, "--log", str(tmp_path / "log.jsonl"))[1]["log"] == found["log"]


@pytest.mark.parametrize(("arguments", "said"), [
    ((), "what to judge? Give --profile with --workload or --trace, or --log"),
    (("--profile", PROFILE), "give one of --workload and --trace"),
    (("--profile", PROFILE, "--workload", WORKLOAD, "--scheduler", "sarathy"), "unknown scheduler 'sarathy'; nearest"),
    (("--profile", PROFILE, "--workload", WORKLOAD, "--scheduler", "eb", "--slots", "4"), "eb needs a k: give --k"),
    (("--profile", PROFILE, "--workload", WORKLOAD, "--k", "4"), "sarathi takes no k; it takes"),
    (("--profile", PROFILE, "--workload", WORKLOAD, "--rate", "-1"), "the rate is -1.0; a positive number"),
    (("--profile", PROFILE, "--workload", "eb-wildchat"), "no prompt lengths"),
    (("--profile", MIXED, "--workload", WORKLOAD, "--memory", "20"), "20 tokens of memory hold less than one request"),
    (("--profile", "h200-qwen3-4b", "--workload", WORKLOAD), "h200-qwen3-4b"),
    (("--log", "nowhere.csv"), "nowhere.csv: No such file"),
])
def test_bad_input_is_one_line(arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, *arguments)
    assert status == 2 and not out and said in err and err.count("\n") == 1


def test_times_of_nothing_are_refused() -> None:
    law = AffineLaw(5e-324, 5e-324)
    with pytest.raises(InputError, match="the times of the affine law are too short"):
        critical_rate(Engine(law, "sarathi", {"budget": 512}), workloads.load(WORKLOAD))


@pytest.mark.parametrize(("budget", "beyond"), [("2048", False), ("2049", True)])
def test_a_law_that_is_carried_on_is_told(budget: str, beyond: bool, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--profile", MIXED, "--workload", WORKLOAD, "--budget", budget)
    assert ("the profile's law is given up to 2048, and carried on" in run(capsys, *arguments)[1]) is beyond
    assert judged(capsys, *arguments)[1].get("law_given_up_to") == (2048 if beyond else None)


def test_bad_logs_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "log.csv"
    good = log_of(0.6)
    for text, said in ((good.replace("first_token_time", "ttft"), "no column first_token_ts or first_token_time"),
                       (good.replace(",10,", ",ten,", 1), "line 2, prompt_length: 'ten' is not a number"),
                       (good[:200], "fields where the header has"), ("", "no request"),
                       ("\n".join(good.splitlines()[:500]), "has 499 requests; the test needs 1000")):
        file.write_text(text)
        status, _, err = run(capsys, "--log", str(file))
        assert status == 2 and said in err, err


# The tables.


def test_the_table_of_capacities() -> None:
    rows = tables.capacity([PROFILE, "a100-llama3-70b-tp2-vidur-staircase"], ["eb-sharegpt"]).to_dict()["rows"]
    assert len(rows) == 6
    for r in rows:
        assert r["low"] <= r["high"] * (1 + 1e-12) and r["with_slots"] <= r["high"] * (1 + 1e-12)
    assert [r["low"] for r in rows[:3]] == sorted(r["low"] for r in rows[:3])


@pytest.mark.slow
def test_no_threshold_beats_the_best_one() -> None:
    names = [PAIR, PROFILE, "a100-llama3-70b-tp2-vidur-staircase"]
    for r in tables.regret(names, ["eb-sharegpt", "eb-geometric-64"], [64]).to_dict()["rows"]:
        assert -1e-6 <= r["loss"] < 100 and 0 < r["best"] <= 1
        assert r["mixed_low"] is None or r["mixed_low"] <= r["mixed_high"]
        assert (r["wrong_loss"] is None) == (r["by_law"] in ("open", None))
        assert (r["overflow"] <= 0.01) == (r["safe"] >= r["N"]), "the size that is safe, and the bound at N"


def test_the_closed_forms_are_those_of_the_pair() -> None:
    """For a pair the lines are its own, and mixed batches have the closed form exactly."""
    law = profiles.load(PAIR).law
    assert regret.pair_of(law, 64, 100.0) == tuple(law.constants.values())
    row, = tables.regret([PAIR], ["eb-geometric-64"], [64]).to_dict()["rows"]
    assert row["mixed_low"] == pytest.approx(row["mixed_high"], rel=1e-12)


def test_every_law_on_every_measured_set() -> None:
    table = tables.profiles_laws()
    found = table.to_dict()["rows"]
    kinds = {"affine", "piecewise linear", "staircase", "memory linear", "context affine", "concave"}
    assert {r["law"] for r in found} == kinds
    sets = {name: {r["law"] for r in found if r["set"] == name} for name in {r["set"] for r in found}}
    assert len(sets) >= 18 and all(kinds - {"concave"} <= laws for laws in sets.values())  # some do not bend
    assert len(found) == sum(map(len, sets.values()))
    for r in found:
        assert r["median"] <= r["p95"] <= abs(r["worst"]) + 0.1
        assert (r["adequate"] == "yes") == (abs(r["rate_error"]) <= 5)


@pytest.mark.slow
def test_the_note_on_any_law_is_proved(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[2] / "docs" / "any-law.md"
    with pytest.raises(SystemExit) as ended:
        main(["referee", str(page), "--jobs", "1", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["claims"]
    assert not ended.value.code and found and all(c["verdict"] == "proved" for c in found)


def test_times_refuse_what_is_no_law() -> None:
    from qtheory.errors import InputError

    with pytest.raises(InputError, match="must take some time"):
        Times.of_function(lambda n: n - 1, 4)
