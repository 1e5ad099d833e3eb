# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Block that steers control moment gyros: from the command of a law to gimbal rates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import of_kind, positive
from ....plant.elements.control_moment_gyro import ControlMomentGyro
from ....plant.errors import DesignError, InputError
from ....plant.kernels.kernel import kernel
from ....plant.loads.torque.torque_kernels import BODY
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...contracts.signal import TORQUE, Signal
from ...guidance.allocation.gyro_allocation import GyroAllocation, gyros_of
from ...guidance.allocation.gyro_kernel import AT, gyro_columns, gyro_rates

if TYPE_CHECKING:
    from ....plant import Element, Spacecraft

Array = NDArray[np.float64]

RATES = "gimbal_rate_commands"
MEASURE, LEAST = "singularity_measure", "least_singularity_measure"

NEAR = 0.1
"""Singularity measure below which a linear form is refused and a run warns."""

UNSET = 1e300


@kernel
def gyro_steering_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Write the remaining command, gimbal rates, steered torque, torque error, singularity measure and its minimum.

    y: command, body rate, gimbal angles; z: least measure, memory of the lag (3), workspace of the steering.
    """
    n, h = int(q[AT.gyros]), q[AT.mean]
    work = z[4 : 4 + 7 * n]
    gyro_columns(y, 6, q, work)
    h0, h1, h2 = 0.0, 0.0, 0.0
    for k in range(n):
        m = 3 * (n + k)
        h0, h1, h2 = h0 + h * work[m], h1 + h * work[m + 1], h2 + h * work[m + 2]
    c = q[AT.compensates]
    x0, x1, x2 = c * (y[4] * h2 - y[5] * h1), c * (y[5] * h0 - y[3] * h2), c * (y[3] * h1 - y[4] * h0)
    u0, u1, u2 = y[0] + x0, y[1] + x1, y[2] + x2  # torque of the gyros on the spacecraft
    measure = gyro_rates(t, -u0, -u1, -u2, q, work, v, 3)
    z[0] = min(z[0], measure)
    e0, e1, e2 = u0, u1, u2
    for k in range(n):
        rate = h * v[3 + k]
        e0, e1, e2 = e0 + work[3 * k] * rate, e1 + work[3 * k + 1] * rate, e2 + work[3 * k + 2] * rate
    v[0], v[1], v[2] = 0.0, 0.0, 0.0
    v[3 + n], v[4 + n], v[5 + n] = u0, u1, u2
    v[6 + n], v[7 + n], v[8 + n] = e0, e1, e2
    v[9 + n], v[10 + n] = measure, z[0]
    if q[AT.through] != 0.0:
        for k in range(n):
            v[3 + k] = 0.0
        v[0] = q[AT.held] * z[1] + q[AT.fresh] * u0
        v[1] = q[AT.held] * z[2] + q[AT.fresh] * u1
        v[2] = q[AT.held] * z[3] + q[AT.fresh] * u2
        z[1] = q[AT.kept] * z[1] + (1.0 - q[AT.kept]) * u0
        z[2] = q[AT.kept] * z[2] + (1.0 - q[AT.kept]) * u1
        z[3] = q[AT.kept] * z[3] + (1.0 - q[AT.kept]) * u2


def gyro_steering(
    craft: Spacecraft,
    *,
    sample: float,
    method: str = "singularity-robust",
    robust: float = 0.01,
    decay: float = 10.0,
    dither: float = 0.01,
    frequency: float = 0.5 * math.pi,
    null_gain: float = 0.0,
    compensate: bool = True,
    assumed: Sequence[Element] | None = None,
    reads: str = "command",
    offset: float = 0.0,
    name: str = "gyro_steering",
) -> Block:
    """Return a block that converts the commanded torque to gimbal rates of control moment gyros.

    The block takes over the command: no external torque acts. It writes the commanded rates to the gimbals and, for
    recording, "steered_torque" (the torque demanded of the gyros, N m), "torque_error" (the part that is lost by the
    steering law or the rate limit), "singularity_measure" and its minimum so far, "least_singularity_measure". A run
    warns when the minimum is below 0.1; see `GyroAllocation` for the steering laws.

    Margins treat the gyros as unity gain with the lag of their rate loops, averaged over each sample, about the gimbal
    angles at the operating point. They neglect the change of the singularity measure during a slew.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with three or more `ControlMomentGyro` elements that have a rate loop. Its control torque must be
        external and in body axes.
    sample : float
        Sampling period of the law, s.
    method, robust, decay, dither, frequency, null_gain
        Steering law and its parameters; see `GyroAllocation`.
    compensate : bool
        Whether the gyros also produce omega x h, with the measured rate and the momentum h of the rotors, so that the
        command is the torque on the body without the gyroscopic torque of the rotors.
    assumed : sequence of Element, optional
        Gyros that the steering law assumes, one for each gyro of the spacecraft, if the momentum or axes of the
        actual gyros differ. By default the gyros of the spacecraft.
    reads : str
        Name of the command signal, which the block both reads and writes.
    offset : float
        Time of the first sample, s; normally the delay of the law.
    name : str
        Name of the block.

    Returns
    -------
    Block
        The block.

    Raises
    ------
    InputError
        When the spacecraft has fewer than three such gyros, its control torque is internal or not in body axes, or a
        value is out of range.

    Examples
    --------
    >>> from polhode import plant
    >>> gyros = plant.gyro_array(
    ...     *plant.pyramid_axes(0.9553), momentum=10.0, rotor_inertia=0.02, gimbal_inertia=0.03, time_constant=0.02
    ... )
    >>> craft = plant.Spacecraft(plant.RigidBody((30, 40, 50)), elements=gyros, torques=plant.TorqueBasis("body"))
    >>> gyro_steering(craft, sample=0.1).widths["gimbal_rate_commands"]
    4
    """
    of_kind("compensate", compensate, bool, such_as="True or False")
    gyros = gyros_of(craft)
    if craft.torques.internal or craft.torques.code != BODY:
        raise InputError(
            "the command that gyros produce must be an external torque in body axes; give the spacecraft "
            'torques=TorqueBasis("body")'
        )
    own = list(gyros.values())
    steered = own if assumed is None else [each for each in assumed if isinstance(each, ControlMomentGyro)]
    if len(steered) != len(own):
        raise InputError(f"{len(own)} control moment gyros need as many assumed gyros; got {len(steered)}")
    allocation = GyroAllocation(
        steered, method=method, robust=robust, decay=decay, dither=dither, frequency=frequency,
        null_gain=null_gain,
    )  # fmt: skip
    n, period = len(gyros), positive("sample", sample, "s")
    lag = max(float(gyro.time_constant or 0.0) for gyro in gyros.values())
    parameters = np.array(allocation.parameters)
    parameters[AT.compensates] = float(compensate)
    kept = math.exp(-period / lag)
    parameters[AT.kept] = kept
    parameters[AT.held] = lag / period * (1.0 - kept)
    parameters[AT.fresh] = 1.0 - parameters[AT.held]
    memory = np.zeros(4 + 7 * n)
    memory[0] = UNSET
    through = parameters.copy()
    through[AT.through] = 1.0
    return Block(
        gyro_steering_block,
        reads=(reads, "rate", *gyros),
        writes={
            reads: Signal(3, "N m"),
            RATES: Signal(n, "rad/s", role=TORQUE, coordinates=tuple(gyros)),
            "steered_torque": Signal(3, "N m"),
            "torque_error": Signal(3, "N m"),
            MEASURE: Signal(1, "1"),
            LEAST: Signal(1, "1"),
        },
        clock=Clock(period, offset=offset),
        parameters=parameters,
        memory=memory,
        linear=partial(_linear, allocation, GyroAllocation(own), parameters),
        noise_free=lambda _: (through, memory),
        name=name,
    )


def _delivered(allocation: GyroAllocation, angles: Array, actual: GyroAllocation | None = None) -> Array:
    """Return the matrix (3, 3) from demanded to gyro torque; its gain is below 1 near a singularity.

    allocation: steering law, with the gyros that it assumes; actual: the gyros of the spacecraft if they differ.
    """
    small = 1e-6 * max(float(np.abs(allocation.momentum(angles)).max()), 1.0)
    still = allocation.rates(np.zeros(3), angles)
    rates = [allocation.rates(small * axis, angles) - still for axis in np.eye(3)]
    return -(actual or allocation).jacobian(angles) @ np.transpose(rates) / small


def _linear(allocation: GyroAllocation, actual: GyroAllocation, parameters: Array, y0: Array) -> BlockForm:
    """Return the linear form about an input: command plus omega x h, filtered by the lag of the rate loops."""
    n = len(allocation.gyros)
    angles = y0[6:]
    measure = allocation.singularity_measure(angles)
    if measure < NEAR:
        raise DesignError(
            f"the control moment gyros are near a singularity at the operating point: their singularity measure is "
            f"{measure:.3g}, below {NEAR:g}, at gimbal angles {np.degrees(angles).round(2).tolist()} deg; choose other "
            "initial angles"
        )
    h0, h1, h2 = (parameters[AT.compensates] * allocation.momentum(angles)).tolist()
    B = np.zeros((3, 6 + n))
    B[:, :3], B[:, 3:6] = np.eye(3), np.array([[0.0, h2, -h1], [-h2, 0.0, h0], [h1, -h0, 0.0]])
    B[:] = _delivered(allocation, angles, actual) @ B
    C, D = np.zeros((11 + n, 3)), np.zeros((11 + n, 6 + n))
    C[:3] = parameters[AT.held] * np.eye(3)
    D[:3] = parameters[AT.fresh] * B
    return BlockForm(
        A=parameters[AT.kept] * np.eye(3),
        B=(1.0 - parameters[AT.kept]) * B,
        C=C,
        D=D,
        rests=np.zeros(11 + n),
        words="control moment gyros count with the gain of their steering law and the lag of their rate loops",
        noise=(),
    )
