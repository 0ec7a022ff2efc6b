from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import chi2, kstest

from qtheory.simulate.kernel import random as r
from qtheory.simulate.kernel.jit import compiled

# Known answers of Philox4x32-10 from the Random123 distribution (kat_vectors).
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


class Block(NamedTuple):
    numbers: np.ndarray
    out: np.ndarray
    words: np.ndarray
    key: np.ndarray


def block(size, numbers=(), seed=0, replication=0):
    return Block(np.array(numbers, dtype=np.uint64), np.empty(size), np.empty(size, dtype=np.uint64),
                 r.stream_key(seed, replication))  # fmt: skip


@compiled
def philox(b):
    n = b.numbers
    b.words[0], b.words[1] = r.philox(n[0], n[1], n[2], n[3], n[4], n[5])


@compiled
def fill_words(b, source, first):
    r.fill_words(b.words, b.key, source, first)


@compiled
def fill_exponentials(b, source, first):
    r.fill_exponentials(b.out, b.words, b.key, source, first)


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_philox_known_answers(counter, key, answer):
    made = block(2, counter + key)
    philox(made)
    a, b = map(int, made.words)
    assert (a & 0xFFFFFFFF, a >> 32, b & 0xFFFFFFFF, b >> 32) == answer


def words(size, seed=0, replication=0, source=0, first=0):
    made = block(size, seed=seed, replication=replication)
    fill_words(made, source, first)
    return made.words.reshape(2, -1).T.ravel()  # block by block


def exponentials(size, source=0, first=0):
    made = block(size)
    fill_exponentials(made, source, first)
    return made.out


@pytest.mark.later
def test_a_stream_can_be_entered_anywhere():
    whole = words(2048)
    assert np.array_equal(whole[600:900], words(300, first=300))
    e = exponentials(4096)
    assert np.array_equal(e[1000:2024], exponentials(1024, first=500))


def test_streams_differ_by_seed_replication_and_source():
    streams = [words(1000), words(1000, seed=1), words(1000, replication=1), words(1000, source=1)]
    assert np.unique(np.concatenate(streams)).size == 4000


def test_exponentials_follow_their_law_body_and_tail():
    e = exponentials(1_000_000)
    assert kstest(e, "expon").pvalue > 1e-3
    tail = e[e > r.TAIL] - r.TAIL
    assert abs(tail.size - 1e6 * np.exp(-r.TAIL)) < 4 * np.sqrt(1e6 * np.exp(-r.TAIL))
    assert kstest(tail, "expon").pvalue > 1e-3


def test_exponentials_layer_by_layer():
    # Equal probability cells: every layer boundary of the ziggurat falls inside some cell.
    cells = np.bincount((-np.expm1(-exponentials(2_000_000)) * 1000).astype(int), minlength=1000)
    statistic = ((cells - 2000.0) ** 2 / 2000.0).sum()
    assert chi2.sf(statistic, 999) > 1e-3


def test_units_stay_inside_the_open_interval():
    assert 0.0 < r.unit(np.uint64(0)) < r.unit(np.uint64(2**64 - 1)) <= 1.0 - 2.0**-54
