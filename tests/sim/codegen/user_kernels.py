# pyright: basic
# ruff: noqa: PLC2401, F841, RET503, E501 # what users write
"""Blocks as users write them: each uses an expression whose meaning in C differs from that in Python.

All have the signature of a block: (t, y, q, z, v).
"""

import math

import numpy as np

GAIN = 0.75
TABLE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
WORDS = "out of fuel"
polhode_user_smoothed = 3.0
μ = 0.25


def smoothed(old, new, share=0.25):
    """A user function with a default."""
    return old + share * (new - old)


def check(number):
    if number > 100.0:
        raise ValueError("more than a hundred: " + f"{number:.1f}")


def middle(row):
    return row[len(row) // 2]


def calls_helpers(t, y, q, z, v):
    z[0] = smoothed(z[0], y[0])
    z[1] = smoothed(z[1], y[1], share=0.5)
    v[0], v[1] = z[0] * GAIN, z[1] + middle(y)


def counts_from_the_end(t, y, q, z, v):
    v[0] = y[-1] + y[-2] * TABLE[-1, -3]
    v[-1] = q[-1]


def parts_of_rows(t, y, q, z, v):
    head, tail = y[:2], y[-2:]
    v[0] = head[1] + tail[0] + len(head) + len(y[1:100]) + len(y[5:2])
    v[1] = tail[-1]


def writes_many(t, y, q, z, v):
    v[:] = 0.5
    z[0:2] = (y[0], 2.0)
    z[1:] = z[:-1]
    v[0] = z[1]


def makes_arrays(t, y, q, z, v):
    own = np.zeros(3)
    for k in range(3):
        own[k] = y[k] * (k + 1)
    table = np.ones((2, y.size))
    table[1, 2] = own.sum() if False else own[2]
    more = np.array([y[0], 1, True])
    copy = y.copy()
    copy[0] = -1.0
    v[0] = own[0] + own[1] + own[2] + sum(more) + table[1, 2] + table[0, 3]
    v[1] = copy[0] + y[0] + np.full(2, 7.0)[1] + np.zeros_like(y)[0]


def lists(t, y, q, z, v):
    v[:] = [y[n] * 2.0 + n for n in range(2)]
    total = 0.0
    for each in (1, 2, 5):
        total += each * y[0]
    v[1] = total + max([y[0], y[1], 3.0]) + sum((1.0, 2.0, y[2]))


def truths(t, y, q, z, v):
    n = 3
    total = 0.0
    while n:
        n -= 1
        total += 1.5 if n and y[0] else 0.25
    v[0] = total + (y[0] > 0.0) * 2.0
    v[1] = 1.0 if not n else 0.0


def whole_numbers(t, y, q, z, v):
    n = int(y[0] * 10.0) - 7
    v[0] = n // 3 + n % 3 + (-n) // 4 + (n << 3) + (n >> 1) + (n & 6) + abs(-n)
    v[1] = round(y[1] * 3.0) + math.trunc(-2.7) + n**2 + divmod(n, 4)[0]


def functions(t, y, q, z, v):
    v[0] = math.isnan(y[0]) + math.degrees(y[0]) + math.radians(y[1]) + np.sign(-y[0]) + np.clip(y[0], 0.1, 0.2)
    v[1] = math.log(y[0] + 2.0, 3.0) + math.erf(y[1]) + np.where(y[0] > 0.0, 1.0, 2.0)


def letters(t, y, q, z, v):
    """Names that C does not have or reserves */ int ω; ??/"""
    ω, α = y[0], y[1]
    y_size, long, re, held1, made1, n1 = 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
    polhode_stop, polhode_place, stop, math_, complex_of = 1.5, 2.5, 3.5, 4.5, 5.5
    v[0] = ω - α * μ + y_size * long + re + held1 + made1 + n1 + len(y)
    v[1] = (
        polhode_stop
        + polhode_place
        + stop
        + math_
        + complex_of
        + polhode_user_smoothed
        + (y[0] + y[1]) * smoothed(1, 2)
    )


def only_sometimes(t, y, q, z, v):
    if y[0] > 0.0:
        rate = 2.0
    for k in range(int(y[1])):
        last = k
    v[0] = rate
    v[1] = last


def recurses_not(t, y, q, z, v):
    check(y[0])
    check(1000.0 * y[1])
    v[0] = v[1] = 0.0


def raises(t, y, q, z, v):
    v[0] = v[1] = 1.0
    if y[0] > 0.0:
        raise RuntimeError(WORDS)
    if y[1] > 0.0:
        raise ArithmeticError("at", 3, y[1])
    if y[2] > 0.0:
        raise KeyError
    raise ValueError(f"{y[2]:8.3f} of {int(y[3])} and {y[3]!r}, {WORDS!r:>14}")


def asserts(t, y, q, z, v):
    assert y[0] > 0.0, "not above zero"
    v[0] = v[1] = y[0]


def beyond(t, y, q, z, v):
    v[0] = 1.0
    v[1] = y[int(10.0 * y[0])]


def beyond_unread(t, y, q, z, v):
    unread = y[int(10.0 * y[0])]
    v[0] = v[1] = 1.0


def beyond_table(t, y, q, z, v):
    v[0] = v[1] = TABLE[1, int(10.0 * y[0])]


def divides(t, y, q, z, v):
    v[0] = v[1] = 7 // int(y[0])


def rests(t, y, q, z, v):
    v[0] = v[1] = 7 % int(y[0])


def without_answer(t, y, q, z, v):
    v[0] = sometimes(y[0]) + 1.0  # pyright: ignore[reportOptionalOperand] # what is tried
    v[1] = 0.0


def sometimes(number):
    if number > 0.0:
        return 2.0 * number


def complex_numbers(t, y, q, z, v):
    row = np.zeros(2, dtype=complex)
    row[0] = complex(y[0], y[1])
    row[1] = row[0] * row[0] / (1.5 + row[0])
    v[0], v[1] = row[1].real, abs(row[1]) + row[1].imag


def arrays(t, y, q, z, v):
    gain = np.array([0.5, 2.0, 4.0])
    z[:] = -gain * y[1:4] + (z - 0.25) / 2.0
    moved = TABLE @ np.array([1.0, 2.0, y[0]])
    turned = np.cross(y[:3], [1.0, 2.0, 4.0])
    v[:] = moved + np.dot(q, (2.0, 0.5)) + turned[0:2]
    v[0] += np.linalg.norm(np.array([3.0 * y[0], 4.0 * y[0]])) + np.sum(turned)


def arrays_that_do_not_fit(t, y, q, z, v):
    v[:] = y[:2] * 2.0
    z[:] = y + z


def norms(t, y, q, z, v):
    v[0] = np.sqrt(y @ y)
    v[1] = v[0] * 2.0


GOOD = [
    arrays, arrays_that_do_not_fit, norms,
    calls_helpers, counts_from_the_end, parts_of_rows, writes_many, makes_arrays, lists, truths, whole_numbers, functions,
    letters, only_sometimes, recurses_not, raises, asserts, beyond, beyond_unread, beyond_table, divides, rests,
    without_answer, complex_numbers,
]  # fmt: skip

ROWS = [
    (0.5, 1.25, 2.0, 3.0),
    (-0.5, 2.0, -1.0, 7.0),
    (0.0, 0.0, 0.0, 0.0),
    (-1.0, -3.0, 0.75, 12.5),
    (-1.0, 0.0, -0.125, 2.0),
    (1e7, -4.0, 1.0, 1.0),
    (2.0, 0.05, 8.0, 1.0),
]
