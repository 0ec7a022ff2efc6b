"""The language of proofs: what is read and what is refused, and that a proof is never believed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qtheory as qt
from qtheory.errors import InputError, UnknownNameError
from qtheory.proofs.corpus import claims, papers
from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.proving.lines import Line, Proof, every, rewritten
from qtheory.proofs.proving.reading import proof, proofs, read, read_proof, with_way
from qtheory.proofs.proving.showing import markdown
from qtheory.proofs.rendering import proof_html, proof_latex, proof_text
from qtheory.proofs.tactics.guidance import guidance
from qtheory.proofs.tactics.search import search
from qtheory.proofs.verdict import Verdict

TANGENT = "1. `log(u) < u - 1` for `u > 1` with `u = 1 + x`\n"


def steps(text: str) -> tuple[Line, ...]:
    return read_proof(text).steps


# ---- what is read ----

def test_a_step_says_what_its_words_say() -> None:
    [line] = steps("1. `a*x > 0` for `a > 0, x > 0`, `b > 0` with `a = p/2, x` where `p > 0, b > 1` since `p/2 > 0` by "
                   "slope in `x` from `0`, cases `x - 1`; `p`. Prose may follow.\n")
    assert line.text == "Implies(And(a > 0, x > 0, b > 0), a*x > 0)"
    assert line.at == (("a", "p/2"), ("x", "x")) and line.where == "And(p > 0, b > 1)"
    assert [s.text for s in line.proof] == ["p/2 > 0"]
    assert line.slope == ("x", "0") and line.cases == ("x - 1", "p") and line.by is None


def test_several_uses_and_several_formulas_are_several_steps() -> None:
    assert [s.at for s in steps("1. `f(a) > 0` with `a = 1`; `a = 2`\n")] == [(("a", "1"),), (("a", "2"),)]
    assert [s.text for s in steps("1. `x > 0`, `y > 0`\n2. `x*y > 0` by 1\n")] == ["x > 0", "y > 0", "x*y > 0"]


def test_what_the_goal_needs() -> None:
    found = read_proof(
        "1. witness `y = x/2, z = 1`\n2. rate in `n`: `2`, within `1`\n"
        "3. rate in `t`: `4` times the root, within `1/2`\n"
        "4. rate in `u`: `a` less `b`, within `1/2`\n5. order in `e`: `C`, within `r`\n6. no antiderivative in `s`\n"
        "7. antiderivative in `v`: `v**2`; `v**3`\n8. root between `0` and `2`\n9. the goal by nothing, cases `x`\n")
    assert found.witness == (("y", "x/2"), ("z", "1"))
    assert [(r.x, r.root, r.less) for r in found.rates] == [("n", False, ""), ("t", True, ""), ("u", False, "b")]
    assert found.antiderivatives == (("s", ()), ("v", ("v**2", "v**3"))) and found.bracket == ("0", "2")
    assert found.goal.by == () and found.goal.cases == ("x",)


def test_short_names_are_written_out_in_brackets() -> None:
    text = "Write `h(z)` for `p + z`, `k` for `2*h(1)`, `all` for `a > 0, b > 0`.\n\n1. `h(h(x))**2 > k` for `all`\n"
    assert steps(text)[0].text == "Implies(And(a > 0, b > 0), (p + (p + x))**2 > (2*(p + 1)))"


def test_sections_are_cited_whole_or_at_terms() -> None:
    found = read("Write `d(x)` for `x - 1`.\n\n## one\n\n1. `d(u) > 0` for `u > 1`\n\n## two, also\n\nProse.\n\n"
                 "1. one\n2. one with `u = 3`; `u = y` where `y > 2`\n", "me.md")
    assert found["two"] is found["also"]
    assert [(s.text, s.at, s.where) for s in found["two"].steps] == [
        ("Implies(u > 1, (u - 1) > 0)", (), ""), ("Implies(u > 1, (u - 1) > 0)", (("u", "3"),), "y > 2"),
        ("Implies(u > 1, (u - 1) > 0)", (("u", "y"),), "y > 2")]


def test_a_section_is_cited_with_another_text_for_one_of_its_own() -> None:
    found = read("Write `load` for `x*y`, `both` for `v + w`.\n\n## one\n\n1. (load) `y*load < c` for `c > x*y` by "
                 "`c > x*y`:\n   1. `u < e` with `e = load`\n\n## two\n\n1. one with `both` for `load`\n", "me.md")
    (step,) = found["two"].steps
    assert (step.label, step.formula, step.given, step.by) == (
        "load", "y*((v + w)) < c", ("c > (v + w)",), ("c > (v + w)",))
    assert step.proof[0].at == (("e", "(v + w)"),) and found["one"].steps[0].formula == "y*(x*y) < c"


def test_no_two_names_become_one_where_a_text_is_put_for_another() -> None:
    assert rewritten({"a": "b"}, "b", "c") == {"a": "c"}
    with pytest.raises(ValueError, match="with a for b two names become one"):
        rewritten({"x": {"a": "1", "b": "2"}}, "b", "a")


def test_steps_of_theorems_have_labels() -> None:
    found = read_proof("1. (load) `x > 0` by nothing\n2. (foster-lyapunov: drift) by load, `y > 1`, index by index\n"
                       "3. instance `b = 2, w(l) = l`\n4. law `1/2`: `m = 0`; `1/2`: `m = 1, v(i) = i`\n\n"
                       "### conclusion\n\n1. (late) `x > 1` by load, "
                       "limit of `e` beyond `h` through `n >= N`\n\n### met\n\n1. (each) `x >= 0` by induction\n")
    first, second, late = found.steps
    assert (first.label, first.by, second.label, second.by) == ("load", (), "foster-lyapunov: drift", ("load", "y > 1"))
    assert (second.way, second.formula) == ("index by index", "") and late.concluding and late.limit is not None
    assert found.instance == ("b = 2", "w(l) = l") and found.met[0].way == "induction"
    assert found.law == (("1/2", ("m = 0",)), ("1/2", ("m = 1", "v(i) = i")))


def test_what_is_put_at_an_instance_may_have_a_name() -> None:
    found = read_proof("Write `rest` for `b = 2, w(l) = l`.\n\n1. `x > 0`\n2. instance `rest, S = 2`\n")
    assert found.instance == ("b = 2", "w(l) = l", "S = 2")


def test_chains_have_ways_and_a_place_where_conditions_are_met() -> None:
    known = read_proof("1. (foster-lyapunov: rows) by nothing, first parts of sums\n"
                       "2. way `D = 2, H = 0`, law `1/2`: `m = 0, k = 1`; `1/2`: `m = 1, k = 1`\n3. way `D = 0`\n"
                       "4. under `B >= 1, c > 0`\n\n### met\n\n"
                       "1. instance `f(t) = t, s = 1`\n2. witness `y = log(2), x = 1/y`\n3. `log(2) > 0`\n")
    assert known.steps[0].way == "first parts of sums"
    assert known.ways == ((("D = 2", "H = 0"), (("1/2", ("m = 0", "k = 1")), ("1/2", ("m = 1", "k = 1")))),
                          (("D = 0",), (("1", ()),)))
    assert known.under == ("B >= 1", "c > 0") and known.instance == ("f(t) = t", "s = 1")
    assert known.values == (("y", "log(2)"), ("x", "1/y")) and not known.witness
    assert [line.formula for line in known.met] == ["log(2) > 0"]
    again = read_proof(markdown(known))
    assert read_proof(markdown(again)) == again and again.ways == known.ways and again.values == known.values


def test_where_conditions_are_met_is_said_by_a_proof() -> None:
    """What the search does not find alone; and no proof makes it so where nothing meets them."""
    where = ("f in functions", "ForAll(t, t >= 0, f(t) == 3*t**2 + 1)", "f(x) == 28", "x > 0", "exp(y) == 7")
    met = "### met\n\n1. instance `f(t) = 3*t**2 + 1`\n2. witness `x = 3, y = log(7)`\n3. `exp(log(7)) == 7`\n"
    statement = Statement("f(x) + exp(y) >= 35", where).parsed()
    verdict = decide(statement, proof=read_proof(met), budget=3.0)
    assert verdict.verdict == "proved" and verdict.witness is not None and verdict.witness["f(t)"] == "3*t**2 + 1"
    for wrong in ("x = 3", "x = 2"), ("3*t**2 + 1`", "3*t**2`"), ("y = log(7)", "y = 7"):
        verdict = decide(statement, proof=read_proof(met.replace(*wrong)), budget=3.0)
        assert verdict.verdict == "proved" and (verdict.witness is None or verdict.witness["x"] == "3")


def test_the_page_s_own_example_is_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text(encoding="utf-8")
    found = read(page.partition("```markdown\n")[2].partition("```")[0], "docs/proofs.md")
    assert [len(p.steps) for p in found.values()] == [1, 3]


# ---- what is refused, with its line ----

@pytest.mark.parametrize(("text", "line", "why"), [
    ("1. `x > 0`\n3. `y > 0`\n", 2, "number 2"),
    ("1. `x > 0\n", 1, "backtick"),
    ("1. `(x > 0`\n", 1, "brackets"),
    ("1. `x > 0` fro `y > 0`\n", 1, "'fro'"),
    ("1. `x > 0` for `y > 0` for `z > 0`\n", 1, "once"),
    ("1. `x > 0` with `y`, `z == 1`\n", 1, "a = TERM"),
    ("1. `x > 0` with `y = 1, y = 2`\n", 1, "two terms"),
    ("1. `x > 0` by\n", 1, "needed"),
    ("prose\n\n1. rate in `x`: `K` within\n", 3, "backticks"),
    ("1. witness `y`, nothing more to say\n", 1, "not understood"),
    ("1. somewhere\n", 1, "section"),
    ("1. `x > 0`, `y > 0`\n   1. `z > 0`\n", 1, "one formula"),
    ("1. `x > 0`\n   1. witness `y = 1`\n", 2, "only steps"),
    ("- `x > 0`\n", 1, "neither prose"),
    ("Write `h(z)` for `z`, and so on\n", 1, "Write"),
    ("Write `h(z)` for `z`, `h` for `1`\n", 1, "already"),
    ("Write `h(z)` for `z + 1`\n\n1. `h > 0`\n", 3, "arguments"),
    ("## a\n\n1. `x > 0`\n\n## a\n\n1. `x > 0`\n", 5, "two proofs"),
    ("1. `x > 0`\n\n## a\n\n1. `x > 0`\n", 1, "before the first"),
    ("## a\n\n### b\n", 3, "conclusion"),
    ("## a\n\n1. `x > 0`, `y > 0`\n\n## b\n\n1. a with `x = 1`\n", 7, "one is needed"),
    ("1. root between `1` and `2`\n2. root between `1` and `2`\n", 2, "twice"),
])
def test_mistakes_are_named_with_their_line(text: str, line: int, why: str) -> None:
    with pytest.raises(InputError, match=f"me.md, line {line}: .*{why}|me.md, line {line}: {why}"):
        read(text, "me.md")


@pytest.mark.parametrize("text", ["1. `x >> 0`\n", "1. `x > 0` with `y = 1 +`\n", "1. `x > 0`\n2. `y > 0` by 3\n",
                                  "1. `1 + x`\n", "1. `x > 0` by index by index\n"])
def test_what_is_no_formula_is_refused_before_anything_is_searched(text: str) -> None:
    with pytest.raises(InputError, match="line"):
        decide(Statement("x > -1", ("x > 0",)).parsed(), proof=read_proof(text, "me.md"), budget=1.0)


@given(st.text("123. `x>0forwithby,;:()\n\\", max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read(text, "me.md")
    except InputError as error:
        assert "me.md" in str(error)
    else:
        assert all(isinstance(p, Proof) for p in found.values())


def test_an_unknown_name_is_an_error_with_the_nearest() -> None:
    name = next(iter(proofs("eb")))
    assert proof("eb", name) is proofs("eb")[name]
    with pytest.raises(UnknownNameError, match="proof"):
        proof("eb", name + "x")


# ---- nothing is believed ----

def judged(goal: str, where: tuple[str, ...], text: str, budget: float = 2.0) -> Verdict:
    return decide(Statement(goal, where).parsed(), proof=read_proof(text, "me.md"), budget=budget)


@pytest.mark.parametrize("text", [
    "1. `x**2 > 0`\n", "1. `1 == 2`\n", "1. `x != 0`\n", "1. `u > 0` with `u = x**2`\n", "1. `x > 0` for `x > x`\n",
    "1. `Exists(y, y > y, y > 0)`\n", "1. the goal by cases `x`\n", "1. the goal by induction on `x`\n",
    "1. `x**2 > 0` since `x > 0`\n", "1. `x**2 > 0` by slope in `x` from `0`\n"])
def test_a_false_statement_is_not_proved_whatever_the_proof(text: str) -> None:
    assert judged("x**2 > 0", (), text).verdict == "refuted"


def test_a_wrong_step_is_named_with_its_line() -> None:
    text = "Prose.\n\n1. `exp(x) >= 1 + x`\n2. `exp(x) > 2 + x`:\n   1. `exp(x) > 0`\n   2. `exp(x) > x + 3`\n"
    verdict = judged("exp(exp(x)) > exp(x)", ("x > 0",), text)
    if verdict.verdict != "proved":
        assert "me.md, line 6: step 2.2 is not proved" in verdict.note
    found = search(Statement("exp(exp(x)) > exp(x)", ("x > 0",)).parsed(), proof=read_proof(text, "me.md"), budget=1.0)
    assert found.verdict != "proved" and "me.md, line 6" in str(found.obstacle)


def test_by_nothing_leaves_nothing_to_use() -> None:
    """A step that only its forerunners give is not proved without them."""
    first = "1. `Sum(k**3, (k, 1, n)) == (n*(n + 1)/2)**2`\n"
    goal, where = "Sum(k**3, (k, 1, n)) >= 0", ("n in naturals",)
    known = guidance(Statement(goal, where).parsed(), read_proof(first + "2. `n >= 0` by nothing\n3. the goal by 1\n"))
    assert known.lemmas[1].uses == () and known.goal is not None and known.goal.uses == ("1",)


# ---- the corpus's ----

def corpus_proofs() -> Iterator[tuple[str, Proof]]:
    for paper in papers():
        yield from proofs(paper).items()


@pytest.mark.later
def test_each_proof_of_the_corpus_is_read_back_from_its_own_words() -> None:
    """Printed, with its abbreviations written out, it is the same proof."""
    for name, found in corpus_proofs():
        again = read_proof(proof_text(found), name)
        assert [s.text for s in every(again.steps)] == [s.text for s in every(found.steps)], name
        assert (again.witness, again.rates, again.orders, again.antiderivatives, again.bracket, again.instance) == (
            found.witness, found.rates, found.orders, found.antiderivatives, found.bracket, found.instance), name


def test_each_proof_serves_a_claim_or_a_proof_that_does() -> None:
    for paper in papers():
        named = {c.proof.source + c.proof.name for i, c in claims().items() if i.startswith(f"{paper}.")}
        used = {step.place for i, c in claims().items() if i.startswith(f"{paper}.")
                for step in every((*c.proof.steps, *c.proof.met))}
        for found in proofs(paper).values():
            assert found.source + found.name in named or all(s.place in used for s in found.steps), found.name


def test_proofs_are_printed_for_pages_and_for_latex() -> None:
    found = read_proof("1. `a/b > 0` for `a > 0, b > 0` with `a = x, b = 2`:\n   1. `b > 0`\n2. witness `y = x/2`\n")
    assert proof_html(found).count("<li>") == 3
    assert r"\frac{a}{b}" in proof_latex(found) and proof_latex(found).count(r"\begin{enumerate}") == 2
    statement = Statement("f(x) > 0", ("x > 0",), ("f(x) = x**2",))
    assert r"\item $f(x) = x^{2}$" in proof_latex(read_proof("1. `f(x) == x**2`\n"), statement)


# ---- notebook and Markdown ----

FORMULAS = st.sampled_from(["x > 0", "x + 1 > 1", "exp(x) > 1 + x", "x**2 > x", "x < 0", "log(1 + x) < x", "x >= 2*x"])


@pytest.mark.later
@given(st.lists(FORMULAS, min_size=1, max_size=3))
@settings(max_examples=12, deadline=None)
def test_notebook_and_markdown_agree(formulas: list[str]) -> None:
    """Steps typed one by one, and the same as a file's: what the one proves the other does, and neither more."""
    d = qt.derivation("drawn", budget=2.0)
    d.symbol("x", "x > 0")
    for formula in formulas:
        d.step(formula)
    text = d.to_markdown()
    assert [s.text for s in steps(text)] == formulas
    verdict = search(Statement("x + 1 > 0", ("x > 0",)).parsed(), proof=read_proof(text, "me.md"), budget=2.0)
    failed = "is not proved" in str(verdict.obstacle)
    strategy_held = verdict.verdict == "proved"
    assert strategy_held == d.proved and failed == (not d.proved)


