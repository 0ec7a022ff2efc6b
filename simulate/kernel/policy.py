"""What a scheduler is: a file in the folder ``policies`` that makes a :class:`Policy`; nothing else names it.

Its ``decide(engine, s)`` writes ``s.decision``, ``s.take`` and ``s.prompts`` (columns: see
:mod:`~qtheory.simulate.kernel.engine_layout`) over the defaults, which load every decode and then prompts, oldest
first. It is compiled for itself and called by its address, so that the loop is compiled once for all schedulers, and a
scheduler only where it is used. The loop, scenarios, their schema and documentation take all else from the fields here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qtheory.simulate.kernel.engine_layout import Engine, EngineState

if TYPE_CHECKING:
    from qtheory.simulate.engines import LLMEngine


def _nothing(engine: LLMEngine) -> str:
    return ""


def _usual(engine: LLMEngine) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Policy:
    """A scheduler by ``name``; ``decide`` and ``observe`` are functions that are ``compiled``.

    ``whole``, ``real``: names of its whole and real parameters, which stand in this order in
    ``engine.policy_parameters`` and ``engine.policy_reals``; ``lists``: those of the whole ones that may be lists. A
    ``budget`` is what a batch holds at most, in tokens. ``lacks``: what an engine of these parameters lacks, or "";
    ``arrays``: fields of the kernel's Engine that are not the usual ones (groups, segments, a pool). ``own_order`` and
    ``own_decode_order``: it takes none but fcfs. ``observe`` is called at each completed request, for a policy with a
    parameter ``window``: the lengths of so many requests stand in ``s.observed``.
    """

    name: str
    decide: Callable[[Engine, EngineState], None]
    whole: tuple[str, ...] = ()
    real: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    lacks: Callable[[LLMEngine], str] = _nothing
    arrays: Callable[[LLMEngine], dict[str, Any]] = _usual
    own_order: bool = False
    own_decode_order: bool = False
    observe: Callable[[Engine, EngineState], None] | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.whole + self.real

    @property
    def summary(self) -> str:
        """The first line of its file."""
        return (sys.modules[self.decide.__module__].__doc__ or "").partition("\n")[0]
