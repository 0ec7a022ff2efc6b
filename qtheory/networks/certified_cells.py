"""The one place that says of a cell of arrival rates that a network is stable, or unstable, at all of its points.

As :mod:`qtheory.networks.certified` does for one network: two readers make the list of formulas, each on its own, and
must agree; both checkers must accept a proof of each. What has to be shown is in :mod:`qtheory.theory.regions`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from qtheory.models.network import AgentNetwork
from qtheory.models.network_files import parse
from qtheory.networks import rereading_regions
from qtheory.networks.certificates import made
from qtheory.networks.certified import SCHEMA, Rejected, accept
from qtheory.networks.quadratic import Positive
from qtheory.numerics.polytopes import Polytope, at
from qtheory.proofs.kernel.terms import KernelError
from qtheory.theory import regions
from qtheory.theory.regions import Affine

CHECKED = "at every point of each polygon at once: every obligation, by both checkers"


@dataclass(frozen=True)
class CertifiedCell:
    """A network's file and a certificate for a cell of its arrival rates; there is none that has not been checked.

    ``verdict``: stable or unstable, at each point of the ``polytope`` where ``margin`` is above 0; ``rates``: of each
    type, affine in the free rates. Raises Rejected if the certificate does not show it of the network in this text.
    """

    text: str
    certificate: Any
    network: AgentNetwork = field(init=False)
    verdict: str = field(init=False)
    polytope: Polytope = field(init=False)
    margin: Affine = field(init=False)
    rates: tuple[Affine, ...] = field(init=False)

    def __post_init__(self) -> None:
        try:
            data = json.loads(json.dumps(self.certificate))
        except RecursionError:
            raise Rejected("lists within lists, too deep for a certificate") from None
        network = parse(self.text)
        if not (isinstance(data, dict) and set(data) == {"schema", "claim", "proofs"} and data["schema"] == SCHEMA):
            raise Rejected(f"a certificate has the keys schema ({SCHEMA}), claim and proofs")
        accept(data, lambda claim: regions.obligations(network, claim),
               lambda claim: rereading_regions.formulas(self.text, claim))
        claim = data["claim"]
        rows = [tuple(map(Fraction, row)) for row in (claim["margin"], *claim["cell"], *claim["rates"])]
        sides = len(claim["cell"])
        for name, value in (("certificate", data), ("network", network), ("verdict", regions.verdict(claim)),
                            ("margin", rows[0]), ("polytope", Polytope(tuple(rows[1:1 + sides]))),
                            ("rates", tuple(rows[1 + sides:]))):
            object.__setattr__(self, name, value)

    def holds(self, point: Sequence[Fraction]) -> bool:
        """Whether the verdict is shown of these free rates."""
        return all(at(side, point) >= 0 for side in self.polytope.sides) and at(self.margin, point) > 0


def certify(network: AgentNetwork, text: str, rates: Sequence[Affine], polytope: Polytope, margin: Affine,
            inside: dict[str, Any], positive: Positive | None = None) -> CertifiedCell:
    """The certificate of an inner claim on a polytope, once both checkers have read it; Rejected if one refuses it, or
    a formula is not proved."""
    claim = {"kind": "region", "rates": [list(map(str, r)) for r in rates],
             "cell": [list(map(str, s)) for s in polytope.sides], "margin": list(map(str, margin)), "claim": inside}
    try:
        certificate = made(network, claim, positive=positive, ask=regions.obligations)
    except (ValueError, KernelError) as error:
        raise Rejected(str(error)) from None
    return CertifiedCell(text, certificate)
