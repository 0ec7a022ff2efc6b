"""Certificates forged by hand: none is accepted. Each comes with the best proofs that can be had for it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction as F
from functools import cache
from typing import Any

import pytest

from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import bramson, dai_wang, fork_join, reentrant_line, rybko_stolyar, tandem
from qtheory.models.network_files import dumps, parse
from qtheory.networks import certified, decide, quadratic, rereading, shipped
from qtheory.networks.certificates import _linear, _numbers, _positive, lyapunov_claim, made
from qtheory.networks.certified import Certified, Rejected, statement
from qtheory.proofs.decide import decide as prove
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.tactics.builder import apply, certificate
from qtheory.theory import lyapunov
from qtheory.theory.fluid import FluidModel
from qtheory.theory.obligations import Obligation, obligations, states

STABLE, GROWS = tandem(["1/2", "2/3"]), rybko_stolyar()
REVERSED = rybko_stolyar().reversed_priority()
OPEN = dai_wang().with_priority({e.name: () for e in dai_wang().engines})  # stable, one piece an engine
JOINED = AgentNetwork((Engine("A"), Engine("B")), (  # Rybko-Stolyar's network; a light visit beside each first one
    RequestType("s", F(1), (Visit("ax", "B", F(1, 100)), Visit("a1", "A", F(1, 10)),
                            Visit("a2", "B", F(3, 5), after=("ax", "a1")))),
    RequestType("t", F(1), (Visit("bx", "A", F(1, 100)), Visit("b1", "B", F(1, 10)),
                            Visit("b2", "A", F(3, 5), after=("bx", "b1")))))).with_priority(
    {"A": ("b2", "a1", "bx"), "B": ("a2", "b1", "ax")})
FCFS = AgentNetwork(tuple(Engine(e.name, policy="fcfs") for e in GROWS.engines), GROWS.types)


def claim_of(network: AgentNetwork) -> dict[str, Any]:
    found = decide(network).certificate
    assert found is not None
    return copy.deepcopy(found["claim"])  # type: ignore[no-any-return]


CYCLE, PIECE, PIECES = claim_of(GROWS), claim_of(STABLE), claim_of(OPEN)
QUADRATIC = claim_of(shipped.load("three-stations"))
assert (CYCLE["kind"], PIECE["kind"], len(PIECES["pieces"]), QUADRATIC["kind"]) == ("paths", "pieces", 2, "quadratic")


def split(claim: dict[str, Any]) -> Any:
    """Why the form of a quadratic claim is positive, or None."""
    n, floor = len(claim["matrix"]), F(claim["floor"])
    matrix = tuple(tuple(F(claim["matrix"][max(j, k)][min(j, k)]) - (floor if j == k else 0) for k in range(n))
                   for j in range(n))
    return quadratic._split(matrix, float(floor))


def forged(network: AgentNetwork, claim: Any) -> dict[str, Any]:
    """The claim with a proof for each formula that can be proved, and for each other one the proof of a true one."""
    try:
        asked = list(obligations(network, claim))
    except ValueError:
        asked = []
    stated = statement((), "1 >= 0")
    other = certificate(stated, "proved", apply("combine", stated.conclusion, (), ((F(1), (), ()),)))
    entries = []
    for o in asked:
        try:
            if o.forms is None and o.given:
                goal = statement(sorted(o.given), o.wanted)
                entry = {"given": sorted(o.given), "wanted": o.wanted,
                         "certificate": certificate(goal, "proved", _positive(goal.conclusion, split(claim)))}
            elif o.forms is None:
                goal = statement((), o.wanted)
                entry = {"given": [], "wanted": o.wanted,
                         "certificate": certificate(goal, "proved", _numbers(goal.conclusion))}
            else:
                proof = lyapunov.proof(o)
                assert proof is not None
                entry = _linear(proof)
        except (KernelError, AssertionError, IndexError, TypeError, ValueError):
            entry = {"given": [], "wanted": o.wanted, "certificate": other}
        if entry not in entries:
            entries.append(entry)
    return {"schema": 2, "claim": claim, "proofs": entries}


def paths(order: list[list[int]], efforts: list[list[str]], *rays: tuple[list[list[str]], list[str], list[str]]
          ) -> dict[str, Any]:
    return {"kind": "paths", "order": order, "efforts": efforts,
            "rays": [{"starts": s, "durations": d, "weights": w} for s, d, w in rays]}


def one(start: list[str], efforts: list[str], duration: str, weight: str) -> dict[str, Any]:
    """A path of one segment in the tandem, which is stable: visits of 1/2 and 2/3 seconds, one request a second."""
    return paths([[0], [1]], [efforts], ([start], [duration], [weight]))


def changed(claim: dict[str, Any], change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    found = copy.deepcopy(claim)
    change(found)
    return found


def first_ray(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    return changed(CYCLE, lambda c: change(c["rays"][0]))


def pieces(rows: list[list[str]], decay: str, floor: str) -> dict[str, Any]:
    return {"kind": "pieces", "pieces": rows, "decay": decay, "floor": floor}


def quadratics(matrix: list[list[str]], decay: str = "1/10", floor: str = "1/10") -> dict[str, Any]:
    return {"kind": "quadratic", "matrix": matrix, "decay": decay, "floor": floor}


def product(*rates: int | str) -> dict[str, Any]:
    return {"kind": "product", "rates": list(map(str, rates))}


def kelly(*means: str) -> AgentNetwork:
    """A re-entrant line ABA' under first come, first served; the mean times of its visits in the order A, A, B."""
    first, last, middle = means
    return ruled(reentrant_line("ABA", [first, middle, last]), "fcfs")


