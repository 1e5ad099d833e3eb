# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Counter-based random numbers: each number depends only on its counter and key, not on earlier numbers.

Philox4x32-10 of Salmon, Moraes, Dror & Shaw (2011) maps a counter of four 32-bit words and a key of two 32-bit words to
four random words. The key is the seed; the counter encodes sample, channel, block and run. The numbers are therefore
independent of evaluation order, number of workers and restarts. (`numpy.random.Philox` is the 4x64 variant, and
increments before its first block.)

Integers here are signed 64-bit words in compiled code and C, and unbounded in Python. A product of two 32-bit words
wraps in compiled code only; its lower 64 bits are the same. Logarithm, cosine and sine are computed with + - x / and
sqrt only, because library functions differ in the last bit.
"""

import math

from .kernel import kernel
from .lanes import every, select

WORD = 0xFFFFFFFF
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # LN2_HIGH has 32 trailing zero bits
SQRT_HALF = 0.70710678118654752440
QUARTER = 1.57079632679489661923  # quarter turn, rad


@kernel
def philox(c0, c1, c2, c3, k0, k1):
    """Return four random 32-bit words from a counter and a key, as integers in [0, 2^32)."""
    for _ in range(10):
        first = 0xD2511F53 * c0
        second = 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (
            ((second >> 32) & WORD) ^ c1 ^ k0,
            second & WORD,
            ((first >> 32) & WORD) ^ c3 ^ k1,
            first & WORD,
        )
        k0 = (k0 + 0x9E3779B9) & WORD
        k1 = (k1 + 0xBB67AE85) & WORD
    return c0, c1, c2, c3


@kernel(inline=True)
def _uniform(a, b):
    """Return a number in (0, 1), never 0 or 1, from 52 bits of two words."""
    return ((a >> 6) * 67108864.0 + (b >> 6) + 0.5) * 2.220446049250313e-16


@kernel
def uniform_pair(sample, channel, block, run, key0, key1):
    """Return two independent random numbers, uniform in (0, 1)."""
    a, b, c, d = philox(sample & WORD, channel + ((sample >> 32) << 16), block, run, key0, key1)
    return _uniform(a, b), _uniform(c, d)


@kernel
def normal_pair(sample, channel, block, run, key0, key1):
    """Return two independent normal numbers, mean 0, variance 1 (Box & Muller 1958), up to 8.57 sigma."""
    u, v = uniform_pair(sample, channel, block, run, key0, key1)
    return normals_of(u, v)


@kernel(inline=True)
def normals_of(u, v):
    """Return two independent normal numbers from two uniform ones in (0, 1), by the method of Box & Muller."""
    radius = math.sqrt(-2.0 * _log(u))
    c, s = _cos_sin_turn(v)
    return radius * c, radius * s


@kernel
def _log(x):
    """Return the natural logarithm of x in (0, 1), by the artanh series between sqrt(1/2) and sqrt 2."""
    power = 0.0
    while not every(x >= SQRT_HALF):  # exact: doubling changes only the exponent
        low = x < SQRT_HALF
        x, power = select(low, x * 2.0, x), select(low, power + 1.0, power)
    z = (x - 1.0) / (x + 1.0)
    square = z * z
    total = 1.0 / 25.0
    total = total * square + 1.0 / 23.0
    total = total * square + 1.0 / 21.0
    total = total * square + 1.0 / 19.0
    total = total * square + 1.0 / 17.0
    total = total * square + 1.0 / 15.0
    total = total * square + 1.0 / 13.0
    total = total * square + 1.0 / 11.0
    total = total * square + 1.0 / 9.0
    total = total * square + 1.0 / 7.0
    total = total * square + 1.0 / 5.0
    total = total * square + 1.0 / 3.0
    part = 2.0 * z + 2.0 * z * (square * total)
    return part - power * LN2_LOW - power * LN2_HIGH


@kernel
def _cos_sin_turn(turn):
    """Return cos and sin of a fraction of a full turn in (0, 1).

    The nearest quarter turn is separated; a series gives the functions of the remainder.
    """
    quarter = math.floor(turn * 4.0 + 0.5)  # the nearest of 0 ... 4
    angle = (turn * 4.0 - quarter) * QUARTER
    square = angle * angle
    s = -1.0 / 1307674368000.0
    s = s * square + 1.0 / 6227020800.0
    s = s * square - 1.0 / 39916800.0
    s = s * square + 1.0 / 362880.0
    s = s * square - 1.0 / 5040.0
    s = s * square + 1.0 / 120.0
    s = s * square - 1.0 / 6.0
    s = angle + angle * (square * s)
    c = 1.0 / 20922789888000.0
    c = c * square - 1.0 / 87178291200.0
    c = c * square + 1.0 / 479001600.0
    c = c * square - 1.0 / 3628800.0
    c = c * square + 1.0 / 40320.0
    c = c * square - 1.0 / 720.0
    c = c * square + 1.0 / 24.0
    c = 1.0 - 0.5 * square + square * square * c
    odd, second, third = (quarter - 1.0) * (quarter - 3.0) == 0.0, quarter == 2.0, quarter == 3.0
    first, other = select(odd, s, c), select(odd, c, s)
    # of the quarters 0 to 4: (c, s), (-s, c), (-c, -s), (s, -c), (c, s)
    negative = select(quarter == 1.0, 1.0, select(second, 1.0, 0.0)) > 0.0
    below = select(second, 1.0, select(third, 1.0, 0.0)) > 0.0
    return select(negative, -first, first), select(below, -other, other)
