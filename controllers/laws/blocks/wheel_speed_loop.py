# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Blocks of speed-commanded wheels: tachometers, and the speed loop of the wheel electronics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.checks import positive
from ....plant.elements.wheel import Wheel
from ....plant.errors import InputError
from ....plant.kernels.fields import fields, filled
from ....plant.kernels.kernel import kernel
from ....plant.loads.torque.torque_kernels import BODY
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from ...contracts.signal import Signal

if TYPE_CHECKING:
    from ....plant import Element, Spacecraft

Array = NDArray[np.float64]

SPEEDS, TARGETS = "wheel_speeds", "wheel_speed_commands"
UNLIMITED = 1e300

AT = fields(wheels=1, inertia=1, proportional=1, integral=1, sample=1, widest=3)
"""Parameters of the speed loop: number of wheels, their inertia (kg m^2), gains per inertia (1/s and 1/s^2), period
(s), and largest speed error of each body axis (rad/s). Then WHEEL for each wheel."""

WHEEL = fields(axis=3, command=3)
"""Axis of a wheel and its row of the distribution matrix."""

MEMORY = 7  # speed target (3), integral of the error (3), whether the target is set


@kernel
def wheel_speeds_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Write the relative rates of the wheels; y: body rate, axial momenta; q: for each wheel its inertia and axis."""
    for k in range(v.size):
        n = 4 * k
        v[k] = y[3 + k] / q[n] - (q[n + 1] * y[0] + q[n + 2] * y[1] + q[n + 3] * y[2])


@kernel
def wheel_speed_loop_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Write the torque of the wheels on the body and the speed commands; y: commanded torque, wheel speeds.

    Speeds are summed along the body axes: s = sum a_k Omega_k.
    """
    m = int(q[AT.wheels])
    for i in range(3):
        total = 0.0 * y[0]
        for k in range(m):
            total = total + q[AT.size + WHEEL.size * k + WHEEL.axis + i] * y[3 + k]
        if z[6].real == 0.0:
            z[i] = total
        z[i] = z[i] - y[i] * (q[AT.sample] / q[AT.inertia])
        error, widest = z[i] - total, q[AT.widest + i]
        inside = True
        if error.real > widest:
            error, inside = widest + 0.0 * error, False
        elif error.real < -widest:
            error, inside = -widest + 0.0 * error, False
        z[i] = total + error
        v[i] = -q[AT.inertia] * (q[AT.proportional] * error + q[AT.integral] * z[3 + i])
        if inside:
            z[3 + i] = z[3 + i] + q[AT.sample] * error
        v[3 + m + i] = error
    z[6] = 1.0
    for k in range(m):
        n = AT.size + WHEEL.size * k + WHEEL.command
        v[3 + k] = y[3 + k] + q[n] * v[3 + m] + q[n + 1] * v[4 + m] + q[n + 2] * v[5 + m]


