"""``qtheory thresholds``: what is printed is the rule's; no thresholds end with 1, bad input with 2 and one line."""

from __future__ import annotations

import json

import pytest

from qtheory import workloads
from qtheory.cli import main
from qtheory.models.laws import MemoryLinearLaw
from qtheory.theory import waiting

LAW = ("--d0", "0.02", "--d1", "2e-7")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["thresholds", *arguments])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.mark.parametrize("known", [False, True])
def test_what_is_printed_is_admissible_and_suffices(capsys: pytest.CaptureFixture[str], known: bool) -> None:
    asked = ("--workload", "wait-nested", "--rate", "150", *LAW, *(["--known"] if known else []))
    status, out, _ = run(capsys, *asked, "--format", "json")
    found = json.loads(out)
    types = waiting.of_workload(workloads.load("wait-nested"), 150)
    law = MemoryLinearLaw(0.02, 2e-7)
    system = waiting.wait_system(types, law, strict=True) if known else waiting.nested_system(
        waiting.segments(types, len(found["ends"])), law)
    assert status == 0 and not system.broken(found["thresholds"])
    assert found["memory"] >= system.memory(found["thresholds"]) and found["risk"] <= (0 if known else 0.001)
    status, text, _ = run(capsys, *asked, "--memory", str(found["memory"]))
    assert status == 0 and ", ".join(map(str, found["thresholds"])) in text
    status, text, _ = run(capsys, *asked, "--memory", str(found["memory"] / 3))
    assert status == 1 and text.startswith("none  ")


@pytest.mark.parametrize(("changed", "told"), [
    (("--rate", "-1"), "--rate must be above 0"), (("--delta", "1"), "--delta must be above 0 and below 1"),
    (("--horizon", "inf"), "--horizon must be a positive time"), (("--memory", "0"), "--memory must be a positive"),
    (("--d0", "0"), "--d0 must be above 0"), (("--workload", "eb-sharegpt"), "have no one length"),
    (("--workload", "nope"), "unknown workload"), (("--profile", "a100-llama2-7b-tp1-vidur"), "not both"),
])
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], changed: tuple[str, str], told: str) -> None:
    status, out, error = run(capsys, "--workload", "wait-nested", "--rate", "150", *LAW, *changed)
    assert status == 2 and told in error and error.count("\n") == 1 and not out


def test_a_law_of_a_batchs_tokens_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = run(capsys, "--workload", "wait-nested", "--rate", "1", "--profile", "a100-llama2-7b-tp1-vidur")
    assert status == 2 and "give --d0 and --d1" in error
