"""A claim's own code: what it ends in is what happened, again and again, and it can end otherwise."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.model import DECLARED, Claim
from qtheory.proofs.claims.outcomes import Fails, Holds, Outcome, Undecided
from qtheory.proofs.corpus import claims, referee
from qtheory.proofs.corpus import find as claim_of
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.records import records
from qtheory.proofs.verdict import VERDICTS

RUN = {c.id: c for c in claims().values() if c.run is not None}
WORDS = {Fails: "refuted", Holds: "checked"}
MACHINERY = ("qtheory.proofs.claims.cases", "qtheory.proofs.claims.replay", "functools")


def outcome(name: str) -> Outcome:
    run = claim_of(name).run
    assert run is not None
    return run()


def test_there_are_as_many_as_there_were() -> None:
    assert len(RUN) >= 100


def ended(run: Callable[[], Outcome]) -> Outcome:
    return run()


second_time = cache(ended)  # each code of a claim is run once, also where others share it
# seconds each: left out by make test-fast, and run again by make studies alone
LONG = {"to.sec-2.3.irreducible", "wait.thm-1a", "wait.thm-1c", "wait.thm-2a", "wait.thm-2c"}


CODE = {c.run: name for name, c in sorted(RUN.items(), reverse=True)}  # the first claim that has it
Ended = Callable[[str], Outcome]


@pytest.fixture(scope="module")
def as_it_is(once: Callable[[str, Callable[[], Any]], Any]) -> Ended:
    """What a claim's run ends in; of those that have the same code, and of the workers, the first one runs it."""
    first_time = cache(lambda name: once(f"outcome of {name}", RUN[name].run))
    return lambda name: first_time(CODE[RUN[name].run])


@pytest.mark.sliced(20)
@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in LONG)) for n in sorted(RUN)])
def test_a_run_ends_as_recorded(name: str, as_it_is: Ended) -> None:
    first = as_it_is(name)
    assert WORDS[type(first)] == records()[name]["verdict"]
    if isinstance(first, Holds):
        assert first.cases > 0 and first.bound.strip() and first.method
    if isinstance(first, Fails):
        assert first.point and all(isinstance(v, str) and v for v in first.point.values()) and first.method


@pytest.mark.sliced(20)
@pytest.mark.studied(4)
@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.study] * (n in LONG)) for n in sorted(RUN)])
def test_a_run_ends_the_same_again(name: str, as_it_is: Ended) -> None:
    run = RUN[name].run
    assert run is not None
    first, again = as_it_is(name), second_time(run)
    assert type(first) is type(again) and dataclasses.asdict(first) == dataclasses.asdict(again)


def test_the_claim_says_what_its_run_decides_and_where_its_code_is() -> None:
    for claim in RUN.values():
        assert claim.says.strip()
        module = claim.run.__module__
        paper = claim.id.partition(".")[0]
        assert module.startswith(f"qtheory.proofs.claims.{paper}.") and module not in MACHINERY, claim.id
        assert hasattr(importlib.import_module(module), "__file__")


@pytest.mark.slow
def test_one_sentence_is_not_both_refuted_and_checked(as_it_is: Ended) -> None:
    told = [(c.says, as_it_is(name)) for name, c in RUN.items()]
    for says, first in told:
        assert {type(o) for s, o in told if s == says} == {type(first)}, says


def changed(monkeypatch: pytest.MonkeyPatch, place: str, new: Callable[[Any], Any]) -> None:
    """Replace what stands at "module:name" or "module:class.name" by what is made of it."""
    module, _, path = place.partition(":")
    owner: Any = importlib.import_module(f"qtheory.proofs.claims.{module.replace('.', '.models.')}")
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    monkeypatch.setattr(owner, name, new(getattr(owner, name)))


def constant(value: Any) -> Callable[[Any], Any]:
    return lambda old: lambda *a, **k: value


