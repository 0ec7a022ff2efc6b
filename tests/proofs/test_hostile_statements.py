"""Hostile statements: both checkers read them alike, and nothing that has an undefined value in it is proved."""

from __future__ import annotations

import pytest
from meaning.generator import drawn
from meaning.hostile import DECLARATIONS, SLOT_LET, SLOTS, UNDEFINED, statements
from recheck_support import kernel_reads, recheck_reads

from qtheory.errors import InputError
from qtheory.proofs.api import prove
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.recheck import certifies
from qtheory.proofs.recheck.statement import Statement as SecondStatement


def test_hostile_texts_are_read_alike() -> None:
    found = statements()
    assert len(found) > 500
    read = 0
    for let, where, goal in found:
        ours = kernel_reads(let, where, goal)
        assert ours == recheck_reads(let, where, goal), (let[:3], where[:3], goal[:100])
        read += ours is not None
    assert 150 < read < len(found) - 250


@pytest.mark.slow
def test_drawn_statements_have_the_same_refutations_and_witnesses() -> None:
    for number in range(1000):
        texts = drawn(number)[0].texts()
        read = kernel_reads(texts["let"], texts["where"], texts["goal"])
        assert read == recheck_reads(texts["let"], texts["where"], texts["goal"]), texts


@pytest.mark.parametrize("text", [
    "x, in naturals", ", x in naturals", "x,, y in naturals", "x in naturals,", "x in, naturals", "x,in naturals",
    ",in naturals", "x y, in naturals", "x in,naturals"])
def test_commas_stand_between_the_names_of_a_declaration(text: str) -> None:
    """As the page's grammar has it; neither checker reads another text."""
    assert not declared(text) and not SecondStatement.declared(text)
    for good in ("x in naturals", "x, y in naturals", "x y in naturals", " x ,y  in\tnaturals "):
        assert declared(good) == SecondStatement.declared(good) == good.replace(",", " ").split()[:-2]


@pytest.mark.parametrize("text", [d for d in DECLARATIONS if not "".join(d.split()).isascii() or d[0] in "_2("])
def test_only_names_of_the_language_are_declared(text: str) -> None:
    assert kernel_reads([], [text], "x > 0") is None
    assert recheck_reads([], [text], "x > 0") is None


@pytest.mark.parametrize("goal, where", [
    ("1 < 2", ["x < x"]), ("1 < 2", ["Exists(t, t < t, t > 0)"]), ("Implies(x + y < y + x, 1 < 2)", []),
    ("ForAll(t, t < t, 1 < 2)", []), ("StrictlyIncreasing(t, t, exp(t) > exp(t))", [])])
def test_what_is_less_than_itself_is_met_by_nothing(goal: str, where: list[str]) -> None:
    with pytest.raises(InputError, match=r"contradict|nothing meets"):
        prove(goal, where=where)


@pytest.mark.parametrize(("goal", "let"), [
    ("c == 1", ["c = d", "d = 1"]), ("f(1) == 2", ["f(x) = x*c", "c = 2"]), ("c == 0", ["c = 2*c"])])
def test_a_definition_that_stands_after_its_use_is_named(goal: str, let: list[str]) -> None:
    with pytest.raises(InputError, match="in it or in a definition before it; put a definition") as caught:
        prove(goal, let=let)
    assert let[-1] in str(caught.value) and "\n" not in str(caught.value)


def slot(number: int, term: str) -> None:
    goal = SLOTS[number].replace("{}", term)
    where = ["f in functions"] if "f(" in goal else []
    verdict = prove(goal, where=where, let=SLOT_LET, budget=0.5)
    assert verdict.verdict in ("refuted", "unknown"), goal
    if verdict.certificate is not None:
        statement = Statement(goal, tuple(where), tuple(SLOT_LET))
        assert certifies(verdict.certificate.data, statement.to_json())


PARTS = 3  # of the undefined values: a slot is asked about one part here, and by make studies about the others


@pytest.mark.sliced(18)
@pytest.mark.parametrize("number", range(len(SLOTS)))
def test_no_undefined_value_in_any_slot_is_proved(number: int) -> None:
    for term in UNDEFINED[number % PARTS::PARTS]:
        slot(number, term)


@pytest.mark.study
@pytest.mark.parametrize("number", range(len(SLOTS)))
def test_nor_is_any_of_the_other_values(number: int) -> None:
    for term in (term for i, term in enumerate(UNDEFINED) if (i - number) % PARTS):
        slot(number, term)
