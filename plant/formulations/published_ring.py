# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Ring nutation damper as published: Shivarama & Fahrenthold (2004), (63)-(68), for comparison only.

    h' = h x omega - 1/2 G dV/de + mu c        e' = 1/2 G' J^-1 h        beta' = w_m3 - h3/J3
    w_m3' = -c' Jm^-1 (w_m x Jm w_m) - mu c' Jm^-1 c
    mu = Cd R^2 (w_m3 - h3/J3) + dV/dbeta,  c = (0, 0, 1),  w_m = (cos b w1 + sin b w2, -sin b w1 + cos b w2, w_m3)
    V = -m g' R B' r_c      (their (50), with R for R')

x = (h, e, beta, w_m3): momentum of the rotor only, Euler parameters, angle of the slug and its inertial rate. The
equations contain a multiplier for (59) only; the torques by which ring and rotor enforce (58) are missing from (60).
The rotor therefore receives no transverse torque from the ring. With V = 0 and J1 = J2, the magnitude of its transverse
momentum is exactly constant, nutation is undamped, the total angular momentum drifts and energy grows. For this reason
the model is not an element but a formulation, deliberately incorrect, for a spacecraft with a `RingDamper`. That
element is the consistent model.

All external loads, including gravity on the ring, act as a torque on the rotor in place of -1/2 G dV/de.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..elements import RingDamper
from ..errors import InputError
from ..hub.element_calls import LOCK, PROJECT, RATES, SEE
from ..hub.parameters import VIEW_ROW, VIEW_WORK, W_V, W_VIEW
from ..kernels.fields import fields
from ..kernels.kernel import kernel
from ..kernels.rotation import parameter_rates, to_body
from ..loads.potentials import GuidedSpring, Spring, UniformGravity
from .view import FAR

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]

RING = fields(rotor=3, inertia=3, product=1, moment=1, friction=1, gravity=3)
"""Parameters in p: moments of the rotor; Jm11, Jm22, Jm33 and Jm13 of the ring about the mass centre of the rotor; ring
mass times the distance of its mass centre from the axis; Cd R^2; g, inertial."""


