import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory.errors import InputError
from qtheory.numerics.markov import birth_death, explore, stationary, stationary_of_rates

WEIGHTS = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(1, 10**9), min_size=n, max_size=n), min_size=n, max_size=n)
)


def exact(rates):
    """The stationary law of integer jump rates, in fractions, by plain elimination of balance equations."""
    n = len(rates)
    rows = [[Fraction(rates[j][i]) if i != j else -Fraction(sum(rates[i]) - rates[i][i]) for j in range(n)] + [0]
            for i in range(n)]  # fmt: skip
    rows[-1] = [Fraction(1)] * n + [Fraction(1)]
    for k in range(n):
        pivot = next(r for r in range(k, n) if rows[r][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for r in range(n):
            if r != k:
                ratio = rows[r][k] / rows[k][k]
                rows[r] = [a - ratio * b for a, b in zip(rows[r], rows[k], strict=True)]
    return [rows[k][-1] / rows[k][k] for k in range(n)]


@given(WEIGHTS)
@settings(derandomize=True, max_examples=60, deadline=None)
def test_every_digit_of_the_stationary_law(rates):
    for got, want in zip(stationary_of_rates(rates), exact(rates), strict=True):
        assert abs(Fraction(float(got)) / want - 1) < Fraction(1, 10**14)


def test_small_probabilities_keep_their_digits():
    # Two nearly separate halves: the law is known to nearly all digits although the coupling is 1e-18.
    tiny = 1e-18
    law = stationary_of_rates([[0, 1, tiny], [2, 0, 0], [3 * tiny, 0, 0]])
    assert law[2] / law[0] == pytest.approx(1.0 / 3.0, rel=1e-14)
    assert law[1] / law[0] == pytest.approx(0.5, rel=1e-14)


@given(WEIGHTS)
@settings(derandomize=True, max_examples=40, deadline=None)
def test_a_stationary_law_stays_as_it_is(rates):
    a = np.array(rates, dtype=float)
    p = a / a.sum(axis=1, keepdims=True)
    law = stationary(p)
    assert law.sum() == pytest.approx(1.0, abs=1e-14)
    assert law @ p == pytest.approx(law, rel=1e-12)


def test_transient_states_have_probability_zero():
    assert stationary([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.0, 1.0, 0.0]]) == pytest.approx([0.0, 2 / 3, 1 / 3])


def test_birth_and_death_of_any_length():
    n, load = 60, 0.8
    law = birth_death([load] * n, [1.0] * n)
    assert law == pytest.approx((1 - load) / (1 - load ** (n + 1)) * load ** np.arange(n + 1), rel=1e-12)
    rates = np.diag([load] * n, 1) + np.diag([1.0] * n, -1)
    assert stationary_of_rates(rates) == pytest.approx(law, rel=1e-12)
    assert birth_death([50.0] * 20_000, np.arange(1.0, 20_001.0))[50] == pytest.approx(
        math.exp(50 * math.log(50) - 50 - math.lgamma(51)), rel=1e-9
    )
    assert birth_death([1.0, 0.0], [1.0, 1.0]).tolist() == [0.5, 0.5, 0.0]


def test_exploring_a_rule():
    def slot(n):  # Bernoulli arrivals, one service a slot, room for 3
        later = max(n - 1, 0)
        yield 0.4, min(later + 2, 3)
        yield 0.6, later

    chain = explore(0, slot)
    assert set(chain.states) == {0, 1, 2, 3}
    law = dict(zip(chain.states, chain.stationary(), strict=True))
    for n in chain.states:
        inflow = sum(law[m] * p for m in chain.states for p, target in slot(m) if target == n)
        assert law[n] == pytest.approx(inflow, rel=1e-13)
    assert chain.mean(lambda n: n) == pytest.approx(sum(n * p for n, p in law.items()))


def test_exploring_rates():
    chain = explore(0, lambda n: [(2.0, n + 1)] * (n < 4) + [(float(n), n - 1)] * (n > 0), continuous=True)
    assert chain.mean(lambda n: n) == pytest.approx(birth_death([2.0] * 4, [1.0, 2.0, 3.0, 4.0]) @ np.arange(5))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: stationary([[0.5, 0.5]]), "square"),
        (lambda: stationary(np.zeros((0, 0))), "square"),
        (lambda: stationary([[0.5, 0.6], [0.5, 0.5]]), "row 0 .* no probability law"),
        (lambda: stationary([[1.5, -0.5], [0.5, 0.5]]), r"\(0, 1\) is negative"),
        (lambda: stationary([[0.5, math.nan], [0.5, 0.5]]), r"\(0, 1\) is not finite"),
        (lambda: stationary(np.eye(2)), "2 closed classes"),
        (lambda: stationary_of_rates([[0, 1, 0], [0, 0, 0], [1, 0, 0], [1, 1, 1]]), "square"),
        (lambda: birth_death([1.0], [0.0]), "death rates positive"),
        (lambda: birth_death([1.0, 2.0], [1.0]), "equally many"),
        (lambda: explore(0, lambda n: [(1.0, n + 1)], limit=10), "more than 10 states"),
        (lambda: explore(0, lambda n: [(0.5, n)]), "sum to 0.5"),
        (lambda: explore(0, lambda n: [(-0.5, n)]), "weight -0.5"),
    ],
)
def test_bad_chains_are_one_line(call, says):
    with pytest.raises(InputError, match=says) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_birth_outweighs_death_at_any_length():
    """Each state twice as likely as the one below: half of all is at the top, whatever the powers in between."""
    law = birth_death([2.0] * 3000, [1.0] * 3000)
    assert law[-3:] == pytest.approx([0.125, 0.25, 0.5]) and law.sum() == pytest.approx(1.0)
