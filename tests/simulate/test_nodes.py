"""Several decode nodes: by hand, one of them as DistServe, and iteration by iteration against a naive reference."""

import math

import numpy as np
import pytest
from engine_reference import Reference, Request
from test_engine import OUTPUTS, PROMPTS, SHORT
from test_policies_by_hand import SECOND

from qtheory.errors import InputError
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Exponential, Geometric, Listed
from qtheory.simulate.request_records import iterations
from qtheory.simulate.token_series import token_times

# No prefill takes as long as some decodes: what comes at the very end of an iteration would be late by rounding.
APART = IterationTime("two-affine", (0.0419, 0.00113, 0.0307, 0.00071))


class NodesReference(Reference):
    """One iteration at a time; at one time iterations end, requests arrive and are sent on, and iterations start."""

    def go(self, horizon: float) -> None:
        count = self.e.parameters["decode_nodes"]
        self.at: list[list[Request]] = [[] for _ in range(count)]
        self.coming: list[list[Request]] = [[] for _ in range(count)]
        self.ends = [math.inf] * count
        while self.now < horizon:
            for g in range(count):
                if self.ends[g] <= self.now:
                    self.finish(g)
            self.pull()
            for r in sorted(self.pool, key=lambda r: r.last):
                if r.last <= self.now:
                    self.pool.remove(r)
                    present = [len(a) + len(c) for a, c in zip(self.at, self.coming, strict=True)]
                    self.coming[present.index(min(present))].append(r)
            for g in range(count):
                if self.ends[g] == math.inf:
                    self.start(g)
            idle = [r.ready for g in range(count) if self.ends[g] == math.inf for r in self.coming[g]]
            self.now = min([*self.next, *(r.last for r in self.pool), *self.ends, *idle])

    def start(self, g: int) -> None:
        self.decoding = self.at[g]  # what `free` and `blocks` look at: each node has a cache of its own
        while self.coming[g]:
            r = min(self.coming[g], key=lambda r: r.ready)
            needed = self.blocks((r.swapped or r.prompt) + self.step) + sum(map(self.next_blocks, self.decoding))
            full = needed > self.free or len(self.decoding) >= (self.e.slots or math.inf)
            if r.ready > self.now or full:
                break
            self.coming[g].remove(r)
            r.context, r.swapped, r.to_prefill, r.started = r.swapped or r.prompt, 0, 0, True
            r.first = r.last if r.first < 0 else r.first
            self.decoding.append(r)
        while sum(map(self.next_blocks, self.decoding)) > self.free:
            r = self.decoding.pop()
            self.preempted += 1
            self.overhead += self.e.overhead[0] + self.e.overhead[1] * r.context + self.e.overhead[2] * r.context**2
            r.swapped, r.context, r.started = r.context, 0, False
            self.coming[g].append(r)
        if self.decoding:
            self.iterations.append((self.now, g, len(self.decoding)))
            self.ends[g] = self.now + self.seconds([], self.decoding) + self.overhead
            self.overhead = 0.0

    def finish(self, g: int) -> None:
        for r in list(self.at[g]):
            more = int(self.draw(13, r.kind, self.e.accepted)) if self.e.draft else 0
            more = 1 + min(more, r.output - r.generated - 1)
            r.context, r.generated, r.last = r.context + more, r.generated + more, self.ends[g]
            if r.generated == r.output:
                self.at[g].remove(r)
                r.end = self.ends[g]
                self.done.append(r)
                if self.e.concurrency:
                    self.arrive(r.kind, r.end)
        self.ends[g] = math.inf


def engine(outputs=OUTPUTS, gap=0.25, prefill_nodes=2, decode_nodes=3, time=APART, **options):
    classes = (
        RequestClass("a", PROMPTS if outputs is OUTPUTS else SHORT, outputs, Exponential(gap)),
        RequestClass("b", SHORT, Geometric(0.2), Exponential(2 * gap)),
    )
    parameters = {"prefill_nodes": prefill_nodes, "decode_nodes": decode_nodes, "transfer": 0.02,
                  "transfer_per_token": 0.003}  # fmt: skip
    return LLMEngine(classes, time, "distserve-nodes", parameters, **options)


def agree(model, horizon=120.0):
    got = run_engine(model, horizon=horizon, windows=1, records=True)
    want = NodesReference(model, horizon)
    table = iterations(got)
    ours = table[np.lexsort((table[:, 4], table[:, 0]))]
    theirs = np.array([i for i in want.iterations if i[0] < horizon])
    # What is under way at the end is not counted yet: look at what started and ended well before.
    before = horizon - 5.0
    ours, theirs = ours[ours[:, 0] < before], theirs[theirs[:, 0] < before]
    assert len(ours) == len(theirs) > 300
    assert np.array_equal(ours[:, [4, 3]], theirs[:, 1:]) and np.allclose(ours[:, 0], theirs[:, 0], rtol=0, atol=1e-7)
    done = sorted((r.end, r.kind, r.arrival, r.first, r.prompt, r.output) for r in want.done if r.end < before)
    mine = sorted((r[3], r[0], r[1], r[2], r[4], r[5]) for r in got.records if r[3] < before)
    assert len(mine) == len(done) > 100 and np.allclose(mine, done, rtol=0, atol=1e-7)
    assert {int(g) for g in ours[:, 4]} == set(range(model.nodes))
    return got, want


