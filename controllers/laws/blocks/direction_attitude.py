# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Attitude computed from one measured direction, so that an attitude law can point a body axis."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.errors import DesignError, InputError
from ....plant.kernels.fields import fields, filled
from ....plant.kernels.kernel import kernel
from ....plant.kernels.rotation import compose
from ....plant.quantity import QUATERNION, VECTOR, check_arguments, of_argument
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock

AT = fields(axis=3, attitude=4)
"""Layout of q: the body axis to point, and the attitude in which the axis has the measured direction."""

MESSAGE = fields(direction=3, valid=1, time=1)
"""Layout of y: the message of a direction sensor."""

OPPOSITE = 1e-24  # two unit vectors count as opposite if the squared length of their sum is below this
ALONG = 1e-6  # rad: largest angle between direction and axis at rest


@kernel
def shortest(s0, s1, s2, a0, a1, a2):
    """Return the Euler parameters of the shortest rotation from unit vector s to unit vector a."""
    h0, h1, h2 = s0 + a0, s1 + a1, s2 + a2  # twice the half-way vector, whose length is cos(half the angle)
    square = h0 * h0 + h1 * h1 + h2 * h2
    if square.real < OPPOSITE:
        # rotation by pi about an axis perpendicular to a, built from the two larger components of a
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
    """Write attitude o (shortest rotation from direction to axis) to v, or the last v if y is invalid."""
    if y[MESSAGE.valid].real > 0.0:
        size = (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) ** 0.5
        d0, d1, d2, d3 = shortest(y[0] / size, y[1] / size, y[2] / size, q[AT.axis], q[AT.axis + 1], q[AT.axis + 2])
        e = AT.attitude
        z[0], z[1], z[2], z[3] = compose(q[e], q[e + 1], q[e + 2], q[e + 3], d0, d1, d2, d3)
    for m in range(4):
        v[m] = z[m]


@check_arguments
def direction_attitude(
    *,
    reads: str,
    axis: Annotated[ArrayLike, of_argument(shape=VECTOR, doc="body axis to point, any length but zero")],
    sample: float,
    attitude: Annotated[
        ArrayLike, of_argument(shape=QUATERNION, case=None, doc="reference attitude of the law, Euler parameters")
    ] = (1.0, 0.0, 0.0, 0.0),
    writes: str = "direction_attitude",
    offset: float = 0.0,
    delay: float = 0.0,
    name: str = "direction-attitude",
) -> Block:
    """Return a block that computes an attitude from a measured direction, such as one from sun cells.

    The output is `attitude` if the direction is along `axis`. Otherwise it is `attitude` combined with the shortest
    rotation from the direction to the axis. A law that holds `attitude` thus slews the axis to the direction by the
    shortest rotation, and does not control the rotation about that direction. After an invalid measurement the last
    output is repeated. Before the first valid measurement the output is `attitude`, so that the spacecraft does not
    slew.

    Parameters
    ----------
    reads : str
        Signal of a direction sensor: unit vector in body axes, validity flag, time.
    axis : array_like, shape (3,)
        Body axis to point along the direction, of any nonzero length.
    sample : float
        Sampling period, s.
    attitude : array_like, shape (4,)
        Reference attitude of the law, Euler parameters. For margins, the axis must point to the target in this
        attitude.
    writes : str
        Name of the output signal, which has four components.
    offset : float
        Time of the first sample, s.
    delay : float
        Time from a sample until its output takes effect, s.
    name : str
        Name of the block.

    Returns
    -------
    Block
        The block, with its linear form about a spacecraft at rest whose axis points to the target.

    Raises
    ------
    InputError
        When the axis is zero, or the attitude is not a unit quaternion.

    Examples
    --------
    >>> block = direction_attitude(reads="sun_cells", axis=(0, 0, 1), sample=0.1)
    >>> block.replay([0.0, 0.1], [[1.0, 0, 0, 1, 0], [0, 0, 0, 0, 0.1]], compiled=False).round(6)
    array([[ 0.707107,  0.      , -0.707107,  0.      ],
           [ 0.707107,  0.      , -0.707107,  0.      ]])
    """
    size = float(np.linalg.norm(axis))
    if size == 0.0:
        raise InputError("axis must be a direction of any length but zero; got (0, 0, 0)")
    a, e = np.asarray(axis) / size, np.asarray(attitude)

    def form(y0: NDArray[np.float64]) -> BlockForm:
        size = float(np.linalg.norm(y0[:3]))
        off = math.atan2(float(np.linalg.norm(np.cross(y0[:3], a))), float(y0[:3] @ a)) if size > 0.0 else math.pi
        if off > ALONG:
            raise DesignError(
                f"the block {name!r} measures a direction {math.degrees(off):.3g} deg off the axis at the operating "
                "point, so the law would not hold this attitude; give attitude=..., one in which the axis has this "
                "direction, and the same reference to the law"
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
        direction_attitude_kernel, reads=reads, writes={writes: 4}, clock=Clock(sample, offset=offset, delay=delay),
        parameters=numbers, memory=e, name=name, linear=form,
    )  # fmt: skip
