"""Several theorems that a sentence states together: all of them are proved, or none of it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from theorem_uses import CLUSTER, STRONG

from qtheory.errors import InputError
from qtheory.proofs import corpus, gate, theorems
from qtheory.proofs.axiomatic import Stated, check_theorem, from_json, lines, owed
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.claims.cases import Model
from qtheory.proofs.claims.papers import read
from qtheory.proofs.claims.to.models import instability
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.proving.lines import Proof
from qtheory.proofs.proving.showing import markdown
from qtheory.proofs.theorems import found, referee_theorem

DRAWS, POINT = STRONG["averages tend to the mean"], CLUSTER["a bounded sequence is near some point"]
BOTH = (DRAWS.theorem, POINT.theorem)
FALSE = replace(DRAWS.theorem, goal="ForAll(n, And(Integer(n), n >= 1), Sum(v(l), (l, 1, n)) == m*n)")


@pytest.fixture(scope="module")
def certificates() -> list[Any]:
    made = [found(shown.theorem, shown.proof, 20.0) for shown in (DRAWS, POINT)]
    return list(json.loads(json.dumps(made)))


def test_both_are_proved_and_both_are_displayed(certificates: list[Any]) -> None:
    verdict = gate.by_axioms(BOTH, {"theorem": certificates})
    assert verdict.verdict == "proved" and verdict.axioms == ("strong-law", "bolzano-weierstrass")
    assert verdict.statement == gate.stated(BOTH) == "\n".join((
        "each of these", *(f"({n}) {line}" for n, part in enumerate(BOTH, 1) for line in lines(part))))
    assert all(w in verdict.hypotheses for part in BOTH for w in part.where)
    assert any(text.startswith("(1) axiom strong-law") for text in verdict.rests_on)
    assert any(text.startswith("(2) axiom bolzano-weierstrass") for text in verdict.rests_on)
    assert verdict.certificate is not None and from_json(verdict.certificate.data["theorem"]) == BOTH
    assert len(owed(BOTH).obligations) == sum(len(owed(part).obligations) for part in BOTH)


@pytest.mark.later
def test_the_search_proves_each_or_nothing() -> None:
    proofs = Proof(parts=(DRAWS.proof, POINT.proof))
    assert referee_theorem(BOTH, proofs, 20.0).verdict == "proved"
    for both in ((FALSE, POINT.theorem), (DRAWS.theorem, replace(POINT.theorem, goal="cluster1 > c"))):
        verdict = referee_theorem(both, proofs, 3.0)
        assert verdict.verdict == "unknown" and verdict.certificate is None and not verdict.axioms
        assert verdict.statement == gate.stated(both) and "not proved: conclusion" in verdict.note


class Lying(Theorem):
    """Equal to everything, and another theorem whenever one looks."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Fickle(tuple):  # type: ignore[type-arg]
    """Two theorems when they are counted, and one when they are gone through."""

    def __iter__(self) -> Any:
        return iter(BOTH[:1])


def nested(made: list[Any]) -> dict[str, Any]:
    return {"theorem": [{"theorem": made}, {"theorem": made}]}


