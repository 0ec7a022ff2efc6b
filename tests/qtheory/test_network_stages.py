"""Networks that drain in stages: large ones are decided, and certificates that were changed are not accepted."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from qtheory.models.network import AgentNetwork
from qtheory.models.network_classics import first_buffer_first, last_buffer_first, lu_kumar, reentrant_line
from qtheory.models.network_files import dumps, parse
from qtheory.networks import Certified, Rejected, decide, deciding, rereading
from qtheory.networks.certificates import made, stages_claim
from qtheory.proofs.kernel.terms import KernelError
from qtheory.theory import draining
from qtheory.theory.boxes import Box, Tree, leaves
from qtheory.theory.fluid import FluidModel
from qtheory.theory.obligations import obligations

Order = Callable[[AgentNetwork], AgentNetwork]


def line(word: str, load: F = F(99, 100)) -> AgentNetwork:
    """A re-entrant line of unlike visits whose stations all have this load."""
    weight = [F(1 + 3 * i % 5) for i in range(len(word))]
    total = {s: sum(w for w, t in zip(weight, word, strict=True) if t == s) for s in word}
    return reentrant_line(word, [load * w / total[s] for w, s in zip(weight, word, strict=True)])


def in_stages(network: AgentNetwork) -> dict[str, Any]:
    found = draining.search(FluidModel.of(network))
    assert found is not None
    return made(network, stages_claim(found[0]), found[1])


@pytest.mark.later
@pytest.mark.sliced(4)
@pytest.mark.parametrize("order", [first_buffer_first, last_buffer_first])
@pytest.mark.parametrize("word", ["ABCDEFGHABCDEFGHABCDEFGH", "ABCDEFGHCADBGEHFHGFEDCBA"])
def test_lines_of_eight_stations_are_stable(word: str, order: Order) -> None:
    found = decide(order(line(word)))
    assert found.verdict == "stable" and found.stages and found.certificate is not None
    assert len(found.certificate["proofs"]) < 80
    told = str(found)
    assert "drains in" in told and "stage 1: " in told and "until it is 0, and stays 0" in told
    assert sorted(v for s in found.to_json()["stages"] for v in s["weights"]) == sorted(
        v.name for v in found.network.visits)


def test_an_unstable_network_does_not_drain() -> None:
    assert draining.search(FluidModel.of(lu_kumar())) is None
    overloaded = first_buffer_first(line("ABAB", F(101, 100)))
    assert draining.search(FluidModel.of(overloaded)) is None


def test_the_search_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "_unstable", lambda *_: None)
    found = decide(last_buffer_first(line("ABCDEFGHABCDEFGHABCDEFGH")), budget=0.01)
    assert found.verdict == "undecided" and "stages in which it drains: none within the budget" in found.searched


def trees(rng: random.Random, box: Box, depth: int) -> Tree:
    at = list(box.splits())
    if not at or depth == 0 or rng.random() < 0.3:
        return ()
    engine, group = rng.choice(at)
    some, none = box.split(engine, group)
    return engine, group, trees(rng, some, depth - 1), trees(rng, none, depth - 1)


@pytest.mark.parametrize("seed", range(20))
def test_leaves_hold_each_pattern_once(seed: int) -> None:
    model = FluidModel.of(last_buffer_first(line("ABCABC")))
    tree = trees(random.Random(seed), Box.whole(model), 6)
    for levels in itertools.product(*(range(len(engine) + 1) for engine in model.groups)):
        inside = [box for box in leaves(tree, Box.whole(model))
                  if all(a <= at <= b for a, at, b in zip(box.empty, levels, box.within, strict=True))]
        assert len(inside) == 1


@pytest.mark.parametrize("seed", range(20))
def test_the_readers_make_the_same_formulas(seed: int) -> None:
    """Whatever the weights, the decay and the trees are."""
    rng = random.Random(seed)
    network = rng.choice([line("ABCAB"), last_buffer_first(line("ABCAB")), first_buffer_first(line("ABBA"))])
    model = FluidModel.of(network)
    places = [rng.randrange(3) for _ in model.visits]
    claim = {"kind": "stages", "stages": [
        {"weights": [str(F(rng.randint(1, 5), 3)) if place == stage else "0" for place in places],
         "decay": str(F(rng.randint(-1, 3), 2)), "tree": plain(trees(rng, Box.whole(model), 5))} for stage in range(3)]}
    text = dumps(network)
    first = {(o.given, o.wanted) for o in obligations(parse(text), claim)}
    assert first == set(rereading.formulas(text, claim)) and first


def plain(tree: Tree) -> list[Any]:
    return [plain(part) if isinstance(part, tuple) else part for part in tree]


def forgeries(claim: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    def changed(what: str, change: Callable[[list[Any]], Any]) -> tuple[str, dict[str, Any]]:
        other = copy.deepcopy(claim)
        change(other["stages"])
        return what, other

    yield changed("no stage", list.clear)
    yield changed("a stage is missing", list.pop)
    yield changed("a stage stands twice", lambda s: s.append(copy.deepcopy(s[0])))
    yield changed("another order", list.reverse)
    yield changed("a negative weight", lambda s: s[0].update(weights=["-1", *s[0]["weights"][1:]]))
    yield changed("no decay", lambda s: s[0].update(decay="0"))
    yield changed("a decay below 0", lambda s: s[0].update(decay="-1"))
    yield changed("too large a decay", lambda s: s[0].update(decay="1000"))
    yield changed("no tree", lambda s: s[0].update(tree=[]))
    yield changed("half a tree", lambda s: s[0].update(tree=s[0]["tree"][:3]))
    yield changed("a split outside", lambda s: s[0].update(tree=[0, 9, [], []]))
    yield changed("a split before the first", lambda s: s[0].update(tree=[-1, 0, [], []]))
    yield changed("the halves of a split the other way round",
                  lambda s: s[0].update(tree=[*s[0]["tree"][:2], s[0]["tree"][3], s[0]["tree"][2]]))
    yield changed("a number that is true", lambda s: s[0].update(tree=[False, *s[0]["tree"][1:]]))
    yield changed("a tuple's text", lambda s: s[0].update(tree="[]"))
    yield changed("one more key", lambda s: s[0].update(more=1))
    yield changed("all visits in each stage", lambda s: [t.update(weights=["1"] * len(t["weights"])) for t in s])


@pytest.mark.parametrize("order", [first_buffer_first, last_buffer_first])
def test_no_changed_certificate_is_accepted(order: Order) -> None:
    network = order(line("ABCCBA"))
    text, certificate = dumps(network), in_stages(network)
    assert Certified(text, certificate).verdict == "stable"
    count = 0
    for what, claim in forgeries(certificate["claim"]):
        if json.dumps(claim) == json.dumps(certificate["claim"]):  # a stage alone, or a split of leaves
            assert what in ("another order", "the halves of a split the other way round")
            continue
        with pytest.raises(Rejected):
            Certified(text, {**certificate, "claim": claim})
        with pytest.raises((ValueError, KernelError, Rejected)):  # nor with the best proofs there are
            Certified(text, made(network, claim))
        count += 1
    assert count >= 15


@pytest.mark.parametrize("change", [list.pop, lambda s: s.append(copy.deepcopy(s[0]))])
def test_each_reader_alone_wants_one_stage_for_each_visit(change: Callable[[list[Any]], Any]) -> None:
    network = first_buffer_first(line("ABCCBA"))
    claim = in_stages(network)["claim"]
    change(claim["stages"])
    with pytest.raises(ValueError, match="one stage for each visit"):
        list(obligations(network, claim))
    with pytest.raises(ValueError, match="second reader"):
        list(rereading.formulas(dumps(network), claim))


def test_efforts_are_possible_where_nobody_before_grows_and_no_engine_with_work_idles() -> None:
    """With the first groups empty: none of them grows, and the engine works all the time, or at most, where all are."""
    model, rng, seen = FluidModel.of(last_buffer_first(line("ABBABA"))), np.random.default_rng(3), set[int]()
    search = draining._Search(model, model.visits, (), lambda: None, 1, 1)
    for _ in range(200):
        efforts = rng.choice([0.0, 0.25, 0.5, 1.0], len(model.visits))
        grow = rng.choice([0.0, 0.0, 0.0, 0.5], len(model.visits))
        for engine, groups in enumerate(model.groups):
            expected = []
            for level in range(len(groups) + 1):
                used = sum(efforts[k] for group in groups[:level + 1] for k in group)
                if not any(grow[k] for group in groups[:level] for k in group) and (
                        used == 1 if level < len(groups) else used <= 1):
                    expected.append(level)
            assert search._levels(engine, Box.whole(model), efforts, grow) == expected
            seen |= {*expected}
    assert seen == {0, 1, 2, 3}


def test_a_tree_deeper_than_python_reads_is_rejected() -> None:
    network = first_buffer_first(line("ABBA"))
    certificate, tree = in_stages(network), list[Any]()
    for _ in range(100_000):
        tree = [0, 0, [], tree]
    certificate["claim"]["stages"][0]["tree"] = tree
    with pytest.raises(Rejected, match="too deep"):
        Certified(dumps(network), certificate)


def test_a_certificate_of_one_network_is_none_of_another() -> None:
    """The same line under the reverse priorities, at a higher load, and with an unstable network's numbers."""
    network = last_buffer_first(line("ABCABC"))
    certificate = in_stages(network)
    for other in (first_buffer_first(line("ABCABC")), network.scaled(F(11, 10))):
        assert other != network
        with pytest.raises(Rejected):
            Certified(dumps(other), certificate)
    claim = in_stages(first_buffer_first(line("ABBA")))["claim"]
    with pytest.raises((ValueError, KernelError, Rejected)):
        Certified(dumps(lu_kumar()), made(lu_kumar(), claim))