def ruled(network: AgentNetwork, policy: str) -> AgentNetwork:
    return AgentNetwork(tuple(Engine(e.name, policy=policy) for e in network.engines), network.types)


def forking(policy: str) -> AgentNetwork:
    visits = (Visit("1", "A", F(1, 4)), Visit("2", "B", F(1, 4), after=("1",)), Visit("3", "B", F(1, 4), after=("1",)))
    return AgentNetwork((Engine("A", policy=policy), Engine("B", policy=policy)), (RequestType("t", F(1), visits),))


JOINED_FCFS, SHARED = ruled(JOINED, "fcfs"), ruled(GROWS, "processor-sharing")
BRAMSON = bramson(20, "9/10", "1/1000")


def at_load(load: str) -> AgentNetwork:
    return tandem([load, "1/3"])


ZERO, BUSY = ["0", "0"], ["1/2", "2/3"]
CLAIMS: dict[str, tuple[AgentNetwork, Any]] = {
    # paths that are none, that do not grow, or not of this network
    "the empty cycle": (STABLE, one(ZERO, BUSY, "1", "2")),
    "the empty cycle in no time": (STABLE, one(ZERO, BUSY, "0", "2")),
    "no segments": (STABLE, paths([[0], [1]], [], ([], [], ["2"]))),
    "no rays": (STABLE, paths([[0], [1]], [BUSY])),
    "content doubles in no time": (STABLE, one(["1", "0"], ["1", "0"], "0", "2")),
    "backwards in time": (STABLE, one(["1", "0"], ["1", "2/3"], "-1", "2")),
    "idle while there is work": (STABLE, one(["1", "0"], ["0", "0"], "1", "2")),
    "half idle": (STABLE, one(["1", "0"], ["1/4", "1/6"], "2", "2")),
    "work that is undone": (STABLE, one(["1", "0"], ["-1/2", "0"], "1/2", "2")),
    "more than the engine can": (STABLE, one(["0", "1"], ["1/2", "4/3"], "1", "2")),
    "upstream more than it can": (STABLE, one(["0", "1"], ["2", "1"], "2/5", "2")),
    "negative contents": (STABLE, one(["-1", "0"], ["1", "2/3"], "1", "2")),
    "a path that drains": (STABLE, one(["1", "0"], ["1", "2/3"], "1/2", "1/2")),
    "a path that stays, at load 1": (at_load("1"), one(["1", "0"], ["1", "1/3"], "1", "1")),
    "a path that is said to grow, at load 1": (at_load("1"), one(["1", "0"], ["1", "1/3"], "1", "2")),
    "a negative weight": (GROWS, first_ray(lambda r: r.update(weights=["-2"]))),
    "another growth": (GROWS, first_ray(lambda r: r.update(weights=["2"]))),
    "a ray of zero content": (GROWS, changed(CYCLE, lambda c: c["rays"].append(
        {**c["rays"][0], "starts": [["0"] * 4 for _ in c["efforts"]], "weights": ["0", "2"]}))),
    "a cone that is left": (GROWS, changed(CYCLE, lambda c: [r.update(weights=["1", "1"]) for r in (
        c["rays"].append(copy.deepcopy(c["rays"][0])) or c["rays"])])),
    "a segment left out": (GROWS, changed(CYCLE, lambda c: (c["efforts"].pop(1), c["rays"][0]["starts"].pop(1),
                                                            c["rays"][0]["durations"].pop(1)))),
    "segments in another order": (GROWS, changed(CYCLE, lambda c: [x.reverse() for x in (
        c["efforts"], c["rays"][0]["starts"], c["rays"][0]["durations"])])),
    "a path that jumps": (GROWS, first_ray(lambda r: r["starts"].__setitem__(1, [str(2 * F(z)) for z in
                                                                                 r["starts"][1]]))),
    "one duration longer": (GROWS, first_ray(lambda r: r["durations"].__setitem__(0, "9"))),
    "a duration missing": (GROWS, first_ray(lambda r: r["durations"].pop())),
    "priorities ignored": (REVERSED, CYCLE),
    "priorities obeyed, efforts of others": (REVERSED, changed(CYCLE, lambda c: [x.reverse() for x in c["order"]])),
    "priorities under first come, first served": (FCFS, CYCLE),
    "an order without a visit": (GROWS, changed(CYCLE, lambda c: c["order"][0].pop())),
    "an order with a visit twice": (GROWS, changed(CYCLE, lambda c: c["order"][0].append(c["order"][0][0]))),
    "an order of nothing": (STABLE, paths([[], []], [["0", "0"]], ([["1", "0"]], ["1"], ["2"]))),
    "an order of truths": (STABLE, paths([[False], [True]], [BUSY], ([["1", "0"]], ["1"], ["2"]))),
    "a path through a join": (fork_join(), paths([[0], [1], [2], [3]], [["1/2"] * 4], (
        [["1", "0", "0", "0"]], ["1"], ["2"]))),
    # overload
    "the wrong engine": (tandem(["1/2", "5/4"]), {"kind": "overload", "engine": 0}),
    "an engine that is not overloaded": (STABLE, {"kind": "overload", "engine": 1}),
    "load exactly 1": (at_load("1"), {"kind": "overload", "engine": 0}),
    "an engine from the end": (tandem(["1/2", "5/4"]), {"kind": "overload", "engine": -1}),
    "a truth for an engine": (tandem(["1/2", "5/4"]), {"kind": "overload", "engine": True}),
    # pieces
    "decay 0": (at_load("1"), pieces([["1", "0"]], "0", "1/10")),
    "decay 0 of a true function": (STABLE, changed(PIECE, lambda c: c.update(decay="0"))),
    "decay negative": (GROWS, pieces([["1"] * 4], "-100", "1")),
    "floor 0": (GROWS, pieces([["0"] * 4], "1", "0")),
    "floor negative": (GROWS, pieces([["-1"] * 4], "1", "-2")),
    "weights of zero": (GROWS, pieces([["0"] * 4] * 2, "1/10", "1/10")),
    "weights negative": (GROWS, pieces([["-1"] * 4] * 2, "1/10", "1/10")),
    "a function that falls below 0": (at_load("5/4"), pieces([["-1", "0"]], "1/5", "1/10")),
    "the work for each engine": (GROWS, pieces([[str(GROWS.works[v.name] * (v.engine == e.name)) for v in GROWS.visits]
                                                for e in GROWS.engines], "1/10", "1/100")),
    "a decay that is too much": (STABLE, changed(PIECE, lambda c: c.update(decay="1000"))),
    "a function of another network": (GROWS, claim_of(REVERSED)),
    "a piece missing": (OPEN, changed(PIECES, lambda c: c["pieces"].pop())),
    "a piece too many": (OPEN, changed(PIECES, lambda c: c["pieces"].append(c["pieces"][0]))),
    "pieces of other engines": (OPEN, changed(PIECES, lambda c: c["pieces"].reverse())),
    "one piece that is none": (OPEN, changed(PIECES, lambda c: c.update(pieces=c["pieces"][:1]))),
    "a coefficient missing": (STABLE, changed(PIECE, lambda c: c["pieces"][0].pop())),
    "a function at load 1": (at_load("1"), changed(PIECE, lambda c: None)),
    # quadratic functions
    "through a join": (fork_join(), quadratics([["1"], ["0", "1"], ["0", "0", "1"], ["0", "0", "0", "1"]])),
    "a form that falls below 0": (at_load("5/4"), quadratics([["-1"], ["0", "1"]])),
    "a form that does not fall": (GROWS, quadratics([["1"], ["0", "1"], ["0", "0", "1"], ["0", "0", "0", "1"]])),
    "a matrix of zeros": (STABLE, quadratics([["0"], ["0", "0"]])),
    "a negative matrix": (GROWS, quadratics([["-1"], ["0", "-1"], ["0", "0", "-1"], ["0", "0", "0", "-1"]])),
    "a matrix of another size": (STABLE, quadratics([["1"]])),
    "a square in place of its half": (STABLE, quadratics([["1", "0"], ["0", "1"]])),
    "a floor of 0": (GROWS, quadratics([["0"], ["0", "0"], ["0"] * 3, ["0"] * 4], "1", "0")),
    "a matrix of another network": (GROWS, QUADRATIC),
    # product forms
    "a product form at load 1": (kelly("1/2", "1/2", "3/4"), product(1, 1, 1)),
    "a product form beyond load 1": (kelly("3/4", "3/4", "3/4"), product(1, 1, 1)),
    "means that differ under first come, first served": (kelly("1/5", "3/5", "3/4"), product(1, 1, 1)),
    "rates of a lower load": (kelly("3/4", "3/4", "3/4"), product("1/2", "1/2", "1/2")),
    "rates of other visits": (kelly("1/3", "1/3", "3/4"), product(1, "1/2", 1)),
    "rates of zero": (kelly("1/3", "1/3", "3/4"), product(0, 0, 0)),
    "rates below zero": (kelly("3/4", "3/4", "3/4"), product(-1, -1, -1)),
    "a rate missing": (kelly("1/3", "1/3", "3/4"), product(1, 1)),
    "a rate too many": (kelly("1/3", "1/3", "3/4"), product(1, 1, 1, 1)),
    "a product form under every order": (OPEN, product(*[1] * 5)),
    "a product form under priorities": (GROWS, product(*[1] * 4)),
    "a product form of a fork": (forking("fcfs"), product(1, 1, 1)),
    "a product form of a join": (JOINED_FCFS, product(*[1] * 6)),
    "a product form of Bramson's network": (BRAMSON, product(*[1] * 22)),
    "a path where time is shared": (SHARED, CYCLE),
    "a path under Sarathi-Serve": (ruled(GROWS, "sarathi"), CYCLE),
    "a product form of a token scheduler": (ruled(STABLE, "sarathi"), product(1, 1)),
}


