"""``qtheory thresholds``: what is printed is the rule's; no thresholds end with 1, bad input with 2 and one line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory import profiles, workloads
from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.models import laws
from qtheory.theory import waiting
from qtheory.theory.waiting.requests import seconds

LAW = ("--d0", "0.02", "--d1", "2e-7")


def held(n: list[int], types: Sequence[waiting.RequestType], ends: list[int] | None) -> int:
    """Tokens of a full batch: of so many requests of each type at each of its stages, or, where outputs are not known,
    of so many at each stage up to each of the ends, of whichever type."""
    if ends is None:
        return sum(x * sum(t.prompt + k for k in range(t.output + 1)) for x, t in zip(n, types, strict=True))
    return sum(x * (types[0].prompt + k) for x, low, high in zip(n, [-1, *ends], ends, strict=False)
               for k in range(low + 1, high + 1))


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
    n, ends = found["thresholds"], None if known else found["ends"]
    batch = 0.02 + 2e-7 * held(n, types, ends)
    if ends is None:  # (9) for each type
        assert all(float(t.rate) * batch < x for x, t in zip(n, types, strict=True))
    else:  # (14): what comes in a batch, and of what comes to each end the share that goes on
        assert 150 * batch < n[0] and len(ends) == len(n) == 4
        beyond = [float(sum(t.rate for t in types if t.output > end)) for end in (0, *ends[:-1])]
        assert all(b > a * on / of for (a, b), (of, on) in zip(pairwise(n), pairwise(beyond), strict=True))
    assert status == 0 and found["memory"] >= held(n, types, ends) and found["risk"] <= (0 if known else 0.001)
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


@pytest.mark.parametrize("profile", ["a100-llama-8b-vllm-kernels", "a100-codellama-34b-tp2-vidur"])
@pytest.mark.parametrize("known", [False, True])
def test_a_full_batch_by_a_profiles_own_law_is_shorter_than_its_arrivals_take(
        capsys: pytest.CaptureFixture[str], profile: str, known: bool) -> None:
    status, out, _ = run(capsys, "--workload", "wait-low-demand", "--rate", "150", "--profile", profile, "--format",
                         "json", *(["--known"] if known else []))
    found, types = json.loads(out), waiting.of_workload(workloads.load("wait-low-demand"), 150)
    n = found["thresholds"]
    if known:
        processed = sum(k * (t.prompt + t.output) for k, t in zip(n, types, strict=True))
        first = min(k / float(t.rate) for k, t in zip(n, types, strict=True))
    else:
        ends = [-1, *found["ends"]]
        processed = n[0] * (types[0].prompt - 1) + sum(k * (b - a) for k, a, b in zip(n, ends, ends[1:], strict=False))
        first = n[0] / 150
    law = profiles.load(profile).law
    values = {laws.TOKENS: processed, laws.RESIDENT: float(held(n, types, None if known else found["ends"]))}
    longest = float(law.time(*(values[v] for v in law.variables)))
    assert status == 0 and longest <= found["iteration"] < first


def test_a_law_without_mixed_batches_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = run(capsys, "--workload", "wait-nested", "--rate", "1", "--profile", "a100-40gb-qwen-4b")
    assert status == 2 and "give a profile of batches' tokens, or --d0 and --d1" in error
    with pytest.raises(InputError, match="give d0 and d1"):
        waiting.Measured(profiles.load("a100-40gb-qwen-4b").law)


@pytest.mark.later
def test_of_requests_without_tokens_all_that_is_held_is_processed() -> None:
    """They hold nothing, so that no share of it is known: the law stays as it is."""
    law = laws.StaircaseLaw(0.005, 1e-5, 1)
    found = waiting.Measured(law).of_types(waiting.request_types([1], [0], [0]))
    held_for = [float(seconds(found, Fraction(n)) or 0) for n in (1, 2, 7)]
    assert held_for == pytest.approx([0.00501, 0.01002, 0.03507])


def test_thresholds_that_an_upper_bound_denies_are_told_as_that(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "--workload", "wait-low-demand", "--rate", "5000", "--profile",
                         "a100-llama-8b-vllm-kernels")
    assert status == 1 and "by an upper bound on the profile's times" in out


@pytest.mark.slow
@pytest.mark.parametrize("law", [
    laws.AffineLaw(0.02, 1e-4), laws.ContextAffineLaw(0.01, 5e-5, 1e-7), laws.StaircaseLaw(0.005, 1e-5, 64),
    laws.MemoryLinearLaw(0.02, 1e-6)])
@settings(max_examples=4, deadline=None)
@given(lengths=st.lists(st.tuples(st.integers(1, 40), st.integers(1, 30), st.integers(1, 9)), min_size=1, max_size=4))
def test_the_law_by_memory_is_above_that_of_every_full_batch_and_below_that_of_its_prompts(
        law: laws.Law, lengths: list[tuple[int, int, int]]) -> None:
    types = waiting.request_types([1] * len(lengths), [p for p, _, _ in lengths], [o for _, o, _ in lengths])
    by_memory = waiting.Measured(law).of_types(types)
    batch = sum(n * t.work for (_, _, n), t in zip(lengths, types, strict=True))
    values = {laws.TOKENS: sum(n * (p + o) for p, o, n in lengths), laws.RESIDENT: float(batch)}
    above = seconds(by_memory, batch)
    assert above is not None and float(above) >= float(law.time(*(values[v] for v in law.variables))) * (1 - 1e-12)
    if isinstance(law, laws.MemoryLinearLaw):
        return
    for p, _, n in lengths:
        least = seconds(by_memory, Fraction(n * p))
        own = {laws.TOKENS: max(n * p, 1), laws.RESIDENT: 0.0}
        assert least is not None and float(least) <= float(law.time(*(own[v] for v in law.variables))) * (1 + 1e-12)
