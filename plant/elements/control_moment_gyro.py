# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Single-gimbal control moment gyro: a rotor in a gimbal whose axis is fixed in the hub.

With the gimbal angle d, the gimbal axis g and the spin axis a0 at d = 0,

    a = cos d a0 + sin d t0,   t = cos d t0 - sin d a0,   t0 = g x a0        (spin axis and transverse axis)
    M: (Iw + Is) a a' + It t t' + Ig g g' on the hub, Ig g and Ig for the gimbal, Iw a and Iw for the rotor
    p_gimbal' = (t . omega) (p_rotor + (Is - It) (a . omega)) + T        p_rotor' = torque on the rotor

p_rotor = Iw (a . omega + spin rate) is the axial momentum of the rotor. No motor acts on the rotor, so that p_rotor is
constant unless a torque on its coordinate is added (variable-speed gyro). T is the torque of the gimbal motor. If
there is a rate loop,

    T = Ig (commanded rate - gimbal rate) / time constant - (t . omega) (p_rotor + (Is - It) (a . omega))

within the torque limit. The loop balances the gyroscopic torque. Unless the limit is reached, the gimbal rate is a
first-order lag of the quantity (commanded rate) - (time constant) (hub acceleration about g). The gyro exerts the
torque -p_rotor (gimbal rate) t - p_rotor' a on the rest of the spacecraft; a gyro that has no rate loop also exerts the
reaction -T g.

Bounds for rigid bodies: the transverse inertia of a rotor is at least Iw / 2, so that Ig and It (unless the hub
includes it) are at least Iw / 2. If all are given, they satisfy |Ig - It| <= Is <= Ig + It - Iw.

Source: Schaub & Junkins, Analytical Mechanics of Space Systems (2018), section 4.6, with the centre of mass of gimbal
and rotor on the gimbal axis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..hub.parameters import AT_PORTS, DRIVEN, ELEMENT, N_PORTS, PORT, PULSE, PULSES
from ..kernels.fields import fields, filled, three
from ..kernels.kernel import kernel
from ..loads.torque.torque_kernels import ON_COORDINATE, pulse_share
from ..quantity import AXIS, NUMBER, OPTIONAL_NUMBER, check_fields, declared, quantity
from .assembly import add_force, add_mass, add_power, add_signal, is_probed, relative_rate
from .shape import ElementMotion, Shape
from .signal import Signal

if TYPE_CHECKING:
    from ..hub.rigid_body import RigidBody

Array = NDArray[np.float64]

UNLIMITED = 1e300
ROUNDED = 1e-9  # relative difference of inertias that is only rounding
ALIGNED = 1e-9  # largest cosine between gimbal axis and spin axis

AT = fields(
    rotor_inertia=1, gimbal_inertia=1, spin_inertia=1, transverse_inertia=1, axis=3, spin=3, side=3,
    time_constant=1, rate_limit=1, torque_limit=1,
)  # fmt: skip
"""Parameters of a gyro: inertias, gimbal axis g, spin axis a0 and t0 = g x a0 at angle 0, rate loop and limits."""


