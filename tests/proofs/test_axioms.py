"""Claims that rest on axioms: what they owe is proved, and a false one finds no way round what it owes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.proofs.axiomatic import check_theorem, from_json, owed, said, to_json
from qtheory.proofs.claims.axioms import ANY, AXIOMS, FOSTER, State, Step, Theorem, Use
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.recheck import check as second_check
from qtheory.proofs.theorems import found, referee_theorem
from qtheory.proofs.verdict import Verdict

WORDS = dict.fromkeys(FOSTER.words, "a walk on the naturals")
WALK = Theorem(  # up by one with probability up, down by one, where there is room, with probability down
    ("x in naturals", "0 <= up", "up < down", "up + down <= 1"), ("up", "down"),
    (Use("foster-lyapunov", {"value": "x", "change": "up - down*Min(x, 1)", "lowest": "0", "rate": "down - up",
                             "most": "1"}, WORDS, {"exception": "x < 1"}, State(("x",))),))
MET = ("x = 3", "up = 1/4", "down = 1/2")
STEPS = {"foster-lyapunov: drift": Step(split=("x - 1",))}
HINT: dict[str, Any] = {"instance": MET, "steps": STEPS}


def changed(theorem: Theorem = WALK, *, where: tuple[str, ...] | None = None, parameters: tuple[str, ...] | None = None,
            sets: dict[str, str] | None = None, state: State | None = None, words: dict[str, str] | None = None,
            **terms: str) -> Theorem:
    use = theorem.uses[0]
    other = replace(use, terms={**use.terms, **terms}, sets={**use.sets, **(sets or {})}, state=state or use.state,
                    words=use.words if words is None else words)
    return replace(theorem, where=theorem.where if where is None else where, uses=(other,),
                   parameters=theorem.parameters if parameters is None else parameters)


def refereed(theorem: Theorem, instance: tuple[str, ...] = MET) -> Verdict:
    return referee_theorem(theorem, {**HINT, "instance": instance}, 20.0)


@pytest.fixture(scope="module")
def certificate() -> dict[str, Any]:
    return dict(json.loads(json.dumps(found(WALK, HINT, 20.0))))


def test_what_is_owed_is_proved(certificate: dict[str, Any]) -> None:
    verdict = refereed(WALK)
    assert (verdict.verdict, verdict.axioms) == ("proved", ("foster-lyapunov",))
    assert verdict.title == "proved (axioms: foster-lyapunov)"
    assert verdict.statement.startswith("X is positive recurrent for x in naturals")
    assert verdict.certificate is not None and verdict.certificate.steps > 10
    seen: list[Any] = []
    assert check_theorem(certificate, seen.append, WALK) == WALK
    assert len(seen) == len(owed(WALK).obligations) + 1  # and the witness
    for part in seen:
        second_check(part)


def test_the_axioms_name_their_source_and_owe_all_that_they_say() -> None:
    assert set(owed(WALK).obligations) == {f"foster-lyapunov: {name}" for name in (*FOSTER.hypotheses, "states")}
    for axiom in AXIOMS.values():
        assert axiom.source and axiom.says and axiom.words and axiom.hypotheses
        assert set(axiom.sets.values()) <= {ANY}
        # a set's formula is put where nothing is bound: no variable of it can be captured
        for text in axiom.hypotheses.values():
            assert "{" not in text or not any(word in text for word in ("ForAll", "Exists", "Sum", "Integral"))


# ---- attacks: false theorems, and true ones by false reasons ----

CONTRADICTORY = changed(where=(*WALK.where, "x < 0"))
UNSTABLE = changed(where=("x in naturals", "0 <= down", "down < up"), change="up - down*Min(x, 1)")
ATTACKS: dict[str, tuple[Theorem, str]] = {
    "conditions that contradict each other": (CONTRADICTORY, "not seen to be met"),
    "a drift that is not negative": (UNSTABLE, "positive rate"),
    "the sign of the rate left out": (changed(UNSTABLE, rate="up - down"), "drift"),
    "a rate of nothing": (changed(rate="0"), "positive rate"),
    "a rate that depends on the state": (changed(rate="(down - up)/(1 + x)"), "rate speaks of x"),
    "a rate that depends on what the state decides": (
        changed(where=(*WALK.where, "0 < y"), rate="y"), "rate speaks of y"),
    "an infinite exception": (changed(sets={"exception": "x >= 0"}), "finite set"),
    "a bound that depends on the state": (changed(sets={"exception": "x >= 0"}, most="x"), "most speaks of x"),
    "an exception of another variable": (
        changed(where=(*WALK.where, "y in naturals"), sets={"exception": "y <= 0"}), "drift"),
    "a function that is not bounded below": (changed(value="-x", change="-1", rate="1"), "bounded below"),
    "a lower bound that depends on the state": (changed(value="-x", lowest="-x"), "lowest speaks of x"),
    "a function of what is no part of the state": (
        changed(where=(*WALK.where, "y in naturals"), value="y"), "value speaks of y"),
    "a state that is a parameter too": (changed(parameters=("up", "down", "x")), "variables of its own"),
    "a state that is no natural number": (changed(where=("x >= 0", *WALK.where[1:])), "states"),
    "a state that is left out": (changed(state=State(())), "a state is named"),
    "a mean that is not finite": (changed(change="1/x - 1"), "drift"),
    "a formula that ends its place": (changed(sets={"exception": "x <= 0, 0 <= 0"}), "unexpected ','"),
    "a formula that leaves its place": (changed(sets={"exception": "0 > 1), Or(0 < 1"}), "unexpected ')'"),
    "a term that is a formula": (changed(rate="1 > 0"), "defines no term"),
    "an axiom's symbol as a variable": (changed(where=(*WALK.where, "most >= 5")), "uses a symbol of the axiom"),
    "an axiom's size as a variable": (changed(where=(*WALK.where, "size <= 0")), "uses a symbol of the axiom"),
    "words that are left out": (changed(words={**WORDS, "chain": " "}), "words are left out"),
    "words of one slot only": (changed(words={"chain": "a walk"}), "its words are"),
    "no axiom at all": (replace(WALK, uses=()), "uses an axiom"),
    "an axiom that is none": (replace(WALK, uses=(replace(WALK.uses[0], axiom="oracle"),)), "no axiom 'oracle'"),
    "a goal of its own": (replace(WALK, goal="0 > 1"), "a goal is for axioms that conclude with a formula"),
    "an axiom used twice": (replace(WALK, uses=(*WALK.uses, *WALK.uses)), "used twice"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_fail_where_they_should(name: str) -> None:
    theorem, why = ATTACKS[name]
    verdict = refereed(theorem, (*MET, "y = 1"))
    assert verdict.verdict == "unknown" and not verdict.axioms and verdict.certificate is None
    assert why in verdict.note


def test_the_index_of_the_rows_is_nobodys_variable() -> None:
    rows = changed(where=("v in functions", "i in naturals", "0 <= up", "up < down"), value="i", change="-up",
                   sets={"exception": "i <= 0"}, state=State((), ("v",), "i"))
    assert "variables of its own" in refereed(rows, ("v(j) = 0*j", "i = 1", "up = 0", "down = 1")).note


@pytest.mark.slow
def test_the_instance_leaves_nothing_open() -> None:
    for instance in ((), MET[:2], ("x = y", *MET[1:]), ("x = 3", "up = 1/2", "down = 1/4"), ("x = 1/2", *MET[1:])):
        assert refereed(WALK, instance).verdict == "unknown"


def test_a_step_rests_on_what_stands_before_it() -> None:
    steps = {"foster-lyapunov: drift": Step(given=("up < down/2",))}
    assert "neither a condition nor proved before" in referee_theorem(WALK, {**HINT, "steps": steps}, 9.0).note


# ---- an axiom that concludes with a formula ----

ZERO = Theorem(  # the averages of what is never above a, with a mean above a
    ("v in functions", "ForAll(l, And(Integer(l), l >= 1), v(l) <= a)", "a < m"), ("a", "m"),
    (Use("strong-law", {"draw(l)": "v(l)", "mean": "m"}, {"iid": "draws", "mean": "theirs"}),), goal="0 > 1")


def test_a_mean_that_is_none_is_not_met() -> None:
    """The conditions can be met, and what is owed is proved; but not together with what the axiom concludes."""
    verdict = referee_theorem(ZERO, {"instance": ("v(l) = 0*l", "a = 0", "m = 1")}, 9.0)
    assert verdict.verdict == "unknown"
    sure = replace(ZERO, where=ZERO.where[:1], goal="m >= m")
    assert referee_theorem(sure, {"instance": ("v(l) = 0*l", "a = 0", "m = 1")}, 9.0).verdict == "unknown"
    met = {"lemmas": ("ForAll(n, And(Integer(n), n >= 1), Sum(0*l, (l, 1, n)) == 0)",), "witness": {"N": "1"}}
    good = referee_theorem(sure, {"instance": ("v(l) = 0*l", "a = 0", "m = 0"), "met": met}, 9.0)
    assert (good.verdict, good.axioms) == ("proved", ("strong-law",))
    assert good.certificate is not None and check_theorem(good.certificate.data, wanted=sure) == sure
    assert rejected({**good.certificate.data, "conclusion": None}, None)


def test_nothing_is_captured() -> None:
    """The variables that an axiom's conclusion binds are not the claim's."""
    for terms in ({"draw(l)": "v(l) + n", "mean": "m"}, {"draw(l)": "v(l)", "mean": "e"},
                  {"draw(l)": "v(l + N)", "mean": "m"}):
        use = replace(ZERO.uses[0], terms=terms)
        caught = replace(ZERO, where=ZERO.where[:1], goal="m >= m", parameters=("m", "e"), uses=(use,))
        note = referee_theorem(caught, {"instance": ("v(l) = 0*l", "n = 0", "e = 0", "N = 0", "m = 0")}, 9.0).note
        assert "is bound here and free in a definition" in note


# ---- an axiom about functions of time ----

EMPTIES = Theorem(  # g falls at rate r at the times where on(t) is 1 and g is positive, from a at most
    ("g, v, on in functions", "r > 0", "g(0) <= a", "ForAll(t, t >= 0, g(t) >= 0)",
     "ForAll(t, And(t > 0, on(t) == 1), Or(g(t) <= 0, v(t) <= -r))"), ("r", "a"),
    (Use("dai-weiss", {"load(t)": "g(t)", "slope(t)": "v(t)", "smooth(t)": "on(t)", "rate": "r"},
         {"continuity": "g is", "slope": "v is its derivative"}),),
    goal="ForAll(t, And(t >= 0, r*t >= a), g(t) == 0)")
ALWAYS_EMPTY = ("g(t) = 0*t", "v(t) = 0*t", "on(t) = 1 + 0*t", "r = 1", "a = 1", "w(t) = 1 + 0*t")


def empties(goal: str = EMPTIES.goal or "", without: str = "", more: tuple[str, ...] = (),
            parameters: tuple[str, ...] = EMPTIES.parameters, **terms: str) -> Theorem:
    use = EMPTIES.uses[0]
    own = {x: terms.get(x.partition("(")[0], text) for x, text in use.terms.items()}
    where = tuple(w for w in EMPTIES.where if not without or without not in w)
    return Theorem((*where, *more), parameters, (replace(use, terms=own),), goal=goal)


def ends(theorem: Theorem, instance: tuple[str, ...]) -> Verdict:
    steps = {"dai-weiss: drift": Step(pointwise=True), "conclusion": Step(pointwise=True)}
    return referee_theorem(theorem, {"instance": instance, "steps": steps}, 2.0)


def test_what_falls_while_it_is_positive_is_empty_in_the_end() -> None:
    verdict = ends(EMPTIES, ALWAYS_EMPTY[:5])
    assert (verdict.verdict, verdict.axioms) == ("proved", ("dai-weiss",))
    assert set(owed(EMPTIES).obligations) == {f"dai-weiss: {h}" for h in ("nonnegative", "positive rate", "drift")}
    assert verdict.certificate is not None and check_theorem(verdict.certificate.data, wanted=EMPTIES) == EMPTIES
    assert rejected({**verdict.certificate.data, "conclusion": None}, None)
    falling = ("g(t) = Max(1 - t, 0)", "v(t) = -1 + 0*t", *ALWAYS_EMPTY[2:5])
    assert ends(EMPTIES, falling).verdict == "proved"


FALLS = "Or(g(t) <= 0, v(t) <= -r)"
AT = "ForAll(t, And(t > 0, on(t) == 1), {})"
FALSE_ENDS: dict[str, tuple[Theorem, str]] = {
    "a rate that depends on the time": (empties(rate="-v(t)"), "rate speaks of t, v"),
    "a rate that is a function's value": (empties(rate="-v(1)"), "rate speaks of v"),
    "a rate that is no parameter": (empties(parameters=("a",)), "rate speaks of r"),
    "a rate of any sign": (empties(without="r > 0"), "positive rate"),
    "a rate of nothing": (empties(rate="0*r", goal="1 > 0"), "positive rate"),
    "a rate that is too fast": (empties(rate="2*r"), "drift"),
    "a value that may be negative": (empties(without="g(t) >= 0"), "nonnegative"),
    "a value that is negative once": (
        empties(without="g(t) >= 0", more=("ForAll(t, t >= 0, Or(t == 2, g(t) >= 0))",)), "nonnegative"),
    "a value that is negative at first": (
        empties(without="g(t) >= 0", more=("ForAll(t, t > 0, g(t) >= 0)",)), "nonnegative"),
    "a fall that fails at one load": (
        empties(without="v(t)", more=(AT.format(FALLS.replace("<= 0,", "<= 0, g(t) == 1,")),)), "drift"),
    "a fall that fails at one time": (
        empties(without="v(t)", more=(AT.format(FALLS.replace("<= 0,", "<= 0, t == 1,")),)), "drift"),
    "a fall from some time on": (
        empties(without="v(t)", more=(AT.format(FALLS).replace("t > 0", "t > 1"),)), "drift"),
    "a fall at other times": (
        empties(more=("w in functions",), smooth="w(t)"), "drift"),
    "the slope of something else": (empties(more=("w in functions",), slope="w(t)"), "drift"),
    "a growth": (empties(slope="-v(t)"), "drift"),
    "an end before the first value over the rate": (
        empties("ForAll(t, And(t >= 0, 2*r*t >= a), g(t) == 0)"), "not proved: conclusion"),
    "an end at once": (empties("ForAll(t, t >= 0, g(t) == 0)"), "not proved: conclusion"),
    "an end before all times": (empties("ForAll(t, r*t >= g(0) - 1, g(t) == 0)"), "not proved: conclusion"),
    "a first value without a bound": (empties(without="g(0) <= a"), "not proved: conclusion"),
    "an axiom's symbol as a function": (
        empties(more=("ForAll(t, t >= 0, slope(t) >= 0)",)), "uses a symbol of the axiom"),
}


@pytest.mark.parametrize("name", FALSE_ENDS)
def test_no_function_is_empty_for_a_false_reason(name: str) -> None:
    theorem, why = FALSE_ENDS[name]
    verdict = ends(theorem, ALWAYS_EMPTY)
    assert verdict.verdict == "unknown" and not verdict.axioms and verdict.certificate is None
    assert why in verdict.note


def test_what_stays_positive_does_not_meet_the_conclusion() -> None:
    """Where the drift is owed at no time the words are false; no instance meets what follows."""
    never = empties("r > 0", without="v(t)", more=(AT.format("0 > 1"),))
    positive = ("g(t) = 1 + 0*t", "v(t) = 0*t", "on(t) = 0*t", "r = 1", "a = 1")
    assert "not seen to be met" in ends(never, positive).note
    assert ends(never, ("g(t) = 0*t", *positive[1:])).verdict == "proved"


def test_no_time_is_captured() -> None:
    """The axiom's times are bound: no term speaks of a time of the claim's."""
    for terms in ({"rate": "r + t"}, {"rate": "t"}):
        caught = empties(more=("t > 0",), parameters=("r", "a", "t"), **terms)
        assert "is bound here and free in a definition" in ends(caught, (*ALWAYS_EMPTY[:5], "t = 1")).note


def test_only_what_is_almost_sure_is_said_to_be_so() -> None:
    assert said(EMPTIES) == EMPTIES.goal
    assert said(ZERO) == "with probability 1, 0 > 1"
    assert said(replace(EMPTIES, uses=(*EMPTIES.uses, *ZERO.uses))) == f"with probability 1, {EMPTIES.goal}"
    assert {a.name for a in AXIOMS.values() if a.almost_surely} == {"strong-law"}


# ---- certificates that are changed ----

def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The paths to all texts, numbers and missing values."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*path, key))
    else:
        yield path, data


def put(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    out = copy.deepcopy(data)
    inner = out
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return out


def rejected(data: Any, wanted: Theorem | None = WALK) -> bool:
    try:
        check_theorem(data, lambda part: second_check(part), wanted)
    except KernelError:
        return True
    return False


def test_every_change_of_the_instantiation_is_rejected(certificate: dict[str, Any]) -> None:
    """Of a certificate for the claim; and where no claim is named, of all that an obligation is made from."""
    free = {"words"}  # what the language cannot say: a certificate with other words is one for another theorem
    for path, value in leaves(certificate["theorem"]):
        for other in ({"x": "x + 1", "0": "-1"}.get(value, "0*x"), 7, None, ""):
            if other == value:
                continue
            mutant = put(certificate, ("theorem", *path), other)
            assert rejected(mutant), path
            if other != "" and not free & set(path) and path[0] != "parameters":
                assert rejected(mutant, None), path


@pytest.mark.slow
def test_every_change_of_an_obligation_is_rejected(certificate: dict[str, Any]) -> None:
    bundle = certificate["obligations"]
    changes: list[tuple[str, Any]] = [("goal", "1 > 0"), ("label", "other"), ("verdict", "unknown"),
                                      ("certificate", None)]
    for n, step in enumerate(bundle["steps"]):
        for key, other in changes:
            assert rejected(put(certificate, ("obligations", "steps", n, key), other)), (step["label"], key)
        without = put(certificate, ("obligations", "steps"), [s for s in bundle["steps"] if s is not step])
        assert rejected(without, None), step["label"]
    weaker = [*bundle["context"], "x <= 0"]
    wider: list[tuple[str, Any]] = [("context", weaker), ("context", []), ("let", bundle["let"][:-1]), ("steps", [])]
    for key, other in wider:
        assert rejected(put(certificate, ("obligations", key), other), None), key
    others: list[Any] = [None, [], {}, bundle["steps"][0]["certificate"]]
    for other in others:
        assert rejected({**certificate, "witness": {**certificate["witness"], "certificate": other}}, None)
        assert rejected({**certificate, "obligations": other}, None)
        assert rejected({**certificate, "theorem": other}, None)
    assert rejected({**certificate, "conclusion": bundle}, None)
    assert rejected({k: v for k, v in certificate.items() if k != "witness"}, None)


def test_every_change_of_a_certificate_is_rejected_or_proves_the_same(certificate: dict[str, Any]) -> None:
    """A changed proof may still be one; the theorem that it is for is the caller's in any case."""
    steps = certificate["obligations"]["steps"]
    hit = 0
    for n, step in enumerate(steps):
        for path, value in list(leaves(step["certificate"]["steps"]))[::31]:
            other = (value + 1) if isinstance(value, int) else "hyp"
            hit += rejected(put(certificate, ("obligations", "steps", n, "certificate", "steps", *path), other))
        stated = ("obligations", "steps", n, "certificate", "statement", "goal")
        assert rejected(put(certificate, stated, "1 > 0"))
    assert hit > 8


