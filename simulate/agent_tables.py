"""The ``[agents]`` of a scenario: networks of LLM engines token by token, and with what each is compared."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from qtheory.errors import InputError
from qtheory.networks import shipped
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.reading import number_of, table_of, text_of, value_of

# ``network``: the name of a shipped one (qtheory network --list) or a file beside the scenario; ``rate_factor``: of all
# its arrival rates; ``length_law``: its ``lengths``, and the others, are those of SlottedAgents.
AGENTS = ("network",), ("rate_factor", "length_law", "phases", "one_token")


def _agents(table: Any, where: str) -> SlottedAgents:
    t = table_of(table, where, *AGENTS)
    network = shipped.load(text_of(t["network"], f"{where}.network"))
    factor = number_of(t.get("rate_factor", 1), f"{where}.rate_factor")
    if not factor > 0:
        raise InputError(f"{where}.rate_factor must be positive, not {factor!r}")
    if factor != 1:
        network = network.scaled(Fraction(str(factor)))  # 0.1 is 1/10, as in the network's own file
    options = {k: value_of(k, t[k], where) for k in AGENTS[1][1:] if k in t}
    return SlottedAgents(network, lengths=options.pop("length_law", "poisson"), **options)


def agents_of(table: Any, others: Any) -> dict[str, SlottedAgents]:
    """The variants that ``[agents]`` and its ``[[compare]]`` tables describe, by the names of their networks.

    A comparison names what differs. Raises InputError or UnknownNameError with the place.
    """
    if not isinstance(table, dict) or not isinstance(others, list) or not all(isinstance(o, dict) for o in others):
        raise InputError("agents are written as [agents], what they are compared with as [[compare]]")
    found: dict[str, SlottedAgents] = {}
    for i, other in enumerate([{}, *others]):
        merged = {**table, **other}
        agents = _agents(merged, f"compare {i}" if i else "agents")
        name = merged["network"].rpartition("/")[2].removesuffix(".toml")
        found[name if name not in found else f"{name} {i + 1}"] = agents
    return found
