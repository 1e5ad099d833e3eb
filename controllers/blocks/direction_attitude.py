# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The attitude that one measured direction stands for: what lets a law of attitudes point an axis."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import unit_quaternion, vector
from ...plant.errors import DesignError, InputError
from ...plant.kernels.fields import fields, filled
from ...plant.kernels.kernel import kernel
from ...plant.kernels.rotation import compose
from ..laws.block import Block
from ..laws.block_form import BlockForm

__all__ = ["direction_attitude"]

AT = fields(axis=3, attitude=4)
"""q: the body axis that points, and the attitude in which it does."""

MESSAGE = fields(direction=3, valid=1, time=1)
"""y: of a sensor of directions."""

OPPOSITE = 1e-24  # of the square of the sum of two directions, below which any axis across is as good
ALONG = 1e-6  # rad: so near to its axis is a direction where the craft rests


@kernel
def shortest(s0, s1, s2, a0, a1, a2):
    """The Euler parameters of the shortest rotation that turns s into a, both of unit length."""
    h0, h1, h2 = s0 + a0, s1 + a1, s2 + a2  # twice the half-way vector, whose length is that of cos(half the angle)
    square = h0 * h0 + h1 * h1 + h2 * h2
    if square.real < OPPOSITE:
        # half a turn about an axis across: that with the smallest part of a left out
        x, y, z = abs(a0.real), abs(a1.real), abs(a2.real)
        if x <= y and x <= z:
            n0, n1, n2 = 0.0 * a0, a2, -a1
        elif y <= z:
            n0, n1, n2 = -a2, 0.0 * a1, a0
        else:
            n0, n1, n2 = a1, -a0, 0.0 * a2
        size = (n0 * n0 + n1 * n1 + n2 * n2) ** 0.5
        return 0.0 * square, n0 / size, n1 / size, n2 / size
    h = square**0.5
    return 0.5 * h, (s1 * a2 - s2 * a1) / h, (s2 * a0 - s0 * a2) / h, (s0 * a1 - s1 * a0) / h


@kernel
def direction_attitude_kernel(t, y, q, z, v):
    """v = attitude o the shortest rotation from the direction to the axis; z holds the last where none is seen."""
    if y[MESSAGE.valid].real > 0.0:
        size = (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) ** 0.5
        d0, d1, d2, d3 = shortest(y[0] / size, y[1] / size, y[2] / size, q[AT.axis], q[AT.axis + 1], q[AT.axis + 2])
        e = AT.attitude
        z[0], z[1], z[2], z[3] = compose(q[e], q[e + 1], q[e + 2], q[e + 3], d0, d1, d2, d3)
    for m in range(4):
        v[m] = z[m]


def direction_attitude(
    *,
    reads: str,
    axis: ArrayLike,
    sample: float,
    attitude: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    writes: str = "direction_attitude",
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "direction-attitude",
) -> Block:
    """Return a block that makes an attitude of a measured direction, such as of sun cells.

    It is `attitude` where the direction lies along `axis`, and elsewhere that turned by the shortest rotation which is
    missing: a law that holds `attitude` turns the axis to the direction on the shortest way, and leaves the turn about
    it alone. Of a direction that is not seen the last one counts, and before any was seen `attitude`: there is nothing
    to turn to.

    Parameters
    ----------
    reads : str
        The message of a sensor of directions: unit vector in body axes, whether it is valid, its time.
    axis : array_like, shape (3,)
        The body axis that is to point, any length but zero.
    sample : float
        Period, s.
    attitude : array_like, shape (4,)
        What the reference of the law is, Euler parameters; for margins one in which the axis does point there.
    writes : str
        The signal written, four numbers.
    offset : float
        Time of its first sample, s.
    delay : float
        From a sample to its answer, s.
    name : str
        What it is called.

    Returns
    -------
    Block
        With its linear form, about a craft at rest whose axis points.

    Raises
    ------
    InputError
        When the axis is zero, or the attitude is none.

    Examples
    --------
    >>> block = direction_attitude(reads="sun_cells", axis=(0, 0, 1), sample=0.1)
    >>> block.replay([0.0, 0.1], [[1.0, 0, 0, 1, 0], [0, 0, 0, 0, 0.1]], compiled=False).round(6)
    array([[ 0.707107,  0.      , -0.707107,  0.      ],
           [ 0.707107,  0.      , -0.707107,  0.      ]])
    """
    given = vector("axis", axis)
    if not given.any():
        raise InputError("axis must be a direction of any length but zero; got (0, 0, 0)")
    a = given / float(np.linalg.norm(given))
    e = unit_quaternion("attitude", attitude)

    def form(y0: NDArray[np.float64]) -> BlockForm:
        size = float(np.linalg.norm(y0[:3]))
        off = math.atan2(float(np.linalg.norm(np.cross(y0[:3], a))), float(y0[:3] @ a)) if size > 0.0 else math.pi
        if off > ALONG:
            raise DesignError(
                f"the block {name!r} sees its direction {math.degrees(off):.3g} deg off the axis where the craft "
                "rests, so that its law would not rest there; give attitude=..., one in which the axis points there, "
                "and the law the same as its reference"
            )
        y = np.array(y0, dtype=complex)
        y[MESSAGE.valid] = 1.0
        D = np.zeros((4, MESSAGE.size))
        rest = np.zeros(4)
        for n in range(3):
            v: NDArray[np.complex128] = np.zeros(4, dtype=np.complex128)
            step = y.copy()
            step[n] += 1e-30j
            direction_attitude_kernel(0.0, step, np.array(numbers, dtype=complex), np.zeros(4, dtype=complex), v)
            D[:, n], rest = v.imag / 1e-30, v.real
        return BlockForm(D=D, rests=rest, words="a direction always seen")

    numbers = filled(AT, axis=a, attitude=e)
    return Block(
        direction_attitude_kernel, reads=reads, writes={writes: 4}, sample=sample, offset=offset, delay=delay,
        parameters=numbers, memory=e, name=name, linear=form,
    )  # fmt: skip