def test_a_theorem_is_read_back(certificate: dict[str, Any]) -> None:
    assert from_json(json.loads(json.dumps(to_json(WALK)))) == WALK
    raw = certificate["theorem"]
    malformed: list[Any] = [None, [], {}, {**raw, "more": 1}, {**raw, "uses": [{}]}, {**raw, "where": "x"},
                            {**raw, "goal": 3}]
    for bad in malformed:
        with pytest.raises(KernelError):
            from_json(bad)
    assert {f.name for f in fields(Theorem)} == set(raw)


def test_check_says_what_the_certificate_rests_on(certificate: dict[str, Any], tmp_path: Any,
                                                  capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(certificate))
    bad.write_text(json.dumps(put(certificate, ("theorem", "uses", 0, "terms", "rate"), "down")))

    def run(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["check", *arguments])
        return int(ended.value.code or 0), capsys.readouterr().out

    code, said = run(str(good), "--second")
    assert code == 0
    assert said.startswith("proved (axioms: foster-lyapunov): X is positive recurrent\n")
    assert "valid for the theorem above, given axiom foster-lyapunov, by both checkers" in said
    assert "proved: foster-lyapunov: drift: Or(x < 1, change <= -rate)" in said and "rate: down - up" in said
    [result] = json.loads(run(str(good), "--format", "json")[1])["results"]
    assert result["result"] == "valid" and [a["name"] for a in result["axioms"]] == ["foster-lyapunov"]
    for arguments in ((str(bad),), (str(good), "--goal", "x >= 0"), (str(good), "--id", "to.sec-2.3.sketch-foster"),
                      (str(good), "--id", "eb.prop-3.1")):
        code, said = run(*arguments)
        assert code == 1 and "rejected" in said, arguments
