"""The two readers of network files make the same formulas, whatever the network, its wording and the claim."""

from __future__ import annotations

import importlib.util
import math
import random
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork
from qtheory.models.network_classics import fork_join
from qtheory.models.network_files import dumps, parse
from qtheory.networks import rereading, shipped
from qtheory.theory.fluid import FluidModel
from qtheory.theory.obligations import has_product_form, obligations

_SPEC = importlib.util.spec_from_file_location("network_instances", Path(__file__).with_name("network_instances.py"))
assert _SPEC is not None and _SPEC.loader is not None
listed = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(listed)

TIMES = ("batch_time = 0.2_5", 'batch_time = "1/3"\ndecode_time = 2', "",
         "budget = 768\ntime = {law = 'affine', constants = {alpha = 0.0459, beta = 6.2e-5}}",
         "budget = 3\ntime = {law = 'affine', constants = {alpha = 0.1000000000000000000003, beta = 1_0}}",
         "budget = 100\ntime = {law = 'prefill_decode', constants = {alpha_p = 0.3, beta_p = 0.01, alpha_d = 1, "
         "beta_d = 0.002}}",
         "budget = 100\ntime = {law = 'piecewise_linear', constants = {c = 0.3, a = 0.01, b0 = 64}}",
         "budget = 100\ntime = {law = 'concave', constants = {alpha = 0.3, beta = 0.01, eta = 0.02, b0 = 64}}",
         "budget = 100\ntime = {law = 'staircase', constants = {tile_time = 0.3, token_time = 0.01, t_col = 64}}")


def random_text(rng: random.Random) -> str:
    """A network file in one of many wordings: forks, joins, routes, groups, policies, times and lengths."""
    engines = "ABC"[:rng.randint(1, 3)]
    here: dict[str, list[str]] = {e: [] for e in engines}
    types = ""
    for t in range(rng.randint(1, 2)):
        types += f"[[type]]\nname = 't{t}'\nrate = {rng.choice(['1', '0.5', chr(34) + '3/7' + chr(34)])}\n"
        kind, names = rng.choice(("line", "graph", "routes")), [f"{'ab'[t]}{i}" for i in range(rng.randint(1, 4))]
        shuffled = rng.sample(names, len(names)) if kind == "graph" else names
        for i, name in enumerate(shuffled):
            engine = rng.choice(engines)
            here[engine].append(name)
            length = rng.choice(("length = 3", "prompt = 0.25\noutput = 2", "prompt = '1/9'", "length = 1_0"))
            types += f"[[type.visit]]\nname = '{name}'\nengine = '{engine}'\n{length}\n"
            if kind == "graph":
                before = rng.sample(names[:names.index(name)], rng.randint(0, names.index(name)))
                types += f"after = {before[0]!r}\n" if len(before) == 1 else f"after = {before}\n"
            elif kind == "routes":
                ways = {names[rng.randint(0, i)]: "1/4"} | ({names[i + 1]: "1/2"} if i + 1 < len(names) else {})
                types += f"routes = {{{', '.join(f'{n} = {p!r}' for n, p in ways.items())}}}\n"
    text = "title = 'drawn'\n" if rng.random() < 0.5 else ""
    for e in engines:
        time = rng.choice(TIMES)
        text += f"[[engine]]\nname = '{e}'\n{time}\n"
        policy = rng.choice(("none", "fcfs", "work-conserving", "priority", "processor-sharing", "sarathi"))
        if policy in ("processor-sharing", "sarathi") and "after = [" in types:  # there may be joins
            policy = "fcfs"
        if policy == "sarathi" and "decode" in time:  # its batches hold prompts and outputs
            policy = "fcfs"
        if policy == "priority" and here[e]:
            order, groups = rng.sample(here[e], len(here[e])), list[Any]()
            while order:
                size = rng.randint(1, len(order))
                groups.append(order[:size] if size > 1 or rng.random() < 0.5 else order[0])
                order = order[size:]
            text += f"priority = {groups}\n" + rng.choice(("", "policy = 'priority'\n"))
        elif policy in ("fcfs", "work-conserving", "processor-sharing", "sarathi"):
            text += f"policy = '{policy}'\n"
    return text + types


def claims(network: AgentNetwork, rng: random.Random) -> list[dict[str, Any]]:
    """Claims of every kind with random numbers; most are false."""
    model = FluidModel.of(network)
    n = len(model.alpha)

    def numbers(count: int) -> list[str]:
        return [str(F(rng.randint(-3, 4), rng.randint(1, 3))) for _ in range(count)]

    made: list[dict[str, Any]] = [
        {"kind": "pieces", "pieces": [numbers(n) for _ in range(count)], "decay": numbers(1)[0], "floor": numbers(1)[0]}
        for count in (1, len(model.groups))]
    made.append({"kind": "overload", "engine": rng.randrange(len(model.groups))})
    if not model.has_joins:
        made.append({"kind": "quadratic", "matrix": [numbers(k + 1) for k in range(n)], "decay": numbers(1)[0],
                     "floor": numbers(1)[0]})
    if has_product_form(network):
        made += [{"kind": "product", "rates": numbers(n)},
                 {"kind": "product", "rates": [str(network.rates[v.name]) for v in network.visits]}]
    if not model.has_joins and not network.ruled:
        rays, segments = rng.randint(1, 3), rng.randint(1, 3)
        order = [[k for g in engine for k in rng.sample(g, len(g))] for engine in model.groups]
        made.append({"kind": "paths", "order": order, "efforts": [numbers(n) for _ in range(segments)], "rays": [
            {"starts": [numbers(n) for _ in range(segments)], "durations": numbers(segments),
             "weights": numbers(rays)} for _ in range(rays)]})
    return made


