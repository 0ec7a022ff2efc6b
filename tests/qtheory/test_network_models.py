"""Agent networks: what is one, files with the line of each error, the classics, drawing."""

from __future__ import annotations

import inspect
import json
import tomllib
from fractions import Fraction as F
from pathlib import Path

import jsonschema
import networkx as nx
import pytest
import sympy as sp

from qtheory.errors import InputError
from qtheory.models import network_classics
from qtheory.models.laws import AffineLaw, MemoryLinearLaw, MixedQuadraticLaw, PrefillDecodeLaw
from qtheory.models.network import AgentNetwork, Engine, NetworkError, RequestType, Visit
from qtheory.models.network_classics import (
    bramson,
    dai_wang,
    first_buffer_first,
    fork_join,
    last_buffer_first,
    lu_kumar,
    parallel,
    reentrant_line,
    rybko_stolyar,
    rybko_stolyar_agents,
    tandem,
)
from qtheory.models.network_files import dumps, load, parse, schema
from qtheory.theory.stability import law_load, nominal_loads

ALL = [tandem(["1/2", "1/3"]), rybko_stolyar(), rybko_stolyar_agents(), lu_kumar(), dai_wang(), bramson(),
       reentrant_line("ABA", ["1/3"] * 3), fork_join(), parallel(3)]
FILE = """title = "two agents"

[[engine]]
name = "one"
budget = 768
priority = ["a1", "b2"]

[[engine]]
name = "two"
time = {law = "affine", constants = {alpha = 0.25, beta = 0.001}}
budget = 250

[[type]]
name = "a"
rate = 0.5

[[type.visit]]
name = "a1"
engine = "one"
prompt = 32
output = 32.5

[[type.visit]]
name = "a2"
engine = "two"
length = "2/3"

[[type]]
name = "b"
rate = 1

[[type.visit]]
name = "b1"
engine = "two"
length = 7

[[type.visit]]
name = "b2"
engine = "one"
prompt = 5
"""


def test_a_file_is_read_exactly() -> None:
    network = parse(FILE)
    one, two = network.engines
    assert (one.rate, one.priority, two.policy) == (768, (("a1",), ("b2",)), "work-conserving")
    assert (two.batch_time, two.rate) == (F(1, 2), 500)
    assert network.works == {"a1": F(129, 2 * 768), "a2": F(2, 1500), "b1": F(7, 500), "b2": F(5, 768)}
    assert network.rates == {"a1": F(1, 2), "a2": F(1, 2), "b1": 1, "b2": 1}
    assert network.groups == {"one": (("a1",), ("b2",)), "two": (("a2", "b1"),)}
    assert [v.after for v in network.visits] == [(), ("a1",), (), ("b1",)]
    jsonschema.validate(json.loads(json.dumps(tomllib.loads(FILE))), schema())


@pytest.mark.parametrize("network", ALL, ids=lambda n: n.title)
def test_what_is_written_is_read_back(network: AgentNetwork, tmp_path: Path) -> None:
    file = tmp_path / "n.toml"
    file.write_text(dumps(network), encoding="utf-8")
    assert load(file) == network
    jsonschema.validate(json.loads(json.dumps(tomllib.loads(dumps(network)))), schema())


