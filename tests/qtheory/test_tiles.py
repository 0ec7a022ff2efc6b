"""The tile law, chunks and capacity of the tiling paper: by definition, by brute force, and the claims that prove the
formulas."""

from __future__ import annotations

import doctest
from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise, product

import numpy as np
import pytest
import sympy as sp
from formula_claims import assert_proved
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory import workloads
from qtheory.errors import InputError
from qtheory.models.laws import AffineLaw, ContextAffineLaw, PiecewiseLinearLaw, StaircaseLaw
from qtheory.numerics.chunks import cheapest_chunks
from qtheory.theory import capacity
from qtheory.theory.capacity import formulas as f

CALM = settings(derandomize=True, deadline=None, max_examples=60)
TILES = st.builds(capacity.Tile, st.sampled_from([1, 2, 4, 8]), st.integers(1, 6), st.sampled_from([1, 2, 4]))
TIMES = st.fractions(F(1, 20), 3, max_denominator=20)
LAWS = st.builds(capacity.TileLaw, TILES, column=TIMES, token=st.fractions(0, 1, max_denominator=5), pair=TIMES,
                 vector=TIMES, vector_tile=st.builds(capacity.Tile, st.integers(1, 4), st.integers(1, 4)),
                 d=st.integers(1, 4), fixed=st.sampled_from([F(0), F(1, 3), F(4)]))
REAL = tuple(capacity.TileLaw.of_rates(t, capacity.MISTRAL_7B, 312e12, 2.039e12) for t in capacity.A100)


# ---- the law ----

