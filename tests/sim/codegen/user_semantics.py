# pyright: basic
# ruff: noqa: A001, B007, F823, F841, I001, PLC2401, PLC3002, PLR0124, PLR0133, PLW0120, RUF021 # what users write
"""Blocks whose results depend on Python's meaning of an operator that C defines differently.

All have the signature of a block: (t, y, q, z, v).
"""

import math
import numpy as np


def abs(x):
    return x * 10.0


def range_(n):
    return n


sum = 3.0
BASE = 2.0


def later(a, b=BASE * 2.0, c=(1.0, 2.0)):
    return a + b + c[1]


BASE = 7.0


def outer(g, n, row):
    def k(t, y, q, z, v):
        v[0] = g * y[0] + n // 2
        v[1] = row[1] * y[1]

    return k


k00 = outer(0.5, 7, np.array([1.0, 4.0]))


def k01(t, y, q, z, v):
    v[0] = abs(y[0])
    v[1] = sum * y[1]


def k02(t, y, q, z, v):
    v[0] = later(y[0])
    v[1] = later(1.0, c=(0.0, y[1]))


def k03(t, y, q, z, v):
    a = y[0:3].copy()
    b = a[1:]
    a[1] = 9.0
    b[1] = 4.0
    v[0] = b[0]
    v[1] = a[2]


def k04(t, y, q, z, v):
    a = z
    a[0] = 5.0
    b = a
    b += 1.0
    v[0] = z[0]
    v[1] = a[1]


def k05(t, y, q, z, v):
    a = z[0:2]
    z[0] = 1.0
    v[0] = a[0]
    a = a + 0.0
    z[0] = 2.0
    v[1] = a[0]


def k06(t, y, q, z, v):
    for i in range(3):
        pass
    v[0] = i
    for i in (4, 5):
        pass
    v[1] = i


def k07(t, y, q, z, v):
    n = 3
    for i in range(n):
        n = 1
        last = i
    v[0] = last
    v[1] = n


def k08(t, y, q, z, v):
    x = 1
    x = x / 3
    for k in range(2):
        x = x * 2
    v[0] = x
    v[1] = round(0.5) + round(1.5) + round(-2.5)


def k09(t, y, q, z, v):
    s = 0
    for k in range(3):
        s = s + y[k]
    v[0] = s
    v[1] = s // 1 if s == s else 0.0


def k10(t, y, q, z, v):
    n = 2**40
    for k in range(3):
        n = n * 2**10
    v[0] = n
    v[1] = 0.0


def k11(t, y, q, z, v):
    n = 1
    for k in range(70):
        n *= 3
    v[0] = n % 7
    v[1] = 0


def k12(t, y, q, z, v):
    n = int(y[0] * 1e30) if y[0] > 0 else 0
    v[0] = n
    v[1] = 1


def k13(t, y, q, z, v):
    v[0] = (-7) // 2 + (7 // -2) * 10 + (-7) % 3 + 7 % -3
    v[1] = -7.5 // 2 + -7.5 % 2


def k14(t, y, q, z, v):
    v[0] = y[0] // y[1]
    v[1] = y[0] % y[1]


def k15(t, y, q, z, v):
    v[0] = True + True
    v[1] = True / 2 + (not False)


def k16(t, y, q, z, v):
    i = int(y[0] > 0) + int(y[1] > 0)
    v[0] = i
    v[1] = bool(y[0]) * 3


def k17(t, y, q, z, v):
    v[0] = 1 if y[0] > 0 else 0.5
    v[1] = min(1, 2.5) + max(y[0], 1)


def k18(t, y, q, z, v):
    z[0], z[1], z[2] = z[2], z[0], z[1]
    i = 0
    i, z[i] = 2, 5.0
    v[0] = z[i]
    v[1] = z[0]


def k19(t, y, q, z, v):
    def f(x):
        z[0] += x
        return z[0]

    v[0] = z[0] + f(1.0) + z[0]
    v[1] = f(2.0) * z[0]


def k20(t, y, q, z, v):
    v[0] = 2**-2 + 0**0
    v[1] = 10**20 * 0 if False else 3


