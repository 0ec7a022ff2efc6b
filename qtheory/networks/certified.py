"""The one place that says of a network that it is stable, or unstable: both checkers, on all that the claim must show.

The file: ``{"schema": 2, "claim": {"kind", ..}, "proofs": [{"given", "wanted", "certificate"}, ..]}``. What a claim
says and must show is written in :mod:`qtheory.theory.obligations`. Two readers make the list of formulas from the
network's file, each on its own, and must agree; every formula must be met by a proof that wants the same and uses
nothing but what the formula gives, and every proof must be accepted by the kernel and by the second checker.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from qtheory.errors import QTheoryError
from qtheory.models.network import AgentNetwork
from qtheory.models.network_files import parse
from qtheory.networks import rereading
from qtheory.proofs.checkers import both
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.visible import visible
from qtheory.theory.obligations import VERDICTS, Obligation, obligations

SCHEMA = 2
MAX_FORMULAS = 50_000
CHECKED = "the fluid model of this network file: every obligation, by both checkers"
CHECKED_CHAIN = ("the Markov chain of this network file, with Poisson arrivals and exponential times: every condition "
                 "of its product form, by both checkers")


class Rejected(QTheoryError):
    """A file that is no certificate for the network; the message says what is missing."""


@dataclass(frozen=True, repr=False)
class Certified:
    """A network's file and a certificate that decides it; there is none that has not been checked.

    ``verdict``: stable or unstable; raises Rejected if the certificate does not show it of the network in this text.
    """

    text: str
    certificate: Any
    network: AgentNetwork = field(init=False)
    verdict: str = field(init=False)

    def __repr__(self) -> str:
        return f"<certificate that {self.network.title!r} is {self.verdict}: {len(self.certificate['proofs'])} proofs>"

    def __post_init__(self) -> None:
        try:
            data = json.loads(json.dumps(self.certificate))
        except RecursionError:
            raise Rejected("lists within lists, too deep for a certificate") from None
        except (TypeError, ValueError) as error:
            raise Rejected(f"a certificate is data as JSON has it, a dictionary as json.load reads: {error}") from None
        if not isinstance(self.text, str):
            raise Rejected(f"the network is of type {type(self.text).__name__}; the text of its file comes first")
        object.__setattr__(self, "certificate", data)
        object.__setattr__(self, "network", parse(self.text))
        object.__setattr__(self, "verdict", _checked(self.text, self.network, data))

    @property
    def checked(self) -> str:
        """What both checkers have accepted, in words."""
        return CHECKED_CHAIN if self.certificate["claim"]["kind"] == "product" else CHECKED


def _checked(text: str, network: AgentNetwork, data: Any) -> str:
    _require(isinstance(data, dict) and set(data) == {"schema", "claim", "proofs"}
             and type(data["schema"]) is int and data["schema"] == SCHEMA,
             f"a certificate has the keys schema ({SCHEMA}), claim and proofs")
    accept(data, lambda claim: obligations(network, claim), lambda claim: rereading.formulas(text, claim))
    return VERDICTS[data["claim"]["kind"]]


def accept(data: dict[str, Any], read: Callable[[Any], Iterable[Obligation]],
           again: Callable[[Any], Iterable[rereading.Formula]]) -> None:
    """Raises Rejected unless both readers ask for the same of the claim, and both checkers accept a proof of each.
    """
    claim, proofs = data["claim"], data["proofs"]
    _require(isinstance(proofs, list) and all(isinstance(p, dict) and set(p) == {"given", "wanted", "certificate"}
             and isinstance(p["given"], list) and all(isinstance(t, str) for t in [p["wanted"], *p["given"]])
             for p in proofs), "a proof has the keys given (texts), wanted (a text) and certificate")
    try:
        first = list(itertools.islice(read(claim), MAX_FORMULAS))
    except (ValueError, RecursionError) as error:
        raise Rejected(f"this is no claim about the network: {visible(error)}") from None
    try:
        second = set(itertools.islice(again(claim), MAX_FORMULAS))
    except Exception as error:  # whatever it is, the second reader has not agreed
        raise Rejected(f"the second reader refuses: {type(error).__name__}: {visible(error)}") from None
    _require(len(first) < MAX_FORMULAS, "the network has too many patterns to be checked")
    _require({(o.given, o.wanted) for o in first} == second, "the two readers of the network's file disagree")
    _require(_met(first, proofs) == set(range(len(proofs))), "a proof shows nothing that is asked for")
    for p in proofs:
        stated = statement(p["given"], p["wanted"])
        try:
            both(p["certificate"], stated)
            _require(p["certificate"]["verdict"] == "proved", f"{visible(p['wanted'])[:200]} is refuted there")
            _require(p["certificate"]["statement"] == stated.to_json(), "its statement is worded in another way")
        except (KernelError, RecursionError) as error:
            raise Rejected(f"the proof of {visible(p['wanted'])[:200]}: {visible(error)}") from None

def statement(given: Sequence[str], wanted: str) -> Statement:
    """What a proof proves."""
    return Statement(f"Implies(And({', '.join(given)}), {wanted})" if given else wanted)


def _met(formulas: Iterable[Obligation], proofs: Sequence[dict[str, Any]]) -> set[int]:
    """The proofs that meet the formulas."""
    known: dict[str, list[tuple[frozenset[str], int]]] = {}
    for i, p in enumerate(proofs):
        known.setdefault(p["wanted"], []).append((frozenset(p["given"]), i))
    used = set()
    for o in formulas:
        met = [i for uses, i in known.get(o.wanted, ()) if uses <= o.given]
        _require(bool(met), f"nothing shows: {o.about}")
        used.update(met)
    return used


def _require(condition: bool, why: str) -> None:
    if not condition:
        raise Rejected(why)
