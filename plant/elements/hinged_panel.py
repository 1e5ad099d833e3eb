"""Rigid panel on a hinge: a solar array with a drive, or a panel that deploys and latches.

The equations are in `hinged_panel_kernel`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels.fields import filled
from ..quantity import (
    AXIS,
    INERTIA,
    NUMBER,
    OPTIONAL_NUMBER,
    OPTIONAL_SEVERAL,
    VECTOR,
    check_fields,
    declared,
    one_of,
    quantity,
)
from .hinged_panel_checks import ABOVE, BELOW, check_history, drive_warning, require_reachable
from .hinged_panel_kernel import AT, KNOT, POINTS, hinged_panel
from .shape import ElementMotion, Shape
from .signal import Signal

Array = NDArray[np.float64]


@declared
class HingedPanel:
    """Rigid panel on a driven or sprung hinge of the hub, with a latch for deployment.

    The hinge spring acts towards `rest`, or for a solar array drive towards rest + drive_rate t; the hinge damper
    opposes the rate relative to this angle. A torque on the coordinate (`TorquePulse(coordinate=...)` or a block)
    represents a motor between hub and panel.

    Once the panel's angle comes within `capture` of `latch_angle`, the latch holds the panel by a damped spring with
    the time constant `latch_time`, without an impact. Steps must resolve this time; the adaptive method does so
    automatically. A torque about the hinge above J capture / latch_time^2 towards the open side releases the panel,
    with J the moment of inertia about the hinge (`hinge_inertia`); a run then warns.

    Parameters
    ----------
    hinge : array_like, shape (3,)
        Position of the hinge relative to the mass centre of the hub, body components, m.
    axis : array_like, shape (3,)
        Hinge axis, body components; any non-zero length.
    mass : float
        Mass of the panel, kg; not included in the mass of the hub.
    centre : array_like, shape (3,)
        Mass centre of the panel relative to the hinge at angle 0, body components, m.
    inertia : array_like, shape (3,) or (3, 3)
        Inertia of the panel about its mass centre at angle 0, body axes, kg m^2.
    stiffness : float
        Stiffness of the hinge spring, N m/rad.
    damping : float
        Viscous damping of the hinge, N m s.
    rest : float
        Angle at which the spring exerts no torque at t = 0, rad.
    drive_rate : float
        Rate of the angle at which the spring exerts no torque, rad/s.
    drive_times, drive_angles : array_like, shape (n,), optional
        History of this angle, s and rad, two rows or more, in place of `rest` and `drive_rate`, for example for a
        solar array that follows the Sun. The angle is a monotone cubic between rows (PCHIP) and constant outside them;
        it starts and ends at rest.
    latch_angle : float, optional
        Angle of the latch, rad; None for no latch.
    latch_from : str
        Side from which the panel reaches the latch: "below" (its angle increases) or "above".
    latch_time : float
        Time constant of the latch, s.
    capture : float
        Angle from `latch_angle` at which the latch engages, rad.
    angle, rate : float
        Angle and rate at t = 0, rad and rad/s.

    Raises
    ------
    InputError
        When mass, latch time or capture angle is not positive, stiffness or damping is negative, the inertia is not
        physical, a drive has neither stiffness nor damping, or the panel starts beyond its latch.

    Examples
    --------
    >>> panel = HingedPanel(hinge=(0.5, 0, 0), axis=(0, 1, 0), mass=10.0, centre=(1, 0, 0), inertia=(1.0, 3.0, 4.0))
    >>> panel.coordinates
    ('panel_angle',)
    """

    hinge: Array = quantity("m", converter=VECTOR, doc="hinge, from the mass centre of the hub, body axes")
    axis: Array = quantity(converter=AXIS, doc="hinge axis, body axes, any length but zero")
    mass: float = quantity("kg", converter=NUMBER, positive=True, doc="mass of the panel, not in the mass of the hub")
    centre: Array = quantity("m", converter=VECTOR, doc="mass centre from the hinge at angle 0, body axes")
    inertia: Array = quantity(
        "kg m^2", converter=INERTIA, doc="inertia of the panel about its mass centre at angle 0, body axes"
    )
    stiffness: float = quantity("N m/rad", converter=NUMBER, non_negative=True, default=0.0, doc="hinge spring")
    damping: float = quantity("N m s", converter=NUMBER, non_negative=True, default=0.0, doc="friction of the hinge")
    rest: float = quantity(
        "rad", converter=NUMBER, default=0.0, case="deg or rad", doc="angle without torque of the spring at t = 0"
    )
    drive_rate: float = quantity(
        "rad/s", converter=NUMBER, default=0.0, case="deg/s or rad/s", doc="rate of this angle, of a solar array drive"
    )
    drive_times: Array | None = quantity(
        "s",
        converter=OPTIONAL_SEVERAL,
        optional=True,
        default=None,
        case="s",
        doc="times of a commanded history of this angle, increasing",
    )
    drive_angles: Array | None = quantity(
        "rad",
        converter=OPTIONAL_SEVERAL,
        optional=True,
        default=None,
        case="deg or rad",
        doc="angles of this history, in place of rest and drive rate",
    )
    latch_angle: float | None = quantity(
        "rad", converter=OPTIONAL_NUMBER, optional=True, default=None, case="deg or rad",
        doc="angle of the latch; without it there is no latch",
    )  # fmt: skip
    latch_from: str = quantity(
        converter=one_of(BELOW, ABOVE), default=BELOW, doc="side from which the panel reaches the latch"
    )
    latch_time: float = quantity("s", converter=NUMBER, positive=True, default=0.05, doc="time constant of the latch")
    capture: float = quantity(
        "rad", converter=NUMBER, positive=True, default=1e-3, case="deg or rad", doc="angle at which the latch engages"
    )
    angle: float = quantity("rad", converter=NUMBER, default=0.0, start=True, case="deg or rad", doc="angle at t = 0")
    rate: float = quantity(
        "rad/s", converter=NUMBER, default=0.0, start=True, case="deg/s or rad/s", doc="its rate at t = 0"
    )

    def __post_init__(self) -> None:
        check_fields(self, of="hinged panel")
        check_history(self)
        if self.drive_rate and not (self.stiffness or self.damping):
            raise InputError(
                f"drive_rate {self.drive_rate:g} rad/s of a hinged panel needs stiffness or damping, through which the "
                "drive acts on the panel; give one of them"
            )
        self.check_start(self.coordinates, (self.angle,), rates=(self.rate,))

    def check_start(self, names: Sequence[str], coordinates: Sequence[float], *, rates: Sequence[float]) -> None:
        """Raise InputError if a panel at t = 0 is so far beyond its latch that no deployment reaches it.

        Parameters
        ----------
        names : sequence of str
            Name of the angle in the spacecraft.
        coordinates : sequence of float
            Angle, rad.
        rates : sequence of float
            Rate, rad/s.

        Raises
        ------
        InputError
            When the panel is farther beyond its latch than `capture`, and could overshoot to this angle only at an
            arrival rate above `FASTEST`.
        """
        require_reachable(self, names[0], coordinates[0], rate=rates[0])

    def start_warning(self, names: Sequence[str], coordinates: Sequence[float], *, rates: Sequence[float]) -> str:
        """Return a warning if the start is farther from a sprung drive's rest angle than `self.angle` is.

        Parameters
        ----------
        names : sequence of str
            Name of the angle in the spacecraft.
        coordinates : sequence of float
            Angle at t = 0, rad.
        rates : sequence of float
            Not used.

        Returns
        -------
        str
            The warning, or "".
        """
        return drive_warning(self, names[0], coordinates[0])

    @property
    def rest_at_start(self) -> float:
        """Angle without torque of the spring at t = 0, rad."""
        if self.drive_times is None:
            return self.rest
        times, angles, rates = np.reshape(self.drive_rows, (-1, KNOT.size)).T
        from scipy.interpolate import CubicHermiteSpline  # the engine is built before scipy is installed

        return float(CubicHermiteSpline(times, angles, rates)(np.clip(0.0, times[0], times[-1])))

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function of a hinged panel."""
        return hinged_panel

    coordinates = ("panel_angle",)
    """Name of the angle."""

    units = ("rad",)
    """Unit of the angle."""

    driven = ("panel_angle",)
    """The angle, driven by a torque about the hinge axis."""

    cyclic = False
    """False: inertia and energy depend on the angle."""

    constant = False
    """False: the contribution to the mass matrix depends on the angle."""

    moves_mass = True
    """True: the panel moves the mass centre."""

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Angle and rate at t = 0."""
        return (self.angle,), (self.rate,)

    @property
    def time_dependent(self) -> bool:
        """True if there is a drive: its spring and damper then act towards an angle that grows with time."""
        return self.drive_rate != 0.0 or self.drive_times is not None

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times of the drive history, s; integration steps end there."""
        return () if self.drive_times is None else tuple(self.drive_times.tolist())

    @property
    def hinge_inertia(self) -> float:
        """Moment of inertia about the hinge axis, kg m^2."""
        arm = np.cross(self.axis, self.centre)
        return float(self.axis @ self.inertia @ self.axis + self.mass * (arm @ arm))

    @property
    def side(self) -> float:
        """Sign of the angle relative to the latch on its open side."""
        return -1.0 if self.latch_from == BELOW else 1.0

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Output signals of a latch: its torque on the panel and whether it holds; empty if there is no latch."""
        if self.latch_angle is None:
            return ()
        holds = self.hinge_inertia * self.capture / self.latch_time**2
        return (
            Signal(name="latch_torque", unit="N m", words="torque of the latch on its panel, about the hinge axis"),
            Signal(
                name="latched", unit="1", words="1 while the latch holds the panel", flag=True,
                lost=f"was released by its latch, which holds up to {holds:.4g} N m towards its open side; to keep it "
                "latched, increase capture or reduce latch_time",
            ),
        )  # fmt: skip

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return the panel as its mass centre on a rod from the hinge.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            One shape, with the hinge and the mass centre as points.
        """
        a, c, q = self.axis, self.centre, motion.coordinates[:, :1]
        arm = np.cos(q) * (c - (a @ c) * a) + np.sin(q) * np.cross(a, c) + (a @ c) * a
        points = np.stack((np.broadcast_to(self.hinge, arm.shape), self.hinge + arm), axis=1)
        return (Shape(kind="bob", mass=self.mass, points=points),)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT, then the knots of the drive.
        """
        return [*self.numbers(offset, about=self.hinge_inertia, table=AT.size), *self.drive_rows]

    @property
    def points(self) -> Array:
        """Six points of equal mass that have the inertia of the panel, from the hinge at angle 0, shape (6, 3)."""
        second, axes = np.linalg.eigh(0.5 * np.trace(self.inertia) * np.eye(3) - self.inertia)
        arms = (np.sqrt(3.0 * np.maximum(second, 0.0) / self.mass) * axes).T
        return self.centre + np.vstack((arms, -arms))

    @property
    def drive_rows(self) -> list[float]:
        """Time, angle and rate of each knot of the drive."""
        if self.drive_times is None or self.drive_angles is None:
            return []
        from scipy.interpolate import PchipInterpolator

        history: Any = PchipInterpolator(self.drive_times, self.drive_angles)
        rates = history.derivative()(self.drive_times)
        rates[[0, -1]] = 0.0  # at rest outside
        return np.column_stack((self.drive_times, self.drive_angles, rates)).ravel().tolist()

    def numbers(self, offset: NDArray[np.float64], *, about: float, table: int) -> list[float]:
        """Return the fields of AT.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.
        about : float
            Moment of inertia that the latch holds, kg m^2.
        table : int
            Start of the knots of the drive, from the first field.

        Returns
        -------
        list of float
            The fields.
        """
        latch = self.latch_angle
        return filled(
            AT,
            mass=self.mass / POINTS, stiffness=self.stiffness, damping=self.damping, rest=self.rest,
            drive=self.drive_rate, latched=float(latch is not None), latch=0.0 if latch is None else latch,
            side=self.side, capture=self.capture,
            holding=about / self.latch_time**2, braking=2.0 * about / self.latch_time, hinge=self.hinge + offset,
            axis=self.axis, points=self.points.ravel(), knots=float(len(self.drive_rows) // KNOT.size),
            table=float(table),
        )  # fmt: skip
