"""Enclosures of closed terms, or of terms over a box, by intervals with rational ends.

Soundness.  ``enclose(t, box)`` = (lo, hi) implies: at every point of the box t is defined and lo <= t <= hi.
Each operation is monotone in each argument on the pieces used here, and every rounding goes outwards.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from .terms import ONE, ZERO, Node, reject, require, require_limit, substitute

Interval = tuple[Fraction, Fraction]
MAX_SUM = 3000
MAX_BITS = 4000


def down(q: Fraction, bits: int) -> Fraction:
    """A number <= q with about this many bits; q itself when it is short."""
    top, bottom = q.numerator.bit_length(), q.denominator.bit_length()
    if top + bottom <= 4 * bits:
        return q
    shift = bits - top + bottom
    if shift >= 0:
        return Fraction((q.numerator << shift) // q.denominator, 1 << shift)
    return Fraction(q.numerator // (q.denominator << -shift) << -shift)


def up(q: Fraction, bits: int) -> Fraction:
    return -down(-q, bits)


def exp_bounds(q: Fraction, bits: int) -> Interval:
    """e^q = (e^r)^(2^k) with |r| <= 1/4; the Taylor tail after n terms is at most 2 |r|^n / n!."""
    require_limit(abs(q) <= 5000, "exp of a large number")
    k = 0
    while abs(q) > Fraction(1 << k, 4):
        k += 1
    r = q / (1 << k)
    work = bits + 2 * k + 20
    low, high = down(r, work), up(r, work)
    ends = []
    for point, sign in ((low, -1), (high, 1)):
        total, term, n = ONE, ONE, 0
        while n < 3 or abs(term) > Fraction(1, 1 << work):
            n += 1
            term = term * point / n
            term = down(term, 2 * work)
            total += term
            require_limit(n <= MAX_BITS, "exp series")
        # each rounding moved a term by at most 2^-(2 work - 2), and the error is carried on by factors below 1
        slack = 2 * abs(term) + Fraction(8 * n, 1 << (2 * work - 2))
        ends.append(total + sign * slack)
    low, high = ends
    for _ in range(k):
        low, high = down(low * low, work), up(high * high, work)
    return low, high


def log_bounds(q: Fraction, bits: int) -> Interval:
    """log(m 2^e) = 2 atanh((m-1)/(m+1)) + 2 e atanh(1/3) with m in [2/3, 4/3]."""
    e = q.numerator.bit_length() - q.denominator.bit_length()
    m = q / Fraction(2) ** e
    while m > Fraction(4, 3):
        m, e = m / 2, e + 1
    while m < Fraction(2, 3):
        m, e = m * 2, e - 1
    work = bits + 20
    low = atanh_bounds((down(m, work) - 1) / (down(m, work) + 1), work)[0]
    high = atanh_bounds((up(m, work) - 1) / (up(m, work) + 1), work)[1]
    half = atanh_bounds(Fraction(1, 3), work + abs(e).bit_length())
    return 2 * (low + min(e * half[0], e * half[1])), 2 * (high + max(e * half[0], e * half[1]))


def atanh_bounds(z: Fraction, bits: int) -> Interval:
    """sum of z^(2j+1)/(2j+1); for |z| <= 1/2 the tail is at most twice the first power left out.

    In units of 2^-w, rounded down: z is off by 1 at most, its square by 3, so a power by e' <= e/4 + 3/2 + 1 + tiny,
    which stays below 4, and a summand by 4 + 1.
    """
    w = bits + 30
    power = (z.numerator << w) // z.denominator
    total, square, j = 0, power * power >> w, 0
    while abs(power) > 1 << 30:
        total += power // (2 * j + 1)
        power = power * square >> w
        j += 1
        require_limit(j <= MAX_BITS, "log series")
    slack = 2 * (abs(power) + 4) + 5 * j
    return Fraction(total - slack, 1 << w), Fraction(total + slack, 1 << w)


def sqrt_bounds(q: Fraction, bits: int) -> Interval:
    shift = max(0, bits - (q.numerator.bit_length() - q.denominator.bit_length()) // 2 + 2)
    root = isqrt((q.numerator << 2 * shift) // q.denominator)
    low = Fraction(root, 1 << shift)
    return low, low if low * low == q else low + Fraction(1, 1 << shift)


def enclose(term: Node, box: dict[str, Interval], bits: int, room: int = MAX_SUM) -> Interval:
    """Enclose the term over the box, or raise KernelError; ``room`` bounds the summands, those of inner sums too."""
    low, high = _enclose(term, box, bits, room)
    return down(low, bits), up(high, bits)


def _enclose(term: Node, box: dict[str, Interval], bits: int, room: int) -> Interval:
    if type(term) is Fraction:
        return term, term
    if isinstance(term, str):
        return box[term] if term in box else reject(f"ball: {term} is not in the box")
    head = term[0]
    if head == "sum":
        return _sum(term, box, bits, room)
    if head not in ("+", "*", "^", "exp", "log", "sqrt", "max", "floor"):
        reject(f"ball: no enclosure for {head}")
    parts = [enclose(t, box, bits, room) for t in term[1:]]
    if head == "+":
        return sum((p[0] for p in parts), ZERO), sum((p[1] for p in parts), ZERO)
    if head == "*":
        low, high = parts[0]
        for a, b in parts[1:]:
            corners = (low * a, low * b, high * a, high * b)
            low, high = down(min(corners), bits), up(max(corners), bits)
        return low, high
    low, high = parts[0]
    if head == "^":
        return _power(parts[0], parts[1], bits)
    if head == "exp":
        return exp_bounds(low, bits)[0], exp_bounds(high, bits)[1]
    if head == "log":
        require(low > 0, "ball: log of a number that may be <= 0")
        return log_bounds(low, bits)[0], log_bounds(high, bits)[1]
    if head == "sqrt":
        require(low >= 0, "ball: sqrt of a number that may be negative")
        return sqrt_bounds(low, bits)[0], sqrt_bounds(high, bits)[1]
    if head == "max":
        return max(low, parts[1][0]), max(high, parts[1][1])
    return Fraction(low.__floor__()), Fraction(high.__floor__())


def _power(base: Interval, exponent: Interval, bits: int) -> Interval:
    if exponent[0] == exponent[1] and exponent[0].denominator == 1:
        n = int(exponent[0])
        size = max(q.numerator.bit_length() + q.denominator.bit_length() for q in base)
        require_limit(abs(n) * size <= 400_000, "ball: power too large")
        if n < 0:
            require(base[0] > 0 or base[1] < 0, "ball: division by a number that may be zero")
        ends = sorted((base[0] ** n, base[1] ** n))
        if n > 0 and n % 2 == 0 and base[0] < 0 < base[1]:
            ends[0] = ZERO
        return ends[0], ends[1]
    require(base[0] > 0, "ball: real power of a number that may be <= 0")
    logs = log_bounds(base[0], bits)[0], log_bounds(base[1], bits)[1]
    corners = [a * b for a in logs for b in exponent]
    return exp_bounds(down(min(corners), bits), bits)[0], exp_bounds(up(max(corners), bits), bits)[1]


def _sum(term: Node, box: dict[str, Interval], bits: int, room: int) -> Interval:
    _, index, low_end, high_end, body = term
    a, b = enclose(low_end, box, bits, room), enclose(high_end, box, bits, room)
    require(a[0] == a[1] and b[0] == b[1] and a[0].denominator == b[0].denominator == 1, "ball: sum to unknown ends")
    first, last = int(a[0]), int(b[0])
    require(last >= first - 1, "ball: sum with reversed ends")
    require_limit(last - first < room, "ball: sum too long")
    low, high = ZERO, ZERO
    for i in range(first, last + 1):
        part = enclose(substitute(body, index, Fraction(i)), box, bits, room // (last - first + 1))
        low, high = down(low + part[0], bits), up(high + part[1], bits)
    return low, high