def k21(t, y, q, z, v):
    n = int(y[0]) if y[0] == y[0] and y[0] * 0 == 0 else 0
    v[0] = 2**n
    v[1] = n**2


def k22(t, y, q, z, v):
    α, β = y[0], y[1]
    α, β = β, α
    v[0] = α
    v[1] = β


def k23(t, y, q, z, v):
    x = y[0] > 0 and y[1] > 0 or y[2] > 0
    v[0] = x
    v[1] = 1 < 2 < 3 != 4


def k24(t, y, q, z, v):
    a = np.zeros(2)
    for x in z:
        a += x
        z[2] = 7.0
    v[:] = a


def k25(t, y, q, z, v):
    w = np.array([1.0, 2.0, 3.0])
    w[1:] = w[:-1]
    w[::2] += w[::-2]
    v[:] = w[1:]


def k26(t, y, q, z, v):
    v[0] = (lambda a, b=2: a * b)(y[0])
    v[1] = 0.0


def k27(t, y, q, z, v):
    len_ = len(y)  # pyright: ignore[reportUnboundVariable] # as Python has it: the name is local
    len = 3.0
    v[0] = len
    v[1] = 0.0


def k28(t, y, q, z, v):
    v[0] = np.int64(7) // 2
    v[1] = np.float64(1) / np.float64(3)


def k29(t, y, q, z, v):
    acc = 1
    while acc < 100:
        acc = acc * 3 + 1
    else:
        acc -= 1
    v[0] = acc
    v[1] = acc & 0xF | 1 << 4 ^ 3


def k30(t, y, q, z, v):
    v[0] = -0.0 + 0
    v[1] = 0 * -1.0


def k31(t, y, q, z, v):
    v[0] = -0 * y[0]
    v[1] = -(0)


def k32(t, y, q, z, v):
    x = 0
    for k in range(2):
        x = -x
    if y[0] > 1:
        x = 0.5
    v[0] = x
    v[1] = 1.0


def k33(t, y, q, z, v):
    v[0] = y[0] ** 0.5
    v[1] = y[1] ** 2.5


def k34(t, y, q, z, v):
    v[0] = math.floor(y[0]) if y[0] * 0 == 0 else 1
    v[1] = int(-2.7)


def k35(t, y, q, z, v):
    v[0] = 9007199254740993
    v[1] = 9007199254740993 - 9007199254740992


def k36(t, y, q, z, v):
    v[0] = np.max(np.array([y[0], -0.0, 0.0]))
    v[1] = max((0.0, -0.0))


def k37(t, y, q, z, v):
    v[0] = np.sign(y[0])
    v[1] = np.sign(-0.0)


def k38(t, y, q, z, v):
    del_ = [y[0], 1]
    v[0] = del_[0]
    v[1] = del_[-1]


def k39(t, y, q, z, v):
    v[0] = 0.1 + 0.2 - 0.3
    v[1] = 1e308 * 10 - 1e308 * 10


def k40(t, y, q, z, v):
    v[0] = t * y[0]
    t = 5
    v[1] = t / 2


def k41(t, y, q, z, v):
    v[0] = z[True]
    v[1] = z[-1 + 1]


def k42(t, y, q, z, v):
    v[0] = 18446744073709551616 * 0.5
    v[1] = 0


def k43(t, y, q, z, v):
    n = 10**18
    v[0] = n * 10 - n * 9
    v[1] = 0


def k44(t, y, q, z, v):
    v[0] = int(y[0] * 2) / 2 if abs(y[0]) < 1e5 else 0
    v[1] = 7 / 2 // 1


def k45(t, y, q, z, v):
    a = y[0]
    a = a > 0
    v[0] = a
    v[1] = a + 1


def k46(t, y, q, z, v):
    v[0] = z[2:].size + z[5:].size + z[:-5].size + len(z[-2:2])
    v[1] = z[-100:][0]


def k47(t, y, q, z, v):
    n = len(y) - 4
    v[0] = 0.0 - float(n)
    v[1] = 0.0 - n
