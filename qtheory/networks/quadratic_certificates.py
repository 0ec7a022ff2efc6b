"""Certificates of quadratic Lyapunov functions as derivations that the kernel checks.

Three kinds of steps: the form of V is symmetric in its two arguments, so that V' = 2 sum_k Z_k L_k'; V is positive; and
each row L_k falls where buffer k may be nonempty, pattern by pattern, in the words of
:mod:`qtheory.networks.certificates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from qtheory.models.network import AgentNetwork
from qtheory.networks import certificates as C
from qtheory.networks.quadratic import Positive, Quadratic
from qtheory.numerics.lp import ONE, Form
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.builder import Step, apply, certificate, parts
from qtheory.theory.fluid import FluidModel
from qtheory.theory.lyapunov import Proof

FUNCTION = "quadratic Lyapunov function"


def title(network: AgentNetwork) -> str:
    """What a certificate says that it is."""
    return C.stable_title(network, FUNCTION, "V is the sum of Z_k*L_k; Z_k is the fluid at visit k, "
                          f"R_k {C.remaining(network, 'it')}, v_k the growth of R_k at efforts u")


def _contents(model: FluidModel, letter: str) -> list[str]:
    """By visit Z_k, as R_k itself where it is that: 1*R_k would be a second way to write it."""
    held = [model.buffer(k) for k in model.visits]
    return [f"{letter}{k + 1}" if z == Form({k: ONE}) else f"({C.text(z, letter)})" for k, z in enumerate(held)]


def _form(model: FluidModel, found: Quadratic, left: str, right: str) -> str:
    """The sum of Z_k*L_k, Z_k in variables ``left`` and L_k in variables ``right``."""
    return " + ".join(f"{z}*{C.value_of(k, row, right)}"
                      for k, (z, row) in enumerate(zip(_contents(model, left), found.pieces, strict=True)))


def about_form(model: FluidModel, found: Quadratic) -> list[tuple[str, str]]:
    """Label and goal of the steps that are not about falling."""
    symmetric = f"Eq({_form(model, found, 'R', 'x')}, {_form(model, found, 'x', 'R')})"
    contents = _contents(model, "R")
    squares = " + ".join(f"{z}^2" for z in contents)
    positive = C.implication([f"{z} >= 0" for z in contents], f"{_form(model, found, 'R', 'R')} >= bottom*({squares})")
    return [("V is symmetric", symmetric), ("V is positive", positive)]


def quadratic_certificate(network: AgentNetwork, model: FluidModel, found: Quadratic, proofs: Sequence[Proof],
                          positive: Positive) -> dict[str, Any]:
    """The derivation that ``found`` is a Lyapunov function of the fluid model.

    Raises KernelError if the kernel refuses a step.
    """
    made = C.falling_bundle(network, model, title(network), found, proofs, about_form(model, found))
    for step, prove in zip(made["steps"], (_symmetric, lambda goal: _positive(goal, positive)), strict=False):
        statement = Statement(step["goal"], (), tuple(made["let"])).parsed()
        step["certificate"] = certificate(statement, "proved", prove(statement.conclusion))
    return made


def _symmetric(goal: Node) -> Step:
    return apply("combine", goal, (), ())


def _positive(goal: Node, positive: Positive) -> Step:
    """Products of contents and squares of their sums."""
    _, given, wanted = goal
    assumed = tuple(parts(apply("hyp", given)))
    products: list[C.Product] = []
    for j, row in enumerate(positive.products):
        products += [(2 * row[k], ((k, 1), (j, 1)), ()) for k in range(j) if row[k]]
        if row[j]:
            products.append((row[j], ((j, 2),), ()))
    contents = [fact.concl[1] for fact in assumed]
    products += [(d, (), (_weighted(line, contents),)) for d, line in positive.squares]
    return apply("imp_intro", given, apply("combine", wanted, assumed, tuple(products)))


def _weighted(line: Sequence[Fraction], contents: Sequence[Node]) -> Node:
    """The weighted sum of contents, in the goal's own terms: a second way to write one would be another number that a
    certificate could have in its place."""
    terms = [z if c == 1 else ("*", c, z) for c, z in zip(line, contents, strict=True) if c]
    return terms[0] if len(terms) == 1 else ("+", *terms)
