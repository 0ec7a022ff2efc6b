"""What the search knows of one function of the language.

The kernel and the second checker have tables of their own: nothing that stands here is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from qtheory.proofs.functions.values import Values
from qtheory.proofs.kernel.terms import Node

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.builder import Step
    from qtheory.proofs.tactics.simplify import Simplifier
    from qtheory.proofs.tactics.state import Search


def _everywhere(term: Node) -> list[Node]:
    return []


def _never(term: Node) -> bool:
    return False


def _no_facts(search: Search, term: Node, known: tuple[Step, ...]) -> Iterable[Step | None]:
    return ()


@dataclass(frozen=True)
class Inverse:
    """f(u) = w gives u = g(w): ``head`` is g's, ``undo`` the kernel's rule for g(f(u)) = u, and ``positive`` the rule
    by which f(u) is in g's domain, where it needs one."""

    head: str
    undo: str
    positive: str = ""


@dataclass(frozen=True)
class Function:
    """One function: ``(head, argument, ..)`` as a term; ``first`` is the place of its first argument, before which
    parameters stand, as the branch of Lambert's W.

    In numbers: ``word`` is its name in compiled code and ``real`` its value at floats there; ``array`` its values at
    many points, from those of its arguments, where one of these is undefined, and its parameters.

    Where it is defined: ``failing`` gives what makes a term at its head undefined, each a premise of the kernel's rule
    (none for one that is total); ``need`` the relation to 0 that its argument must have; ``tells`` whether a true fact
    on such a term tells that relation.

    In proofs: ``facts`` its bounds and tangents at a term; ``strict`` what it says more strictly at its argument x, as
    a statement; ``rewritten`` a term at its head in standard form, with the equation; ``at`` an argument with a simple
    value, that value, and the rule that says so; ``inverse``; ``primitive`` an antiderivative in its argument, where
    that is positive or, as told, negative; ``curved`` whether a derivative in its arguments is worth taking, and
    ``alone`` whether it pays to divide by what it is multiplied with before that is done.

    Elsewhere: ``sympy``, and whether it ``returns`` in SymPy's answers.
    """

    head: str
    word: str
    real: Callable[..., float]
    array: Callable[..., Values]
    first: int = 1
    failing: Callable[[Node], list[Node]] = _everywhere
    need: str = ""
    tells: Callable[[Node], bool] = _never
    facts: Callable[[Search, Node, tuple[Step, ...]], Iterable[Step | None]] = _no_facts
    strict: str = ""
    rewritten: Callable[[Simplifier, Node], tuple[Node, Step] | None] | None = None
    at: tuple[Fraction, Fraction, str] | None = None
    inverse: Inverse | None = None
    primitive: Callable[[Node, bool], Node | None] | None = None
    curved: Callable[[Node], bool] = _never
    alone: bool = False
    sympy: Any = None
    returns: bool = False
    total: bool = False

    def arguments(self, term: Node) -> tuple[Node, ...]:
        return tuple(term[self.first:])

    def parameters(self, term: Node) -> tuple[Any, ...]:
        return tuple(term[1:self.first])


def always(term: Node) -> bool:
    return True


__all__ = ["Function", "Inverse", "always"]