def rejected(network: AgentNetwork, data: Any) -> bool:
    try:
        Certified(dumps(network), data)
    except Rejected as error:
        assert "\n" not in str(error)
        return True
    return False


@cache
def best(name: str) -> dict[str, Any]:
    """The claim of that name with its proofs, which the tests of it share."""
    return forged(*CLAIMS[name])


@pytest.mark.parametrize("name", CLAIMS)
def test_no_forged_claim_is_accepted(name: str) -> None:
    assert rejected(CLAIMS[name][0], best(name))


def test_there_are_fifty_and_the_same_means_prove_true_claims() -> None:
    assert len(CLAIMS) + len(FILES) >= 50
    for network, claim in ((STABLE, PIECE), (GROWS, CYCLE), (OPEN, PIECES)):
        assert not rejected(network, forged(network, claim))


# ---- joins ----

@pytest.mark.later
def test_a_function_that_compares_with_one_of_the_joined_visits_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network is not stable; a search that looks at the first branch finds pieces, which nobody accepts."""
    model = FluidModel.of(JOINED)
    assert lyapunov.search(model, linear=False) is None and decide(JOINED).verdict == "undecided"
    with monkeypatch.context() as patch:
        for module in ("lyapunov", "obligations"):
            patch.setattr(f"qtheory.theory.{module}.states", lambda m, some: [next(iter(states(m, some)))])
        found = lyapunov.search(model, linear=False)
        assert found is not None
        data = made(JOINED, lyapunov_claim(found[0]), found[1])
    assert rejected(JOINED, data) and rejected(JOINED, forged(JOINED, lyapunov_claim(found[0])))


def test_pieces_decide_a_network_that_joins_where_one_does_not() -> None:
    """The last of three parallel ways waits for two that follow each other."""
    visits = (Visit("0", "B", F(9)), Visit("1", "A", F(1), after=("0",)), Visit("2", "A", F(2), after=("1",)),
              Visit("3", "B", F(1), after=("1", "2")))
    network = AgentNetwork((Engine("A"), Engine("B")), (RequestType("t", F(9, 100), visits),))
    model = FluidModel.of(network)
    found = lyapunov.search(model, linear=False)
    assert found is not None
    assert Certified(dumps(network), made(network, lyapunov_claim(found[0]), found[1])).verdict == "stable"


# ---- files ----

def tampered(change: Callable[[dict[str, Any]], Any], network: AgentNetwork = STABLE) -> tuple[AgentNetwork, Any]:
    data = json.loads(json.dumps(decide(network).certificate))
    assert not rejected(network, data)
    return network, change(data) or data


def sneaked(**changes: list[str]) -> Callable[[dict[str, Any]], Any]:
    return lambda d: [p["certificate"]["statement"].update(changes) for p in d["proofs"]] and None


FILES: dict[str, Callable[[], tuple[AgentNetwork, Any]]] = {
    "no proofs": lambda: tampered(lambda d: d["proofs"].clear()),
    "a pattern's proof missing": lambda: tampered(lambda d: d["proofs"].pop() and None),
    "a proof of another formula": lambda: tampered(lambda d: d["proofs"][0].update(
        certificate=d["proofs"][1]["certificate"])),
    "certificates exchanged": lambda: tampered(lambda d: [p.update(certificate=c) for p, c in zip(
        d["proofs"], [p["certificate"] for p in d["proofs"]][::-1], strict=True)] and None),
    "a condition sneaked in": lambda: tampered(sneaked(where=["0 >= 1"])),
    "a definition sneaked in": lambda: tampered(sneaked(let=["u1 = 0"])),
    "a definition that is not used": lambda: tampered(sneaked(let=["spare = 0"])),
    "a fact sneaked in": lambda: tampered(lambda d: d["proofs"][-1]["given"].append("0 >= 1")),
    "a fact with a bracket": lambda: tampered(lambda d: d["proofs"][-1].update(given=["0 >= 1), 0 >= 0"])),
    "a goal with a bracket": lambda: tampered(lambda d: d["proofs"][-1].update(wanted="0 >= 0), (0 >= 0")),
    "refuted": lambda: tampered(lambda d: d["proofs"][0]["certificate"].update(verdict="refuted")),
    "no certificate": lambda: tampered(lambda d: d["proofs"][0].update(certificate=None)),
    "another version": lambda: tampered(lambda d: d.update(schema=1)),
    "more keys": lambda: tampered(lambda d: d.update(title="is stable")),
    "a proof with a label": lambda: tampered(lambda d: d["proofs"][0].update(label="L falls")),
    "a proof of nothing that is asked": lambda: tampered(lambda d: d["proofs"].append(
        {**d["proofs"][0], "wanted": "1 >= 0"})),
    "another kind": lambda: tampered(lambda d: d["claim"].update(kind="quadratic")),
    "another verdict": lambda: tampered(lambda d: d["claim"].update(kind="overload")),
    "a derivation": lambda: (STABLE, {"schema": 1, "derivation": "is stable", "version": "1", "let": [],
                                      "context": [], "steps": []}),
    "a list": lambda: (STABLE, []), "nothing": lambda: (STABLE, None), "a text": lambda: (STABLE, "stable"),
}


@pytest.mark.parametrize("name", FILES)
def test_no_forged_file_is_accepted(name: str) -> None:
    assert rejected(*FILES[name]())


@pytest.mark.parametrize("name", [n for n, (_, c) in CLAIMS.items() if c["kind"] == "product" and re.search(
    "every order|priorities|fork|join|scheduler|missing|too many", n)])
def test_the_second_reader_knows_by_itself_what_has_no_product_form(name: str) -> None:
    network, claim = CLAIMS[name]
    with pytest.raises((ValueError, LookupError)):
        list(rereading.formulas(dumps(network), claim))


def test_what_one_reader_alone_leaves_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in one of the readers decides nothing: they have to agree."""
    data = decide(STABLE).certificate
    text = dumps(STABLE)
    with monkeypatch.context() as patch:
        patch.setattr(certified, "obligations", lambda n, c: iter([*obligations(n, c)][1:]))
        with pytest.raises(Rejected, match=r"readers .* disagree"):
            Certified(text, data)
    formulas = rereading.formulas
    monkeypatch.setattr(rereading, "formulas", lambda t, c: iter([*formulas(t, c)][1:]))
    with pytest.raises(Rejected, match=r"readers .* disagree"):
        Certified(text, data)