@pytest.mark.parametrize(("old", "new", "line", "says"), [
    ('engine = "one"\nprompt = 32', 'engine = "ones"\nprompt = 32', 19, "unknown engine 'ones'; nearest: one"),
    ('length = "2/3"', 'length = 0', 26, "visit 'a2' has length 0"),
    ("prompt = 5", "prompt = 0", 40, "visit 'b2' has length 0"),
    ("prompt = 32", "prompt = -32", 20, "prompt is -32; a length is not negative"),
    ('length = "2/3"', 'length = "2/0"', 26, "an exact number such as 3/4"),
    ("rate = 0.5", "rate = 0", 15, "rate is 0; it must be more than 0"),
    ("rate = 0.5", f"rate = {10**101}", 15, "numbers have at most 100 digits here"),
    ("rate = 0.5", f'rate = "{10**400}"', 15, "an exact number such as 3/4"),
    ("rate = 0.5", 'rate = "1e999999999"', 15, "an exact number such as 3/4"),
    ("rate = 0.5", 'rate = "1e-101"', 15, "an exact number such as 3/4"),
    ("rate = 0.5", 'rate = "1/3e"', 15, "an exact number such as 3/4"),
    ("budget = 768", "budget = true", 5, "budget is True"),
    ('["a1", "b2"]', '["a1"]', 6, "leave out 'b2'"),
    ('["a1", "b2"]', '["a1", "b2", "a1"]', 6, "name 'a1' twice"),
    ('["a1", "b2"]', '["a1", "a2"]', 6, "unknown visit 'a2'"),
    ('["a1", "b2"]', '3', 6, "must be a list"),
    ('["a1", "b2"]', '["a1", [], "b2"]', 6, "a group of its priorities is empty"),
    ('name = "a2"', 'name = "a1"', 18, "two visits are named 'a1'"),
    ('name = "a2"\n', 'name = "a2"\nafter = ["b1"]\n', 25, "unknown visit 'b1'"),
    ('name = "a1"\n', 'name = "a1"\nafter = ["a2"]\n', 19, "a loop without exit, a1 -> a2 -> a1"),
    ("length = 7", "length = 7\nlenght = 7", 36, "unknown key of visit 3 'lenght'; nearest: length"),
    ("length = 7", "", 32, "give prompt and output, or length alone"),
    ('law = "affine"', 'law = "afine"', 10, "unknown law 'afine'"),
    ("beta = 0.001", "b = 0.001", 10, "has the constants alpha, beta"),
    ("budget = 250", 'policy = "fifo"\nbudget = 250', 11, "unknown policy 'fifo'; nearest: fcfs"),
    ("budget = 250", "batch_time = 1", 10, "time goes with budget"),
    ("budget = 250", "budget = 250\ndecode_time = 1", 10, "time goes with budget"),
    ("budget = 768", "budget = 768\ndecode_time = 0", 6, "decode_time is 0; it must be more than 0"),
    ('law = "affine", constants = {alpha', 'law = "memory_linear", constants = {d0 = 1, d1', 10, "has the constants"),
    ('title = "two agents"', "title = 3", 1, "the title must be a text"),
])  # fmt: skip
def test_errors_name_their_line(old: str, new: str, line: int, says: str) -> None:
    assert old in FILE
    with pytest.raises(InputError) as error:
        parse(FILE.replace(old, new, 1), "net.toml")
    message = str(error.value)
    assert message.startswith(f"net.toml, line {line}: ") and says in message and "\n" not in message


@pytest.mark.parametrize("text", ["", "engine = 3", "[[engine]]\nname = 'a'", "x = nan", "x = [",
                                  "engine = []\ntype = []", "x = 1e999999999", "x = " + "[" * 3000,
                                  "[[engine]]\nname = 'a'\n[[type]]\nname = 't'\nrate = 1\nvisit = 3"])
def test_other_bad_files(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "none.toml")


def test_engines_by_a_law() -> None:
    assert Engine.of_law("e", AffineLaw(0.0174, 6.2e-5), 1000).batch_time == F("0.0174") + 1000 * F("6.2e-5")
    for law, needs in ((MemoryLinearLaw(1.0, 1.0), "resident_tokens"), (MixedQuadraticLaw(1.0, 0.0, 0.0), "ratio")):
        with pytest.raises(NetworkError, match=needs):
            Engine.of_law("e", law, 10)


def test_batches_of_prompts_and_batches_of_outputs() -> None:
    """The load is the theory's, the phases share it, and neither kind of batch is run token by token."""
    from qtheory.simulate import SlottedAgents

    law = PrefillDecodeLaw(1.0, 0.5, 0.25, 2.0)
    visits = (Visit("v", "e", F(30), F(5)), Visit("w", "e", F(0), F(7), after=("v",)))
    types = (RequestType("t", F(1, 100), visits),)
    network = AgentNetwork((Engine.of_law("e", law, 10),), types)
    assert network.works == {"v": F(30, 10) * 6 + F(5, 10) * F("20.25"), "w": F(7, 10) * F("20.25")}
    values = {"lam": "1/100", "m_p": 30, "m_d": 12, "b": 10}
    load = law_load("prefill_decode", **{k: sp.Rational(v) for k, v in values.items()})
    constants = {x: sp.Rational(str(law.constants[str(x)])) for x in load.free_symbols}
    assert nominal_loads(network) == nominal_loads(network.phased()) == {"e": F(str(load.subs(constants)))}
    assert parse(dumps(network)) == network and "decode_time=Fraction(81, 4)" in repr(network)
    with pytest.raises(InputError, match="mixed batches alone"):
        SlottedAgents(network)


def test_engines_without_their_own_decode_time_look_as_ever() -> None:
    """Hashes of recorded runs rest on the text of a network."""
    assert repr(Engine("e")) == ("Engine(name='e', budget=Fraction(1, 1), batch_time=Fraction(1, 1), "
                                 "policy='work-conserving', priority=())")


def test_the_papers_network() -> None:
    """Throughput-optimal scheduling, (4.4)-(4.5), at load 0.9 with 768 tokens a slot."""
    network = rybko_stolyar_agents()
    assert network.rates["A1"] == F(9, 10) * 768 / (32 + 32 + 512 + 32)
    assert network.works == {"A1": F(64, 768), "A2": F(544, 768), "B2": F(64, 768), "B1": F(544, 768)}
    assert network.groups == {"agent 1": (("B1",), ("A1",)), "agent 2": (("A2",), ("B2",))}
    assert network.reversed_priority().groups == {"agent 1": (("A1",), ("B1",)), "agent 2": (("B2",), ("A2",))}


