# pyright: basic
# ruff: noqa: B905, E731, I001, PLW0603 # what users write
"""Blocks in the idioms of Python and numpy that users write: compiled, or run as plain Python.

All have the signature of a block: (t, y, q, z, v).
"""

import math
import numpy as np

K = np.array([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0], [2.0, 2.0, 2.0]])
GAINS = (1.0, -2.0, 0.5)
LIMIT = 2.5
NAMES = ["a", "b"]
TABLE = {"gain": 2.0}
COUNT = [0]
STATE = np.zeros(3)
TOTAL = 0.0


def rotate(e, x):
    w = np.array([e[0], e[1], e[2]])
    return np.array([w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2], w[0] * x[1] - w[1] * x[0]])


def scaled(row, by=2.0):
    return row * by


def limited(x, low=-1.0, high=1.0):
    return max(low, min(high, x))


def two(x):
    return x, -x


def skew(x):
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def early(x):
    if x > 1.0:
        return 1.0
    if x < -1.0:
        return -1.0
    return x


def unit(row):
    out = np.zeros(3)
    for i in range(3):
        out[i] = row[i] * 2.0
    return out


def product(p, q):
    return np.array([p[0] * q[0] - p[1] * q[1], p[0] * q[1] + p[1] * q[0]])


def b01(t, y, q, z, v):
    def sq(x):
        return x * x

    v[0] = sq(y[0])
    v[1] = sq(y[1] + 1.0)


def b02(t, y, q, z, v):
    try:
        v[0] = y[0]
    except ValueError:
        v[0] = 0.0
    v[1] = 0.0


def b03(t, y, q, z, v):
    v[:] = y[::2]


def b04(t, y, q, z, v):
    v[:] = np.abs(y[:2])


def b05(t, y, q, z, v):
    s = 0.0
    for x in y:
        s += x
    v[0] = s
    v[1] = -s


def b06(t, y, q, z, v):
    r = y[:2].copy()
    r += y[1:3]
    r *= 2.0
    v[:] = r


def b07(t, y, q, z, v):
    v[:] = TABLE["gain"] * y[:2]


def b08(t, y, q, z, v):
    n = 0
    while n < 3:
        n += 1
        if y[n] > 1.0:
            break
    else:
        n = 10
    v[0] = n
    v[1] = y[n % 4]


def b09(t, y, q, z, v):
    COUNT[0] += 1
    v[:] = y[:2]


def b10(t, y, q, z, v):
    v[0] = np.dot(y[:3], y[1:])
    v[1] = y[:3] @ y[1:]


def b11(t, y, q, z, v):
    v[0] = np.linalg.norm(y[:3])
    v[1] = 1.0


def b12(t, y, q, z, v):
    c = np.cross(y[:3], y[1:])
    v[:] = c[:2]


def b13(t, y, q, z, v):
    v[0] = np.clip(y[0], -1.0, 1.0)
    v[1] = np.clip(y[1], -LIMIT, LIMIT)


def b14(t, y, q, z, v):
    r = np.zeros(3)
    r[1] = y[0]
    v[:] = r[:2]


def b15(t, y, q, z, v):
    v[0] = math.atan2(y[0], y[1])
    v[1] = math.hypot(y[0], y[1]) + math.floor(0.5)


def b16(t, y, q, z, v):
    v[0] = max(y[0], y[1], y[2])
    v[1] = min(y[0], y[1], y[2])


def b17(t, y, q, z, v):
    v[0] = 1.0 if y[0] > 0 else -1.0
    v[1] = 1.0 if 0.0 <= y[1] < 1.0 else 0.0


def b18(t, y, q, z, v):
    v[0], v[1] = two(y[0])


def b19(t, y, q, z, v):
    v[0] = limited(y[0])
    v[1] = limited(y[1], high=3.0)


def b20(t, y, q, z, v):
    v[0] = np.float64(y[0]) * np.float64(2)
    v[1] = np.float64(3)


def b21(t, y, q, z, v):
    v[0] = (y[0] > 0) * 2.0
    v[1] = (y[0] > 0) * (y[1] > 0)


def b22(t, y, q, z, v):
    n = len(y) - 7
    v[0] = n // 2
    v[1] = n % 2 + (-7) // 2 + (-7) % 3


def b23(t, y, q, z, v):
    v[0] = 3**2
    v[1] = 2**-1


def b24(t, y, q, z, v):
    if y[0] > 0:
        v[:] = 1.0
        return
    v[:] = 2.0


def b25(t, y, q, z, v):
    v[0] = np.where(y[0] > 0, y[1], y[2])
    v[1] = np.sign(y[0])


def b26(t, y, q, z, v):
    a = np.array([y[0], 2.0, 3.0])
    v[:] = a[1:]


def b27(t, y, q, z, v):
    r = K @ y[:3]
    v[:] = r[:2]


def b28(t, y, q, z, v):
    v[:] = y[1:3]


def b29(t, y, q, z, v):
    v[0] = y[-1]
    v[1] = y[-2]