def test_a_reentrant_line_is_no_tandem() -> None:
    assert rejected(reentrant_line("ABA", ["1/4", "2/3", "1/4"]), decide(STABLE).certificate)


@pytest.mark.sliced(4)
@pytest.mark.parametrize("kind", [
    "are positive", "L is positive", "piece . falls", "is not the largest", "V is positive", "row . falls",
    "the work for engine", "efforts obey", "leads on", "comes back", "the requests that come", "at one rate",
    "the load of engine"])
def test_each_kind_of_formula_is_needed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were it left out by both readers, a forged claim would be accepted."""
    def asked(network: AgentNetwork, claim: Any) -> Iterator[Obligation]:
        return (o for o in obligations(network, claim) if not re.search(kind, o.about))

    def again(text: str, claim: Any) -> Iterator[Any]:
        return iter({(o.given, o.wanted) for o in asked(parse(text), claim)})

    monkeypatch.setattr(certified, "obligations", asked)
    monkeypatch.setattr(rereading, "formulas", again)
    found = []
    for name, (network, claim) in CLAIMS.items():
        try:
            wanted = {o.wanted for o in asked(network, claim)}
        except ValueError:
            continue
        data = best(name)
        found.append(not rejected(network, {**data, "proofs": [p for p in data["proofs"] if p["wanted"] in wanted]}))
    assert any(found)


@pytest.mark.parametrize("network", [STABLE, OPEN, shipped.load("fork-join")], ids=["tandem", "open", "joins"])
def test_a_refutation_is_no_proof(network: AgentNetwork) -> None:
    """Both checkers accept a certificate that refutes what is to be proved."""
    for engine in range(len(network.engines)):
        claim = {"kind": "overload", "engine": engine}
        [due] = obligations(network, claim)
        found = prove(statement((), due.wanted)).certificate
        assert found is not None and found.data["verdict"] == "refuted"
        entry = {"given": [], "wanted": due.wanted, "certificate": found.data}
        with pytest.raises(Rejected, match="is refuted there"):
            Certified(dumps(network), {"schema": 2, "claim": claim, "proofs": [entry]})
