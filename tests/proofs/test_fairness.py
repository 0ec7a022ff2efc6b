"""The rules of fairness that a test can see, held to every claim of the corpus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest

from qtheory.commands.verify import as_json
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.papers import readings
from qtheory.proofs.claims.roots import RANKS
from qtheory.proofs.corpus import claims, paper, papers, referee
from qtheory.proofs.records import current

JUDGED = papers()  # the papers that are judged by these rules
# least share of faithful readings, where it is not 95 in 100: statements in K classes or about limits of processes are
# read as narrowed, each by its note
FAITHFUL = {"gr": 0.75, "rad": 0.75, "wait": 0.9}
ANALYTIC = ("identity", "inequality", "existence/uniqueness", "limit", "drift", "LP", "expansion", "coupling")
ALL = [c for c in claims().values() if c.id.partition(".")[0] in JUDGED]
PRINTED = [c for c in ALL if c.quote and c.corrects is None and "against" not in c.marks]
WRONG = ("refuted", "contradicted")
# an operator of a quoted sentence, and what stands for it in a statement
OPERATORS = {
    r"\b(E|𝔼)\s?\[": r"\bE\(",
    r"\bVar\s?[(\[]": r"\bVar\(",
    r"(?<!\^)\b(Pr|P)\s?[({\[]": r"\bPr\(",  # a power such as L^P (..) is none
    r"\blim(_|\s)": r"[lL]imit\(",
    r"\bunique\b": r"Unique\(|==",
}


def of(condition: Callable[[Claim], object]) -> list[Claim]:
    return [c for c in ALL if condition(c)]


RECORDS = current()


def verdict(claim: Claim) -> str:
    return str(RECORDS[claim.id]["verdict"])


def texts(claim: Claim) -> str:
    """All that the statement says, what its symbols stand for, and the words that its conditions quote."""
    stated = claim.statement
    assert stated is not None
    said = " ".join((stated.goal, *stated.where, *stated.let))
    rows = (row.texts for _, page in paper(claim.id.partition(".")[0]).pages for row in page.rows)
    meant = (row[2] for row in rows if any(re.search(rf"\b{re.escape(name.partition('(')[0].strip())}\b", said)
                                           for name in row[0].split(",")))
    return " ".join((said, *meant, *claim.meanings.values(), *claim.sources.values()))


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_stay(operator: str) -> None:
    """An operator of the quote occurs in the statement, or a symbol of the statement stands for the whole term."""
    bent = [c.id for c in PRINTED if c.statement is not None and c.marks.get("reading") == "faithful"
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


def test_a_premise_is_a_hypothesis_or_refuted_and_never_both() -> None:
    """By the register of each paper; and no condition under a printed sentence is the goal of what is refuted."""
    for key in JUDGED:
        register = paper(key).premises
        assert register
        for premise in register.values():
            assert re.search(r"\bl\. \d|\bline \d", premise.source), premise.name
            fallen = [i for i in premise.taken if verdict(claims()[i]) in WRONG]
            fallen += [i for i in premise.judged if verdict(claims()[i]) in WRONG and claims()[i].severity != "remark"]
            assert not fallen, f"{premise.name} is a hypothesis, and refuted at {fallen}"
    denied = {re.sub(r"\s", "", c.statement.goal): c.id for c in ALL if c.statement is not None
              and verdict(c) in WRONG and c.severity != "remark"}
    taken = {re.sub(r"\s", "", condition): c.id for c in PRINTED if verdict(c) not in WRONG
             for condition in c.conditions}
    assert not denied.keys() & taken.keys(), [(denied[f], taken[f]) for f in denied.keys() & taken.keys()]


@pytest.mark.slow
def test_counterexamples_lie_in_the_papers_settings_or_say_so() -> None:
    """Of a setting that a refuted claim names it is said whether it fails there, and most do; of a root's numbers,
    where they are none of the paper's."""
    told = []
    for c in of(lambda c: c.setting and verdict(c) in WRONG and "root" in c.marks and c.statement is not None):
        note = referee(c).note
        told.append(note.startswith("At "))
        assert told[-1] or note.startswith("Not at "), c.id
    assert sum(told) > 3/4*len(told)
    for key in JUDGED:
        for root in paper(key).roots.values():
            assert root.example and root.repair and root.survives, root.name
            assert not root.example.lower().startswith("none"), root.name


def test_what_is_refuted_names_its_root() -> None:
    """Each printed statement that is wrong has a root cause with a rank; each root has something wrong under it."""
    roots = {p: paper(p).roots for p in JUDGED}
    assert all(root.rank in RANKS for of_paper in roots.values() for root in of_paper.values())
    listed = {i for p in JUDGED for i in paper(p).items}
    for c in of(lambda c: c.id in listed and verdict(c) in WRONG):
        assert "root" in c.marks, f"{c.id} is {verdict(c)} and names no root"
    for c in of(lambda c: "root" in c.marks):
        assert c.marks["root"] in roots[c.id.partition(".")[0]], f"{c.id}: no row describes the root {c.marks['root']}"
        assert verdict(c) in WRONG or "against" in c.marks, f"{c.id} has a root and is {verdict(c)}"
    for key, described in roots.items():
        used = {c.marks.get("root") for c in ALL if c.id.startswith(f"{key}.")}
        assert described.keys() <= used, f"{key}: nothing stands under {sorted(described.keys() - used)}"