def test_orders() -> None:
    line = reentrant_line("ABA", [1, 1, 1])
    assert last_buffer_first(line).groups == {"A": (("3",), ("1",)), "B": (("2",),)}
    assert first_buffer_first(line).groups == {"A": (("1",), ("3",)), "B": (("2",),)}
    half = rybko_stolyar().with_priority({"A": ()})
    assert half.groups["A"] == (("1", "4"),) and last_buffer_first(half).groups["B"] == (("2",), ("3",))
    with pytest.raises(InputError, match="twice"):
        line.with_priority({"A": [("1", "3"), "1"]})
    assert line.scaled("1/2").rates["2"] == F(1, 2)


def test_the_graph() -> None:
    graph = fork_join().to_networkx()
    assert nx.is_directed_acyclic_graph(graph)
    assert set(graph.edges) == {("0", "1"), ("0", "2"), ("1", "3"), ("2", "3")}
    assert graph.nodes["1"] == {"type": "request", "engine": "agent 1", "prompt": 256, "output": 64, "rate": 1,
                                "work": F(320, 768)}
    assert [v.name for v in fork_join().joins] == ["3"]


def test_bramsons_network_is_not_overloaded() -> None:
    network = bramson(visits=20, long="399/400", short="1/10000")
    assert sum(network.works[v.name] for v in network.visits if v.engine == "B") == F(399, 400) + 19 * F(1, 10000) < 1
    assert network.works["2"] == network.works["22"] == F(399, 400)
    assert network.ruled == ("A", "B")


@pytest.mark.slow
@pytest.mark.parametrize("network", [rybko_stolyar_agents(), fork_join()], ids=lambda n: n.title)
def test_drawing(network: AgentNetwork, tmp_path: Path) -> None:
    file = tmp_path / "n.svg"
    figure = network.draw(file)
    assert file.stat().st_size > 1000
    drawn = [t.get_text() for t in figure.axes[0].texts]
    assert all(any(t.startswith(f"{v.name}\n") for t in drawn) for v in network.visits)


def test_names_with_dollars_are_drawn_as_they_are(tmp_path: Path) -> None:
    odd = "$\\bogus{$"
    network = AgentNetwork((Engine(odd),), (RequestType(odd, F(1, 2), (Visit(odd, odd, F(1)),)),), title=odd)
    assert odd in network.draw(tmp_path / "n.svg").axes[0].get_title()


def test_only_shares_below_one_are_written_at_the_arrows() -> None:
    """One is the rule: of a route that splits both shares stand there, of one that does not none."""
    first = Visit("1", "A", F(1, 2), routes={"1": F(1, 4), "2": F(3, 8), "3": F(3, 8)})
    after = (Visit("2", "A", F(1, 4)), Visit("3", "A", F(1, 4)))
    split = AgentNetwork((Engine("A"),), (RequestType("a", F(1, 2), (first, *after)),))
    for network in (lu_kumar(), fork_join(), split):
        drawn = [t.get_text().strip() for t in network.draw().axes[0].texts]
        shares = [str(s) for v, to in network.routing.items() for w, s in to.items() if s != 1 and v != w]
        assert sorted(t for t in drawn if t.replace("/", "").isdigit()) == sorted(shares)


def test_a_drawing_that_cannot_be_written(tmp_path: Path) -> None:
    for file in (tmp_path / "no" / "n.png", tmp_path / "n.nothing"):
        with pytest.raises(InputError, match="cannot be drawn"):
            lu_kumar().draw(file)


def test_every_generator_is_tested() -> None:
    """What makes a network, but for what takes one and gives it an order; and each is among those above."""
    made = {name for name, f in inspect.getmembers(network_classics, inspect.isfunction)
            if f.__module__ == network_classics.__name__ and not name.startswith("_")
            and f.__annotations__["return"] == "AgentNetwork" and f.__annotations__.get("network") != "AgentNetwork"}
    assert len({n.title for n in ALL}) == len(ALL) == len(made)


def test_nothing_comes_from_nothing() -> None:
    with pytest.raises(NetworkError, match="at least one engine"):
        AgentNetwork((), ())
    with pytest.raises(NetworkError, match="makes no visit"):
        RequestType("a", F(1), ())
    with pytest.raises(NetworkError, match="goes with the policy"):
        Engine("e", policy="fcfs", priority=(("a",),))
    with pytest.raises(NetworkError, match=r"3\.5"):
        Visit("a", "e", 3.5)  # type: ignore[arg-type]
