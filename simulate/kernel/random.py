"""Counter-based random numbers: Philox4x32-10 (Salmon et al., SC 2011), and the exponential ziggurat.

A variate is a pure function of (seed, replication, source, index): streams never overlap, any variate can be
drawn again, and policies are compared on the same numbers. The 128-bit counter is (block, source, attempt),
the 64-bit key is (seed, replication).
"""

from __future__ import annotations

import math

import numpy as np

from qtheory.simulate.kernel.jit import compiled

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW, _32, _11 = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(11)
_LAYER = np.uint64(255)
_UNIT = 2.0**-53


@compiled
def _round(
    c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """One round, and the key of the next."""
    p0, p1 = _M0 * c0, _M1 * c2
    return (p1 >> _32) ^ c1 ^ k0, p1 & _LOW, (p0 >> _32) ^ c3 ^ k1, p0 & _LOW, (k0 + _W0) & _LOW, (k1 + _W1) & _LOW


@compiled
def philox(
    c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Ten rounds on 32-bit words held in uint64; returns two 64-bit words (low 32 bits first)."""
    # Written out: the loop over the rounds would keep LLVM from vectorising the loop over the blocks (9 times).
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    c0, c1, c2, c3, k0, k1 = _round(c0, c1, c2, c3, k0, k1)
    return c0 | (c1 << _32), c2 | (c3 << _32)


@compiled
def block(key: np.ndarray, source: int, number: int, attempt: int) -> tuple[np.uint64, np.uint64]:
    """The two words of block ``number`` (0, 1, ...) of a source; ``attempt`` 0 is the stream itself."""
    n = np.uint64(number)
    return philox(n & _LOW, n >> _32, np.uint64(source), np.uint64(attempt), key[0], key[1])


@compiled
def _fill_chunk(low: np.ndarray, high: np.ndarray, k0: np.uint64, k1: np.uint64, source: int, first_block: int) -> None:
    # The masks tell LLVM that 32-bit products suffice; without them the loop is not vectorised.
    k0, k1, s, zero = k0 & _LOW, k1 & _LOW, np.uint64(source) & _LOW, np.uint64(0)
    for j in range(low.size):
        n = np.uint64(first_block + j)
        low[j], high[j] = philox(n & _LOW, n >> _32, s, zero, k0, k1)


@compiled
def fill_words(out: np.ndarray, key: np.ndarray, source: int, first_block: int) -> None:
    """The words of blocks ``first_block``, ... of a source into ``out`` (uint64): the first words of all, then the
    second ones. Two words beside each other would need shuffles of 512 bits, which halve the speed of the loop."""
    half = out.size // 2
    # In chunks: LLVM vectorises the inner function only where it is called from a loop (8 times faster).
    for base in range(0, half, 128):
        end = min(base + 128, half)
        _fill_chunk(out[base:end], out[half + base : half + end], key[0], key[1], source, first_block + base)


@compiled
def unit(word: np.uint64) -> float:
    """A double on the grid (k + 1/2) 2**-53 of (0, 1), from the upper 53 bits: never 0 or 1."""
    # Through int64: hardware below AVX-512 has no conversion from unsigned words.
    return float((np.float64(np.int64(word >> _11)) + 0.5) * _UNIT)


def _ziggurat_tables() -> tuple[np.ndarray, np.ndarray]:
    # 256 layers of equal area (Marsaglia and Tsang, 2000); x[1] starts the tail, the area follows from it.
    tail = 7.697117470131049720307
    area = (1.0 + tail) * math.exp(-tail)
    x = np.zeros(257)
    x[0], x[1] = area * math.exp(tail), tail
    for i in range(2, 256):
        x[i] = -math.log(area / x[i - 1] + math.exp(-x[i - 1]))
    return x, np.exp(-x)


_X, _F = _ziggurat_tables()
TAIL = float(_X[1])


@compiled
def _exponential_retry(x: float, layer: int, key: np.ndarray, source: int, index: int) -> float:
    # Outside the certain part of its layer (about 1 variate in 90): accept, or draw from the retry blocks,
    # whose number is the variate's own index, so that every variate stays a function of its index alone.
    base = 0.0
    attempt = 1
    while True:
        a, b = block(key, source, index, attempt)
        attempt += 1
        if layer == 0:
            base += TAIL  # memoryless: beyond the tail's start the law begins anew
        elif _F[layer] + unit(a) * (_F[layer + 1] - _F[layer]) < math.exp(-x):
            return base + x
        layer = int(b & _LAYER)
        x = unit(b) * _X[layer]
        if x < _X[layer + 1]:
            return base + x


@compiled
def _exponential(word: np.uint64, key: np.ndarray, source: int, index: int) -> float:
    layer = int(word & _LAYER)
    x = unit(word) * _X[layer]
    return x if x < _X[layer + 1] else _exponential_retry(x, layer, key, source, index)


@compiled
def fill_exponentials(out: np.ndarray, words: np.ndarray, key: np.ndarray, source: int, first_block: int) -> None:
    """Standard exponential variates 2*first_block, ... of a source into ``out``; ``words`` is work space."""
    fill_words(words, key, source, first_block)
    half = out.size // 2
    for j in range(half):
        i = 2 * j
        out[i] = _exponential(words[j], key, source, 2 * first_block + i)
        out[i + 1] = _exponential(words[half + j], key, source, 2 * first_block + i + 1)


@compiled
def fill_uniforms(out: np.ndarray, words: np.ndarray, key: np.ndarray, source: int, first_block: int) -> None:
    """Uniform variates on (0, 1), one word each; arguments as for :func:`fill_exponentials`."""
    fill_words(words, key, source, first_block)
    half = out.size // 2
    for j in range(half):
        out[2 * j] = unit(words[j])
        out[2 * j + 1] = unit(words[half + j])


def stream_key(seed: int, replication: int) -> np.ndarray:
    """The key of a run: (seed, replication), each below 2**32."""
    return np.array([seed, replication], dtype=np.uint64)