# (claim, what of its model is put wrong, how): with a wrong model the run comes upon a case that fails
WRONG: tuple[tuple[str, str, Callable[[Any], Any]], ...] = (
    ("rad.alg-1.corrected", "rad.runs:rad", lambda old: lambda gpu, n, t_col, t_lcm, count: old(gpu, n, t_col, t_lcm)),
    ("rad.alg-1.corrected", "rad.runs:rad_by_its_text", lambda old: lambda gpu, n, t_col, t_lcm: old(gpu, 1, 1, 1)),
    ("rad.alg-2.corrected", "rad.runs:another", lambda old: lambda gpu, n, t_col, t_lcm, **k: old(gpu, 9, t_col, t_lcm,
                                                                                                 **k)),
    ("rad.app-D.first-token.corrected", "rad.runs:another", lambda old: lambda gpu, **k: None),
    ("rad.alg-3.corrected", "rad.runs:request_level", lambda old: lambda gpu, b, line_5: old(gpu, b + 1,
                                                                                           line_5=line_5)),
    ("rad.alg-4.corrected", "rad.runs:sarathi", lambda old: lambda gpu, budget, **k: old(gpu, 1, **k)),
    ("rad.app-E.2.text.corrected", "rad.runs:sarathi", lambda old: lambda gpu, budget, **k: old(gpu, budget + 1, **k)),
    ("rad.alg-5", "rad.runs:distserve", lambda old: lambda prefill, decode: None),
    ("rad.alg-slai", "rad.runs:Slai.batch", lambda old: lambda self, budget, alpha, beta: old(self, 9, alpha, 9)),
    ("rad.app-D.text", "rad.runs:another_by_its_text", lambda old: lambda gpu, n, t_col, t_lcm: old(gpu, n + 1, t_col,
                                                                                                  t_lcm)),
    ("wait.alg-1", "wait.algorithms:wait", lambda old: lambda *a, alone: old(*a)),
    ("wait.alg-2.corrected", "wait.algorithms:nested", lambda old: lambda e, n, a, first: old(e, n, a)),
    ("to.sec-2.3.kfcfs", "to.algorithms:in_turn", lambda old: lambda s, b, turns, k_p, k_d: old(s, b, turns, k_p + 1,
                                                                                              k_d + 1)),
    ("to.sec-3.orca-wc.conserves", "to.algorithms:servable", lambda old: lambda state: old(state) + 1),
    ("to.sec-3.sarathi-alg", "to.algorithms:infeasible", constant("(2.5a)")),
    ("to.sec-3.orca-vllm-note", "to.algorithms:orca", lambda old: lambda state, b: [(0, 0)] * len(state)),
    ("to.sec-2.1.sarathi", "to.algorithms:in_order", constant(False)),
    ("to.sec-2.3.irreducible", "to.section_2_runs:run", lambda old: lambda e, s, start, a: [start]),
    ("to.sec-2.3.kfcfs-values.large", "to.section_2_runs:k_fcfs", lambda old: lambda s, b, **k: old(s, b, 1, 1)),
    ("to.app-B.case-partial", "to.algorithms:servable", lambda old: lambda state: old(state) - 1),
    ("to.eq-C.7.corrected", "to.counters:shortest_first", lambda old: lambda k_p, k_d: old(2, k_d)),
    ("to.eq-C.8.corrected", "to.counters:counted", lambda old: lambda *a: (
        dataclasses.replace(r, B=(3 * r.B[0], 3 * r.B[1])) for r in old(*a))),
    ("to.eq-C.9.corrected", "to.counters:V", lambda old: lambda sizes, phase, N: old(sizes, phase, N) // 2),
    ("eb.prop-3.3.corrected", "eb.memory_processes:_full_lengths", lambda old: lambda *a: old(*a) / 2),
    ("eb.sec-3.3.conservative.corrected", "eb.memory_processes:_full_lengths", lambda old: lambda *a: old(*a) / 3),
    ("eb.sec-3.3.ifr-peak.rare", "eb.memory_processes:_mean", lambda old: lambda *a: Fraction(1)),
    ("eb.app-D.1.age.machine", "eb.memory_processes:_share_completing", lambda old: lambda *a: old(*a) / 2),
    ("eb.app-D.1.start", "eb.memory_processes:Machine", lambda old: lambda n, k, h, cap: old(n, n, h, cap)),
    ("eb.eq-22.tail.corrected", "eb.memory_processes:plain", constant(Fraction(2))),
    ("eb.app-D.4.requirement.corrected", "eb.memory_processes:Machine.exceeds",
     lambda old: lambda *a, **k: 1 - old(*a, **k)),
    ("eb.app-D.6.orthogonal", "eb.gate:may_switch", constant(True)),
    ("eb.app-D.6.orthogonal.every-phase.run", "eb.gate:reserve", constant(Fraction(1, 20))),
    ("eb.sec-3.4.converges.settles", "eb.fixed_point:Update.__call__", lambda old: lambda self, n: 51 - n),
    ("eb.app-B.1.error.variance", "eb.processes:active_after", lambda old: lambda n, t, p: old(n, t, p / 2)),
    ("eb.app-B.1.convergence", "eb.processes:_survivors", lambda old: lambda n, p: old(n, Fraction(0))),
    ("eb.app-B.3.source-2-stop.overshoot", "eb.processes:decode_phase", lambda old: lambda n, k, p: old(n, 1, Fraction(
        1, 10**9))),
    ("eb.cor-B.3.decode.chain", "eb.processes:phases", lambda old: lambda n, k, p: old(n, k, p / 2)),
    ("to.sec-2.2.dtmc", "to.section_2_runs:transitions", lambda old: lambda *a: {s: q / 2 for s, q in old(*a).items()}),
    ("eb.app-B.3.source-2-small-theta.largest", "eb.processes:phases", lambda old: lambda n, k, p: {
        j: dataclasses.replace(v, idle=Fraction(j * j)) for j, v in old(n, k, p).items()}),
    ("eb.app-B.3.immaterial.throughput", "eb.processes:base_threshold_bounds", constant((Fraction(1, 24),) * 2)),
    ("eb.app-B.3.immaterial.completions", "eb.processes:base_threshold_bounds", constant((Fraction(1), Fraction(1)))),
    ("eb.app-C.scope-not-iid.renewal", "eb.ages:_stationary", lambda old: lambda rates, ages: [
        Fraction(1, len(ages))] * len(ages)),
    ("eb.app-C.scope-ages", "eb.ages:linear", constant([Fraction(1)])),
)


@pytest.mark.sliced(8)
@pytest.mark.parametrize(("name", "place", "new"), WRONG, ids=[f"{n}-{p}" for n, p, _ in WRONG])
def test_with_a_wrong_model_a_case_fails(name: str, place: str, new: Callable[[Any], Any], as_it_is: Ended,
                                         monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(as_it_is(name), Holds)
    changed(monkeypatch, place, new)
    assert isinstance(outcome(name), Fails)


# (claim, what is put right): where the printed thing works, its input shows nothing
RIGHT: tuple[tuple[str, str, Callable[[Any], Any]], ...] = (
    ("rad.alg-1", "rad.runs:rad", lambda old: partial(old, count=1)),
    ("rad.alg-2", "rad.runs:another", lambda old: partial(old, count=1)),
    ("rad.alg-3", "rad.runs:request_level", lambda old: partial(old, line_5="Decode")),
    ("rad.alg-4", "rad.runs:sarathi", lambda old: partial(old, count=1, ends=True)),
    ("wait.alg-2", "wait.algorithms:nested", lambda old: partial(old, first=True)),
    ("wait.thm-4c", "wait.layout:printed", constant(Fraction(10_336_700))),
    ("to.sec-2.2.departs", "to.section_2_runs:by_2_3", lambda old: lambda b, c, a, b_0: old(b, 1, 0, 1)),
    ("to.app-B.one-step", "to.appendix_b_runs:squared", lambda old: lambda weight: old(weight / 2)),
    ("to.app-B.case-full-drift-1", "to.appendix_b_runs:squared", lambda old: lambda weight: old(weight / 2)),
    ("to.eq-C.8", "to.counters:sarathi", lambda old: lambda state, b: [(0, 0)] * len(state)),
    ("eb.prop-3.3", "eb.memory_processes:start_exceeds", constant(Fraction(0))),
    ("eb.app-D.4.requirement", "eb.memory_processes:Machine.exceeds", constant(Fraction(1, 16))),
)


# (claim, what is put right): where there is such a case, and with that there is none
FOUND: tuple[tuple[str, str, Callable[[Any], Any]], ...] = (
    ("to.thm-1b.any-constants", "to.section_2_runs:mean_tokens", constant(Fraction(1))),
    ("eb.sec-3.4.converges.few", "eb.fixed_point:Update.__call__", lambda old: lambda self, n: n),
    ("eb.sec-3.4.converges.sign", "eb.fixed_point:Update.__call__", lambda old: lambda self, n: n + 1),
    ("eb.sec-3.1.decoupled.exact", "eb.processes:base_threshold_bounds", constant((Fraction(1225, 10**4),) * 2)),
)


@pytest.mark.parametrize(("name", "place", "new"), FOUND, ids=[n for n, _, _ in FOUND])
def test_a_case_that_there_is_not_is_not_found(name: str, place: str, new: Callable[[Any], Any], as_it_is: Ended,
                                               monkeypatch: pytest.MonkeyPatch) -> None:
    there = as_it_is(name)
    assert isinstance(there, Holds) and there.cases == 1 and " = " in there.bound
    changed(monkeypatch, place, new)
    assert isinstance(outcome(name), Undecided)


@pytest.mark.parametrize(("name", "place", "new"), RIGHT, ids=[n for n, _, _ in RIGHT])
def test_where_the_printed_works_nothing_is_shown(name: str, place: str, new: Callable[[Any], Any], as_it_is: Ended,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(as_it_is(name), Fails)
    changed(monkeypatch, place, new)
    assert isinstance(outcome(name), Undecided)


# ---- the shapes ----

def test_cases_are_counted_and_none_is_no_truth() -> None:
    def over(*cases: Case) -> Outcome:
        @every("n <= 3", "enumeration")
        def run() -> Iterator[Case]:
            yield from cases

        assert run.__module__ == __name__
        return run()

    assert over(None, None, None) == Holds(3, "n <= 3", "enumeration")
    assert over(None, {"n": 2}, None) == Fails({"n": "2"}, "enumeration")
    with pytest.raises(InputError):
        over(None, {})  # a failure without an input is none, and no success either
    assert over(None, Undecided("why"), {"n": 3}) == Undecided("why")
    assert isinstance(over(), Undecided)
    assert shown(True, {"n": Fraction(1, 2)}, "replay", more="x") == Fails({"n": "1/2"}, "replay", {"more": "x"})
    assert isinstance(shown(False, {"n": 1}, "replay"), Undecided)
    assert found(shown(True, {"n": 1, "trace": "so"}, "replay")) == Holds(1, "n = 1", "replay", {"trace": "so"})
    assert isinstance(found(shown(False, {"n": 1}, "replay")), Undecided)
    assert isinstance(found(over(None, None)), Undecided)  # that there is a case is not so because none was come upon


# ---- a claim cannot say of itself what it must earn ----

def undecided() -> Outcome:
    return Undecided("not tried")


STATED = Statement("x**2 >= 0")
EARNED = sorted(set(VERDICTS) - set(DECLARED))


def made(**fields: Any) -> Claim:
    return Claim("me.one", "Section 1", "a sentence", (1, 1), **{"kind": "identity", **fields})


@pytest.mark.parametrize("fields", [
    {}, *({"verdict": word} for word in (*EARNED, "true", "", 1)), {"verdict": "unknown"}, {"verdict": "imprecise"},
    {"readings": ("me.two",)}, {"verdict": "reported", "readings": ("me.two",)},
    {"statement": STATED, "verdict": "assumed"}, {"statement": STATED, "run": undecided},
    {"statement": "x > 0"}, {"statement": STATED, "says": "1 == 2"}, {"run": "checked"}, {"studies": {}},
    {"theorem": "foster"}, {"run": undecided, "quote": ""}, {"verdict": "reported", "kind": "lemma"},
    {"verdict": "reported", "severity": "grave"},
], ids=lambda fields: ",".join(fields) or "nothing")
def test_what_is_no_claim_is_refused_in_a_line(fields: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        Claim(**{"id": "me.one", "place": "Section 1", "quote": "a sentence", "lines": (1, 1), "kind": "identity",
                 **fields})
    assert "\n" not in str(caught.value) and "'me.one'" in str(caught.value) and len(str(caught.value)) < 300


def test_neither_axioms_nor_certificates_are_said_by_hand() -> None:
    for name in ("axioms", "certificate", "rests_on", "judge", "counterexample", "witness", "evidence"):
        with pytest.raises(TypeError):
            made(statement=STATED, **{name: ("foster-lyapunov",)})
    for way in (Fails, Holds, Undecided):
        assert not {"verdict", "statement", "axioms", "certificate"} & {f.name for f in dataclasses.fields(way)}
    assert not {"verdict", "statement"} & {f.name for f in dataclasses.fields(Theorem)}


@pytest.mark.parametrize("words", [*(f"verdict={word!r}" for word in EARNED), "statement=Statement('1 == 2'), "
                                   "axioms=('foster-lyapunov',)", "judge=lambda: {'verdict': 'proved'}"])
def test_a_file_that_declares_what_it_must_earn_is_one_line(words: str, tmp_path: Path,
                                                            capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from qtheory.proofs.claims.model import Claim\nfrom qtheory.proofs.kernel.statements import "
                    f"Statement\nCLAIMS = [Claim('mine.one', 'S', '1 == 2', (1, 1), 'identity', {words})]\n")
    with pytest.raises(SystemExit) as caught:
        main(["verify", str(file)])
    said = capsys.readouterr()
    assert caught.value.code == 2 and "line 3" in said.err and "Traceback" not in said.err and not said.out


@pytest.mark.parametrize("word", DECLARED)
def test_what_may_be_declared_is_what_comes_out(word: str) -> None:
    fields: dict[str, Any] = {"readings": ("me.a", "me.b")} if word == "imprecise" else {}
    claim = made(verdict=word, kind="theorem", note="no language for it", **fields)
    assert referee(claim).verdict == word
