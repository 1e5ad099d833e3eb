# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Gravity gradient in a central field, to second order in the ratio of size to distance.

V = -mu/(2 r^3) (tr J - 3 rhat . R J R' rhat), torque 3 mu/r^3 rhat x J rhat (body components). The centre is at the
origin of inertial space. Either the orbit is prescribed, as an unperturbed conic with given position and velocity
at t = 0, or the position is part of the state. In the latter case the force of the field also acts: -mu m c/r^3 minus
the gradient of V.

J is the current inertia: hub, elements at their coordinates, and arms in their current shape with the inertia of their
sections. The generalised forces on coordinates and nodes are -dV/dq of the same V. The field thus acts on a bent arm, a
slug in its ring or a swinging bob at its actual position. Flexible modes do not define the change of J and are
therefore rejected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...hub.mass_now import total_mass
from ...hub.parameters import LOCKED, LOCKED_NOW, POSITION, TRANSLATION, VARIES, W_HUB
from ...kernels.fields import fields, filled, row_times, three
from ...kernels.kernel import kernel
from ...kernels.rotation import to_body, to_inertial
from ...quantity import NUMBER, OPTIONAL_VECTOR, check_fields, declared, quantity
from ..field_loads import central_field
from .any_potential import AnyPotential
from .central_bodies import check_gravitational_parameter, require_outside, surface_of
from .kepler import kepler_position
from .orbit_start import orbit_start
from .pericentre import pericentre

if TYPE_CHECKING:
    from ...hub.rigid_body import RigidBody

Array = NDArray[np.float64]

AT = fields(mu=1, position=3, velocity=3)

DIAGONAL = 4
"""Stride between diagonal entries of a matrix stored row by row."""


@declared
class GravityGradient(AnyPotential):
    """Gravity gradient of a central field on a Kepler orbit, or on the orbit of a translating spacecraft.

    The centre is the inertial origin.

    The field acts on the hub, on every moving element and on every node and section of a flexible arm. Terms of third
    order in the ratio of the spacecraft's size to its distance are omitted.

    Parameters
    ----------
    mu : float
        Gravitational parameter of the centre, m^3/s^2, positive.
    position : array_like, shape (3,), optional
        Position at t = 0, inertial components, m, for a prescribed orbit. Omit it if the position is a state
        (`translation=True`).
    velocity : array_like, shape (3,), optional
        Velocity at t = 0, inertial components, m/s; required with `position`.

    Raises
    ------
    InputError
        When mu is not positive, only one of position and velocity is given, or the orbit is out of range: at the
        centre or inside a known body, 1e30 m or more from the centre, or faster than 1e30 m/s.
    """

    words: ClassVar[str] = "the gravity gradient"
    needs_place: ClassVar[bool] = False
    feels_inertia: ClassVar[bool] = True

    mu: float = quantity("m^3/s^2", converter=NUMBER, positive=True, doc="gravitational parameter of the centre")
    position: Array | None = quantity(
        "m", converter=OPTIONAL_VECTOR, optional=True, default=None, doc="orbit at t = 0, inertial axes"
    )
    velocity: Array | None = quantity(
        "m/s", converter=OPTIONAL_VECTOR, optional=True, default=None, doc="orbit at t = 0, inertial axes"
    )

    def __post_init__(self) -> None:
        check_fields(self, of="gravity gradient")
        check_gravitational_parameter(self.mu)
        if (self.position is None) != (self.velocity is None):
            raise InputError("gravity gradient: give position (m) and velocity (m/s) together, or omit both")
        if self.position is not None and self.velocity is not None:
            position, velocity, _ = orbit_start("gravity-gradient", self.position, self.velocity, self.mu)
            object.__setattr__(self, "position", position)
            object.__setattr__(self, "velocity", velocity)

    @property
    def time_dependent(self) -> bool:
        """True if the orbit is prescribed."""
        return self.position is not None

    def center_direction(self, t: float) -> np.ndarray:
        """Return the direction to the centre on the prescribed orbit.

        Parameters
        ----------
        t : float
            Time, s.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Unit vector, inertial components.

        Raises
        ------
        InputError
            When the orbit is not prescribed.
        """
        if self.position is None or self.velocity is None:
            raise InputError("gravity gradient: the position is a state; compute the direction from the rows of a run")
        r, v = self.position, self.velocity
        place = np.array(kepler_position(float(t), self.mu, *r.tolist(), *v.tolist()))
        return -place / np.linalg.norm(place)

    def check_duration(self, duration: float) -> None:
        """Raise InputError if the prescribed orbit passes too close to the centre during a run.

        Parameters
        ----------
        duration : float
            Duration of the run, s.

        Raises
        ------
        InputError
            When the orbit passes a pericentre below a thousandth of the initial distance before the end of the run,
            where the second-order expansion in size over distance is invalid, or enters a known body, such as the
            Earth.
        """
        if self.position is None or self.velocity is None:
            return
        r, v = self.position, self.velocity
        nearest, when = pericentre(r, v, self.mu)
        surface = surface_of(self.mu)
        if surface is not None and nearest < surface[1]:
            last = min(duration, when)
            lowest = float(np.linalg.norm(kepler_position(last, self.mu, *r.tolist(), *v.tolist())))
            if lowest < surface[1]:
                raise InputError(
                    f"the prescribed orbit enters {surface[0]}: it is {lowest:.4g} m from the centre at t = {last:.6g} "
                    f"s, within the radius of {surface[1]:g} m; check position (m) and velocity (m/s), or end the run "
                    "earlier"
                )
        if nearest < 1e-3 * float(np.linalg.norm(r)) and when <= duration:
            raise InputError(
                f"the prescribed orbit comes within {nearest:.3g} m of the centre at t = {when:.6g} s, from "
                f"{float(np.linalg.norm(r)):.6g} m at t = 0: the gravity gradient grows without bound there; check "
                "position (m), velocity (m/s) and mu (m^3/s^2), or end the run earlier"
            )

    def check_start(self, position: Array, velocity: Array) -> None:
        """Raise InputError if a run starts inside a known central body, such as the Earth.

        Parameters
        ----------
        position : numpy.ndarray, shape (3,)
            Position at t = 0, m.
        velocity : numpy.ndarray, shape (3,)
            Velocity at t = 0, m/s.

        Raises
        ------
        InputError
            When the position is inside the body that mu identifies.
        """
        del velocity
        require_outside("the position at t = 0", float(np.linalg.norm(position)), self.mu)

    def pack(self, body: RigidBody, *, translation: bool, off_center: bool) -> list[float]:
        """Return the packed parameters, in the order in which the kernels read them.

        Parameters
        ----------
        body : RigidBody
            Body on which the potential acts.
        translation : bool
            Whether position is a state.
        off_center : bool
            Whether an element has weight off the pivot.

        Returns
        -------
        list of float
            The fields of AT.

        Raises
        ------
        InputError
            When the orbit is both prescribed and a state, or neither, or the body is pivoted.
        """
        if body.pivot is not None:
            raise InputError("gravity gradient acts about the mass centre; it cannot act on a pivoted body")
        if translation:
            if self.position is not None:
                raise InputError(
                    "gravity gradient: if the position is a state, the orbit is the motion of the spacecraft; "
                    "omit position and velocity here and give them as the initial state"
                )
            return filled(AT, mu=self.mu, position=np.zeros(3), velocity=np.zeros(3))
        if self.position is None or self.velocity is None:
            raise InputError(
                "gravity gradient needs the orbit: give position (m) and velocity (m/s) at t = 0, "
                "or a spacecraft with translation=True"
            )
        return filled(AT, mu=self.mu, position=self.position, velocity=self.velocity)


@kernel
def _place(t, x, p, row):
    """Return the position of the mass centre relative to the attracting centre, inertial components."""
    if p[TRANSLATION] != 0.0:
        n = int(p[POSITION])
        return x[n], x[n + 1], x[n + 2]
    a0, a1, a2 = three(p, row + AT.position)
    v0, v1, v2 = three(p, row + AT.velocity)
    r0, r1, r2 = kepler_position(t, p[row + AT.mu], a0, a1, a2, v0, v1, v2)
    zero = 0.0 * x[6]  # same type as the state in both branches
    return r0 + zero, r1 + zero, r2 + zero


@kernel
def inertia_times(p, w, a0, a1, a2):
    """Return J a, body components, and tr J."""
    if p[VARIES] != 0.0:
        n = int(p[W_HUB]) + LOCKED_NOW
        return _times(w, n, a0, a1, a2)
    return _times(p, LOCKED, a0 + 0.0 * w[0], a1, a2)


@kernel
def _times(p, n, a0, a1, a2):
    return (
        row_times(p, n, a0, a1, a2),
        row_times(p, n + 3, a0, a1, a2),
        row_times(p, n + 6, a0, a1, a2),
        p[n] + p[n + DIAGONAL] + p[n + 2 * DIAGONAL] + 0.0 * a0,
    )


@kernel
def gravity_gradient_load(t, x, p, row, w):
    """Return torque (body) and, if the position is a state, force (inertial) of the central field."""
    r0, r1, r2 = _place(t, x, p, row)
    r = np.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
    b0, b1, b2 = to_body(x[3], x[4], x[5], x[6], r0 / r, r1 / r, r2 / r)
    j0, j1, j2, trace = inertia_times(p, w, b0, b1, b2)
    s = 3.0 * p[row + AT.mu] / (r * r * r)
    t0, t1, t2 = s * (b1 * j2 - b2 * j1), s * (b2 * j0 - b0 * j2), s * (b0 * j1 - b1 * j0)
    if p[VARIES] != 0.0:
        central_field(t, x, p, w, s / 3.0, b0, b1, b2)
    zero = 0.0 * r
    if p[TRANSLATION] == 0.0:
        return t0, t1, t2, zero, zero, zero
    q = b0 * j0 + b1 * j1 + b2 * j2
    i0, i1, i2 = to_inertial(x[3], x[4], x[5], x[6], j0, j1, j2)
    a = -p[row + AT.mu] * total_mass(p, w) / (r * r * r) - 0.5 * s * (trace - 5.0 * q) / (r * r)
    b = -s / r
    return t0, t1, t2, a * r0 + b * i0, a * r1 + b * i1, a * r2 + b * i2


@kernel
def gravity_gradient_energy(t, x, p, row, w):
    """Return V = -mu m/r (if the position is a state) - mu/(2 r^3) (tr J - 3 rhat.J rhat), J."""
    r0, r1, r2 = _place(t, x, p, row)
    r = np.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
    b0, b1, b2 = to_body(x[3], x[4], x[5], x[6], r0 / r, r1 / r, r2 / r)
    j0, j1, j2, trace = inertia_times(p, w, b0, b1, b2)
    value = -0.5 * p[row + AT.mu] / (r * r * r) * (trace - 3.0 * (b0 * j0 + b1 * j1 + b2 * j2))
    if p[TRANSLATION] != 0.0:
        value = value - p[row + AT.mu] * total_mass(p, w) / r
    return value


GravityGradient.kernels = gravity_gradient_load, gravity_gradient_energy
POTENTIAL = GravityGradient
