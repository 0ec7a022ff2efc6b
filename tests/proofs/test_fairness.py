"""The rules of fairness that a test can see, held to every claim of the corpus."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.roots import RANKS
from qtheory.proofs.corpus import claims, paper_of
from qtheory.proofs.records import current

JUDGED = ("eb", "to")  # the papers that have been judged by these rules
ANALYTIC = ("identity", "inequality", "existence/uniqueness", "limit", "drift", "LP", "expansion", "coupling")
ALL = [c for c in claims().values() if c.id.partition(".")[0] in JUDGED]
PRINTED = [c for c in ALL if c.quote and c.corrects is None]
WRONG = ("refuted", "contradicted")
# an operator of a quoted sentence, and what stands for it in a statement
OPERATORS = {
    r"\b(E|𝔼)\s?\[": r"\bE\(",
    r"\bVar\s?[(\[]": r"\bVar\(",
    r"\b(Pr|P)\s?[({\[]": r"\bPr\(",
    r"\blim(_|\s)": r"[lL]imit\(",
    r"\bunique\b": r"Unique\(|==",
}


def of(condition) -> list[Claim]:
    return [c for c in ALL if condition(c)]


def verdict(claim: Claim) -> str:
    return str(current()[claim.id]["verdict"])


def texts(claim: Claim) -> str:
    """All that the statement says, and what the rows of its symbols stand for."""
    stated = claim.statement
    assert stated is not None
    return " ".join((stated.goal, *stated.where, *stated.let, *claim.meanings))


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_stay(operator: str) -> None:
    """An operator of the quote occurs in the statement, or a symbol of the statement stands for the whole term."""
    bent = [c.id for c in PRINTED if c.statement is not None and c.reading == "faithful"
            and re.search(operator, c.quote)
            and not re.search(OPERATORS[operator], texts(c)) and not re.search(operator, texts(c))]
    assert not bent, bent


def test_a_condition_says_where_the_paper_states_it() -> None:
    """An added one, without such a source, makes a statement a correction, or a statement beside the paper."""
    for c in PRINTED:
        for condition in c.conditions:
            source = c.sources.get(condition, "")
            assert source, f"{c.id}: no source of {condition!r}"
            assert not source.lower().startswith("added"), f"{c.id}: {condition!r} is added, under a printed sentence"


def test_what_is_refuted_names_its_root() -> None:
    """Each printed statement that is wrong has a root cause with a rank; each root has something wrong under it."""
    roots = {p: paper_of(p).roots for p in JUDGED}
    assert all(root.rank in RANKS for of_paper in roots.values() for root in of_paper.values())
    listed = {i for p in JUDGED for i in paper_of(p).items}
    for c in of(lambda c: c.id in listed and verdict(c) in WRONG):
        assert c.root is not None, f"{c.id} is {verdict(c)} and names no root"
    for c in of(lambda c: c.root is not None):
        assert c.root in roots[c.id.partition(".")[0]], f"{c.id}: no row describes the root {c.root}"
        assert verdict(c) in WRONG or c.against is not None, f"{c.id} has a root and is {verdict(c)}"
    for paper, described in roots.items():
        used = {c.root for c in ALL if c.id.startswith(f"{paper}.")}
        assert described.keys() <= used, f"{paper}: nothing stands under {sorted(described.keys() - used)}"


def test_an_edge_is_typographical() -> None:
    """What fails at an edge of its domain alone breaks no result."""
    for c in of(lambda c: current()[c.id].get("severity") == "edge" and c.root is not None):
        assert paper_of(c.id.partition(".")[0]).roots[c.root].rank in ("typographical", "wording", "number"), c.id


def test_corrections_do_not_assume_their_conclusion() -> None:
    """None has its goal among its conditions, in these words or as one part of a conjunction."""
    for c in of(lambda c: c.corrects is not None and c.statement is not None):
        assert c.statement is not None
        squeezed = {re.sub(r"\s", "", w) for w in c.statement.where}
        assert re.sub(r"\s", "", c.statement.goal) not in squeezed, c.id
    assert all(verdict(c) in ("proved", "checked", "supported") for c in ALL if c.corrects is not None)


def test_few_sentences_have_no_truth_value() -> None:
    """Fewer than 3 in 100 analytic statements of a paper are imprecise; their readings quote what licenses them."""
    for paper in JUDGED:
        analytic = [c for c in PRINTED if c.id.startswith(f"{paper}.") and c.kind in ANALYTIC]
        vague = [c for c in analytic if verdict(c) == "imprecise"]
        assert len(vague) < 0.03 * len(analytic), (paper, len(vague), len(analytic))
    for c in of(lambda c: c.verdict == "imprecise"):
        for reading in c.readings:
            assert claims()[reading].quote, f"{reading} quotes no words that license it"
        some = any(verdict(claims()[r]) in ("proved", "checked") for r in c.readings)
        assert not some or all(claims()[r].root is None for r in c.readings), f"{c.id}: a reading holds, another counts"


def test_the_second_reader_has_been_heard() -> None:
    """Each printed statement that has a truth value carries the second reader's word; what is bent does not stand."""
    heard = Counter(c.reading for c in PRINTED if c.statement is not None)
    assert heard["strawman"] == 0 and heard[None] == 0, heard
    assert heard["faithful"] >= 0.95 * heard.total(), heard
    assert not [c.id for c in PRINTED if verdict(c) in WRONG and c.reading not in ("faithful", None)]