def b30(t, y, q, z, v):
    for i, x in enumerate(y[:2]):
        v[i] = x * i


def b31(t, y, q, z, v):
    s = 0.0
    for i in range(3, -1, -2):
        s += y[i] * i
    v[0] = s
    v[1] = sum(y)


def b32(t, y, q, z, v):
    v[0] = abs(y[0])
    v[1] = 0.0 if math.isnan(y[1]) else y[1]


def b33(t, y, q, z, v):
    v[0] = round(2.5) + round(3.5) + round(-0.5)
    v[1] = round(min(max(y[0], -9.0), 9.0)) if y[0] == y[0] else 0


def b34(t, y, q, z, v):
    f = lambda x: x * q[0]
    v[0] = f(y[0])
    v[1] = f(2.0)


def b35(t, y, q, z, v):
    g = y[0]

    def h(x):
        return x + g

    g = 5.0
    v[0] = h(1.0)
    v[1] = h(y[1])


def b36(t, y, q, z, v):
    r = rotate(y[:3], y[1:])
    v[0] = r[0] + r[2]
    v[1] = r[1]


def b37(t, y, q, z, v):
    v[:] = rotate(y[:3], y[1:])[:2]


def b38(t, y, q, z, v):
    r = scaled(y)
    v[:] = r[:2]


def b39(t, y, q, z, v):
    r = scaled(y[:2], by=3.0) + 1.0
    v[:] = r


def b40(t, y, q, z, v):
    v[:] = 2.0 * rotate(y[:3], y[1:])[1:]


def b41(t, y, q, z, v):
    m = skew(y[:3])
    v[0] = m[0, 1] + m[2, 0]
    v[1] = m[1, 2]


def b42(t, y, q, z, v):
    r = skew(y[:3]) @ y[1:]
    v[:] = r[:2]


def b43(t, y, q, z, v):
    y = y.copy()
    y[0] = 3.0
    v[:] = y[:2]


def b44(t, y, q, z, v):
    y = y * 2.0
    v[:] = y[:2]


def b45(t, y, q, z, v):
    x = y[0]
    x = np.array([x, x + 1.0])
    v[:] = x


def b46(t, y, q, z, v):
    e = y[0]
    e = int(e) if abs(e) < 100 else 0
    v[0] = e
    v[1] = e / 2


def b47(t, y, q, z, v):
    a = y[0:3].copy()
    b = a[0:2]
    a[0] = 7.0
    v[:] = b


def b48(t, y, q, z, v):
    v[0] = np.sum(y)
    v[1] = y.sum() + y.mean()


def b49(t, y, q, z, v):
    v[0] = np.max(y)
    v[1] = y.min()


def b50(t, y, q, z, v):
    v[:] = np.where(y[:2] > 0.0, y[:2], -1.0)


def b51(t, y, q, z, v):
    v[:] = np.minimum(y[:2], 1.0)


def b52(t, y, q, z, v):
    v[:] = np.clip(y[:2], -1.0, 1.0)


def b53(t, y, q, z, v):
    v[:] = np.sqrt(np.abs(y[:2]))


def b54(t, y, q, z, v):
    v[:] = y[:2] ** 2


def b55(t, y, q, z, v):
    z[::2] = y[:2]
    v[:] = z[::-2]


def b56(t, y, q, z, v):
    v[:] = K[:2, 1] * y[0]


def b57(t, y, q, z, v):
    r = K.T @ y[:3]
    v[:] = r[:2]


def b58(t, y, q, z, v):
    for a, b in ((1, 2), (3, 4)):
        v[0] = a * y[0]
        v[1] = b


def b59(t, y, q, z, v):
    for g, x in zip(GAINS, y):
        v[0] = g * x
        v[1] = g


def b60(t, y, q, z, v):
    a, b, c, d = y
    v[0] = a + b
    v[1] = c - d


def b61(t, y, q, z, v):
    a, b = y[:2]
    v[0] = a
    v[1] = b


def b62(t, y, q, z, v):
    v[:] = [x * 2.0 for x in y[:2]]


def b63(t, y, q, z, v):
    v[0] = sum(x * x for x in y)
    v[1] = 0.0


def b64(t, y, q, z, v):
    v[0] = sum([GAINS[i] * y[i] for i in range(3)])
    v[1] = 1.0


def b65(t, y, q, z, v):
    global TOTAL
    TOTAL = TOTAL + 1.0
    v[:] = y[:2]


def b66(t, y, q, z, v):
    v[0] = len(NAMES) * y[0]
    v[1] = 1.0


def b67(t, y, q, z, v):
    STATE[0] = y[0]
    v[:] = STATE[:2]


def b68(t, y, q, z, v):
    s = {1, 2}
    v[:] = len(s)


def b69(t, y, q, z, v):
    s = f"{y[0]}"
    v[:] = len(s)


def b70(t, y, q, z, v):
    v[0] = early(y[0])
    v[1] = early(y[1])


def b71(t, y, q, z, v):
    v[:] = np.zeros_like(y)[:2] + np.ones(2) * y[0]