def wheel_speed_loop(
    craft: Spacecraft,
    *,
    sample: float,
    frequency: float,
    damping_ratio: float = 1.0,
    assumed: Sequence[Element] | None = None,
    reads: str = "command",
    offset: float = 0.0,
    delay: float = 0.0,
) -> tuple[Block, Block]:
    """Return the blocks of speed-commanded wheels: tachometers, and the speed loop of the wheel electronics.

    The torque commanded by a law is integrated to obtain speed commands, and a proportional-integral loop makes the
    wheels follow them:

        Omega_c' = -C u / Iw      motor torque = Iw (2 zeta w e + w^2 integral of e),  e = Omega_c - Omega

    with the distribution matrix C. The loop rejects the friction of the wheels, and delivers a commanded torque with
    the transfer function (2 zeta w s + w^2)/(s^2 + 2 zeta w s + w^2). It acts on the speeds along the body axes: with
    more than three wheels, combinations of speeds that cancel each other are not controlled. The speed error is limited
    to what the torque limit of the motors allows; at the limit, the integral is held.

    Put the first block before all others, since it reads the true rate, and the second one after the law. They write
    "wheel_speeds", and "wheel_speed_commands" and "wheel_speed_errors" for recording. Both are linear within the torque
    limit, so margins include them exactly. The effect of the body's motion on the speeds is included.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft whose equal wheels produce the control torque with the pseudo-inverse, as from `plant.wheel_array`.
    sample : float
        Sampling period of the speed loop, s; the period of the law is a multiple of it.
    frequency : float
        Natural frequency w of the speed loop, rad/s; at most 0.5/sample, so that the sampled loop is stable.
    damping_ratio : float
        Damping ratio zeta, 0.3 to 2.
    assumed : sequence of Element, optional
        Wheels whose inertia, axes and torque limit the speed loop assumes, one for each wheel of the spacecraft. By
        default the wheels of the spacecraft. The tachometers always measure the wheels of the spacecraft.
    reads : str
        Name of the command signal, which the second block both reads and writes.
    offset : float
        Time of the first sample of the second block, s; normally the delay of the law.
    delay : float
        Time from a sample of the speed loop until its motor torque takes effect, s.

    Returns
    -------
    tuple of Block
        Tachometers and speed loop.

    Raises
    ------
    InputError
        When the spacecraft has no commanded wheels, the wheels differ in inertia or use the min-max allocation, the
        torque basis is not the body basis, or a value is out of range.

    Examples
    --------
    >>> from polhode import plant
    >>> wheels = plant.wheel_array([(1, 0, 0), (0, 1, 0), (0, 0, 1)], inertia=0.05, torque_limit=0.1)
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), elements=wheels)
    >>> [block.name for block in wheel_speed_loop(craft, sample=0.02, frequency=5.0)]
    ['wheel_speeds', 'wheel_speed_loop']
    """
    wheels = _wheels(craft)
    m, period = len(wheels), positive("sample", sample, "s")
    w, zeta = positive("frequency of the speed loop", frequency, "rad/s"), positive("damping ratio", damping_ratio)
    if w * period > 0.5:
        raise InputError(
            f"frequency of the speed loop must be at most 0.5/sample = {0.5 / period:g} rad/s; got {w:g} rad/s: sample "
            "the speed loop faster"
        )
    if not 0.3 <= zeta <= 2.0:
        raise InputError(f"damping ratio of the speed loop must be 0.3 to 2; got {zeta:g}")
    own = [wheel for _, wheel in wheels]
    looped = own if assumed is None else [each for each in assumed if isinstance(each, Wheel)]
    if len(looped) != m:
        raise InputError(f"a speed loop of {m} wheels needs as many assumed wheels; got {len(looped)}")
    inertia = looped[0].inertia
    axes, commands = np.array([wheel.axis for wheel in looped]), np.array([wheel.command for wheel in looped])
    limits = np.array([UNLIMITED if wheel.torque_limit is None else wheel.torque_limit for wheel in looped])
    widest = np.minimum(np.abs(axes).T @ limits / (inertia * 2.0 * zeta * w), UNLIMITED)
    head = filled(
        AT, wheels=float(m), inertia=inertia, proportional=2.0 * zeta * w, integral=w * w, sample=period, widest=widest
    )
    rows = np.concatenate([filled(WHEEL, axis=wheel.axis, command=wheel.command) for wheel in looped])
    tachometers = Block(
        wheel_speeds_block,
        reads=("rate", *(f"{name}_momentum" for name, _ in wheels)),
        writes={SPEEDS: Signal(m, "rad/s")},
        clock=Clock(period),
        parameters=np.concatenate([(wheel.inertia, *wheel.axis) for wheel in own]),
        linear=BlockForm(
            D=np.hstack((-np.array([wheel.axis for wheel in own]), np.eye(m) / own[0].inertia)), noise=(), spins=True,
        ),
        name=SPEEDS,
    )  # fmt: skip
    loop = Block(
        wheel_speed_loop_block,
        reads=(reads, SPEEDS),
        writes={
            reads: Signal(3, "N m"),
            TARGETS: Signal(m, "rad/s"),
            "wheel_speed_errors": Signal(3, "rad/s"),
        },
        clock=Clock(period, offset=offset, delay=delay),
        parameters=np.concatenate((head, rows)),
        memory=np.zeros(MEMORY),
        linear=lambda y0: _form(axes, commands, inertia, w, zeta, period, y0),
        noise_free=lambda y0: (np.concatenate((head, rows)), np.concatenate((y0[3:] @ axes, np.zeros(3), (1.0,)))),
        name="wheel_speed_loop",
    )
    return tachometers, loop


def _form(axes: Array, commands: Array, inertia: float, w: float, zeta: float, period: float, y0: Array) -> BlockForm:
    """Return the linear form of the speed loop, whose states are speed targets along the body axes and integrals."""
    m = len(axes)
    B = np.hstack((-period / inertia * np.eye(3), np.zeros((3, m))))
    E = np.hstack((B[:, :3], -axes.T))  # error due to the inputs; the error due to the targets is the identity
    out = -inertia * np.hstack((2.0 * zeta * w * np.eye(3), w * w * np.eye(3)))
    D = -inertia * 2.0 * zeta * w * E
    speeds = np.hstack((np.zeros((m, 3)), np.eye(m)))
    return BlockForm(
        A=np.block([[np.eye(3), np.zeros((3, 3))], [period * np.eye(3), np.eye(3)]]),
        B=np.vstack((B, period * E)),
        C=np.vstack((out, np.hstack((commands, np.zeros((m, 3)))), np.hstack((np.eye(3), np.zeros((3, 3)))))),
        D=np.vstack((D, speeds + commands @ E, E)),
        rests=np.concatenate((np.zeros(3), y0[3:], np.zeros(3))),
        noise=(),
        spins=True,
    )


def _wheels(craft: Spacecraft) -> list[tuple[str, Wheel]]:
    """Return the commanded wheels with the names of their angles. Raises InputError if the loop cannot drive them."""
    names = iter(craft.layout.coordinates)
    found: list[tuple[str, Wheel]] = []
    for element in craft.elements:
        own = [next(names) for _ in element.coordinates]
        if isinstance(element, Wheel) and element.has_command:
            found.append((own[0], element))
    if not found or not craft.torques.internal:
        raise InputError(
            "the speed loop needs wheels that a law can command; give the craft plant.wheel_array(...) and "
            'TorqueBasis("body", internal=True)'
        )
    if craft.torques.code != BODY:
        raise InputError('the speed loop works in body axes; give the spacecraft TorqueBasis("body", internal=True)')
    if any(np.size(wheel.sharing) for _, wheel in found):
        raise InputError(
            "the speed loop allocates torques by the pseudo-inverse; give the wheel array allocation='pseudo-inverse'"
        )
    if len({wheel.inertia for _, wheel in found}) > 1:
        raise InputError("the speed loop needs wheels of equal inertia; give all wheels the same inertia")
    return found