@declared
class ControlMomentGyro:
    """Single-gimbal control moment gyro: a rotor of constant axial momentum in a driven gimbal.

    Parameters
    ----------
    axis : array_like, shape (3,)
        Gimbal axis g, body components; any non-zero length.
    spin_axis : array_like, shape (3,)
        Axis of the rotor at gimbal angle 0, body components, at right angles to the gimbal axis.
    momentum : float
        Axial momentum of the rotor relative to the hub at t = 0, N m s; negative for a spin about minus the spin axis.
    rotor_inertia : float
        Axial inertia Iw of the rotor, kg m^2; the inertia of the hub excludes it.
    gimbal_inertia : float
        Inertia Ig about the gimbal axis of gimbal and rotor together, kg m^2; the inertia of the hub excludes it.
    spin_inertia : float
        Inertia Is of the gimbal without its rotor about the spin axis, kg m^2. Zero if the inertia of the hub includes
        it.
    transverse_inertia : float
        Inertia It of gimbal and rotor together about the third axis t = g x a, kg m^2. Zero if the inertia of the hub
        includes it.
    time_constant : float, optional
        Time constant of the rate loop of the gimbal, s. The input of the gimbal is then a commanded rate, rad/s. None:
        no rate loop; the gimbal rotates freely, and its input is a torque, N m.
    rate_limit : float, optional
        Largest commanded gimbal rate, rad/s. None: no limit.
    torque_limit : float, optional
        Largest torque of the gimbal motor, N m. Beyond this limit the gimbal yields to the gyroscopic torque. None: no
        limit.
    angle : float
        Gimbal angle at t = 0, rad.
    rate : float
        Gimbal rate at t = 0, rad/s.

    Raises
    ------
    InputError
        When an axis has no direction, the axes are not at right angles, the momentum is zero, an inertia or a limit is
        out of range, the inertias are impossible for rigid bodies, or a limit is given without a rate loop. Also when
        the gyro has more inertia than the hub of its spacecraft.

    Examples
    --------
    >>> from polhode import plant
    >>> gyro = ControlMomentGyro(
    ...     axis=(0, 0, 1), spin_axis=(1, 0, 0), momentum=10.0, rotor_inertia=0.02, gimbal_inertia=0.03,
    ...     time_constant=0.02,
    ... )
    >>> craft = plant.Spacecraft(plant.RigidBody((40.0, 50.0, 60.0)), elements=[gyro])
    >>> craft.at_rest()[:3].tolist()  # N m s: the momentum of the rotor
    [10.0, 0.0, 0.0]
    """

    figure_name: ClassVar[str] = "control moment gyro"

    axis: Array = quantity(converter=AXIS, doc="gimbal axis, body axes, any length but zero")
    spin_axis: Array = quantity(converter=AXIS, doc="axis of the rotor at gimbal angle 0, normal to the gimbal axis")
    momentum: float = quantity(
        "N m s", converter=NUMBER, start=True, doc="axial momentum of the rotor relative to the hub at t = 0"
    )
    rotor_inertia: float = quantity(
        "kg m^2", converter=NUMBER, positive=True, doc="axial inertia of the rotor; the hub excludes it"
    )
    gimbal_inertia: float = quantity(
        "kg m^2",
        converter=NUMBER,
        positive=True,
        doc="inertia of gimbal and rotor about the gimbal axis; the hub excludes it",
    )
    spin_inertia: float = quantity(
        "kg m^2",
        converter=NUMBER,
        non_negative=True,
        default=0.0,
        doc="inertia of the gimbal without rotor about the spin axis; 0 if the hub includes it",
    )
    transverse_inertia: float = quantity(
        "kg m^2",
        converter=NUMBER,
        non_negative=True,
        default=0.0,
        doc="inertia of gimbal and rotor about the third axis; 0 if the hub includes it",
    )
    time_constant: float | None = quantity(
        "s", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="time constant of the rate loop of the gimbal; without it the gimbal is free",
    )  # fmt: skip
    rate_limit: float | None = quantity(
        "rad/s", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="largest commanded gimbal rate",
    )  # fmt: skip
    torque_limit: float | None = quantity(
        "N m", converter=OPTIONAL_NUMBER, positive=True, optional=True, default=None,
        doc="largest torque of the gimbal motor",
    )  # fmt: skip
    angle: float = quantity("rad", converter=NUMBER, default=0.0, start=True, doc="gimbal angle at t = 0")
    rate: float = quantity("rad/s", converter=NUMBER, default=0.0, start=True, doc="gimbal rate at t = 0")

    def __post_init__(self) -> None:
        check_fields(self, of="control moment gyro")
        cosine = float(self.axis @ self.spin_axis)
        if abs(cosine) > ALIGNED:
            raise InputError(
                "the spin axis of a control moment gyro must be at right angles to its gimbal axis; their cosine is "
                f"{cosine:.3g}"
            )
        if self.momentum == 0.0:
            raise InputError(
                "momentum of control moment gyro must not be 0 N m s: without it the gyro exerts no torque; give the "
                "momentum of the rotor"
            )
        self._check_inertias()
        if self.time_constant is None:
            for name, limit in (("rate_limit", self.rate_limit), ("torque_limit", self.torque_limit)):
                if limit is not None:
                    raise InputError(
                        f"{name} of control moment gyro applies to the rate loop of the gimbal; give its time_constant"
                    )

    def _check_inertias(self) -> None:
        """Raise InputError if no rigid gimbal and rotor can have these inertias."""
        rotor, gimbal, spin, across = (
            self.rotor_inertia, self.gimbal_inertia, self.spin_inertia, self.transverse_inertia
        )  # fmt: skip
        for name, value in (("gimbal_inertia", gimbal), ("transverse_inertia", across)):
            if value < 0.5 * rotor * (1.0 - ROUNDED) and (value > 0.0 or name == "gimbal_inertia"):
                raise InputError(
                    f"{name} of control moment gyro must be at least half the rotor_inertia, {0.5 * rotor:g} kg m^2, "
                    "since it includes the rotor, whose transverse inertia cannot be smaller; got "
                    f"{value:g} kg m^2"
                )
        if spin > 0.0 and across > 0.0:
            least, most = abs(gimbal - across), gimbal + across - rotor
            if not least - ROUNDED * gimbal <= spin <= most + ROUNDED * gimbal:
                raise InputError(
                    f"spin_inertia of control moment gyro must be {least:g} to {most:g} kg m^2 for a rigid gimbal "
                    f"with gimbal_inertia {gimbal:g}, transverse_inertia {across:g} and rotor_inertia {rotor:g} kg "
                    f"m^2; got {spin:g} kg m^2"
                )

    def check(self, body: RigidBody) -> None:
        """Raise InputError if the rotor has more inertia than the hub about the spin axis at angle 0.

        Parameters
        ----------
        body : RigidBody
            The hub.

        Raises
        ------
        InputError
            When the rotor has more axial inertia than the hub.
        """
        hub = float(self.spin_axis @ body.central_inertia @ self.spin_axis)
        if self.rotor_inertia > hub:
            raise InputError(
                "the rotor of a control moment gyro has more inertia than the hub about the spin axis: "
                f"{self.rotor_inertia:g} > {hub:g} kg m^2; check the units"
            )

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function, shared by all control moment gyros."""
        return control_moment_gyro

    coordinates = ("cmg_gimbal_angle", "cmg_rotor_angle")
    """Names of the angles of gimbal and rotor."""

    units = ("rad", "rad")
    """Unit of the angles."""

    driven = ("cmg_gimbal_angle", "cmg_rotor_angle")
    """Names of the driven coordinates: the gimbal, by a commanded rate or a torque, and the rotor, by a torque."""

    @property
    def rate_commanded(self) -> tuple[str, ...]:
        """Name of the coordinate whose input is a rate instead of a torque: the gimbal, if it has a rate loop."""
        return () if self.time_constant is None else self.coordinates[:1]

    cyclic = False
    """False: the inertia depends on the gimbal angle."""

    cyclic_coordinates = ("cmg_rotor_angle",)
    """Name of the coordinate on which no energy depends."""

    constant = False
    """False: the contribution to the mass matrix depends on the gimbal angle."""

    moves_mass = False
    """False: the gyro is balanced about its gimbal axis, and the hub includes its mass."""

    mass = 0.0
    """Zero: the hub includes the mass of the gyro."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Angles and rates at t = 0."""
        return (self.angle, 0.0), (self.rate, self.momentum / self.rotor_inertia)

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Output signals: torque on the spacecraft, torque of the gimbal motor, commanded rate and limit flags."""
        words = "torque of the gyro on the rest of the spacecraft, -p (gimbal rate) t - p' a, body axes"
        signals = [
            Signal(name="output_torque", component=name, unit="N m", words=words, on_hub=unit)
            for name, unit in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)), ("z", (0.0, 0.0, 1.0)))
        ]
        if self.time_constant is None:
            return tuple(signals)
        signals += [
            Signal(name="gimbal_torque", unit="N m", words="torque of the gimbal motor"),
            Signal(name="gimbal_rate_command", unit="rad/s", words="commanded gimbal rate, before its limit"),
        ]
        if self.rate_limit is not None:
            limit = f"was at its gimbal rate limit of {self.rate_limit:g} rad/s"
            words = "1 where the commanded gimbal rate reaches or exceeds its limit"
            signals.append(Signal(name="at_rate_limit", unit="1", words=words, flag=True, limit=limit))
        if self.torque_limit is not None:
            limit = f"was at the limit of its gimbal torque of {self.torque_limit:g} N m"
            words = "1 where the torque of the gimbal motor is at its limit"
            signals.append(Signal(name="at_torque_limit", unit="1", words=words, flag=True, limit=limit))
        return tuple(signals)

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return the gimbal as a disc that rotates about the gimbal axis; the model does not define its position.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            The disc.
        """
        return (
            Shape(
                kind="disc",
                placed=False,
                axis=self.axis.tolist(),
                across=self.spin_axis.tolist(),
                inertia=self.gimbal_inertia,
                angle=motion.coordinates[:, 0],
            ),
        )

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Not used: the position of a balanced gyro does not matter.

        Returns
        -------
        list of float
            The fields of AT.
        """
        return filled(
            AT,
            rotor_inertia=self.rotor_inertia,
            gimbal_inertia=self.gimbal_inertia,
            spin_inertia=self.spin_inertia,
            transverse_inertia=self.transverse_inertia,
            axis=self.axis,
            spin=self.spin_axis,
            side=np.cross(self.axis, self.spin_axis),
            time_constant=0.0 if self.time_constant is None else self.time_constant,
            rate_limit=UNLIMITED if self.rate_limit is None else self.rate_limit,
            torque_limit=UNLIMITED if self.torque_limit is None else self.torque_limit,
        )


@kernel
def _axes(x, p, n, k):
    """Return the spin axis a and the transverse axis t at the gimbal angle with index k."""
    cos, sin = np.cos(x[7 + k]), np.sin(x[7 + k])
    a0, a1, a2 = three(p, n + AT.spin)
    t0, t1, t2 = three(p, n + AT.side)
    return (
        cos * a0 + sin * t0, cos * a1 + sin * t1, cos * a2 + sin * t2,
        cos * t0 - sin * a0, cos * t1 - sin * a1, cos * t2 - sin * a2,
    )  # fmt: skip


@kernel
def _commanded(t, u, p, k):
    """Return the sum of the inputs of coordinate k; the force in the workspace may also include a field force."""
    total = 0.0 * u[0]
    if p[DRIVEN] != 0.0:
        for port in range(1, int(p[N_PORTS])):
            row = AT_PORTS + PORT.size * port
            pulse = PULSES + PULSE.size * (port - 1)
            acts = p[row + PORT.basis] == ON_COORDINATE and int(p[row + PORT.axes]) == k
            if acts and u[pulse + PULSE.gate].real != 0.0:
                total = total + pulse_share(t, p[row + PORT.start], p[row + PORT.turning]) * u[pulse + PULSE.torque]
    return total


@kernel
def _limited(value, limit):
    """Return a value within plus and minus a limit."""
    if value.real > limit:
        return limit + 0.0 * value
    if value.real < -limit:
        return -limit + 0.0 * value
    return value


@kernel
def _motor(p, n, commanded, rate, gyroscopic):
    """Return the torque of the gimbal motor with a rate loop, N m.

    commanded: commanded rate, rad/s; rate: gimbal rate; gyroscopic: torque of the hub's rotation on the gimbal, N m.
    """
    error = _limited(commanded, p[n + AT.rate_limit]) - rate
    return _limited(p[n + AT.gimbal_inertia] * error / p[n + AT.time_constant] - gyroscopic, p[n + AT.torque_limit])


@kernel
def control_moment_gyro(phase, t, x, u, p, row, w):
    """Kernel of a control moment gyro; see `polhode.plant.elements.element`."""
    k = int(p[row + ELEMENT.first])
    n = row + ELEMENT.size
    if phase == 2:
        return
    rotor, gimbal = p[n + AT.rotor_inertia], p[n + AT.gimbal_inertia]
    a0, a1, a2, t0, t1, t2 = _axes(x, p, n, k)
    if phase == 0:
        g0, g1, g2 = three(p, n + AT.axis)
        along, across = rotor + p[n + AT.spin_inertia], p[n + AT.transverse_inertia]
        add_mass(p, w, 0, 0, along * a0 * a0 + across * t0 * t0 + gimbal * g0 * g0)
        add_mass(p, w, 1, 1, along * a1 * a1 + across * t1 * t1 + gimbal * g1 * g1)
        add_mass(p, w, 2, 2, along * a2 * a2 + across * t2 * t2 + gimbal * g2 * g2)
        add_mass(p, w, 0, 1, along * a0 * a1 + across * t0 * t1 + gimbal * g0 * g1)
        add_mass(p, w, 0, 2, along * a0 * a2 + across * t0 * t2 + gimbal * g0 * g2)
        add_mass(p, w, 1, 2, along * a1 * a2 + across * t1 * t2 + gimbal * g1 * g2)
        add_mass(p, w, 3 + k, 0, gimbal * g0)
        add_mass(p, w, 3 + k, 1, gimbal * g1)
        add_mass(p, w, 3 + k, 2, gimbal * g2)
        add_mass(p, w, 3 + k, 3 + k, gimbal)
        add_mass(p, w, 4 + k, 0, rotor * a0)
        add_mass(p, w, 4 + k, 1, rotor * a1)
        add_mass(p, w, 4 + k, 2, rotor * a2)
        add_mass(p, w, 4 + k, 4 + k, rotor)
        return
    w0, w1, w2 = relative_rate(p, w, -3), relative_rate(p, w, -2), relative_rate(p, w, -1)
    rate, spin = relative_rate(p, w, k), relative_rate(p, w, k + 1)
    along, across = a0 * w0 + a1 * w1 + a2 * w2, t0 * w0 + t1 * w1 + t2 * w2
    momentum = rotor * (along + spin)
    gyroscopic = across * (momentum + (p[n + AT.spin_inertia] - p[n + AT.transverse_inertia]) * along)
    looped = p[n + AT.time_constant] > 0.0
    if phase == 1:
        add_force(p, w, k, gyroscopic)
        if looped and not is_probed(p, w):  # the input is a rate: replace it by the torque of the motor
            commanded = _commanded(t, u, p, k)
            more = _motor(p, n, commanded, rate, gyroscopic) - commanded
            add_force(p, w, k, more)
            add_power(p, w, more * rate)
    elif phase == 3:
        turning, driven = momentum * rate, _commanded(t, u, p, k + 1)
        o0, o1, o2 = turning * t0 + driven * a0, turning * t1 + driven * a1, turning * t2 + driven * a2
        if not looped:
            g0, g1, g2 = three(p, n + AT.axis)
            applied = _commanded(t, u, p, k)
            o0, o1, o2 = o0 + applied * g0, o1 + applied * g1, o2 + applied * g2
        add_signal(p, w, -o0)
        add_signal(p, w, -o1)
        add_signal(p, w, -o2)
        if looped:
            commanded = _commanded(t, u, p, k)
            torque = _motor(p, n, commanded, rate, gyroscopic)
            add_signal(p, w, torque)
            add_signal(p, w, commanded)
            if p[n + AT.rate_limit] != UNLIMITED:
                add_signal(p, w, 1.0 if abs(commanded) >= p[n + AT.rate_limit] * (1.0 - 1e-9) else 0.0)
            if p[n + AT.torque_limit] != UNLIMITED:
                add_signal(p, w, 1.0 if abs(torque) >= p[n + AT.torque_limit] * (1.0 - 1e-9) else 0.0)
