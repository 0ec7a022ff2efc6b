"""Printed schedulers run literally: verdicts, the lines that they quote, and the simulator's schedulers beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from qtheory.proofs.claims.eb.models.algorithms import fit_linear_hazard, hazard, least_squares
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.rad.models import runs, schedulers
from qtheory.proofs.claims.replay import PI, Endless, Gpu, Infeasible, Request, inputs
from qtheory.proofs.claims.to.models import schedulers as described
from qtheory.proofs.claims.wait.models import inventories
from qtheory.proofs.corpus import find, paper, referee
from qtheory.proofs.records import strict_differences
from qtheory.proofs.verdict import Verdict
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.laws import Listed

SHARED = Path(__file__).resolve().parents[3] / "shared"
SEEDS = {"rad": "001_907bb540a8c4ac41.txt", "to": "002_80b108a7b765e413.txt", "wait": "003_999499204184dd05.txt",
         "eb": "004_db365b1e5968550d.txt"}
CLAIMS: tuple[Claim, ...] = (
    find("eb.sec-3.4.gate.excursion"),
    *(c for name, module in (("rad", ".runs"), ("to", ".algorithms"), ("eb", ".algorithms"), ("wait", ".algorithms"))
      for c in paper(name).claims if getattr(c.run, "__module__", "").endswith(module)))
REFUTED = {"rad.alg-1", "rad.alg-2", "rad.app-D.first-token", "rad.alg-3", "rad.alg-4", "rad.alg-4.counted",
           "rad.app-E.2.text", "rad.lem-3.step-1", "rad.lem-3.step-2", "wait.alg-2"}
REMARKS = {"rad.alg-1", "rad.alg-2", "rad.alg-3", "rad.alg-4", "rad.alg-4.counted",
           "rad.app-D.first-token", "rad.app-E.2.text", "wait.alg-2"}
ONE = {"eb.alg-1.describes.continuous", "eb.sec-3.4.gate.excursion", "rad.alg-1.empty-output"}  # a case that there is


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Verdict]:
    return {c.id: referee(c) for c in CLAIMS}


@pytest.mark.slow
def test_verdicts(verdicts: dict[str, Verdict]) -> None:
    found = {i: v.verdict for i, v in verdicts.items()}
    assert {i for i, v in found.items() if v == "refuted"} == REFUTED
    assert set(found.values()) == {"refuted", "checked"}
    assert not [i for i, v in verdicts.items() if v.severity == "edge"]
    assert {i for i, v in verdicts.items() if v.severity == "remark"} == REMARKS
    for v in verdicts.values():
        assert v.statement
        if v.verdict == "checked":
            assert (v.evidence["cases"] == 1 if v.id in ONE else v.evidence["cases"] > 100) and v.evidence["bound"]
        if v.verdict == "refuted":
            assert v.counterexample and v.counterexample["trace"]


@pytest.mark.slow
def test_nothing_is_missing_that_the_strict_run_asks_for(verdicts: dict[str, Verdict]) -> None:
    ours = {*(c.id for c in CLAIMS), "rad", "to"}
    assert [d for d in strict_differences(list(verdicts.values())) if d.id in ours] == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the papers are not beside this checkout")
def test_each_printed_claim_quotes_its_lines() -> None:
    """Words of the quote, letters only, stand in the lines that the claim names."""
    for c in CLAIMS:
        if not c.quote:
            continue
        text = (SHARED / "seeds" / SEEDS[c.id.split(".")[0]]).read_text(encoding="utf-8").splitlines()
        printed = set(re.findall(r"[a-z]{5,}", " ".join(text[c.lines[0] - 1:c.lines[1]]).lower().replace("\\to", " ")))
        quoted = set(re.findall(r"[a-z]{5,}", c.quote.lower())) - NAMES
        assert quoted <= printed, (c.id, quoted - printed)


NAMES = {"leftarrow", "fitlinearhazard", "solvecfr", "delta"}  # symbols, which the text files write in other letters


# ---- the machinery can say no ----

def test_an_infeasible_iteration_is_refused() -> None:
    r = Request("R1", 3, 1)
    for start, chunk in ((2, 1), (1, 4)):
        with pytest.raises(Infeasible):
            Gpu([r]).schedule(PI(r, start, chunk))
    with pytest.raises(Infeasible):
        schedulers.rad(Gpu([Request("R1", 3, 1)]), 1, 1, 2, count=2)  # one token too many


def test_other_mistakes_are_found() -> None:
    with pytest.raises(Endless, match="lines 11 to 16"):
        schedulers.sarathi(Gpu([Request("R1", 3, 1)]), 2, count=0, ends=True)
    gpu = Gpu(requests := [Request("R1", 1, 2), Request("R2", 1, 1, 1)])
    schedulers.request_level(gpu, 1, line_5="Decode")
    assert runs._mixes(gpu, requests, 1) == ""
    gpu.batches.insert(1, gpu.batches.pop(3))  # R2's prefill before R1 has decoded
    assert runs._mixes(gpu, requests, 1)
    assert inventories.wait((1,), (1,), ((Fraction(0), 1), (Fraction(1, 3), 1), (Fraction(2, 3), 1))).overlap == 3
    assert described.infeasible([(1, 1)], [(0, 1)], 2) == "(2.5a)"
    assert described.infeasible([(1, 1)], [(2, 0)], 2) == "(2.5b)"
    assert described.infeasible([(0, 2)], [(0, 2)], 2) == "(2.5c)"
    assert described.infeasible([(0, 1)] * 3, [(0, 1)] * 3, 2) == "(2.5d)"


def test_any_weights_give_a_negative_intercept() -> None:
    """The convex hazard of the note, with weights that pull both ways."""
    rates = hazard((3, 4, 4, 5, 5, 5, 5, 5))
    assert all(c - b >= b - a for (a, _), (b, _), (c, _) in zip(rates, rates[1:], rates[2:], strict=False))
    for base in (Fraction(1, 9), Fraction(1), Fraction(9)):
        weights = [base**t for t in range(len(rates))]
        points = [(t, h, w) for t, ((h, _), w) in enumerate(zip(rates, weights, strict=True), start=1)]
        assert least_squares(points)[0] < 0


def test_exact_fit_is_the_numeric_one() -> None:
    from qtheory.numerics.estimate import fit_linear_hazard as numeric

    for outputs in ((1, 2, 2, 5), (3, 4, 4, 5, 5, 5, 5, 5), (1,), tuple(range(64, 193))):
        exact = fit_linear_hazard(outputs)
        assert numeric(outputs)[:2] == pytest.approx([float(x) for x in exact], rel=1e-9, abs=1e-12)


# ---- the simulator's schedulers do what the corrected lines say ----

def simulated(policy: str, parameters: dict[str, int | Sequence[int]], requests: Sequence[Request]) -> list[tuple[int,
                                                                                                                  int]]:
    """(prefill tokens, decode tokens) of the iterations, one second each; a last arrival comes long after."""
    times = [0, *(r.arrival for r in requests), 10_000]
    law = RequestClass("r", Listed(tuple(float(r.prompt) for r in requests), 1.0),
                       Listed(tuple(float(r.output) for r in requests), 1.0),
                       arrivals=Listed(tuple(float(b - a) for a, b in pairwise(times))))
    run = run_engine(LLMEngine((law,), IterationTime("affine", (1.0, 0.0)), policy, parameters), horizon=200.0,
                     records=True)
    assert run.epochs is not None
    return [(int(e[4]), int(e[5])) for e in run.epochs for _ in range(int(e[1]))]


def tokens(gpu: Gpu) -> list[tuple[int, int]]:
    return [(sum(int(i[i.rindex(",") + 1:-1]) for i in b if i.startswith("PI")), sum(i.startswith("DI") for i in b))
            for b in gpu.batches]


SOME = [r for k, r in enumerate(inputs((1, 2, 5), (1, 3), (0, 1, 4), most=3)) if k % 97 == 0]


@pytest.mark.parametrize("requests", SOME, ids=lambda r: " ".join(f"{x.prompt}/{x.output}@{x.arrival}" for x in r))
def test_rad_and_sarathi_as_printed_and_corrected(requests: list[Request]) -> None:
    def fresh() -> Gpu:
        return Gpu([Request(r.name, r.prompt, r.output, r.arrival) for r in requests])

    schedulers.rad(gpu := fresh(), 2, 2, 2, count=1)
    assert tokens(gpu) == simulated("rad", {"n": 2, "t_col": 2, "t_lcm": 2}, requests)
    schedulers.sarathi(gpu := fresh(), 3, count=1, ends=True)
    assert tokens(gpu) == simulated("sarathi", {"budget": 3}, requests)


@pytest.mark.parametrize("kinds", ["2112212112", "2222222222", "1111211112"])
def test_wait_and_nested_wait_as_printed_and_corrected(kinds: str) -> None:
    """Ten prompts, each third comes with the one before it; the engine has both at once, the lines one by one."""
    ends, n = (1, 3), (2, 2)
    times = [k - k % 3 // 2 for k in range(10)]
    requests = [Request(f"R{k}", 1, ends[int(c) - 1], t) for k, (c, t) in enumerate(zip(kinds, times, strict=True))]
    arrivals = [(Fraction(t) - Fraction(1, 7) + Fraction(k, 1000), int(c))
                for k, (c, t) in enumerate(zip(kinds, times, strict=True))]
    batches, _ = inventories.promptwise(ends, n, arrivals, segments=True)
    trace = inventories.nested(ends, n, arrivals, first=True)
    assert trace.batches and [b for _, b in trace.batches] == [b for _, b in batches]
    want = [(b.get((1, 0), 0), sum(c for (_, k), c in b.items() if k > 0)) for _, b in batches]
    assert simulated("nested-wait", {"thresholds": n, "ends": ends}, requests) == want