def test_a_remark_breaks_nothing() -> None:
    """It quotes nothing, stands in no catalogue and under no root; or it is on a printed slip, under a root of wording
    or of typography, and its note says that it is a remark. All else that is refuted has a root."""
    listed = {i for p in JUDGED for i in paper(p).items}
    remarks = of(lambda c: c.severity == "remark")
    slips = [c for c in remarks if c.quote or c.id in listed or "root" in c.marks]
    assert remarks and not [c.id for c in slips if "A remark" not in c.note or paper(c.id.partition(".")[0]).roots[
        c.marks["root"]].rank not in ("wording", "typographical")]
    for key in JUDGED:  # and a root of weight has more under it than remarks
        weighty = {n for n, root in paper(key).roots.items() if root.rank not in ("wording", "typographical")}
        assert weighty <= {c.marks.get("root") for c in ALL if c.severity != "remark"}, key
    assert not [c.id for c in ALL if verdict(c) in WRONG and "root" not in c.marks and c.severity != "remark"]


def test_an_edge_is_typographical() -> None:
    """What fails at an edge of its domain alone breaks no result."""
    for c in of(lambda c: RECORDS[c.id].get("severity") == "edge" and "root" in c.marks):
        assert paper(c.id.partition(".")[0]).roots[c.marks["root"]].rank in ("typographical", "wording", "number"), c.id


def test_corrections_do_not_assume_their_conclusion() -> None:
    """None has its goal among its conditions, in these words or as one part of a conjunction."""
    for c in of(lambda c: c.corrects is not None and c.statement is not None):
        assert c.statement is not None
        squeezed = {re.sub(r"\s", "", w) for w in c.statement.where}
        assert re.sub(r"\s", "", c.statement.goal) not in squeezed, c.id
    assert all(verdict(c) in ("proved", "checked", "supported") for c in ALL if c.corrects is not None)


def test_few_sentences_have_no_truth_value() -> None:
    """Fewer than 3 in 100 analytic statements of a paper are imprecise; their readings quote what licenses them."""
    for key in JUDGED:
        analytic = [c for c in PRINTED if c.id.startswith(f"{key}.") and c.kind in ANALYTIC]
        vague = [c for c in analytic if verdict(c) == "imprecise"]
        assert len(vague) < 0.03 * len(analytic), (key, len(vague), len(analytic))
    for c in of(lambda c: c.verdict == "imprecise"):
        for reading in c.readings:
            told = claims()[reading]
            licensed = told.quote or re.search(r"(?i)\bline \d|\bl\. \d", told.note)
            assert licensed, f"{reading} names no words that license it"
        some = any(verdict(claims()[r]) in ("proved", "checked") for r in c.readings)
        others = [r for r in c.readings if "root" in claims()[r].marks]
        assert not (some and others), f"{c.id}: a reading holds, and {others} count"


def test_the_second_reader_has_been_heard() -> None:
    """Each printed statement that has a truth value carries the second reader's word; what is bent does not stand."""
    for key in JUDGED:
        read = [c for c in PRINTED if c.statement is not None and c.id.startswith(f"{key}.")]
        heard = Counter(c.marks.get("reading") for c in read)
        assert heard["strawman"] == 0 and heard[None] == 0, (key, heard)
        assert heard["faithful"] >= FAITHFUL.get(key, 0.95) * heard.total(), (key, heard)
    assert not [c.id for c in PRINTED if verdict(c) in WRONG and c.marks.get("reading") not in ("faithful", None)]


@pytest.mark.later
def test_what_readers_say_is_in_the_json() -> None:
    """Rank, root and reading of each claim, and how many were read as what."""
    chosen = [next(c for c in ALL if "root" in c.marks and "reading" in c.marks), next(c for c in ALL if not c.marks)]
    told = as_json([referee(c) for c in chosen])
    assert [{k: one[k] for k in ("rank", "root", "reading")} for one in told["claims"]] == [
        {k: c.marks.get(k) for k in ("rank", "root", "reading")} for c in chosen]
    assert told["readings"] == {chosen[0].marks["reading"]: 1}
    # a correction, what is said against the paper, and what is reported are not among those that are read
    others = ("eb.table-12.reject.corrected", "wait.sec-6.2.thresholds.equal", "eb.abs.crossover-h200")
    read = ("eb.sec-3.5.bias", "eb.app-B.6.zeta-prime", "eb.abs.gain-41.9")
    assert readings(claims()[i] for i in (*read, *others)) == {"faithful": 2, "narrowed": 1}


def test_what_code_does_not_look_at_is_told_in_the_words_that_it_decides() -> None:
    """Enumerations look at laws and traces: what is said to follow from these is told to be an unchecked step."""
    for c in claims().values():
        if c.run is not None:
            follows = re.findall(r"\bso that\b(?!, by an unchecked step)", c.says or "")
            assert not follows, f"{c.id} says more than its code looks at"