@pytest.mark.parametrize(("goal", "way"), [
    ("Exists(y, y > 0, y < x)", "witness `y = x/2`"), ("x**2 + 1 > x", "cases `x - 1`"),
    ("2**n >= 1 + n", "induction on `n`"), ("exp(x) >= 1 + x", "slope in `x` from `0`")])
def test_the_same_words_say_how_in_a_notebook(goal: str, way: str) -> None:
    d = qt.derivation("words", budget=3.0)
    d.symbol("x", "x > 0")
    d.natural("n")
    assert d.step(goal, by=way).proved
    item = f"the goal by {way}" if not way.startswith("witness") else way
    assert with_way(Proof(), way) == read_proof(f"1. {item}\n")
    assert judged(goal, ("x > 0", "n in naturals"), f"1. {item}\n", 3.0).verdict == "proved"


def test_a_step_s_own_proof_in_a_notebook() -> None:
    d = qt.derivation("own", budget=2.0)
    d.symbol("x", "x > 0")
    assert d.step("log(1 + x) < x", proof=TANGENT).proved
    with pytest.raises(InputError, match="the proof, line 1"):
        d.step("x > 0", proof="1. `x >\n")
    with pytest.raises(InputError, match="neither a step nor a way"):
        d.step("x > 0", by="caess `x`")
