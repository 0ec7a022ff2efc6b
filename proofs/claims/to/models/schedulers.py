"""The schedulers of Section 3 and of Section 2.3, from their sentences: what a batch loads in a state.

A state lists (p_i, d_i), the prefill and decode tokens left, oldest request first; a batch lists (delta_i^p,
delta_i^d) in that order, for a token budget b. Orders among requests are first come first served.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

State = Sequence[tuple[int, int]]
Batch = list[tuple[int, int]]
Scheduler = Callable[[State, int], Batch]


def _prefill(state: State, room: int, most: int | None = None) -> list[int]:
    """Prefill tokens of the (at most ``most``) oldest requests with p_i > 0, up to ``room``."""
    loaded, used = [], 0
    for p, _ in state:
        take = min(p, room) if most is None or used < most else 0
        used += p > 0
        loaded.append(take)
        room -= take
    return loaded


def _decode(state: State, room: int, most: int | None = None) -> list[int]:
    """A decode token of each of the (at most ``most``) oldest requests with p_i = 0, up to ``room``."""
    loaded: list[int] = []
    for p, _ in state:
        loaded.append(int(p == 0 and sum(loaded) < (room if most is None else min(room, most))))
    return loaded


def faster_transformer(state: State, b: int) -> Batch:
    """"It fills in all the decode tokens from any request i with p_i = 0 until batch size limit", never mixed."""
    decode = _decode(state, b)
    return list(zip([0] * len(state) if any(decode) else _prefill(state, b), decode, strict=True))


def vllm(state: State, b: int) -> Batch:
    """"It fills in prefill tokens from a request i with p_i > 0 until batch size limit", never mixed."""
    prefill = _prefill(state, b)
    return list(zip(prefill, [0] * len(state) if any(prefill) else _decode(state, b), strict=True))


def orca(state: State, b: int) -> Batch:
    """"It fills in i with p_i > 0 first. Only after p_i = 0 for all i, pack as many decode tokens as possible".

    The p_i of the second sentence count down as the batch fills: with those of the state nothing would ever mix.
    """
    prefill = _prefill(state, b)
    return list(zip(prefill, _decode(state, b - sum(prefill)), strict=True))


def sarathi(state: State, b: int) -> Batch:
    """"Fill in as many as decode tokens ... as possible. When there is additional space, ... prompt tokens"."""
    decode = _decode(state, b)
    return list(zip(_prefill(state, b - sum(decode)), decode, strict=True))


def k_fcfs(state: State, b: int, k_p: int, k_d: int) -> Batch:
    """"When loading tokens in phase f, only tokens from (at most) K_f oldest requests are loaded"; decode first."""
    decode = _decode(state, b, k_d)
    return list(zip(_prefill(state, b - sum(decode), k_p), decode, strict=True))


def idles_unless_full(state: State, b: int) -> Batch:
    """Work-conserving by (2.6): a full batch where one can be formed, else none at all."""
    batch = sarathi(state, b)
    return batch if sum(p + d for p, d in batch) == b else [(0, 0)] * len(state)


def infeasible(state: State, batch: Batch, b: int) -> str:
    """Which of the conditions (2.5a) to (2.5d) the batch breaks, if any."""
    pairs = list(zip(state, batch, strict=True))
    if any(p > 0 and d > 0 for (p, _), (_, d) in pairs):
        return "(2.5a)"
    if any(loaded > p for (p, _), (loaded, _) in pairs):
        return "(2.5b)"
    if any(d > 1 for _, d in batch):
        return "(2.5c)"
    return "(2.5d)" if sum(p + d for p, d in batch) > b else ""


def after(state: State, batch: Batch) -> State:
    """The state when the batch is complete: requests whose last decode token it held have left."""
    left = [(p - dp, d - dd) for (p, d), (dp, dd) in zip(state, batch, strict=True)]
    return [(p, d) for p, d in left if p + d > 0]