def agree(text: str, claim: dict[str, Any]) -> int:
    """How many formulas both readers make of it."""
    first = {(o.given, o.wanted) for o in obligations(parse(text), claim)}
    assert first == set(rereading.formulas(text, claim)), (text, claim)
    return len(first)


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "reentrant-line"))
                                  for n in shipped.names()])
def test_the_readers_agree_on_shipped_networks(name: str) -> None:
    rng = random.Random(name)
    for claim in claims(shipped.load(name), rng):
        assert agree(shipped.text(name), claim) > 0


@pytest.mark.slow
def test_the_readers_agree_on_listed_networks() -> None:
    small = [i for i in listed.INSTANCES if len(i.network.visits) <= 20
             and math.prod(len(e) + 1 for e in FluidModel.of(i.network).groups) <= 100]
    assert len(small) > 40
    for instance in small:
        for claim in claims(instance.network, random.Random(1)):
            assert agree(dumps(instance.network), claim) > 0


@pytest.mark.sliced(4)
@pytest.mark.parametrize("seed", range(60))
def test_the_readers_agree_on_random_files(seed: int) -> None:
    rng = random.Random(seed)
    text = random_text(rng)
    for claim in claims(parse(text), rng):
        assert agree(text, claim) > 0
        assert agree(dumps(parse(text)), claim) > 0


@pytest.mark.parametrize("claim", [
    None, [], {}, {"kind": "pieces"}, {"kind": ["pieces"]}, {"kind": "overload", "engine": True},
    {"kind": "overload", "engine": -1}, {"kind": "overload", "engine": 9}, {"kind": "overload", "engine": 0, "more": 1},
    {"kind": "pieces", "pieces": [["1", "1", "1"]], "decay": "1", "floor": "1"},
    {"kind": "pieces", "pieces": [["1", "1", "1", 1]], "decay": "1", "floor": "1"},
    {"kind": "pieces", "pieces": [["1"] * 4] * 2, "decay": "1", "floor": "1"},
    {"kind": "pieces", "pieces": [["1"] * 4], "decay": "2/2", "floor": "1"},
    {"kind": "pieces", "pieces": [["1"] * 4], "decay": "1/0", "floor": "1"},
    {"kind": "pieces", "pieces": [["1"] * 4], "decay": "1e3", "floor": "1"},
    {"kind": "pieces", "pieces": [], "decay": "1", "floor": "1"},
    {"kind": "quadratic", "matrix": [["1"]], "decay": "1", "floor": "1"},
    {"kind": "paths", "order": [[0], [1], [2], [3]], "efforts": [["1"] * 4], "rays": []},
    {"kind": "product", "rates": ["1"] * 4},
], ids=str)
def test_both_readers_refuse_what_is_no_claim(claim: Any) -> None:
    text = dumps(fork_join())
    with pytest.raises(ValueError):
        list(obligations(parse(text), claim))
    with pytest.raises((ValueError, TypeError, LookupError, ArithmeticError)):
        list(rereading.formulas(text, claim))


def test_a_join_is_asked_for_each_of_the_visits_that_it_waits_for() -> None:
    """In drift, in positivity and in comparisons, by both readers: R4 = R2 and R4 = R3."""
    network = fork_join()
    claim = {"kind": "pieces", "pieces": [["1"] * 4] * 4, "decay": "1", "floor": "1"}
    made = list(obligations(network, claim))
    assert len(agreed := {o.given for o in made if o.wanted.startswith("0 >= 0")}) > 0
    for before in ("R2", "R3"):
        assert any(f"Eq((-1)*{before} + 1*R4, 0)" in given for given in agreed)
    [positive] = [o for o in made if o.about == "L is positive"]
    assert {"(-1)*R2 + 1*R4 >= 0", "(-1)*R3 + 1*R4 >= 0"} <= positive.given
    assert agree(dumps(network), claim) == len({(o.given, o.wanted) for o in made})


@pytest.mark.parametrize(("law", "more"), [
    ("affine", "alpha = 0, beta = {}"), ("piecewise_linear", "c = 0, a = {}, b0 = 0"),
    ("concave", "alpha = 0, beta = 0, eta = {}, b0 = 1"), ("staircase", "tile_time = {}, token_time = 0, t_col = 1"),
    ("prefill_decode", "alpha_p = {}, beta_p = 0, alpha_d = 1, beta_d = 0")])
@pytest.mark.parametrize("number", ["1.00000000000000012", "0.99999999999999985", "1e-90", "3"])
def test_constants_of_a_law_are_read_exactly(law: str, more: str, number: str) -> None:
    text = (f"[[engine]]\nname = 'e'\nbudget = 1\ntime = {{law = '{law}', constants = {{{more.format(number)}}}}}\n"
            "[[type]]\nname = 'A'\nrate = 1\n[[type.visit]]\nname = 'A1'\nengine = 'e'\nprompt = 1\n")
    assert parse(text).engines[0].batch_time == F(number) == rereading.Network(text).mean[1]


@pytest.mark.parametrize("number", ["true", "'1'", "inf", "nan", "[1]", "1979-05-27"])
def test_constants_of_a_law_are_numbers(number: str) -> None:
    text = ("[[engine]]\nname = 'e'\nbudget = 1\n"
            f"time = {{law = 'affine', constants = {{alpha = 0, beta = {number}}}}}\n[[type]]\nname = 'A'\nrate = 1\n"
            "[[type.visit]]\nname = 'A1'\nengine = 'e'\nprompt = 1\n")
    with pytest.raises(InputError):
        parse(text)
    with pytest.raises((ValueError, TypeError)):
        rereading.Network(text)