def b72(t, y, q, z, v):
    m = np.zeros((2, 2))
    m[0, 1] = y[0]
    m[1] = y[:2]
    v[:] = m[1] + m[0]


def b73(t, y, q, z, v):
    m = np.eye(2)
    v[:] = m @ y[:2]


def b74(t, y, q, z, v):
    m = np.outer(y[:2], y[:2])
    v[:] = m[0]


def b75(t, y, q, z, v):
    v[:] = np.concatenate((y[:1], y[1:2]))


def b76(t, y, q, z, v):
    v[0] = y.size + y.shape[0]
    v[1] = y.ndim


def b77(t, y, q, z, v):
    k = np.argmax(np.abs(y))
    v[0] = y[k]
    v[1] = k


def b78(t, y, q, z, v):
    v[:] = np.hypot(y[:2], 1.0)


def b79(t, y, q, z, v):
    p = product(y[:2], y[2:])
    p = product(p, p)
    v[:] = p


def b80(t, y, q, z, v):
    v[:] = -unit(y[:3])[:2]


def b81(t, y, q, z, v):
    v[0] = not y[0]
    v[1] = y[0] != y[0]


def b82(t, y, q, z, v):
    v[0] = y[0] or 3.0
    v[1] = y[1] and 2.0


def b83(t, y, q, z, v):
    x: float = y[0]
    v[0] = x
    v[1] = (w := y[1]) + w


def b84(t, y, q, z, v):
    with np.errstate(all="ignore"):
        v[:] = y[:2]


def b85(t, y, q, z, v):
    v[:] = np.array([y[0], y[1]], dtype=float) / 2


def b86(t, y, q, z, v):
    v[0] = math.pi * y[0]
    v[1] = np.pi + math.tau * 0.0 + math.inf * 0


def b87(t, y, q, z, v):
    n = int(t * 10.0)
    v[0] = n & 3 | 4
    v[1] = ~n ^ 1


def b88(t, y, q, z, v):
    v[0] = float("nan")
    v[1] = y[0]


def b89(t, y, q, z, v):
    del_ = y[0]
    del del_
    v[:] = 0.0


def b90(t, y, q, z, v):
    v[:] = y[:2][::-1]


def b91(t, y, q, z, v):
    a = y[:2]
    v[:] = a if y[0] > 0 else y[2:]


def b92(t, y, q, z, v):
    v[0] = pow(y[0], 2)
    v[1] = divmod(7, -2)[0] + divmod(-7, 2)[1]


def b93(t, y, q, z, v):
    assert y.size == 4
    v[:] = y[:2]


def b94(t, y, q, z, v):
    v[0] = np.arctan2(y[0], y[1]) * 0.0
    v[1] = np.deg2rad(y[0])


def b95(t, y, q, z, v):
    v[0] = isinstance(t, float)
    v[1] = 0.0


def b96(t, y, q, z, v):
    v[:] = np.linalg.solve(K, y[:3])[:2]


def b97(t, y, q, z, v):
    match = y[0]
    v[:] = match


def b98(t, y, q, z, v):
    v[0] = np.round(y[0])
    v[1] = np.trunc(y[1])


def b99(t, y, q, z, v):
    z[:] = np.roll(z, 1)
    v[:] = z[:2]


def c01(t, y, q, z, v):
    v[:] = np.sin(y[:2]) * 0.0


def c02(t, y, q, z, v):
    v[0] = all([y[0] > 0, y[1] > 0])
    v[1] = any((y[0] > 0, y[1] > 0))


def c03(t, y, q, z, v):
    m = K[0:2, 0:2]
    v[:] = m @ y[:2]


def c04(t, y, q, z, v):
    m = K @ K
    v[:] = m[0, :2]


def c05(t, y, q, z, v):
    v[:] = y[[0, 1]]


def c06(t, y, q, z, v):
    v[:] = y[y > 0.0][:2] if np.sum(y > 0.0) >= 2 else 0.0


def c07(t, y, q, z, v):
    a = b = np.zeros(2)
    a[0] = y[0]
    v[:] = b


def c08(t, y, q, z, v):
    v[0] = np.inner(y, y) * 0
    v[1] = np.vdot(y, y) * 0


def c09(t, y, q, z, v):
    v[0] = 5
    v[1] = z[int(z[0])]
    z[0] = (z[0] + 1) % 3


def c10(t, y, q, z, v):
    v[0] = 1_000_000 * 0x10
    v[1] = 1e3


def c11(t, y, q, z, v):
    """Numpy adds rows of eight or more in pairs, the built-in function in order."""
    row = np.zeros(40)
    for k in range(40):
        row[k] = (y[0] + 0.1 * k) / 3.0
    v[0] = np.sum(row)
    v[1] = sum(row)


def c12(t, y, q, z, v):
    """An array created in the first iteration persists when later ones create others."""
    total = 0.0
    for k in range(4):
        if k == 0:
            kept = y * 2.0
        other = y + 1.0 * k
        total += kept[0] - other[1]
    v[0] = total
    v[1] = kept[1]
