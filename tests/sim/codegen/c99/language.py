# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernels for tests of the translator: each uses an expression whose meaning in C differs from that in Python."""

import math

import numpy as np

from polhode.plant.kernels.fields import fields
from polhode.plant.kernels.kernel import table_in

AT = fields(head=2, tail=3)
WEIGHTS = np.array([0.1, 0.2, 1.0 / 3.0])
ODD = (1, 5, 9)


def signs(a, b, n, m):
    """Quotients and remainders have Python's signs; the true quotient of integers is real."""
    return a // b, a % b, n // m, n % m, n / m, -a % b, -(n % m)


def extremes(a, b):
    """NaN propagates as in Python: only from the first argument."""
    return max(a, b), min(a, b), max(b, a), min(b, a), max(a, 2, b), min(0, a)


def chain(a, b, c):
    """A chained comparison evaluates the middle once, and `in` compares with each entry."""
    return 1 if a < b <= c else 0, 1 if int(a) in (1, 3) else 0, 1 if int(b) not in ODD else 0


def swap(x):
    """Simultaneous assignment uses the old values."""
    a, b, c = x[0], x[1], x[2]
    a, b, c = b, c, a
    x[0], x[1], x[2] = x[2], x[0], x[1]
    return a, b, c


def bump(x, k):
    """Writes into an array and returns a value."""
    x[k] = x[k] + 1.0
    return x[k]


def order(x):
    """Operands are evaluated left to right, even if the right one writes; unneeded operands are not evaluated."""
    a = x[0] + bump(x, 0) * x[0]
    b = bump(x, 1) - bump(x, 1)
    c = max(bump(x, 2), x[2]) + x[2]
    d = 1.0 if x[0] > 1e9 and bump(x, 0) > 0.0 else 2.0
    e = 1.0 if x[0] > -1e9 or bump(x, 0) > 0.0 else 2.0
    f = bump(x, 1) if a > 0.0 else bump(x, 2)
    x[1] += bump(x, 1)
    return a, b, c, d, e, f


def loops(x):
    """Bounds are evaluated once, a counter outlives its loop, a loop may break and continue."""
    n, total = 3, 0.0
    for i in range(n):
        n = 7
        total += x[i] * (n - i)
    for j in range(5, -1, -2):
        if j == 3:
            continue
        total = total * 0.5 + j
    for k in ODD:
        total += k
        if k == 5:
            break
    while bump(x, 0) < 5.0:
        total += 0.25
    while True:
        total += x[0]
        if total > 3.0:
            break
    return total, i, j, k


def widening(x):
    """A name that is first an integer and later a real."""
    total = 0
    for k in range(x.size):
        total = total + x[k]
    t, _, u = (1, 2.0, total) if total > 0.0 else (2.5, 3.0, total)
    return total, t, u


def parts(x):
    """Slices share the numbers of a row and have a length."""
    head, tail = x[: AT.tail], x[AT.tail :]
    table = table_in(x, 1, 2, 2)
    middle = table[1]
    middle[0] = -7.5
    tail[0] = table[1, 1] + head.size + 10 * tail.size + 100 * middle.size + 1000 * table.shape[0]
    below = table[1:]
    return head[1], tail[0], below[0, 0], below.shape[0], x.size


def powers(a, b):
    """Integer powers are products; other powers are not."""
    return a**2, a**3, abs(b) ** 0.5, a**0


def numbers(a):
    """Numbers and functions."""
    whole = math.floor(-a), math.ceil(a), abs(-int(a)), ODD[int(a)]
    angle = math.atan2(a, -a) + math.copysign(3.0, -a) + np.cos(a)
    return whole[0], whole[1], whole[2], whole[3], angle, math.sqrt(a), WEIGHTS[int(a)], 1e-300 * a


def products(a, b):
    """Products of 32-bit words wrap at 64 bits."""
    return ((0xD2511F53 * a) >> 32) & 0xFFFFFFFF, (0xCD9E8D57 * b) & 0xFFFFFFFF, a ^ b


def twice(f, x):
    """A function as an argument."""
    return f(x, 0) + f(x, 1)


def nested(x):
    """Nested tuples, and names that C reserves."""
    (cos, sin), double = (x[0], x[1]), x[2]
    pair = ((cos, 1.0), (sin, 2.0))
    (y0, _), j1 = pair[0], pair[1]
    far = (x[0], x[1], x[2])
    total = 0.0
    for k in range(3):
        total += far[k] * double
    return y0, j1[0], j1[1], total, twice(bump, x)


def unread(a):
    """Two numbers that are set in branches, only one of which is read: C neither sets nor declares the other."""
    if a > 1.0:
        other, rest = a, 2.0 * a
    else:
        other, rest = 2.0 * a, a
    rest += 1.0
    return 3.0 * other


def complex_arithmetic(a, b, c, d):
    """Products and quotients of complex numbers, with each other and with reals on either side."""
    z, w = complex(a, b), complex(c, d)
    s = z * w + z / w - w
    s += z
    s *= w
    s /= z
    s -= 2.0
    t = -z * a + (b - z) / w + (c + w) * z - d * z / c
    p = z**2 * w**3 + w**-2
    return s.real, s.imag, t.real, t.imag, p.real, p.imag, abs(s), 1 if z == w else 0, 1 if z != a else 0


def complex_widening(a, b):
    """Names, arguments, results and choices that are real first and complex later."""
    total = 0.0
    for k in range(3):
        total = total + complex(b, k) * b
    a = a + 0.5
    a = a * 1j
    c = total if total.real > 0.0 else 1.0
    pair = (1.0, 2.0) if b > 0.0 else (total, a)
    return total.real, total.imag, a.real, a.imag, c.real, c.imag, pair[0].real, pair[1].imag, halves(b).real


def halves(b):
    """Returns a real or a complex number."""
    if b > 1.0:
        return 0.5 * b
    return 0.5j * b
