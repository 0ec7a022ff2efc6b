"""Where an interval lies, what a comparison of balls tells, and what a claim may say of itself, case by case."""

from __future__ import annotations

from fractions import Fraction as F
from types import SimpleNamespace

import pytest

from qtheory.errors import InputError
from qtheory.proofs import gate
from qtheory.proofs.claims import evidence
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.outcomes import Holds
from qtheory.proofs.decimals import compared, short
from qtheory.proofs.kernel.grammar import Parser
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.closed import Point
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.proofs.units import check_units, read_unit
from qtheory.proofs.verdict import point_text


@pytest.mark.parametrize(("interval", "word"), [
    ((1.0, 2.0), "supported"), ((1.2, 1.8), "supported"), ((0.9, 1.5), "unknown"), ((1.5, 2.1), "unknown"),
    ((0.5, 2.5), "unknown"), ((0.0, 0.9), "contradicted"), ((2.1, 3.0), "contradicted"), ((0.0, 1.0), "unknown"),
    ((2.0, 3.0), "unknown"), ((1.8, 1.2), "unknown"), ((0.9, 0.1), "unknown")])
def test_a_word_by_where_the_interval_lies(interval: tuple[float, float], word: str) -> None:
    """Of the range from 1 to 2; what is no interval says nothing."""
    assert gate.side(interval, (1.0, 2.0)) == word


@pytest.mark.parametrize(("low", "high", "told"), [  # of >, >=, = and != against 0
    (1, 2, (True, True, False, True)), (-2, -1, (False, False, False, True)), (0, 0, (False, True, True, False)),
    (0, 1, (None, True, None, None)), (-1, 0, (False, None, None, None)), (-1, 1, (None, None, None, None))])
def test_comparisons_of_balls(low: int, high: int, told: tuple[bool | None, ...]) -> None:
    for relation, expected in zip((">", ">=", "=", "!="), told, strict=True):
        assert compared(relation, F(low), F(high)) is expected, relation


@pytest.mark.parametrize("word", ["proved", "refuted", "checked", "supported", "contradicted"])
def test_earned_words_cannot_be_declared(word: str) -> None:
    claim = Claim("me.a", "S", "so it is", (1, 1), "algorithm", verdict="reported")
    assert gate.declared(claim).verdict == "reported"
    object.__setattr__(claim, "verdict", word)
    with pytest.raises(InputError, match="earned on evidence"):
        gate.declared(claim)


@pytest.mark.parametrize(("cases", "bound", "word"), [(3, "n <= 3", "checked"), (0, "n <= 3", None), (3, " ", None)])
def test_no_cases_and_no_bound_check_nothing(cases: int, bound: str, word: str | None) -> None:
    """Also where the claim's code has seen to it that its outcome says so."""
    holds = Holds(3, "n <= 3", "by trying", {})
    object.__setattr__(holds, "cases", cases)
    object.__setattr__(holds, "bound", bound)
    claim = Claim("me.a", "S", "so it is", (1, 1), "algorithm", run=lambda: holds)
    if word is None:
        with pytest.raises(InputError, match="neither an input"):
            gate.computed(claim)
    else:
        assert gate.computed(claim).verdict == word


def test_a_function_takes_its_arguments_in_their_unit() -> None:
    seconds, tokens = read_unit("s"), read_unit("token")
    term = Parser("T(n) > 0", {}, {"T"}).whole()
    check_units(term, {"n": tokens}, {"T": (seconds, tokens)})
    with pytest.raises(InputError, match="T needs token"):
        check_units(term, {"n": seconds}, {"T": (seconds, tokens)})


@pytest.mark.parametrize(("ends", "word"), [
    ([(1.2, 1.4), (1.1, 1.9)], "supported"), ([(1.2, 1.4), (0.5, 1.5)], "unknown"),
    ([(1.2, 1.4), (0.1, 0.5)], "contradicted"), ([(0.5, 1.5), (0.1, 0.5)], "contradicted")])
def test_a_claim_of_two_studies_needs_both(ends: list[tuple[float, float]], word: str,
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with the range from 1 to 2."""
    study = SimpleNamespace(claim="me.a", low=1.0, high=2.0)
    found = [SimpleNamespace(state="current", evidence=SimpleNamespace(
        interval=e, sample_size=5, hypothesis="h", test="mean in", to_json=dict)) for e in ends]
    monkeypatch.setattr(evidence, "studies", lambda claim: dict.fromkeys(("x", "y"), study))
    monkeypatch.setattr(evidence, "load", lambda records: {})
    monkeypatch.setattr(evidence, "standing", lambda s, record, rerun: found.pop(0))
    claim = Claim("me.a", "S", "so it is", (1, 1), "theorem", studies=dict)
    assert gate.simulated(claim).verdict == word


@pytest.mark.parametrize(("low", "high"), [
    (F(2507112345678901234, 2**63), F(2507112345678901235, 2**63)), (F(-1, 3**50), F(1, 7**40)),
    (F(-2507112345678901235, 2**63), F(-2507112345678901234, 2**63)),
    (F(10**40 + 1, 3), F(10**40 + 2, 3)), (F(1, 10**500), F(2, 10**500))])
def test_a_long_interval_is_shown_as_a_short_one_around_it(low: F, high: F) -> None:
    shown = short(f"[{low}, {high}]")
    below, above = map(F, shown.strip("[]").split(", "))
    assert below <= low < high <= above and len(shown) < 60
    assert low - below <= abs(low) / 10**9 and above - high <= abs(high) / 10**9
    assert point_text({"g": f"[{low}, {high}]"}) == f"g in {shown}"


@pytest.mark.parametrize("value", ["1/3", "[99/125, 7921/10000]", "9" * 70, "[" + "a" * 70, f"[{'x, ' * 30}]",
                                   f"['{'a' * 40}', '{'b' * 40}']"])
def test_numbers_and_short_intervals_are_shown_as_they_are(value: str) -> None:
    assert short(value) == value


def test_a_budget_that_ends_is_told_with_what_may_help() -> None:
    with pytest.raises(Stuck, match="out of time: a larger budget may decide it"):
        Point(ORDINARY, deadline=-1).tick()
