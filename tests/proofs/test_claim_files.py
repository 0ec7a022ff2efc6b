"""Claims as Markdown: what is not understood is an error with its line; a row's conditions are stated."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory.errors import InputError
from qtheory.proofs import corpus
from qtheory.proofs.claims.blocks import KEYS, OPTIONS, READINGS
from qtheory.proofs.claims.loading import paper, select_main
from qtheory.proofs.claims.model import KINDS, Claim
from qtheory.proofs.claims.names import names, of_definition
from qtheory.proofs.claims.papers import read, usual_domain

HEAD = "| symbol | where | meaning | conditions or definition | source |\n| --- | --- | --- | --- | --- |\n"
ROWS = ("| lam, mu | all | rates | > 0 | (1) |", "| rho | all | load | = lam/mu | (2) |",
        "| n | all but 2 | servers | natural, >= 1 | (3) |", "| f | 1 | a function | function, f(0) == 1 | (4) |")
GOAL = "goal: rho > 0"
PAPERS = Path(corpus.__file__).with_name("claims")


def block(*lines: str, id: str = "me.a", options: str = "", quote: str = "> as printed\n", note: str = "") -> str:
    body = "\n".join(("```qtheory", *lines, "```")) if lines else ""
    return f"::::{{claim}} {id}, inequality, l. 3-4\n{options}\n{quote}\n{body}\n\n{note}\n::::\n"


def text(*blocks: str, rows: tuple[str, ...] = ROWS, heading: str = "# Section 1. Rates") -> str:
    return f"{heading}\n\n{HEAD}" + "\n".join(rows) + "\n\n" + "\n".join(blocks)


def claims(tmp_path: Path, source: str) -> tuple[Claim, ...]:
    (tmp_path / "note.md").write_text(source, encoding="utf-8")
    return read(tmp_path / "note.md").claims


def faulty(tmp_path: Path, source: str, marked: str, why: str) -> None:
    """The error is one line, with the file and the line of the marked text, and says why."""
    with pytest.raises(InputError) as caught:
        claims(tmp_path, source)
    line = next(n for n, s in enumerate(source.splitlines(), 1) if marked in s)
    assert str(caught.value).startswith(f"note.md, line {line}: ") and why in str(caught.value), str(caught.value)
    assert "\n" not in str(caught.value)


# ---- a block ----

def test_a_claim_is_what_its_block_says(tmp_path: Path) -> None:
    (claim,) = claims(tmp_path, text(block(
        "given: rho < 1  # the regime,", "  l. 9", "let: W(x) = x/(mu - lam)", "first-at: lam = 1/2, mu = 1  # Table 1",
        "goal: W(rho) >", "  0", options=":severity: edge\n:reading: faithful\n:against: a long\n  name\n:budget: 5\n",
        note="A note\nin two lines.")))
    assert claim.statement is not None
    assert claim.statement.goal == "W(rho) > 0" and claim.statement.where == ("lam > 0", "mu > 0", "rho < 1")
    assert claim.statement.let == ("rho = lam/mu", "W(x) = x/(mu - lam)")
    assert claim.sources == {"lam > 0": "(1)", "mu > 0": "(1)", "rho < 1": "the regime, l. 9"}
    assert (claim.quote, claim.lines, claim.kind, claim.place) == ("as printed", (3, 4), "inequality", "Section 1")
    assert (claim.severity, claim.note) == ("edge", "A note in two lines.")
    assert claim.marks == {"reading": "faithful", "against": "a long name"}
    assert (claim.first_at, claim.setting, claim.budget) == ({"lam": "1/2", "mu": "1"}, "Table 1", 5.0)


def test_words_on_the_head_and_an_indented_statement_say_the_same(tmp_path: Path) -> None:
    """What a reader calls the claim may stand after its lines, and the statement in an indented block."""
    (fenced,) = claims(tmp_path, text(block("given: rho < 1  # a,", "  b", GOAL, options=":severity: edge\n"
                                            ":reading: faithful\n", note="A note.")))
    short = (f"::::{{claim}} me.a, inequality, l. 3-4, edge, faithful\n\n> as printed\n\n    given: rho < 1  # a,\n"
             f"      b\n    {GOAL}\n\nA note.\n::::\n")
    assert claims(tmp_path, text(short)) == (fenced,)
    faulty(tmp_path, text(short.replace("edge", "edgy")), "{claim}", "word on a claim 'edgy'")
    faulty(tmp_path, text(short.replace("edge", "remark, edge")), "{claim}", "is called remark and edge")
    faulty(tmp_path, text(short.replace("\n\n>", "\n:reading: narrowed\n\n>")), ":reading", "stands twice")
    faulty(tmp_path, text(short.replace("A note.", "A note.\n\n    goal: 2 > 1")), "goal: 2", "one block of statement")
    faulty(tmp_path, text(short.replace(GOAL, "gaol: 1")), "gaol", "line of a statement")


CAUSES = """
| root | rank | what fails | practical counterexample | repair | what survives |
| --- | --- | --- | --- | --- | --- |
| late | {rank} | It comes late | at x = 1 | sooner | that it comes |
"""


def test_a_root_is_a_row_of_a_table_and_has_the_rank(tmp_path: Path) -> None:
    named = text(block("goal: 1 > 0", options=":root: late\n"))
    (claim,) = claims(tmp_path, named + CAUSES.format(rank="step"))
    assert claim.marks == {"root": "late", "rank": "step"}
    with pytest.raises(InputError, match="unknown root 'late'"):
        claims(tmp_path, named)
    with pytest.raises(InputError, match="unknown rank of a root 'grave'"):
        claims(tmp_path, named + CAUSES.format(rank="grave"))
    with pytest.raises(InputError, match="the root late stands twice"):
        claims(tmp_path, named + CAUSES.format(rank="step") + "\n" + CAUSES.format(rank="step"))
    with pytest.raises(InputError, match="unknown option of a claim 'rank'"):
        claims(tmp_path, text(block("goal: 1 > 0", options=":rank: step\n")))


def test_premises_name_what_is_assumed_where_and_by_which_claims(tmp_path: Path) -> None:
    table = ("\n| premise | what is assumed | source | a hypothesis of | judged by |\n"
             "| --- | --- | --- | --- | --- |\n"
             "| calm | No surges | l. 9 | me.a | {judged} |\n")
    (tmp_path / "note.md").write_text(text(block(GOAL)) + table.format(judged=""), encoding="utf-8")
    (premise,) = read(tmp_path / "note.md").premises.values()
    assert (premise.says, premise.source, premise.taken, premise.judged) == ("No surges", "l. 9", ("me.a",), ())
    faulty(tmp_path, text(block(GOAL)) + table.format(judged="me.b"), "| calm", "unknown claim of a premise 'me.b'")
    faulty(tmp_path, text(block(GOAL)) + table.format(judged="").replace("l. 9", ""), "| calm", "all but the last")


def test_a_usual_domain_is_printed_as_one(tmp_path: Path) -> None:
    (claim,) = claims(tmp_path, text(block("usual-domain: rho < 1  # log(1 - rho)", "goal: -log(1 - rho) > 0")))
    assert usual_domain(claim) == ("rho < 1",) and claim.sources["rho < 1"] == "usual domain: log(1 - rho)"
    verdict = corpus.referee(claim)
    assert verdict.verdict == "proved" and "rho < 1" in verdict.statement


def test_a_condition_of_the_table_is_repeated_in_a_note_of_ones_own_alone(tmp_path: Path) -> None:
    """A theorem says again what is assumed throughout, and an import quotes it so; in the corpus it has one home."""
    source = text(block("given: lam > 0, rho < 1  # Theorem 1", "given: mu > 0", GOAL))
    (claim,) = claims(tmp_path, source)
    assert claim.statement is not None and claim.statement.where == ("lam > 0", "mu > 0", "rho < 1")
    assert claim.sources == {"lam > 0": "(1); Theorem 1", "mu > 0": "(1)", "rho < 1": "Theorem 1"}
    with pytest.raises(InputError, match=r"line 15: the table of symbols states 'lam > 0' already"):
        _ = read(tmp_path / "note.md", "qtheory.proofs.claims.wait").claims


def test_at_puts_a_value_for_a_variable_that_a_definition_of_the_table_holds(tmp_path: Path) -> None:
    (claim,) = claims(tmp_path, text(block("goal: At(rho, lam, mu/2) == 1/2")))
    assert corpus.referee(claim).verdict == "proved"
    (claim,) = claims(tmp_path, text(block("let: W = rho/mu", "goal: At(W, lam, 2*mu) > 2")))
    assert corpus.referee(claim).verdict == "refuted"
    assert not names("At(W(x), x, mu)").free & {"x"}  # as that of a sum


def test_the_setting_of_a_counterexample_is_told(tmp_path: Path) -> None:
    inside, outside = claims(tmp_path, text(
        block("first-at: lam = 3, mu = 2  # Table 1", "goal: rho < 1"),
        block("first-at: lam = 1, mu = 2  # Table 1", "goal: rho < 1", id="me.b")))
    found = [corpus.referee(claim) for claim in (inside, outside)]
    assert [v.verdict for v in found] == ["refuted", "refuted"]
    assert found[0].counterexample == {"lam": "3", "mu": "2"} and found[0].note == "At Table 1."
    assert found[1].note == "Not at Table 1, where it was looked for."


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.text("abcdefghijklmnopqrstuvwxyz-", min_size=1, max_size=12).filter(lambda s: s not in (*OPTIONS, *KEYS)))
def test_unknown_options_and_lines_are_errors(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    tmp_path = tmp_path_factory.mktemp("note")
    faulty(tmp_path, text(block(GOAL, options=f":{name}: x\n")), f":{name}: x", "option of a claim")
    faulty(tmp_path, text(block(f"{name}: x > 0", GOAL)), f"{name}: x > 0", "line of a statement")


@pytest.mark.parametrize("name", OPTIONS)
def test_options_stand_once_and_have_a_value(tmp_path: Path, name: str) -> None:
    faulty(tmp_path, text(block(GOAL, options=f":{name}: x\n:{name}: yy\n")), ": yy", f"the option {name} stands twice")
    faulty(tmp_path, text(block(GOAL, options=f":{name}:\n")), f":{name}:", f"the option {name} has no value")


@pytest.mark.parametrize(("lines", "marked", "why"), [
    (("given: rho < 1",), "given: rho", "the statement has no goal"),
    ((GOAL, "goal: 1 > 0"), "goal: 1", "stands twice"),
    ((), "{claim} me.a", "no goal, and declares no verdict"), ((GOAL, "x > 0"), "x > 0", "not of the form"),
    (("given: rho < 1, rho < 1", GOAL), "rho < 1, rho", "stands twice"), (("goal: foo > 0",), "foo", "the symbol foo"),
    (("let: lam = 2", GOAL), "let: lam", "lam has a row"), (("also: mu", GOAL), "also: mu", "mu has a row"),
    (("let: W(lam) = lam", "goal: W(2) > 0"), "W(lam)", "lam has a row"),
    (("goal: ForAll(lam, lam > 1, lam > rho)",), "ForAll", "lam has a row"),
    (("given: f in functions", GOAL), "in functions", "f has a row"),
    (("first-at: lam", GOAL), "first-at", "no value of a variable"),
    (("first-at: nu = 1", GOAL), "first-at", "nu is no variable of the statement"),
    (("first-at: lam = 1e400", GOAL), "first-at", "beyond 10**300"), (("first-at: lam = mu", GOAL), "first-at", "mu;"),
    (("first-at: lam = 9**9**9", GOAL), "first-at", "not computed"),
    (("given: lam < 9  # (1): few", "  mu < 9", GOAL), "  mu < 9", "part of the comment"),
    (("goal: rho > 0  # (1)", "  + lam"), "  + lam", "part of the comment"),
    (("given: lam < 9  # (1)", "  k in naturals", GOAL), "  k in", "part of the comment"),
    (("given: lam < 9,  # (1)", GOAL), "lam < 9", "ends with a comma"),
    (("second: 0", GOAL), "second", "begins with _"),
    (("model: os.system",), "os.system", "names code"), (("says: all is well", GOAL), "says", "without a model"),
])
def test_faulty_statements(tmp_path: Path, lines: tuple[str, ...], marked: str, why: str) -> None:
    faulty(tmp_path, text(block(*lines)), marked, why)


def test_a_source_in_words_may_take_several_lines(tmp_path: Path) -> None:
    [claim] = claims(tmp_path, text(block("given: lam < 9  # l. 1: few arrivals,", "  p0) in slots of 0.1 ms", GOAL)))
    assert claim.sources["lam < 9"] == "l. 1: few arrivals, p0) in slots of 0.1 ms"


@pytest.mark.parametrize(("line", "why"), [
    ("  given: lam < 8", "deeper"), ("  given: lam < 8  # l. 4", "deeper"), ("  Given : lam < 8", "deeper"),
    ("  goal: lam < 8", "deeper"), ("  lam < 8  # l. 4", "comment before it"), ("  lam < 8", "comment before it"),
    ("  few arrivals  # lam < 8", "comment before it")])
def test_no_condition_is_lost_in_a_comment(tmp_path: Path, line: str, why: str) -> None:
    for first in ("given: lam < 9  # l. 3", "given: lam < 9  # l. 3,", "let: c = 9  # l. 3"):
        faulty(tmp_path, text(block(first, line, GOAL)), line, why)
    if "comment" not in why:
        faulty(tmp_path, text(block("given: lam < 9", line, GOAL)), line, why)


@pytest.mark.parametrize("lines", [
    ("let: lam_2 = 1", GOAL), ("also: lam_2", GOAL), ("goal: ForAll(mu_2, mu_2 > 1, mu_2 > 0)",),
    ("given: rho_2 in functions", GOAL), ("goal: Sum(n_2, (n_2, 1, 2)) == 3",)])
def test_names_of_a_second_system_are_not_bound(tmp_path: Path, lines: tuple[str, ...]) -> None:
    faulty(tmp_path, text(block("second: _2", *lines)), lines[0], "has a row in the table of symbols")
    assert claims(tmp_path, text(block("second: _3", *lines)))


@pytest.mark.parametrize(("source", "marked", "why"), [
    *((block(GOAL, options=f":budget: {seconds}\n"), "{claim}", "a number of seconds between 0 and 86400")
      for seconds in ("nan", "inf", "-1", "0", "1e9")),
    (block(GOAL, options=":budget: soon\n"), "{claim}", "no number of units of work"),
    (block(GOAL).replace("{claim}", "{note}"), "{note}", "the directive is"),
    (block(GOAL).removesuffix("::::\n"), "{claim}", "is not closed"),
    (block(GOAL).replace("l. 3-4", "line 3"), "{claim}", "it should begin as"),
    (block(GOAL).replace("inequality", "guess"), "{claim}", "guess"),
    (block(GOAL) + block(GOAL, quote="> again\n").replace("{claim} me.a", "{claim}  me.a"), "{claim}  me.a",
     "stands twice"),
    (block(GOAL, options=":reading: fine\n"), "{claim}", ", ".join(READINGS[:2])),
    (block(GOAL, options=":verdict: reported\n"), "{claim}", "a goal, and declares a verdict"),
    (block(GOAL, options=":proof: mine\n"), "{claim}", "a proof by name"),
    *((block(GOAL, options=f":{option}: {id}\n"), "{claim}", f"{option} names '{id}', which is no other claim")
      for option in ("corrects", "corrected-by", "readings") for id in ("me.a", "me.b")),
    (block(GOAL, note="```qtheory \nmore\n```"), "```qtheory ", "one block of statement lines"),
    (block("given: x < 5 # (5)", "goal: x > -1", note="A word.\n\n| symbol | holds |\n| --- | --- |\n| x | all |"),
     "| symbol | holds |", "a table of symbols in a claim"),
])
def test_faulty_blocks(tmp_path: Path, source: str, marked: str, why: str) -> None:
    faulty(tmp_path, text(source), marked, why)


@pytest.mark.parametrize(("row", "why"), [
    ("| x |  | | > 0 | (1) |", "does not say where"), ("| 2x | all | | > 0 | (1) |", "no name"),
    ("| exp | all | | > 0 | (1) |", "a meaning in the language"), ("| x | all | | > 0 | |", "without a source"),
    ("| F(x) | all | | > 0 | (1) |", "no definition"), ("| lam | 1 | | > 1 | (9) |", "another row that holds for me.a"),
    ("| x | all | | claim me.b: x > 0 | (1) |", "no claim of this paper"),
    ("| rho2 | all | | = lam/nu | (1) |", "speaks of nu, which has no row"),
    *((f"| x | {where} | | > 0 | (1) |", "which is no claim of this paper and no section's label")
      for where in ("me.aa", "me.a, me.b", "all but me.b", "Section 1", "1.", "All")),
])
def test_faulty_rows(tmp_path: Path, row: str, why: str) -> None:
    goal = "goal: rho2 > 0" if "rho2" in row else GOAL
    faulty(tmp_path, text(block(goal), rows=(*ROWS, row)), row, why)
    with pytest.raises(InputError, match="has the columns"):
        claims(tmp_path, text(block(GOAL)).replace("| meaning |", "| what |"))
    with pytest.raises(InputError, match="has the columns"):
        claims(tmp_path, text(block("given: x < 5 # (5)", "goal: x > -1"), rows=("| x | all | | > 0 | (1) |",)).replace(
            "| symbol |", "| Symbol |"))


# ---- what is taken from the table ----

def test_order_and_layout_do_not_matter(tmp_path: Path) -> None:
    """Rows, options and conditions in another order, and blank lines, make the same statement."""
    lines = ["given: rho < 1  # a", "given: n > lam  # b", "let: W = rho/(mu - lam)", "goal: W > 0"]
    options = [":severity: edge", ":corrected-by: me.b", ":against: it"]
    better = block("goal: rho > 0", id="me.b")
    first, _ = claims(tmp_path, text(block(*lines, options="\n".join(options) + "\n"), better))
    for seed in range(12):
        rng = random.Random(seed)
        rows = rng.sample(ROWS, len(ROWS))
        mixed = block(*rng.sample(lines, 4), options="\n".join(rng.sample(options, 3)) + "\n\n")
        other, _ = claims(tmp_path, text(mixed, better, rows=tuple(rows)))
        assert other.statement is not None and first.statement is not None
        assert set(other.statement.where) == set(first.statement.where) and other.sources == first.sources
        assert set(other.statement.let) == set(first.statement.let) and other.statement.goal == first.statement.goal
        assert (other.severity, other.corrected_by, other.marks) == (first.severity, first.corrected_by, first.marks)


@pytest.mark.parametrize("name", corpus.papers())
def test_a_rows_conditions_are_always_stated(name: str) -> None:
    """Of each free symbol of a statement: what its row says is a condition or a definition of it."""
    paper = corpus.paper(name)
    from qtheory.proofs.claims.symbols import Table

    table = Table(cells for _, page in paper.pages for cells in page.rows)
    listed = {c.id: c for c in paper.claims}
    for block in paper.blocks:
        statement = listed[block.id].statement
        if statement is None:
            continue
        spoken = set[str]().union(*(names(t).free for t in (statement.goal, *statement.where)),
                                  *(of_definition(t)[1].free for t in statement.let))
        for symbol, row in table.holding(block.section, block.id).items():
            if symbol in spoken and not row.claim:
                assert set(row.conditions) <= set(statement.where), (block.id, symbol)
                assert not row.let or row.let in statement.let, (block.id, symbol)
        assert {w for w in statement.where if w in listed[block.id].sources} == set(listed[block.id].sources)


def test_rows_hold_where_they_say(tmp_path: Path) -> None:
    source = text(block("goal: n > 0")) + "\n# Section 2.1. More\n\n" + block("given: n > 5", "goal: n > 0", id="me.b")
    first, second = (c.statement for c in claims(tmp_path, source))
    assert first is not None and first.where == ("n in naturals", "n >= 1")
    assert second is not None and second.where == ("n > 5",)


def test_a_second_system_has_the_same_rows(tmp_path: Path) -> None:
    (claim,) = claims(tmp_path, text(
        block("second: _2", "given: rho == rho_2  # one load", "goal: lam*mu_2 == lam_2*mu")))
    assert claim.statement is not None
    assert claim.statement.let == ("rho = lam/mu", "rho_2 = lam_2/mu_2")
    assert claim.statement.where == ("lam > 0", "mu > 0", "lam_2 > 0", "mu_2 > 0", "rho == rho_2")


def test_a_row_binds_no_name_of_a_second_system(tmp_path: Path) -> None:
    row = "| q | all | a mean | = E(mu_2*mu, (mu_2, Empirical(1, 3))) | (1) |"
    source = text(block("second: _2", "goal: q_2 == 5"), rows=(*ROWS, row))
    with pytest.raises(InputError, match="the row of q says mu_2, which a second system calls its mu"):
        claims(tmp_path, source)


def test_an_imported_result_is_never_circular(tmp_path: Path) -> None:
    """The row that rests on a claim is taken by others, but not by that claim nor by one that it rests on."""
    row = "| t0 | all | the threshold | claim me.main: 0 < t0, t0 < 1 | Thm. 1 |"
    source = text(block("given: t0 > -1  # Lemma", "goal: t0 >= 0", id="me.lemma"),
                  block("given: mu > t0  # me.lemma", "given: t0*lam == 1  # (5)", "goal: t0 > 0", id="me.main"),
                  block("goal: t0 < 2", id="me.use"), rows=(*ROWS, row))
    lemma, main, use = claims(tmp_path, source)
    assert use.imported == ("me.main",) and use.statement is not None
    assert use.statement.where == ("0 < t0", "t0 < 1") and use.sources["t0 < 1"] == (
        "given, as me.main has it (not compared); Thm. 1")
    for claim in (lemma, main):
        assert claim.imported == () and claim.statement is not None and "t0 < 1" not in claim.statement.where


@pytest.mark.parametrize(("goal", "row", "compared"), [
    ("ExistsUnique(y, And(0 < y, y < 1), y*lam == 1)", "0 < t, t < 1, t*lam == 1", True),
    ("And(lam > 0, Exists(y, 0 < y < 1, y*lam == 1))", "t < 1, t*lam == 1", True),
    ("Exists(y, And(0 < y, y < 1), y*lam == 1)", "0 < t, t < 1, t == 1/2", False),
    ("And(Exists(y, y < 1, y > 0), Exists(z, z > 2, z < 3))", "t < 1, t > 2", False),
    ("Exists(y, And(0 < y, y < t), y < 1)", "0 < t, t < 1", False),
    ("ForAll(u, u > 0, Exists(y, And(0 < y, y < 1), y < u))", "0 < t, t < 1", False)])
def test_an_instance_is_of_one_existence(goal: str, row: str, compared: bool, tmp_path: Path) -> None:
    """All that a row says of its symbol is said of one and the same thing, of which the claim does not speak itself."""
    main, use = claims(tmp_path, text(
        block("given: lam > 1  # (6)", "also: t  # a time", f"goal: {goal}", id="me.main"),
        block("given: lam > 1  # (6)", "goal: t > 0", id="me.use"),
        rows=(*ROWS, f"| t | me.use | a time | claim me.main: {row} | Thm. 1 |")))
    told = [source for source in use.sources.values() if "me.main" in source]
    assert len(told) == len(row.split(",")) and main.imported == ()
    assert all(("not compared" not in source) == compared for source in told), told


# ---- the corpus ----

def test_each_imported_result_is_what_its_claim_states() -> None:
    assert not [(c.id, source) for c in corpus.claims().values() for source in c.sources.values()
                if "not compared" in source]


def lines_of(files: Iterable[Path]) -> int:
    """Lines that are not blank, of 120 columns."""
    texts = (line for f in files for line in f.read_text(encoding="utf-8").splitlines() if line.strip())
    return sum(-(-len(text) // 120) for text in texts)


@pytest.mark.parametrize(("name", "whole"), [("eb", 13), ("to", 27)])
def test_a_claim_takes_few_lines(name: str, whole: int, record_property: Callable[[str, object], None]) -> None:
    """Ten lines a claim of what a reader reads, sections and symbols; with all else in the folder, settings, proofs and
    models, no more than there are today."""
    folder, claims = PAPERS / name, len(corpus.paper(name).claims)
    told = lines_of(folder.glob("*.md"))
    all_ = lines_of(f for f in folder.rglob("*.*") if f.suffix in (".md", ".py", ".toml"))
    record_property("lines a claim", told / claims)
    record_property("lines a claim, whole folder", all_ / claims)
    assert told <= 10 * claims and all_ <= whole * claims


# ---- the main results ----

def folder(tmp_path: Path, main: str) -> Path:
    (tmp_path / "symbols.md").write_text(text(""), encoding="utf-8")
    (tmp_path / "paper.toml").write_text(f'sections = []\nitems = []\nopen = ["a.thm-1"]\nmain = [{main}]\n',
                                         encoding="utf-8")
    return tmp_path


def test_a_main_result_is_one_of_the_printed_statements(tmp_path: Path) -> None:
    assert read(folder(tmp_path, '"a.thm-1"')).main == ("a.thm-1",)
    with pytest.raises(InputError, match=r"main names a\.thm-2, which is not one of items, context and open"):
        read(folder(tmp_path, '"a.thm-2"'))


def test_an_item_without_a_claim_is_told(tmp_path: Path) -> None:
    settings = folder(tmp_path, "") / "paper.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("items = []", 'items = ["a.lem-1"]'),
                        encoding="utf-8")
    with pytest.raises(InputError, match=r"items names a\.lem-1, which no section claims; it may stand in open"):
        read(tmp_path)


def test_main_selects_the_main_results_with_their_parts_and_corrections() -> None:
    listed = paper("wait")
    found, bare = select_main(["wait"])
    assert set(found) & set(listed.main) == set(listed.main) & {c.id for c in listed.claims}
    assert all(any(i == m or i.startswith(f"{m}.") for m in listed.main) for i in found)
    assert bare == [m for m in listed.main if m in listed.open]
    assert "wait.alg-2.corrected" in found and "wait.sec-3.1.work" not in found
    assert set(found) <= set(select_main([])[0])


@pytest.mark.parametrize("name", ["eb", "wait.prop-1", "nobody"])
def test_main_is_of_papers_that_list_their_main_results(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} is no paper that lists its main results; these do: .*wait"):
        select_main([name])


def test_the_guide_lists_the_kinds() -> None:
    guide = Path(__file__).parents[2].joinpath("docs", "claims.md").read_text(encoding="utf-8")
    said = next(line for line in guide.splitlines() if line.startswith("**Kinds**"))
    assert said == f"**Kinds**: {', '.join(f'`{kind}`' for kind in KINDS)}."