def tiles(length: int, width: int) -> int:
    """How many tiles of a width the places 0, 1, ... of a length lie in."""
    return len({place // width for place in range(length)})


def attention(law, read: int, columns: int) -> F:
    """(6), tile by tile: scores of ``read`` tokens by a chunk's columns, each summed over d features, and d features by
    the columns, each summed over the tokens read."""
    t = law.tile
    return law.pair * law.d * columns * (F(tiles(read, t.row), t.red) + F(tiles(read, t.red), t.row))


def reading(law, read: int) -> F:
    """(5): a decode iteration's tiles of matrices with a vector, and what is read besides."""
    v = law.vector_tile
    return law.read * read + law.vector * law.d * (F(tiles(read, v.row), v.col) + F(tiles(read, v.col), v.row))


def test_numbers_and_symbols_are_one_law() -> None:
    """`TileLaw` against the formulas (2)-(7) at a decoder's dimensions, through s mu of the data sheet's rate."""
    decoder = capacity.MISTRAL_7B
    for tile, law in zip(capacity.A100, REAL, strict=True):
        rate = 1 / (law.pair / decoder.layers)
        at = {"t_row": tile.row, "t_col": tile.col, "t_red": tile.red, "s": 1, "mu": sp.Rational(rate)}
        shape = {"N": decoder.layers, "d_x": decoder.d_x, "d": decoder.d, "d_ff": decoder.d_ff, "d_out": decoder.d_out}
        for tokens in (1, 127, 128, 129, 512):
            assert law.linear(tokens) == F(str(f.linear_time(tokens, **shape, **at)))
        for end, chunk in ((1, 1), (257, 130), (4096, 512)):
            wanted = f.prefill_attention(end, chunk, N=decoder.layers, d=decoder.d, **at)
            assert law.prefill_attention(end, chunk) == F(str(wanted))
            v = law.vector_tile
            one = f.decode_attention(end, decoder.d, v.row, v.col, 1, sp.Rational(decoder.layers / law.vector))
            assert law.decode_attention(end) == F(str(one)) * decoder.layers
        full = 2 * tile.row * tile.col * tile.red * rate
        assert float(full) == pytest.approx(312e12, rel=1e-8)


@given(LAWS, st.lists(st.tuples(st.integers(1, 20), st.integers(1, 9)), max_size=3), st.lists(st.integers(1, 30),
                                                                                             max_size=3),
       st.fractions(0, 1, max_denominator=5))
@CALM
def test_a_batch_is_the_sum_of_7(law, chunks, decodes, read) -> None:
    law = replace(law, read=read)
    tokens = len(decodes) + sum(c for _, c in chunks)
    total = (law.fixed + law.column * tiles(tokens, law.tile.col) + law.token * tokens) if tokens else F(0)
    total += sum((attention(law, i + c - 1, tiles(c, law.tile.col)) for i, c in chunks), F(0))
    assert law.batch(chunks, decodes) == total + sum((reading(law, i) for i in decodes), F(0))
    assert law.decode_attention_to(30) == sum((reading(law, i) for i in range(1, 31)), F(0))


# ---- chunks ----

@pytest.mark.later
@given(st.integers(1, 40), st.integers(1, 9), st.none() | st.integers(1, 45), st.integers(0, 12),
       st.lists(st.sampled_from([0, 0, 1, 5]), min_size=45, max_size=45))
@settings(CALM, max_examples=300)
def test_the_grid_of_ends_is_enough(length, width, limit, fixed, steps) -> None:
    """Against all ends, for any nondecreasing column and any limit; whole numbers as int64 and as Python's."""
    column, least = 1 + np.cumsum(steps), [0]
    for e in range(1, length + 1):
        starts = range(max(0, e - (limit or length)), e)
        least.append(min(least[i] + fixed + -(-(e - i) // width) * int(column[e]) for i in starts))
    for kind in (np.int64, object):
        total, chunks = cheapest_chunks(length, width, limit, lambda e, k=kind: column[e].astype(k), fixed)
        assert total == least[length] and sum(chunks) == length and min(chunks) > 0
        assert max(chunks) <= (limit or length)
        ends = np.cumsum(chunks)
        assert total == sum(fixed + -(-c // width) * int(column[e]) for c, e in zip(chunks, ends, strict=True))


@given(LAWS, st.integers(1, 25), st.none() | st.integers(1, 25), st.booleans())
@CALM
def test_the_best_chunks_of_a_law(law, prompt, limit, linear) -> None:
    best = law.chunks(prompt, limit, linear)
    assert best.prompt == prompt and best.ends[-1] == prompt
    if linear:
        starts = [1, *(e + 1 for e in best.ends[:-1])]
        assert best.seconds == sum((law.batch([piece]) for piece in zip(starts, best.chunks, strict=True)), F(0))
    for chunk in range(1, min(limit or prompt, prompt) + 1):
        other = capacity.Chunking.of(law, law.cut(prompt, chunk).chunks, linear)
        assert best.seconds <= other.seconds
    if law.fixed == 0 and limit is None:  # columns of their own are best
        w = law.tile.col
        cut = (prompt % w,) * (prompt % w > 0) + (w,) * (prompt // w)
        assert best.seconds == capacity.Chunking.of(law, cut, linear).seconds


def test_a_long_prompt() -> None:
    law = REAL[0]
    for limit in (None, 512, 8192, 1000):
        best = law.chunks(131_072, limit)
        assert set(best.chunks) == {128}
    assert law.chunks(1_000_003, 7).chunks == (4, *(7,) * 142857)  # a limit below a column
    assert law.cut(131_072, law.tile.lcm).seconds > best.seconds  # chunks of t_lcm = 256 are not optimal at t_col = 128


# ---- requests ----

@pytest.mark.later
@given(LAWS, st.integers(1, 30), st.integers(0, 12), st.none() | st.integers(1, 9))
@CALM
def test_the_time_of_a_request_by_definition(law, prompt, output, chunk) -> None:
    """In chunks of a size, or in those, of all cuts of the prompt, whose attention takes least."""
    tokens = prompt + output
    if chunk is None:
        least = [F(0)]
        for end in range(1, prompt + 1):
            least.append(min(least[begin] + attention(law, end, tiles(end - begin, law.tile.col))
                             for begin in range(end)))
        chunks = least[prompt]
    else:
        ends = [*range(chunk, prompt, chunk), prompt]
        chunks = sum((attention(law, end, tiles(end - begin, law.tile.col))
                      for begin, end in pairwise([0, *ends])), F(0))
    decodes = sum((reading(law, i) for i in range(prompt + 1, tokens + 1)), F(0))
    wanted = law.column * tokens / law.tile.col + law.token * tokens + decodes + chunks
    assert capacity.request_time(law, prompt, output, chunk) == wanted
    assert wanted >= capacity.request_time(law, prompt, output)


def test_the_printed_mean_is_beaten_where_t_lcm_is_larger_than_t_col() -> None:
    """(12) with t_lcm against the least of all chunks: equal for 128 x 256 tiles, above it for 256 x 128."""
    for law, beaten in ((REAL[0], True), (REAL[1], False)):
        t, d = law.tile, capacity.MISTRAL_7B
        last = f.whole_chunks_attention(2048, t.lcm, 1, d.d, t.row, t.col, t.red, 1, sp.Rational(1 / law.pair))
        printed = (law.column * F(2048 + 415, t.col) + law.decode_attention_to(2463) - law.decode_attention_to(2048)
                   + F(str(last)))
        assert capacity.request_time(law, 2048, 415, t.lcm) == printed
        assert (capacity.request_time(law, 2048, 415) < printed) is beaten


@pytest.mark.parametrize("chunk", [None, 5])
def test_means_are_sums_over_the_lengths(chunk) -> None:
    law = capacity.TileLaw(capacity.Tile(4, 3, 2), F(1), F(1, 7), F(1, 9), F(1, 11), capacity.Tile(2, 3), 5)
    one = workloads.RequestClass("a", output=workloads.Uniform(1, 6), prompt=workloads.Uniform(3, 11), weight=2.0)
    two = workloads.RequestClass("b", output=workloads.Deterministic(4), prompt=workloads.Deterministic(7), weight=1.0)
    mix = workloads.Workload("w", "t", "p", "s", "", (one, two))
    total = F(0)
    for p, d in product(range(3, 12), range(1, 7)):
        total += F(2, 3) * capacity.request_time(law, p, d, chunk) / 54
    total += F(1, 3) * capacity.request_time(law, 7, 4, chunk)
    found = capacity.means(law, mix, chunk)
    assert found.seconds == pytest.approx(float(total), rel=1e-9) and found.rate(3) == pytest.approx(3 / float(total))
    assert (found.prompt, found.output) == (11, 6)


def test_the_worst_time() -> None:
    law = capacity.TileLaw(capacity.Tile(4, 3, 2), F(1), F(1, 7), F(1, 9), F(1, 11), capacity.Tile(2, 3), 5, F(1, 2))
    by_hand = sum((F(1, 2) + 1 + F(1, 7) + max(reading(law, i), attention(law, i, 1)) for i in range(1, 9)), F(0))
    by_hand += sum((F(1, 2) + 1 + F(1, 7) + reading(law, i) for i in range(9, 13)), F(0))
    assert capacity.worst_time(law, 8, 4) == by_hand == capacity.worst_time([law, law], 8, 4)
    for chunks in product(range(1, 4), repeat=3):  # no way to cut a prompt takes longer
        assert capacity.Chunking.of(law, chunks).seconds + sum(
            (law.batch(decodes=[i]) for i in range(sum(chunks) + 1, sum(chunks) + 5)), F(0)
        ) <= capacity.worst_time(law, sum(chunks), 4)


def test_a_cycle_is_as_short_as_the_drift_allows() -> None:
    law = REAL[0]
    mean, worst = 0.25, 8.0
    for slack in (0.01, 0.1, 0.5):
        n = capacity.cycle_length(law, mean, worst, slack)
        for nodes in (1, 4):
            rate = nodes * (1 - slack) / mean
            assert f.drift(n, rate, nodes, mean, worst, law.tile.col) < 0
            assert f.drift(1, rate, nodes, mean, worst, law.tile.col) > 0
            assert capacity.stable_below(law, n, mean, worst, nodes) > rate
        assert n - 1 <= f.cycle_bound(mean, worst, slack, law.tile.col) < n
    # the paper's lambda in the last term lets the drift be positive at several nodes
    n, nodes, slack = capacity.cycle_length(law, mean, worst, 0.1), 4, 0.1
    rate = nodes * (1 - slack) / mean
    assert n * (rate / nodes * mean - 1) + rate * (law.tile.col - 1) * worst > 0


# ---- draining ----

@given(LAWS, st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), min_size=1, max_size=3),
       st.none() | st.integers(1, 6), st.none() | st.integers(1, 3))
@settings(CALM, max_examples=40)
def test_the_shortest_drain(law, requests, limit, slots) -> None:
    """Its schedule is one, adds up to its seconds, and no cheaper one is found by a search without a bound."""
    some = [capacity.Request(p, d) for p, d in requests]
    found = capacity.shortest_drain(law, some, limit, slots)
    assert capacity.least_seconds(law, some, limit, slots) <= found.seconds
    tokens, attention = 0, F(0)
    for chunks, decodes in found.batches:
        size = decodes + sum(c for _, c in chunks)
        tokens += size
        assert 0 < size <= (limit or size)
        attention += law.linear(size) + sum((law.prefill_attention(i + c - 1, c) for i, c in chunks), F(0))
    assert tokens == sum(p + d for p, d in requests)
    decoding = sum((law.decode_attention_to(p + d) - law.decode_attention_to(p) for p, d in requests), F(0))
    assert found.seconds == attention + decoding
    if sum(p + d for p, d in requests) <= 8:
        state = tuple(sorted((p, 0, d) for p, d in requests))
        assert found.seconds == decoding + _by_brute_force(law, state, limit, slots, {})


def _by_brute_force(law, state, limit, slots, known):
    """The least time over all batches but for decodes' attention, depth first."""
    if not state:
        return F(0)
    if state not in known:
        best = None
        for step in product(*([(c, 0) for c in range(p - e + 1)] if e < p else [(0, 0), (0, 1)] for p, e, _ in state)):
            size = sum(c + y for c, y in step)
            open_ = sum(e > 0 or c > 0 for (c, _), (_, e, _) in zip(step, state, strict=True))
            if not 0 < size <= (limit or size) or open_ > (slots or open_):
                continue
            spent = law.linear(size)
            after = []
            for (c, y), (p, e, d) in zip(step, state, strict=True):
                spent += law.prefill_attention(e + c, c) if c else 0
                if (e + c, d - y) != (p, 0):
                    after.append((p, e + c, d - y))
            total = spent + _by_brute_force(law, tuple(sorted(after)), limit, slots, known)
            best = total if best is None else min(best, total)
        known[state] = best
    return known[state]


# ---- claims ----

k, m = sp.symbols("k m", integer=True, positive=True)
p, q, u = sp.symbols("p q u", integer=True, positive=True)
WHOLE = ("p in naturals", "q in naturals", "u in naturals", "m in naturals", "p >= 1", "q >= 1", "u >= 1", "m >= 1")


def test_the_claims_of_the_formulas() -> None:
    c, A = f.CHUNK, sp.Symbol("A", positive=True)
    tiles = {"t_row": c / p, "t_col": c / q, "t_red": c / u, "s": 1, "mu": 1 / A}
    chunk = f.prefill_attention(k * c, c, 1, 1, **tiles)
    goal = sp.Eq(sp.Sum(chunk, (k, 1, m)), f.whole_chunks_attention(m * c, c, 1, 1, **tiles), evaluate=False)
    assert_proved(goal, [*WHOLE, "c > 0", "A > 0"])  # (12)
    grown = sp.Symbol("b", positive=True)
    one, other = (f.whole_chunks_attention(f.PROMPT, x, 1, 1, s=1, mu=1 / A) for x in (c, c + grown))
    assert_proved(one < other, ["L_P > 0", "c > 0", "b > 0", "A > 0", "t_row > 0", "t_col > 0", "t_red > 0"])
    assert_proved(f.drift() < 0, ["n > (t_col - 1)*T_max/(epsilon*T_R)", "lambda*T_R <= r*(1 - epsilon)", "epsilon > 0",
                                  "T_R > 0", "T_max > 0", "lambda > 0", "r > 0", "t_col >= 1"])
    at_bound = f.drift(f.cycle_bound(), f.NODES * (1 - f.SLACK) / f.MEAN)
    assert_proved(at_bound <= 0, [*positive("r T_R T_max epsilon"), "epsilon < 1", "t_col >= 1"])


def positive(names: str) -> list[str]:
    return [f"{name} > 0" for name in names.split()]


def test_the_products_of_3_2_are_those_of_2() -> None:
    """Where the tile divides the dimensions: linear_time is the sum of its GeMMs, decode_attention of two GeMVs."""
    a, b, g, h = sp.symbols("a b g h", integer=True, positive=True)
    t, tau = {"t_row": f.T_ROW, "t_col": f.T_COL, "t_red": f.T_ROW}, f.TOKENS
    d, d_x, d_ff, d_out = (f.T_ROW * x for x in (a, b, g, h))
    gemms = (3 * f.LAYERS * f.gemm_time(d, tau, d_x, **t) + f.LAYERS * f.gemm_time(d_ff, tau, d, **t)
             + f.LAYERS * f.gemm_time(d_x, tau, d_ff, **t) + f.gemm_time(d_out, tau, d_x, **t))
    linear = f.linear_time(tau, d=d, d_x=d_x, d_ff=d_ff, d_out=d_out, **t)
    assert_proved(sp.Eq(gemms, linear, evaluate=False), positive("tau N s mu t_row t_col a b g h"))
    square = {"t_row": f.T_ROW, "t_col": f.T_ROW}
    gemvs = f.gemv_time(d, f.END, **square) + f.gemv_time(f.END, d, **square)
    assert_proved(sp.Eq(gemvs, f.decode_attention(f.END, d, **square), evaluate=False), positive("e s mu t_row a"))


def test_padding_only_adds() -> None:
    """(10), step (a): each time is at least that of the tiles' fractions; GeMM by one dimension after the other."""
    tile, rate = positive("t_row t_col t_red s mu"), f.S * f.MU
    gemv = f.gemv_time()
    assert_proved(f.gemm_time() >= f.D_RED / f.T_RED * gemv, [*positive("d_row d_col d_red"), *tile])
    assert_proved(gemv >= f.D_ROW * f.D_COL / (f.T_ROW * f.T_COL * rate), [*positive("d_row d_col"), *tile])
    least = 2 * f.LAYERS * f.D * f.END * f.CHUNK / (rate * f.T_ROW * f.T_COL * f.T_RED)
    assert_proved(f.prefill_attention() >= least, [*positive("e c N d"), *tile])
    assert_proved(f.decode_attention() >= 2 * f.D * f.END / (rate * f.T_ROW * f.T_COL), [*positive("e d"), *tile])


# ---- measured laws, bad input ----

def test_measured_laws_as_tile_laws() -> None:
    law = capacity.TileLaw.of_law(StaircaseLaw(tile_time=0.01, token_time=1e-5, t_col=128.0))
    assert law.linear(129) == F(2, 100) + 129 * F(1, 100_000) and law.tile.col == 128
    law = capacity.TileLaw.of_law(ContextAffineLaw(alpha=0.01, beta=5e-5, gamma=1e-7))
    assert law.batch(decodes=[1000, 500]) == F(1, 100) + F(10, 100_000) + 1500 * F(1, 10_000_000)
    assert capacity.TileLaw.of_law(AffineLaw(alpha=0.01, beta=5e-5), 256).linear(257) == F(1, 100) + 512 * F(5, 100_000)
    with pytest.raises(InputError, match="is no tile law"):
        capacity.TileLaw.of_law(PiecewiseLinearLaw(c=0.01, a=1e-5, b0=64.0))


@pytest.mark.parametrize(("call", "says"), [
    (lambda: capacity.Tile(0, 1), "a tile's row is 0; it must be at least 1"),
    (lambda: capacity.Tile(64, 64.5), "must be an integer"),
    (lambda: capacity.TileLaw(capacity.Tile(1, 1), -1), "column is -1 s; a time must be at least 0"),
    (lambda: capacity.TileLaw(capacity.Tile(1, 1), 0), "a batch must take some time"),
    (lambda: capacity.TileLaw(capacity.Tile(1, 1), float("nan")), "column must be a finite number"),
    (lambda: REAL[0].chunks(0), "the prompt is 0; it must be at least 1"),
    (lambda: REAL[0].chunks(10, 0), "the limit is 0; it must be at least 1"),
    (lambda: REAL[0].chunks(10**7), "at most 4,194,304 are cut"),
    (lambda: REAL[0].batch([(0, 4)]), "a chunk's start is 0"),
    (lambda: capacity.TileLaw.of_rates(capacity.A100[0], capacity.MISTRAL_7B, 0, 1), "flops is 0; it must be positive"),
    (lambda: capacity.TileLaw.of_rates(capacity.Tile(3, 1), capacity.MISTRAL_7B, 1, 1), "d_x = 4096 is no multiple"),
    (lambda: capacity.cycle_length(REAL[0], 1, 1, 1.5), "it must lie between 0 and 1"),
    (lambda: capacity.worst_time([], 1, 1), "T.max needs a tile law"),
    (lambda: capacity.shortest_drain(REAL[0], []), "at least one request"),
    (lambda: capacity.shortest_drain(REAL[0], [(1, 2)]), "is no request"),
    (lambda: capacity.TileLaw((64, 64), 1), "must be a Tile"),
    (lambda: capacity.TileLaw.of_rates((64, 64), capacity.MISTRAL_7B, 1, 1), "must be a Tile"),
    (lambda: capacity.TileLaw.of_law("affine"), "'affine' law is no tile law"),
    (lambda: capacity.Request(1, -1), "an output is -1; it must be at least 0"),
    (lambda: capacity.shortest_drain(REAL[0], [capacity.Request(40, 40)] * 6), "more than 200,000 batches"),
])
def test_bad_input(call, says) -> None:
    with pytest.raises(InputError, match=says):
        call()


def test_examples() -> None:
    assert doctest.testmod(capacity).failed == 0
