# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Thrusters and their propellant tank: net force, and changes of mass, inertia and mass centre.

The states are the impulses I_j of the thrusters. With the thrust F_j, the effective exhaust velocity g0 Isp and the
tank at r_t,

    I_j' = F_j      mu_j = F_j / (g0 Isp)      m_t = m_0 - sum I_j / (g0 Isp)      J_t = J_0 (m_t / m_0)^n

The propellant is a rigid body of mass m_t and inertia J_t about the fixed point r_t, with n = 1 if it fills the tank
at uniform density (gas, or a solid that burns evenly), and n = 5/3 for a sphere of constant density.

Momentum balance of the open system. Let r' = r - c be positions from the mass centre c, and v' the velocities of
points of the spacecraft relative to it. The propellant flows along a straight line from r_t to the exit r_j. This flow
has the momentum mu_j (r_j - r_t) and the angular momentum mu_j r_t' x r_j' about c, relative to the spacecraft. Hence
for the momentum P = m v_c and the angular momentum h of the spacecraft without this flow, with the net force F and its
torque T about c,

    P' = F - sum mu_j [v_c + v'_j + w x (r_j - r_t)]          m c' = P - mu r_t'
    h' = T - sum mu_j [r_j' x (w x r_j') + w x (r_t' x r_j')] - mu r_t' x v_s

where v_s = v'_t - w x r_t' is the velocity at which other elements move the mass centre; the derivative of the flow's
angular momentum within the spacecraft and the torque of its momentum about the moving c cancel. For a spin about an
axis with r_t and r_j on the perpendicular through c this is the jet damping J w' = -mu (r_j^2 - r_t^2 - k^2) w of
Thomson & Reiter (1957), with k the radius of gyration of the propellant that is used.

Neglected: the transients when a valve opens or closes, whose impulses cancel over a pulse; slosh; curved pipes; swirl
in the tank. If `flow_momentum` is false, the propellant leaves at the tank, with the velocity that it has there. The
rotation then follows J w' + w x J w = T with the current J, as in Basilisk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import choice, each_positive, finite, non_negative, positive, vector
from ..errors import InputError
from ..hub.inertia import inertia_matrix
from ..hub.mass_now import reduced_mass
from ..hub.parameters import HUB_V, LOST, OUT, OUT_OF, W_HUB, W_MOMENT
from ..kernels.fields import fields, filled, three
from ..kernels.kernel import kernel
from .assembly import (
    add_mass,
    add_power,
    add_signal,
    is_probed,
    place_particle,
    relative_rate,
)
from .shape import ElementMotion, Shape
from .signal import Signal

GRAVITY = 9.80665
"""Standard gravity in the definition of the specific impulse, m/s^2."""

SPENT = 1e-9
"""Fraction of the propellant at the start below which the tank is empty; larger than the round-off of a run."""

SHAPES = {"uniform": 1.0, "sphere": 5.0 / 3.0}
"""Exponent of the mass in the inertia of the propellant, by the model of the tank."""

AT = fields(
    at=1, rates=1, thrusters=1, propellant=1, flow=1, power=1, momentum=1, torque=1, tank=3, moments=3, products=3,
)  # fmt: skip
"""Parameters: start of the impulses in x and of their rates in w; number of thrusters; propellant at the start, kg;
1/(g0 Isp), s/m; exponent of the inertia; whether the flow has momentum, and the thrusters a torque; tank from the
reference point, m; moments xx, yy, zz and entries xy, xz, yz of the inertia of the propellant at the start. Then
THRUSTER for each thruster."""

THRUSTER = fields(position=3, force=3)
"""Parameters of a thruster: position from the reference point, m, and force on the spacecraft per thrust."""


class Propulsion:
    """Thrusters on the hub and their tank: the net force moves the spacecraft, and propellant leaves it.

    The input of each thruster is its thrust in N: `TorquePulse(..., coordinate="thruster_1_impulse")`, a block with
    `Signal(role="torque", coordinates=...)`, or the on-off thrusters of a control law,
    `blocks.thruster_pulses(propulsion=...)`. For these, the torque of the thrusters about the mass centre of the hub is
    the control torque (`applies_torque=False`), and the element adds the rest: the net force, and, if there is a tank,
    the change of mass, mass centre and inertia, and the momentum of the propellant that leaves (jet damping). The
    thrust ends when the tank is empty. Linear models use the mass at the operating point as a constant.

    Parameters
    ----------
    positions : array_like, shape (m, 3)
        Position of each thruster from the mass centre of the hub, body components, m.
    directions : array_like, shape (m, 3)
        Direction of each force on the spacecraft, body components; any non-zero length.
    specific_impulse : float, optional
        Specific impulse, s; required with a tank.
    propellant : float
        Propellant at t = 0, kg, not included in the mass of the hub; 0 for a spacecraft of constant mass.
    tank : array_like, shape (3,)
        Centre of the propellant from the mass centre of the hub, body components, m.
    inertia : array_like, shape (3,) or (3, 3), optional
        Inertia of the propellant at t = 0 about its centre, kg m^2; by default zero.
    shape : str
        Inertia of the remaining propellant: "uniform" if proportional to its mass (it fills the tank at uniform
        density), "sphere" for a sphere of constant density.
    plume_factor : float or array_like, shape (m,)
        Fraction of the thrust, above 0 and at most 1, that remains when the plume hits the spacecraft.
    flow_momentum : bool
        Whether the momentum of the flow from tank to exit acts on the spacecraft (jet damping).
    applies_torque : bool
        Whether the thrusts exert their torque about the mass centre of the hub; False if a control torque includes it.

    Raises
    ------
    InputError
        When a shape is wrong, a direction is zero, a quantity is out of range, or a tank is given without the specific
        impulse.

    Examples
    --------
    >>> pair = Propulsion([(0, 0, -1)], [(0, 0, 1)], specific_impulse=220.0, propellant=5.0)
    >>> pair.levels
    ('thruster_1_impulse',)
    """

    coordinates = ()
    """None: the propellant has no motion of its own."""

    units = ()
    """None."""

    cyclic = False
    """False: there are no coordinates."""

    constant = False
    """False with a tank: the mass matrix depends on the propellant left."""

    initial: tuple[Sequence[float], Sequence[float]] = ((), ())
    """No coordinates."""

    def __init__(
        self,
        positions: ArrayLike,
        directions: ArrayLike,
        *,
        specific_impulse: float | None = None,
        propellant: float = 0.0,
        tank: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        shape: str = "uniform",
        plume_factor: ArrayLike = 1.0,
        flow_momentum: bool = True,
        applies_torque: bool = True,
    ) -> None:
        places, axes = _rows("positions", positions), _rows("directions", directions)
        if len(places) != len(axes):
            raise InputError(f"positions has {len(places)} rows, directions {len(axes)}; give one for each thruster")
        lengths = np.linalg.norm(axes, axis=1)
        if not (lengths > 0.0).all():
            raise InputError(f"directions of thruster {int(np.argmin(lengths)) + 1} must not be zero")
        self.positions, self.directions = places, axes / lengths[:, None]
        self.propellant = non_negative("propellant", propellant, "kg")
        self.specific_impulse = (
            None if specific_impulse is None else positive("specific impulse", specific_impulse, "s")
        )
        if self.propellant and self.specific_impulse is None:
            raise InputError(f"propellant of {propellant:g} kg needs the specific impulse of the thrusters, in s")
        if inertia is not None and not self.propellant:
            raise InputError("inertia applies to the propellant, whose mass is 0; give propellant=..., in kg")
        self.tank = vector("tank", tank, unit="m")
        self.inertia = np.zeros((3, 3)) if inertia is None else inertia_matrix(inertia)
        self.plume_factor = np.array(each_positive("plume factor", plume_factor, len(places)), dtype=np.float64)
        if (self.plume_factor > 1.0).any():
            raise InputError(f"plume factor must be above 0 and at most 1; got {self.plume_factor.max():g}")
        choice("shape of the propellant", shape, SHAPES)
        self.shape, self.flow_momentum = shape, bool(flow_momentum)
        self.applies_torque = bool(applies_torque)
        for array in (self.positions, self.directions, self.tank, self.inertia, self.plume_factor):
            array.setflags(write=False)

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function of thrusters and tank."""
        return propulsion

    @property
    def levels(self) -> tuple[str, ...]:
        """Names of the states: the impulse of each thruster."""
        return tuple(f"thruster_{n}_impulse" for n in range(1, len(self.positions) + 1))

    @property
    def level_units(self) -> tuple[tuple[str, str, str], ...]:
        """Unit of each state, then name and unit of the input that is its rate."""
        return (("N s", "force", "N"),) * len(self.positions)

    @property
    def moves_mass(self) -> bool:
        """True if there is a tank: the mass centre moves as the tank empties."""
        return self.propellant > 0.0

    @property
    def mass(self) -> float:
        """Mass of the propellant at t = 0, kg."""
        return self.propellant

    @property
    def flow(self) -> float:
        """Propellant per impulse, 1/(g0 Isp), s/m; 0 if no specific impulse is given."""
        return 0.0 if self.specific_impulse is None else 1.0 / (GRAVITY * self.specific_impulse)

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Propellant left in the tank, and whether the tank is empty; none if there is no tank."""
        if not self.propellant:
            return ()
        return (
            Signal(name="propellant_left", unit="kg", words="propellant left in the tank"),
            Signal(name="tank_empty", unit="1", words="tank empty (1 or 0)", flag=True),
        )

    def left(self, impulses: ArrayLike) -> NDArray[np.float64]:
        """Return the propellant left after given impulses.

        Parameters
        ----------
        impulses : array_like, shape (..., m)
            Impulse of each thruster, N s.

        Returns
        -------
        numpy.ndarray, shape (...)
            Propellant, kg.
        """
        return self.propellant - self.flow * np.asarray(impulses, dtype=np.float64).sum(axis=-1)

    def check(self, body: Any) -> None:
        """Require a free hub.

        Parameters
        ----------
        body : RigidBody
            The hub.

        Raises
        ------
        InputError
            When the hub is pivoted.
        """
        if body.pivot is not None:
            raise InputError(
                "the force of the thrusters moves a free spacecraft; omit the pivot, or the Propulsion element"
            )

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return no shapes: thrusters are drawn by their firings.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            Empty.
        """
        del motion
        return ()

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT after the first two, then THRUSTER for each thruster.
        """
        J = self.inertia
        head = filled(
            AT, at=0.0, rates=0.0, thrusters=float(len(self.positions)), propellant=self.propellant, flow=self.flow,
            power=SHAPES[self.shape], momentum=float(self.flow_momentum),
            torque=float(self.applies_torque), tank=self.tank + offset, moments=np.diag(J),
            products=(J[0, 1], J[0, 2], J[1, 2]),
        )  # fmt: skip
        return [*head[2:], *np.hstack((self.positions + offset, self.plume_factor[:, None] * self.directions)).ravel()]


def _rows(name: str, given: ArrayLike) -> NDArray[np.float64]:
    rows = np.array(given, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 3 or not len(rows):
        raise InputError(f"{name} must have three components for each of one or more thrusters; got shape {rows.shape}")
    for number in rows.ravel():
        finite(f"each of {name}", float(number), "m" if name == "positions" else "")
    return rows


@kernel(inline=True)
def _propellant(x, p, n):
    """Return the propellant used and left, kg."""
    at = int(p[n + AT.at])
    impulse = 0.0 * x[at]
    for j in range(int(p[n + AT.thrusters])):
        impulse = impulse + x[at + j]
    used = p[n + AT.flow] * impulse
    return used, p[n + AT.propellant] - used


@kernel
def _place_propellant(x, p, w, n):
    """Add the mass and inertia of the propellant left."""
    used, left = _propellant(x, p, n)
    hub = int(p[W_HUB])
    w[hub + LOST] = w[hub + LOST] + used
    r0, r1, r2 = three(p, n + AT.tank)
    place_particle(p, w, left, r0, r1, r2)
    share = max(left.real, 0.0) / p[n + AT.propellant]
    size = share ** p[n + AT.power]
    for i in range(3):
        add_mass(p, w, i, i, size * p[n + AT.moments + i])
    add_mass(p, w, 0, 1, size * p[n + AT.products])
    add_mass(p, w, 0, 2, size * p[n + AT.products + 1])
    add_mass(p, w, 1, 2, size * p[n + AT.products + 2])


@kernel(inline=True)
def _cross(a0, a1, a2, b0, b1, b2):
    """Return a x b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@kernel
def _flow(p, w, n, mu, r0, r1, r2):
    """Add the momentum of the flow mu from the tank to r."""
    d, hub = int(p[W_MOMENT]), int(p[W_HUB])
    out = hub + OUT
    share = 1.0 / reduced_mass(p, w)
    c0, c1, c2 = share * w[d], share * w[d + 1], share * w[d + 2]
    v0, v1, v2 = w[hub + HUB_V], w[hub + HUB_V + 1], w[hub + HUB_V + 2]
    w0, w1, w2 = relative_rate(p, w, -3), relative_rate(p, w, -2), relative_rate(p, w, -1)
    t0, t1, t2 = three(p, n + AT.tank)
    a0, a1, a2 = t0 - c0, t1 - c1, t2 - c2
    b0, b1, b2 = r0 - c0, r1 - c1, r2 - c2
    s0, s1, s2 = _cross(w0, w1, w2, c0, c1, c2)
    s0, s1, s2 = v0 + s0, v1 + s1, v2 + s2  # minus the velocity at which other elements move the mass centre
    q0, q1, q2 = _cross(w0, w1, w2, b0, b1, b2)  # v' at the exit, without s
    g0, g1, g2 = _cross(b0, b1, b2, q0, q1, q2)
    h0, h1, h2 = _cross(a0, a1, a2, b0, b1, b2)
    h0, h1, h2 = _cross(w0, w1, w2, h0, h1, h2)
    m0, m1, m2 = _cross(a0, a1, a2, s0, s1, s2)
    l0, l1, l2 = _cross(w0, w1, w2, r0 - t0, r1 - t1, r2 - t2)
    f0, f1, f2 = -mu * (s0 + q0 + l0), -mu * (s1 + q1 + l1), -mu * (s2 + q2 + l2)
    y0, y1, y2 = _cross(c0, c1, c2, f0, f1, f2)  # from the mass centre to the reference point
    o = out + OUT_OF.torque
    w[o] = w[o] - mu * (g0 + h0 + m0) + y0
    w[o + 1] = w[o + 1] - mu * (g1 + h1 + m1) + y1
    w[o + 2] = w[o + 2] - mu * (g2 + h2 + m2) + y2
    o = out + OUT_OF.force
    w[o], w[o + 1], w[o + 2] = w[o] + f0, w[o + 1] + f1, w[o + 2] + f2
    o = out + OUT_OF.shift
    w[o], w[o + 1], w[o + 2] = w[o] + mu * a0, w[o + 1] + mu * a1, w[o + 2] + mu * a2
    w[out + OUT_OF.flow] = w[out + OUT_OF.flow] + mu


@kernel
def _spend(x, p, w, n, mu):
    """Add the power of losing mass at constant momentum and, if flow momentum is off, of the propellant."""
    _, left = _propellant(x, p, n)
    hub = int(p[W_HUB])
    w0, w1, w2 = relative_rate(p, w, -3), relative_rate(p, w, -2), relative_rate(p, w, -1)
    t0, t1, t2 = three(p, n + AT.tank)
    q0, q1, q2 = _cross(w0, w1, w2, t0, t1, t2)
    q0, q1, q2 = q0 + w[hub + HUB_V], q1 + w[hub + HUB_V + 1], q2 + w[hub + HUB_V + 2]
    share = max(left.real, 0.0) / p[n + AT.propellant]
    slope = mu * p[n + AT.power] * share ** (p[n + AT.power] - 1.0) / p[n + AT.propellant]
    x0, x1, x2 = three(p, n + AT.moments)
    xy, xz, yz = three(p, n + AT.products)
    l0 = slope * (x0 * w0 + xy * w1 + xz * w2)
    l1 = slope * (xy * w0 + x1 * w1 + yz * w2)
    l2 = slope * (xz * w0 + yz * w1 + x2 * w2)
    add_power(p, w, 0.5 * (mu * (q0 * q0 + q1 * q1 + q2 * q2) + l0 * w0 + l1 * w1 + l2 * w2))
    if p[n + AT.momentum] == 0.0:
        o = hub + OUT + OUT_OF.torque
        w[o], w[o + 1], w[o + 2] = w[o] - l0, w[o + 1] - l1, w[o + 2] - l2


@kernel
def propulsion(phase, t, x, u, p, row, w):
    """Kernel of thrusters and tank; see `polhode.plant.elements.element`."""
    n = row + 4
    tank = p[n + AT.propellant] > 0.0
    if phase == 0:
        if tank:
            _place_propellant(x, p, w, n)
    elif phase == 1:
        if is_probed(p, w):
            return
        rates, out = int(p[n + AT.rates]), int(p[W_HUB]) + OUT
        used, left = _propellant(x, p, n)
        total = 0.0 * x[3]
        for j in range(int(p[n + AT.thrusters])):
            k = n + AT.size + THRUSTER.size * j
            if tank and left.real < -SPENT * p[n + AT.propellant]:
                w[rates + j] = 0.0 * w[rates + j]
            force = w[rates + j]
            mu = p[n + AT.flow] * force
            total = total + mu
            d0, d1, d2 = three(p, k + THRUSTER.force)
            o = out + OUT_OF.force
            w[o], w[o + 1], w[o + 2] = w[o] + force * d0, w[o + 1] + force * d1, w[o + 2] + force * d2
            r0, r1, r2 = three(p, k + THRUSTER.position)
            if p[n + AT.torque] != 0.0:
                o = out + OUT_OF.torque
                t0, t1, t2 = _cross(r0, r1, r2, force * d0, force * d1, force * d2)
                w[o], w[o + 1], w[o + 2] = w[o] + t0, w[o + 1] + t1, w[o + 2] + t2
            if tank and p[n + AT.momentum] != 0.0:
                _flow(p, w, n, mu, r0, r1, r2)
        if tank:
            if p[n + AT.momentum] == 0.0:
                r0, r1, r2 = three(p, n + AT.tank)
                _flow(p, w, n, total, r0, r1, r2)
            _spend(x, p, w, n, total)
    elif phase == 3 and tank:
        used, left = _propellant(x, p, n)
        add_signal(p, w, left)
        add_signal(p, w, 1.0 if left.real <= SPENT * p[n + AT.propellant] else 0.0)