ATTACKS: dict[str, tuple[Stated, Callable[[list[Any]], Any]]] = {
    "a part that is false": ((FALSE, POINT.theorem), lambda made: {"theorem": made}),
    "parts in another order": (BOTH[::-1], lambda made: {"theorem": made}),
    "one certificate twice": (BOTH, lambda made: {"theorem": [made[0], made[0]]}),
    "a part without a certificate": (BOTH, lambda made: {"theorem": made[:1]}),
    "a part with a certificate of nothing": (BOTH, lambda made: {"theorem": [made[0], {}]}),
    "a certificate too many": (BOTH, lambda made: {"theorem": [*made, made[0]]}),
    "no theorem": ((), lambda made: {"theorem": []}),
    "one theorem": (BOTH[:1], lambda made: {"theorem": made[:1]}),
    "one theorem by the certificates of two": (DRAWS.theorem, lambda made: {"theorem": made}),
    "two theorems by the certificate of one": (BOTH, lambda made: made[0]),
    "more than certificates": (BOTH, lambda made: {"theorem": made, "schema": 2}),
    "certificates by name": (BOTH, lambda made: {"theorem": dict(enumerate(made))}),
    "certificates that are texts": (BOTH, lambda made: {"theorem": [json.dumps(one) for one in made]}),
    "no certificates": (BOTH, lambda made: None),
    "pairs by the certificates of parts": ((BOTH, BOTH), lambda made: {"theorem": made}),  # type: ignore[dict-item]
    "parts by the certificates of pairs": (BOTH, nested),
    "a certificate for the text of another part": (BOTH, lambda made: {"theorem": [
        {**made[0], "theorem": made[1]["theorem"]}, made[1]]}),
    "a list of one in a part": (BOTH, lambda made: {"theorem": [{"theorem": [made[0]]}, made[1]]}),
    "a derivation in place of a part": (BOTH, lambda made: {"theorem": [{**made[0], "derivation": ""}, made[1]]}),
    "a step of a part that is changed": (BOTH, lambda made: {"theorem": [made[0], {**made[1], "conclusion": made[0][
        "conclusion"]}]}),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_are_rejected(name: str, certificates: list[Any]) -> None:
    theorems, data = ATTACKS[name]
    with pytest.raises(KernelError):
        gate.by_axioms(theorems, data(certificates))


def test_what_is_displayed_is_what_was_checked(certificates: list[Any]) -> None:
    t = FALSE
    lying = Lying(t.where, t.parameters, t.uses, t.let, "1 == 2")
    shown = gate.by_axioms((lying, POINT.theorem), {"theorem": certificates})
    assert shown.statement == gate.stated(BOTH) and "1 == 2" not in shown.statement
    with pytest.raises((KernelError, ValueError)):
        gate.by_axioms(Fickle(BOTH), {"theorem": certificates})


def test_a_list_is_no_theorem(certificates: list[Any]) -> None:
    """Where one certificate is asked for, whatever list stands in place of its theorem is rejected as such."""
    for listed in ([], certificates, certificates[:1]):
        with pytest.raises(KernelError):
            check_theorem({**certificates[0], "theorem": listed})
        with pytest.raises(KernelError):
            gate.by_axioms(DRAWS.theorem, {**certificates[0], "theorem": listed})


def test_a_file_names_all_parts(certificates: list[Any]) -> None:
    others: list[Any] = [None, 3, "x", [None], [3], [{}], [{"theorem": None}], [certificates[0], {"theorem": 3}]]
    for other in others:
        with pytest.raises(KernelError):
            from_json(other)


# ---- claims of a corpus, and of one's own note ----

NOTE = """# Section 1

::::{{claim}} me.a, inequality, l. 3

    goal: 1 > 0
::::

::::{{claim}} me.b, inequality, l. 4

    goal: 2 > 0
::::

::::{{claim}} me.both, inequality, l. 5
:parts: {parts}

> as printed
{more}
::::
"""


@pytest.mark.parametrize(("parts", "more", "why"), [
    ("me.a, me.b", "", "others that are theorems"), ("me.a", "", "others that are theorems"),
    ("me.both, me.a", "", "no other claim"), ("me.c", "", "no other claim"),
    ("me.a, me.b", "\n    goal: 3 > 0\n", "others that are theorems")])
def test_a_note_of_one_s_own_has_no_such_parts(parts: str, more: str, why: str, tmp_path: Path) -> None:
    """Its claims are statements, of which one conjunction is a statement too."""
    (tmp_path / "note.md").write_text(NOTE.format(parts=parts, more=more), encoding="utf-8")
    with pytest.raises(InputError, match=why):
        assert read(tmp_path / "note.md").claims


# ---- a paper of the corpus may have such parts, and no others than these ----

GROWS, COMES = "network_instability.OWN_NETWORK", "recurrence.IF_LIMITS_ARE_STABLE"


def block(name: str, model: str = "", *options: str) -> str:
    said = ("> as printed", "", f"    model: {model}" * bool(model), "::::", "", "")
    return "\n".join((f"::::{{claim}} to.{name}, theorem, l. 3", *options, "", *said))


def claims_of(tmp_path: Path, *blocks: str) -> dict[str, Any]:
    (tmp_path / "note.md").write_text("# Section 1\n\n" + "".join(blocks), encoding="utf-8")
    return {c.id: c for c in read(tmp_path / "note.md", "qtheory.proofs.claims.to").claims}


A, B = block("a", GROWS), block("b", COMES)
SAME, OTHERS = "no two the same", "others that are theorems"
REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "the same part twice": ((A, B, block("all", "", ":parts: to.a, to.b, to.a")), SAME),
    "one theorem under two ids": ((A, block("c", GROWS), block("all", "", ":parts: to.a, to.c")), SAME),
    "parts of each other": (
        (A, block("c", "", ":parts: to.all, to.a"), block("all", "", ":parts: to.c, to.a")), OTHERS),
    "parts of parts": ((A, B, block("c", "", ":parts: to.a, to.b"), block("all", "", ":parts: to.c, to.a")), OTHERS),
    "a part that is a run": ((A, block("c", "unmixed.exists_run"), block("all", "", ":parts: to.a, to.c")), OTHERS),
    "a part that is simulated": (
        (A, block("c", "simulations.FORK_JOINS"), block("all", "", ":parts: to.a, to.c")), OTHERS),
    "a part with a hypothesis that is added": (
        (A, block("c", "recurrence_longest.UNBOUNDED"), block("all", "", ":parts: to.a, to.c")), "added hypothesis"),
    "a correction in place of what is printed": (
        (A, B, block("b.corrected", "recurrence.LOADS_ALL_IT_CAN"), block("all", "", ":parts: to.a, to.b.corrected")),
        "corrects what is printed"),
    "a correction by another name": (
        (A, B, block("c", "recurrence.LOADS_ALL_IT_CAN", ":corrects: to.b"), block("all", "", ":parts: to.a, to.c")),
        "corrects what is printed"),
    "words that say more": ((A, B, block("all", GROWS, ":parts: to.a, to.b")), "no statement lines"),
    "a proof that is not looked at": ((A, B, block("all", "", ":parts: to.a, to.b", ":proof: none")), "no proof"),
    "a budget that is not looked at": ((A, B, block("all", "", ":parts: to.a, to.b", ":budget: -1")), "no budget"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_part_is_refused(name: str, tmp_path: Path) -> None:
    blocks, why = REFUSED[name]
    with pytest.raises(InputError, match=why):
        claims_of(tmp_path, *blocks)


@pytest.mark.parametrize("source", [None, "added: by nobody", "Added: by nobody"])
def test_a_condition_is_stated_for_the_part_that_has_it(
        source: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another part's condition of the same text has as its source is no source of this part's."""
    printed = instability.COMES_BACK
    assert isinstance(printed.theorem, Theorem)
    sources = dict.fromkeys(printed.sources, source) if source else {}
    other = Model(replace(printed.theorem, goal="0 == 0"), sources=sources)
    monkeypatch.setattr(instability, "OTHER", other, raising=False)
    with pytest.raises(InputError, match="added hypothesis"):
        claims_of(tmp_path, block("a", "instability.COMES_BACK"), block("b", "instability.OTHER"),
                  block("all", "", ":parts: to.a, to.b"))


def test_each_part_s_own_meaning_of_a_condition_is_shown(tmp_path: Path) -> None:
    told = claims_of(tmp_path, A, B, block("all", "", ":parts: to.a, to.b"))
    both, parts = told["to.all"], (told["to.a"], told["to.b"])
    for text, source in both.sources.items():
        assert source == "; ".join(f"({n}) {c.sources[text]}" for n, c in enumerate(parts, 1) if text in c.sources)
    assert both.proof.source == "to.a, to.b" and "to.a, to.b" in markdown(both.proof)


def test_claims_by_parts_are_their_parts() -> None:
    by_parts = [c for c in corpus.claims().values() if isinstance(c.theorem, tuple)]
    assert {c.id for c in by_parts} == {"to.sec-1.agents", "to.sec-4.networks-optimal"}
    for c in by_parts:
        assert len(c.proof.parts) == len(c.theorem) and set(c.sources) == set(c.conditions)
        assert not any("added" in source for source in c.sources.values())
        named = c.marks["parts"].split(", ")
        assert c.theorem == tuple(corpus.find(i).theorem for i in named) and len(named) > 1


# ---- they are put together of what is found for their parts ----

OWN = """from dataclasses import replace
from theorem_uses import CLUSTER, STRONG
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.proving.lines import Proof
A, B = STRONG["averages tend to the mean"], CLUSTER["a bounded sequence is near some point"]
def claim(id, *uses, **more):
    theorems, proofs = tuple(u.theorem for u in uses), tuple(u.proof for u in uses)
    way = {"theorem": theorems, "proof": Proof(parts=proofs)} if more else {"theorem": theorems[0], "proof": proofs[0]}
    return Claim(id, "S", "q", (1, 1), "theorem", note=f"of {id}", **way, **more)
CLAIMS = [claim("mine.both", A, B, marks={"parts": "mine.a, mine.b"}), claim("mine.a", A), claim("mine.b", B),
          claim("mine.alone", B, A, marks={"parts": "mine.a, mine.b"})]
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    return str(tmp_path / "mine.py")


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[Stated]:
    asked: list[Stated] = []
    real = theorems.found

    def counted(theorem: Theorem, proof: Proof, budget: float) -> dict[str, Any]:
        asked.append(theorem)
        return real(theorem, proof, budget)

    monkeypatch.setattr(theorems, "found", counted)
    return asked


@pytest.mark.parametrize("names", [("#mine.both",), ("#mine.both", "#mine.a"), ("#mine.b", "#mine.both", "#mine.a")])
def test_each_part_is_searched_for_once(names: tuple[str, ...], own: str, searched: list[Stated]) -> None:
    """Asked for or not; one that is not asked for is not reported."""
    told: list[tuple[int, int, str]] = []
    verdicts = corpus.verify([own + name for name in names], progress=lambda *said: told.append(said))
    assert [f"#{v.id}" for v in verdicts] == [*names] and {v.verdict for v in verdicts} == {"proved"}
    assert len(searched) == 2 and searched[0] != searched[1] and set(map(repr, searched)) == set(map(repr, BOTH))
    whole = next(v for v in verdicts if v.id == "mine.both")
    assert whole.statement == gate.stated(BOTH) and whole.certificate is not None
    assert check_theorem(whole.certificate.data["theorem"][1], BOTH[1]) == BOTH[1]
    assert [said[:2] for said in told] == [(n, 3) for n in range(4)] and told[-2][2] == "mine.both"


def test_a_whole_of_other_theorems_than_it_names_is_searched_for_itself(own: str, searched: list[Stated]) -> None:
    [verdict] = corpus.verify(own + "#mine.alone")
    assert (verdict.verdict, verdict.statement) == ("proved", gate.stated(BOTH[::-1])) and len(searched) == 2


@pytest.mark.later
def test_processes_and_executors_put_it_together_too(own: str, searched: list[Stated]) -> None:
    names = [f"{own}#mine.{x}" for x in ("both", "b")]
    here = [(v.id, v.verdict, v.statement, v.method) for v in corpus.verify(names)]
    with ThreadPoolExecutor(2) as threads:
        for how in ({"jobs": 2}, {"executor": threads}):
            verdicts = corpus.verify(names, **how)  # type: ignore[arg-type]
            assert [(v.id, v.verdict, v.statement, v.method) for v in verdicts] == here
    assert len(searched) == 4  # here and by the threads; the processes have their own list


def test_no_whole_is_proved_of_a_part_that_is_not(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def open_(theorem: Theorem, proof: Proof, budget: float) -> dict[str, Any]:
        if theorem == POINT.theorem:
            raise theorems.Open("not proved: conclusion")
        return found(theorem, proof, budget)

    monkeypatch.setattr(theorems, "found", open_)
    [verdict] = corpus.verify(own + "#mine.both")
    assert (verdict.verdict, verdict.certificate, verdict.axioms) == ("unknown", None, ())
    assert verdict.note == "(2) bolzano-weierstrass: not proved: conclusion; of mine.b; of mine.both"
    for lie in (lambda parts: ({"theorem": [parts[0].certificate.data] * 2}, ""),
                lambda parts: ({"theorem": [parts[0].certificate.data]}, ""), lambda parts: (parts[0], "")):
        monkeypatch.setattr(theorems, "together", lie)
        with pytest.raises(InputError, match="rejected here"):
            corpus.verify(own + "#mine.both")
