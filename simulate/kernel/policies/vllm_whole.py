"""Prefill-first, never mixed, whole prompts: vanilla vLLM's own scheduler (version 0.2, without chunked prefill).

Beside it ``vllm`` is the throughput-optimal paper's token model of it, Section 3, which fills each prefill batch up to
the budget with a part of a prompt. vLLM takes prompts in the order of their arrival while they fit into
max_num_batched_tokens and max_num_seqs, the budget and the slots here, and stops at the first that does not; only when
none can be taken does it decode, one token of every running request. A prompt beyond the budget ends the run in an
error, where vLLM refuses it; its watermark of free memory is the room for the next token of every running request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy

if TYPE_CHECKING:
    from qtheory.simulate.engines import LLMEngine


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.TOTAL] = engine.policy_parameters[0]
    s.decision[E.PREFILL_FIRST] = 1
    s.decision[E.EXCLUSIVE] = 1
    s.decision[E.WHOLE] = 1


def _lacks(engine: LLMEngine) -> str:
    """vLLM's own condition: a token of every running request fits into a batch."""
    fits = engine.slots is not None and engine.slots <= engine.parameters["budget"]  # type: ignore[operator]
    return "" if fits else "slots (max_num_seqs), at most the budget (max_num_batched_tokens)"


POLICY = Policy("vllm-whole", decide, whole=("budget",), lacks=_lacks)