@dataclass(frozen=True)
class PublishedRing:
    """Rotor with a ring damper according to the published equations, for `simulate(craft, formulation=...)`.

    The spacecraft has one `RingDamper` about body z, with its centre on that axis, and a pivot at the mass centre of
    the rotor, to which the equations refer. Momentum, energy and rates of a run are computed from their definitions for
    rotor and ring together; the errors of the equations therefore appear in the balances.

    Examples
    --------
    >>> PublishedRing().states[-2:]
    ('ring_angle', 'ring_inertial_rate')
    """

    @property
    def name(self) -> str:
        """Name of the formulation."""
        return "published-ring"

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states."""
        return ("h_1", "h_2", "h_3", "e_0", "e_1", "e_2", "e_3", "ring_angle", "ring_inertial_rate")

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the states."""
        return ("N m s",) * 3 + ("1",) * 4 + ("rad", "rad/s")

    @property
    def multiplier(self) -> str:
        """Expression for the multiplier, N m: torque mu of (63) between rotor and slug about the axis."""
        return "Cd R^2 betadot + dV/dbeta"

    @property
    def sequence(self) -> str | None:
        """None, since there are no Euler angles."""
        return None

    @property
    def project(self) -> bool:
        """True: the Euler parameters are normalised after each step."""
        return True

    @property
    def balanced(self) -> bool:
        """False: the equations conserve neither momentum nor energy."""
        return False

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function that the engine calls."""
        return published_ring

    def numbers(self, craft: "Spacecraft") -> list[float]:
        """Return the parameters of the kernel for a spacecraft.

        Parameters
        ----------
        craft : Spacecraft
            The spacecraft.

        Returns
        -------
        list of float
            Parameters in the order of `RING`.

        Raises
        ------
        InputError
            When the model does not apply to the spacecraft.
        """
        rings = [element for element in craft.elements if isinstance(element, RingDamper)]
        if len(rings) != 1 or len(craft.elements) != 1:
            raise InputError(
                "the published ring model describes a rotor with one RingDamper and no other element; this spacecraft "
                f"has {len(rings)} RingDamper among {len(craft.elements)} elements"
            )
        ring, center = rings[0], np.asarray(rings[0].center)
        inertia = craft.body.central_inertia
        if np.count_nonzero(inertia - np.diag(np.diag(inertia))):
            raise InputError("the published ring model requires principal axes; give the rotor three moments")
        if craft.body.pivot is None or craft.body.pivot.any():
            raise InputError(
                "the published ring model requires a rotor held at its mass centre: give "
                "RigidBody(..., pivot=(0, 0, 0))"
            )
        if not np.array_equal(np.asarray(ring.axis), (0.0, 0.0, 1.0)) or center[0] or center[1]:
            raise InputError("the published ring model requires a ring about body z, with the centre on that axis")
        gravity = np.zeros(3)
        for potential in craft.potentials:
            if isinstance(potential, UniformGravity):
                gravity = gravity + potential.g
            elif not isinstance(potential, Spring | GuidedSpring):
                raise InputError(
                    "the published ring model supports uniform gravity and springs only: it has no term for the force "
                    f"of {type(potential).__name__} on the ring"
                )
        half, full = 0.5 * ring.fill, ring.fill
        mean = 0.0 if ring.cyclic else ring.radius * np.sin(half) / half
        share = 0.0 if ring.cyclic else np.sin(full) / full
        turning = ring.mass * ring.radius**2
        lift = ring.mass * center[2] ** 2
        arc = [0.5 * turning * (1.0 - share) + lift, 0.5 * turning * (1.0 + share) + lift, turning]
        friction = ring.friction * ring.radius**2
        return [*np.diag(inertia), *arc, -ring.mass * mean * center[2], ring.mass * mean, friction, *gravity]

    def enter(self, craft: "Spacecraft", x: Array) -> Array:
        """Return the states of the formulation for a state of the spacecraft.

        Parameters
        ----------
        craft : Spacecraft
            The spacecraft.
        x : numpy.ndarray, shape (nx,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (k,)
            Values in the order of `states`.
        """
        omega, turning = craft.rate(x), craft.internal_rates(x)
        return np.array([*craft.body.central_inertia @ omega, *x[3:7], x[7], omega[2] + turning[0]])

    def words(self) -> str:
        """Return the warning that applies to every run in this formulation."""
        return (
            "model = published: (63)-(68) of Shivarama & Fahrenthold (2004) omit the torques that keep the ring on its "
            "axis, so momentum drifts, energy can grow and nutation is undamped; model = consistent is correct"
        )


@kernel(inline=True)
def _ring_rate(x, p, at, n):
    """Return w_m and its momentum Jm w_m, both in ring axes, and cosine and sine of the ring angle."""
    w0, w1 = x[at] / p[n + RING.rotor], x[at + 1] / p[n + RING.rotor + 1]
    cos, sin = np.cos(x[at + 7]), np.sin(x[at + 7])
    a, b, c = cos * w0 + sin * w1, cos * w1 - sin * w0, x[at + 8]
    return (
        a,
        b,
        c,
        p[n + RING.inertia] * a + p[n + RING.product] * c,
        p[n + RING.inertia + 1] * b,
        p[n + RING.product] * a + p[n + RING.inertia + 2] * c,
        cos,
        sin,
    )


@kernel(inline=True)
def _write_image(x, p, at, n):
    """Write momentum of rotor and ring, Euler parameters, slug angle and slug momentum to x."""
    _, _, _, l0, l1, l2, cos, sin = _ring_rate(x, p, at, n)
    x[0] = x[at] + cos * l0 - sin * l1
    x[1] = x[at + 1] + sin * l0 + cos * l1
    x[2] = x[at + 2] + l2
    for k in range(4):
        x[3 + k] = x[at + 3 + k]
    x[7] = x[at + 7]
    x[8] = l2


@kernel(inline=True)
def _rates(x, dx, p, w, at, n):
    """Write the rates (63)-(66) to dx. Return mu."""
    h0, h1, h2 = x[at], x[at + 1], x[at + 2]
    w0, w1, w2 = h0 / p[n + RING.rotor], h1 / p[n + RING.rotor + 1], h2 / p[n + RING.rotor + 2]
    e0, e1, e2, e3 = x[at + 3], x[at + 4], x[at + 5], x[at + 6]
    a, b, c, l0, l1, l2, cos, sin = _ring_rate(x, p, at, n)
    g0, g1, _ = to_body(e0, e1, e2, e3, p[n + RING.gravity], p[n + RING.gravity + 1], p[n + RING.gravity + 2])
    mu = p[n + RING.friction] * (c - w2) - p[n + RING.moment] * (cos * g1 - sin * g0)
    # c' Jm^-1, from the first and third row and column of Jm
    scale = 1.0 / (p[n + RING.inertia] * p[n + RING.inertia + 2] - p[n + RING.product] * p[n + RING.product])
    y0, y2 = -p[n + RING.product] * scale, p[n + RING.inertia] * scale
    # external torque: the rates of the full equations minus their gyroscopic part
    v = int(p[W_V])
    dx[at] = h1 * w2 - h2 * w1 + dx[0] - (x[1] * w[v + 2] - x[2] * w[v + 1])
    dx[at + 1] = h2 * w0 - h0 * w2 + dx[1] - (x[2] * w[v] - x[0] * w[v + 2])
    dx[at + 2] = h0 * w1 - h1 * w0 + dx[2] - (x[0] * w[v + 1] - x[1] * w[v]) + mu
    dx[at + 3], dx[at + 4], dx[at + 5], dx[at + 6] = parameter_rates(e0, e1, e2, e3, w0, w1, w2)
    dx[at + 7] = c - w2
    dx[at + 8] = -y0 * (b * l2 - c * l1) - y2 * (a * l1 - b * l0) - mu * y2
    return mu


@kernel
def published_ring(phase, t, x, dx, p, row, w):
    """Evaluate the published equations; see `polhode.plant.formulations.view` for the phases."""
    at, n, work = int(p[row + VIEW_ROW.at]), row + VIEW_ROW.size, int(p[W_VIEW])
    if phase == SEE:
        _write_image(x, p, at, n)
    elif phase == RATES:
        w[work + VIEW_WORK.multiplier] = _rates(x, dx, p, w, at, n)
    elif phase == PROJECT:
        square = x[at + 3] ** 2 + x[at + 4] ** 2 + x[at + 5] ** 2 + x[at + 6] ** 2
        scale = 1.0 / np.sqrt(square)
        for k in range(at + 3, at + 7):
            x[k] = x[k] * scale
        w[work + VIEW_WORK.drift] = square - 1.0
        _write_image(x, p, at, n)
    elif phase == LOCK:
        w[work + VIEW_WORK.lock] = FAR
