# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Vectors of three numbers of any type, as tuples, which the compiler keeps in registers.

`roots` and `cosine_sine` are exact to first order in the imaginary part, as complex steps require, and need no complex
library functions in compiled code.
"""

import numpy as np

from .kernel import kernel


@kernel(inline=True, lanes=True)
def dot(a, b):
    """Return a . b, without conjugation."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(inline=True, lanes=True)
def cross(a, b):
    """Return a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(inline=True, lanes=True)
def add(a, b):
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(inline=True, lanes=True)
def sub(a, b):
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel(inline=True, lanes=True)
def scale(s, a):
    """Return s a."""
    return s * a[0], s * a[1], s * a[2]


@kernel(inline=True, lanes=True)
def axpy(s, a, b):
    """Return s a + b."""
    return s * a[0] + b[0], s * a[1] + b[1], s * a[2] + b[2]


@kernel(inline=True)
def row3(table, i, k):
    """Return three adjacent entries of row i of a table, starting at column k."""
    return table[i, k], table[i, k + 1], table[i, k + 2]


@kernel(inline=True)
def put(table, i, k, a):
    """Write the vector a to row i, starting at column k."""
    table[i, k] = a[0]
    table[i, k + 1] = a[1]
    table[i, k + 2] = a[2]


@kernel(inline=True)
def turned(x, y, z, a):
    """Return a_1 x + a_2 y + a_3 z: the vector with components a in the frame x, y, z."""
    return (
        x[0] * a[0] + y[0] * a[1] + z[0] * a[2],
        x[1] * a[0] + y[1] * a[1] + z[1] * a[2],
        x[2] * a[0] + y[2] * a[1] + z[2] * a[2],
    )


@kernel(inline=True)
def roots(x):
    """Return x^1/2 and x^-1/2; the real part of x must be positive."""
    s = np.sqrt(x.real)
    r = 1.0 / s
    d = 0.5 * (x - s * s) * r
    return s + d, r - d * r * r


@kernel(inline=True)
def cosine_sine(x):
    """Return cos x and sin x."""
    a = x.real
    c = np.cos(a)
    s = np.sin(a)
    d = x - a
    return c - d * s, s + d * c