@pytest.mark.parametrize("time", [APART, IterationTime("memory", (0.03, 0.0002))], ids=lambda law: law.kind)
@pytest.mark.parametrize("decode_nodes", [1, 2, 5])
def test_iterations_are_those_of_the_reference(time, decode_nodes):
    agree(engine(time=time, decode_nodes=decode_nodes))


@pytest.mark.parametrize("options", [
    {"capacity": 130}, {"capacity": 140, "block": 16}, {"capacity": 140, "draft": 2, "acceptance": 0.5},
    {"slots": 3}, {"draft": 3, "acceptance": 0.8},
], ids=str)  # fmt: skip
def test_each_node_has_memory_and_slots_of_its_own(options):
    got, want = agree(engine(SHORT, 0.15, decode_nodes=2, overhead=(0.01, 0.001, 0.0), **options))
    assert abs(got.total(E.PREEMPTIONS) - want.preempted) <= 2
    assert "capacity" not in options or want.preempted > 5


def test_one_decode_node_is_distserve():
    several = engine(SHORT, 0.4, decode_nodes=1, capacity=150)
    parameters = {k: v for k, v in several.parameters.items() if k != "decode_nodes"}
    one = LLMEngine(several.classes, several.time, "distserve", parameters, capacity=150)
    a, b = (run_engine(m, horizon=300.0, windows=30, records=True) for m in (several, one))
    size = min(len(a.records), len(b.records))
    assert size > 300 and abs(len(a.records) - len(b.records)) < 10
    assert np.allclose(a.records[:size], b.records[:size], rtol=0, atol=1e-9)
    assert a.total(E.PREEMPTIONS) > 0
    ours, theirs = token_times(a, range(200)), token_times(b, range(200))
    assert all(np.allclose(x, y, rtol=0, atol=1e-9) for x, y in zip(ours, theirs, strict=True))
    assert a.busy == pytest.approx(b.busy, abs=0.005)


def test_closed_loop():
    requests = (RequestClass("a", SHORT, OUTPUTS),)
    parameters = {"prefill_nodes": 1, "decode_nodes": 2, "transfer": 0.0, "transfer_per_token": 0.001}
    agree(LLMEngine(requests, APART, "distserve-nodes", parameters, concurrency=12))


def test_nodes_by_hand():
    """A second a prompt and an iteration, transfers 1/4 s. Prompts end at 1, 2, 3, 4, 5. A to node 1 (both empty), B
    to 2, C at 3 to 1 (one request each); D at 4: A, 2 outputs, ended at 3.25, and C decodes: one each, so 1 again; E at
    5: 1 has C and D, B, 9 outputs, is alone on 2."""
    requests = RequestClass("r", Listed((3, 2, 5, 1, 6), 1.0), Listed((2, 9, 4, 2, 1), 1.0),
                            arrivals=Listed((0, 0, 0, 0, 0, 99)))  # fmt: skip
    parameters = {"prefill_nodes": 1, "decode_nodes": 2, "transfer": 0.25, "transfer_per_token": 0.0}
    model = LLMEngine((requests,), SECOND, "distserve-nodes", parameters)
    run = run_engine(model, horizon=16.0, windows=4, records=True)
    assert [(t, int(node) + 1, int(decode)) for t, _, _, decode, node in iterations(run)] == [
        (1.25, 1, 1), (2.25, 1, 1), (2.25, 2, 1), (3.25, 1, 1), (3.25, 2, 1), (4.25, 1, 2), (4.25, 2, 1), (5.25, 1, 2),
        (5.25, 2, 2), (6.25, 1, 1), (6.25, 2, 1), (7.25, 2, 1), (8.25, 2, 1), (9.25, 2, 1), (10.25, 2, 1),
    ]  # fmt: skip
    ends = {int(r[6]): (r[2], r[3]) for r in run.records}
    assert ends == {0: (1, 3.25), 1: (2, 11.25), 2: (3, 7.25), 3: (4, 6.25), 4: (5, 6.25)}
    assert run.total(E.POOL_TIME) == 5
    assert run.busy == 15 / 2 / 16 and run.total(E.IDLE_TIME) == 16 - 15 / 2


def test_a_run_does_not_depend_on_its_windows():
    a, b = (run_engine(engine(SHORT), horizon=200.0, windows=w, records=True) for w in (1, 50))
    size = min(len(a.records), len(b.records))
    assert size > 500 and np.allclose(a.records[:size], b.records[:size], rtol=0, atol=1e-9)
    for column in (E.RESIDENT_AREA, E.DECODING_AREA, E.WAITING_AREA, E.IDLE_TIME):
        assert a.total(column) == pytest.approx(b.total(column), rel=0.02)


def test_littles_law_counts_each_request_once():
    """Time integrals of those that wait and those that decode are the sum of the stays, up to who is still there."""
    run = run_engine(engine(SHORT, 0.4), horizon=2000.0, windows=1, records=True)
    stays = (run.records[:, 3] - run.records[:, 1]).sum()
    assert run.total(E.WAITING_AREA) + run.total(E.DECODING_AREA) == pytest.approx(stays, rel=0.01)


def test_a_request_that_no_node_holds_is_named():
    with pytest.raises(InputError, match="do not fit into the KV cache of 70 tokens"):
        run_engine(engine(capacity=70), horizon=200.0, windows=1)
