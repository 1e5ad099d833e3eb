# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Panels hinged to panels: a wing that unfolds, or a flexible solar array behind its drive.

Panel i rotates by the angle q_i about the axis A_i through the hinge H_i of panel i - 1, or of the hub. From the
geometry at zero angles (hinges h_i, axes a_i, points rho relative to the hinge of their panel),

    H_i = H_(i-1) + R_(i-1) (h_i - h_(i-1))      A_i = R_(i-1) a_i      R_i = R_(i-1) R(a_i, q_i)
    r = H_i + R_i (rho + sum_j phi_j eta_j)      dr/dq_k = A_k x (r - H_k), k <= i      dr/deta_j = R_i phi_j

Each panel is integrated as six points of equal mass that reproduce its inertia, with the point-mass equations of
`assembly`. The modes eta of a panel displace its points like a rigid body: by the translation and rotation that have
the linear and angular momentum of the mode. The remainder of the unit modal mass is added to eta alone. The points,
springs and these remainders are one mechanical system, so that energy and momentum balance exactly. As with all modes,
rates must be well below the natural frequencies, and deformations small. Outer hinges do not move with the modes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import of_kind
from ..errors import InputError
from ..kernels.fields import fields, three
from ..kernels.kernel import kernel
from ..kernels.rotation import compose, to_inertial
from .assembly import (
    add_energy,
    add_force,
    add_mass,
    add_power,
    couple_particle,
    particle_force,
    particle_velocity,
    place_particle,
    relative_rate,
)
from .flexible_modes import FlexibleModes
from .hinged_panel import AT as PANEL
from .hinged_panel import POINTS, HingedPanel, hinge_energy, hinge_torque, latch_signals
from .shape import ElementMotion, Shape
from .signal import Signal

Array = NDArray[np.float64]

AT = fields(work=1, panels=1, modes=1)
"""Parameters: start of the workspace; numbers of panels and modes. Then the parameters of each panel as in
`hinged_panel`, MODE for each mode, and the tables of the drives."""

MODE = fields(panel=1, stiffness=1, damping=1, rest=1, shapes=18)
"""Parameters of a mode: number of its panel from 0; w^2; 2 zeta w; modal mass that the points do not have;
displacement of each point."""

STATE = fields(axis=3, hinge=3, turn=4, axis_rate=3, hinge_rate=3, spin=3)
"""Workspace of a panel, hub components: axis, hinge, Euler parameters, rates of axis and hinge, angular velocity. After
the panels, the derivatives of the position of a point with respect to each coordinate (3 each)."""


class PanelChain:
    """Chain of rigid or flexible panels, each hinged to the panel before it and the first to the hub.

    Each panel is described as a single panel on the hub, at zero angles of all hinges: `hinge` and `axis` in hub
    axes, `centre` from its own hinge. Each hinge may have a spring, a damper, a drive and a latch (`HingedPanel`); a
    motor torque acts on its coordinate. `wing_angle_1` is the innermost angle.

    Parameters
    ----------
    panels : sequence of HingedPanel
        Panels from the hub outwards.
    modes : sequence of FlexibleModes or None, optional
        Modes of each panel clamped at its hinge, None for a rigid panel. `rotation` is about the hinge; both
        participations are in the axes of the hub at zero angles. The mass of the panel includes the mass of the modes.

    Raises
    ------
    InputError
        When there is no panel, an argument has the wrong type, or modes need more mass or inertia than their panel
        has.

    Examples
    --------
    >>> inner = HingedPanel(hinge=(0.5, 0, 0), axis=(0, 1, 0), mass=10.0, centre=(1, 0, 0), inertia=(1.0, 3.0, 4.0))
    >>> outer = HingedPanel(hinge=(2.5, 0, 0), axis=(0, 1, 0), mass=8.0, centre=(1, 0, 0), inertia=(1.0, 3.0, 4.0))
    >>> PanelChain([inner, outer]).coordinates
    ('wing_angle_1', 'wing_angle_2')
    """

    cyclic = False
    """False: inertia and energy depend on the angles."""

    constant = False
    """False: the contribution to the mass matrix depends on the angles."""

    moves_mass = True
    """True: the panels move the mass centre."""

    def __init__(self, panels: Sequence[HingedPanel], modes: Sequence[FlexibleModes | None] = ()) -> None:
        of_kind("panels", panels, Sequence, such_as="a sequence of HingedPanel")
        if not panels:
            raise InputError("a panel chain needs at least one panel")
        for panel in panels:
            of_kind("each of panels", panel, HingedPanel, such_as="a HingedPanel")
        if len(modes) not in (0, len(panels)):
            raise InputError(f"modes are given for {len(modes)} of {len(panels)} panels; give modes or None for each")
        self.panels = tuple(panels)
        self.modes = tuple(modes) if modes else (None,) * len(panels)
        self._mode_rows = [
            row
            for number, (panel, own) in enumerate(zip(self.panels, self.modes, strict=True))
            if own is not None
            for row in _mode_rows(number, panel, own)
        ]

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function of a chain of panels."""
        return panel_chain

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the angles, then of the modes, from the hub outwards."""
        angles = tuple(f"wing_angle_{n}" for n in range(1, len(self.panels) + 1))
        return (*angles, *(f"wing_mode_{n}" for n in range(1, len(self._mode_rows) + 1)))

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the coordinates."""
        return ("rad",) * len(self.panels) + ("kg^0.5 m",) * len(self._mode_rows)

    @property
    def driven(self) -> tuple[str, ...]:
        """All coordinates: angles by a torque about the hinge, modes by a modal force."""
        return self.coordinates

    @property
    def mass(self) -> float:
        """Mass of all panels, kg."""
        return sum(panel.mass for panel in self.panels)

    @property
    def initial(self) -> tuple[Sequence[float], Sequence[float]]:
        """Coordinates and rates at t = 0."""
        own = [each for each in self.modes if each is not None]
        return (
            [*(panel.angle for panel in self.panels), *(s for each in own for s in each.displacements.tolist())],
            [*(panel.rate for panel in self.panels), *(s for each in own for s in each.rates.tolist())],
        )

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Torque and state of each latch, from the hub outwards; empty if there are no latches."""
        found: list[Signal] = []
        for number, panel in enumerate(self.panels):
            if panel.latch_angle is not None:
                holds = self.hinge_inertia(number) * panel.capture / panel.latch_time**2
                words, component = f"panel {number + 1}", str(number + 1)
                lost = (
                    f"lost {words}, released by its latch, which holds up to {holds:.4g} N m towards its open side; "
                    "to keep it latched, increase capture or reduce latch_time"
                )
                torque = f"torque of the latch on {words}"
                held = f"1 while the latch holds {words}"
                found += [
                    Signal(name="latch_torque", component=component, unit="N m", words=torque),
                    Signal(name="latched", component=component, unit="1", words=held, flag=True, lost=lost),
                ]
        return tuple(found)

    def check_start(self, names: Sequence[str], coordinates: Sequence[float], *, rates: Sequence[float]) -> None:
        """Raise InputError if a panel at t = 0 is beyond its latch.

        Parameters
        ----------
        names : sequence of str
            Names of the coordinates in the spacecraft.
        coordinates : sequence of float
            Coordinates.
        rates : sequence of float
            Their rates.

        Raises
        ------
        InputError
            When a panel is beyond its latch; see `HingedPanel.check_start`.
        """
        for each in zip(self.panels, names, coordinates, rates, strict=False):  # the modes follow the angles
            panel, name, angle, rate = each
            panel.check_start((name,), (angle,), rates=(rate,))

    def start_warning(self, names: Sequence[str], coordinates: Sequence[float], *, rates: Sequence[float]) -> str:
        """Return a warning if the run starts away from the rest angle of a spring-driven hinge.

        Parameters
        ----------
        names : sequence of str
            Names of the coordinates in the spacecraft.
        coordinates : sequence of float
            Coordinates at t = 0.
        rates : sequence of float
            Their rates.

        Returns
        -------
        str
            Warning of the innermost panel that has one, or "".
        """
        found = (
            panel.start_warning((name,), (angle,), rates=(rate,))
            for panel, name, angle, rate in zip(self.panels, names, coordinates, rates, strict=False)
        )
        return next(filter(None, found), "")

    @property
    def time_dependent(self) -> bool:
        """True if a hinge has a drive."""
        return any(panel.time_dependent for panel in self.panels)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times of the drive histories, s; integration steps end there."""
        return tuple(sorted({time for panel in self.panels for time in panel.breakpoints}))

    @property
    def work_size(self) -> int:
        """Length of the workspace."""
        return STATE.size * len(self.panels) + 3 * len(self.coordinates)

    def hinge_inertia(self, number: int) -> float:
        """Return the moment of inertia about a hinge of all panels outside it, at zero angles.

        Parameters
        ----------
        number : int
            Number of the hinge, from 0.

        Returns
        -------
        float
            Moment of inertia, kg m^2.
        """
        inner = self.panels[number]
        total = 0.0
        for panel in self.panels[number:]:
            arm = np.cross(inner.axis, panel.hinge + panel.centre - inner.hinge)
            total += float(inner.axis @ panel.inertia @ inner.axis + panel.mass * (arm @ arm))
        return total

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return each panel as its mass centre on a rod from its hinge.

        Parameters
        ----------
        motion : ElementMotion
            Motion over the rows of a run.

        Returns
        -------
        tuple of Shape
            One shape for each panel.
        """
        found: list[Shape] = []
        rows = len(motion.coordinates)
        turn = np.broadcast_to(np.eye(3), (rows, 3, 3))
        hinge, before = np.zeros((rows, 3)), np.zeros(3)
        for number, panel in enumerate(self.panels):
            hinge, before = hinge + turn @ (panel.hinge - before), panel.hinge
            a, q = panel.axis, motion.coordinates[:, number, None, None]
            skew = np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
            turn = turn @ (np.eye(3) + np.sin(q) * skew + (1.0 - np.cos(q)) * skew @ skew)
            points = np.stack((hinge, hinge + turn @ panel.centre), axis=1)
            found.append(Shape(kind="bob", mass=panel.mass, points=points))
        return tuple(found)

    def pack(self, offset: NDArray[np.float64]) -> list[float]:
        """Return the packed parameters, in the order in which the kernel reads them.

        Parameters
        ----------
        offset : numpy.ndarray, shape (3,)
            Vector from the reference point to the mass centre of the hub, m.

        Returns
        -------
        list of float
            The fields of AT after the first, the panels, the modes, and the tables of the drives.
        """
        n, m = len(self.panels), len(self._mode_rows)
        table = AT.size + PANEL.size * n + MODE.size * m
        numbers: list[float] = [float(n), float(m)]
        tables: list[float] = []
        for number, panel in enumerate(self.panels):
            at = table + len(tables) - AT.size - PANEL.size * number
            numbers += panel.numbers(offset, about=self.hinge_inertia(number), table=at)
            tables += panel.drive_rows
        return [*numbers, *(value for row in self._mode_rows for value in row), *tables]


def _mode_rows(number: int, panel: HingedPanel, modes: FlexibleModes) -> list[list[float]]:
    """Return MODE for each mode of a panel. Raises InputError if the panel has too little mass or inertia."""
    of_kind("each of modes", modes, FlexibleModes, such_as="FlexibleModes, or None")
    points = panel.points - panel.centre
    rows: list[list[float]] = []
    for k in range(modes.frequencies.size):
        linear = np.zeros(3) if modes.translation is None else modes.translation[:, k]
        angular = modes.rotation[:, k] - np.cross(panel.centre, linear)
        turn = np.linalg.lstsq(panel.inertia, angular, rcond=1e-12)[0]
        shapes = linear / panel.mass + np.cross(turn, points)
        rest = 1.0 - panel.mass / POINTS * float((shapes * shapes).sum())
        if not rest > 0.0 or not np.allclose(panel.inertia @ turn, angular, rtol=1e-9, atol=1e-12):
            raise InputError(
                f"mode {k + 1} of panel {number + 1} has more momentum than the mass and inertia of the panel allow "
                f"(rigid part of its modal mass {1.0 - rest:.4g}, which must be below 1); check units and hinge"
            )
        w = float(modes.frequencies[k])
        rows.append([float(number), w * w, 2.0 * float(modes.damping_ratios[k]) * w, rest, *shapes.ravel().tolist()])
    return rows


@kernel(inline=True)
def _cross(a0, a1, a2, b0, b1, b2):
    """Return a x b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@kernel
def _place_panels(x, p, w, row, moving):
    """Write STATE of each panel; the rates are zero unless `moving`."""
    k, n = int(p[row + 2]), row + 4
    at = int(p[n + AT.work])
    zero = 0.0 * x[3]
    e0, e1, e2, e3 = 1.0 + zero, zero, zero, zero
    h0, h1, h2 = zero, zero, zero
    s0, s1, s2 = zero, zero, zero
    l0, l1, l2 = zero, zero, zero
    b0, b1, b2 = 0.0, 0.0, 0.0
    for i in range(int(p[n + AT.panels])):
        panel = n + AT.size + PANEL.size * i
        c0, c1, c2 = three(p, panel + PANEL.hinge)
        d0, d1, d2 = to_inertial(e0, e1, e2, e3, c0 - b0, c1 - b1, c2 - b2)
        b0, b1, b2 = c0, c1, c2
        g0, g1, g2 = _cross(s0, s1, s2, d0, d1, d2)
        h0, h1, h2 = h0 + d0, h1 + d1, h2 + d2
        l0, l1, l2 = l0 + g0, l1 + g1, l2 + g2
        z0, z1, z2 = three(p, panel + PANEL.axis)
        a0, a1, a2 = to_inertial(e0, e1, e2, e3, z0, z1, z2)
        f0, f1, f2 = _cross(s0, s1, s2, a0, a1, a2)
        q = x[7 + k + i]
        half, share = np.cos(0.5 * q), np.sin(0.5 * q)
        e0, e1, e2, e3 = compose(e0, e1, e2, e3, half, share * z0, share * z1, share * z2)
        rate = relative_rate(p, w, k + i) if moving else zero
        s0, s1, s2 = s0 + a0 * rate, s1 + a1 * rate, s2 + a2 * rate
        o = at + STATE.size * i
        w[o + STATE.axis], w[o + STATE.axis + 1], w[o + STATE.axis + 2] = a0, a1, a2
        w[o + STATE.hinge], w[o + STATE.hinge + 1], w[o + STATE.hinge + 2] = h0, h1, h2
        w[o + STATE.turn], w[o + STATE.turn + 1], w[o + STATE.turn + 2], w[o + STATE.turn + 3] = e0, e1, e2, e3
        w[o + STATE.axis_rate], w[o + STATE.axis_rate + 1], w[o + STATE.axis_rate + 2] = f0, f1, f2
        w[o + STATE.hinge_rate], w[o + STATE.hinge_rate + 1], w[o + STATE.hinge_rate + 2] = l0, l1, l2
        w[o + STATE.spin], w[o + STATE.spin + 1], w[o + STATE.spin + 2] = s0, s1, s2


@kernel
def _move_point(phase, x, p, w, row, i, point):
    """Add one point of panel i to the mass matrix (phase 0) or to the forces (phase 1)."""
    k, n = int(p[row + 2]), row + 4
    at, panels, modes = int(p[n + AT.work]), int(p[n + AT.panels]), int(p[n + AT.modes])
    panel, first = n + AT.size + PANEL.size * i, n + AT.size + PANEL.size * panels
    slopes, o = at + STATE.size * panels, at + STATE.size * i
    mass = p[panel + PANEL.mass]
    e0, e1, e2, e3 = w[o + STATE.turn], w[o + STATE.turn + 1], w[o + STATE.turn + 2], w[o + STATE.turn + 3]
    s0, s1, s2 = w[o + STATE.spin], w[o + STATE.spin + 1], w[o + STATE.spin + 2]
    zero = 0.0 * x[3]
    b0, b1, b2 = three(p, panel + PANEL.points + 3 * point)
    b0, b1, b2 = b0 + zero, b1 + zero, b2 + zero
    g0, g1, g2 = zero, zero, zero
    for j in range(modes):
        mode = first + MODE.size * j
        if int(p[mode + MODE.panel]) == i:
            f0, f1, f2 = three(p, mode + MODE.shapes + 3 * point)
            eta = x[7 + k + panels + j]
            b0, b1, b2 = b0 + eta * f0, b1 + eta * f1, b2 + eta * f2
            y0, y1, y2 = to_inertial(e0, e1, e2, e3, f0, f1, f2)
            m = slopes + 3 * (panels + j)
            w[m], w[m + 1], w[m + 2] = y0, y1, y2
            if phase == 1:
                rate = relative_rate(p, w, k + panels + j)
                g0, g1, g2 = g0 + rate * y0, g1 + rate * y1, g2 + rate * y2
    d0, d1, d2 = to_inertial(e0, e1, e2, e3, b0, b1, b2)
    r0, r1, r2 = w[o + STATE.hinge] + d0, w[o + STATE.hinge + 1] + d1, w[o + STATE.hinge + 2] + d2
    z0, z1, z2 = _cross(s0, s1, s2, d0, d1, d2)
    q0 = w[o + STATE.hinge_rate] + z0 + g0
    q1 = w[o + STATE.hinge_rate + 1] + z1 + g1
    q2 = w[o + STATE.hinge_rate + 2] + z2 + g2
    v0, v1, v2 = particle_velocity(p, w, r0, r1, r2, q0, q1, q2)
    if phase == 0:
        place_particle(p, w, mass, r0, r1, r2)
    for c in range(panels + modes):
        m = slopes + 3 * c
        f0, f1, f2 = zero, zero, zero
        if c < panels:
            if c > i:
                continue
            h = at + STATE.size * c
            a0, a1, a2 = w[h + STATE.axis], w[h + STATE.axis + 1], w[h + STATE.axis + 2]
            c0 = r0 - w[h + STATE.hinge]
            c1 = r1 - w[h + STATE.hinge + 1]
            c2 = r2 - w[h + STATE.hinge + 2]
            y0, y1, y2 = _cross(a0, a1, a2, c0, c1, c2)
            w[m], w[m + 1], w[m + 2] = y0, y1, y2
            if phase == 1:
                u0, u1, u2 = w[h + STATE.axis_rate], w[h + STATE.axis_rate + 1], w[h + STATE.axis_rate + 2]
                f0, f1, f2 = _cross(u0, u1, u2, c0, c1, c2)
                c0 = q0 - w[h + STATE.hinge_rate]
                c1 = q1 - w[h + STATE.hinge_rate + 1]
                c2 = q2 - w[h + STATE.hinge_rate + 2]
                u0, u1, u2 = _cross(a0, a1, a2, c0, c1, c2)
                f0, f1, f2 = f0 + u0, f1 + u1, f2 + u2
        else:
            if int(p[first + MODE.size * (c - panels) + MODE.panel]) != i:
                continue
            y0, y1, y2 = w[m], w[m + 1], w[m + 2]
            if phase == 1:
                f0, f1, f2 = _cross(s0, s1, s2, y0, y1, y2)
        if phase == 1:
            particle_force(p, w, k + c, mass, v0, v1, v2, y0, y1, y2, f0, f1, f2)
        else:
            couple_particle(p, w, k + c, mass, r0, r1, r2, y0, y1, y2)
            for b in range(c):
                other = slopes + 3 * b
                if b < panels:
                    if b > i:
                        continue
                elif int(p[first + MODE.size * (b - panels) + MODE.panel]) != i:
                    continue
                add_mass(p, w, 3 + k + c, 3 + k + b, mass * (y0 * w[other] + y1 * w[other + 1] + y2 * w[other + 2]))


@kernel
def panel_chain(phase, t, x, u, p, row, w):
    """Kernel of a chain of panels; see `polhode.plant.elements.element`."""
    k, n = int(p[row + 2]), row + 4
    panels, modes = int(p[n + AT.panels]), int(p[n + AT.modes])
    first = n + AT.size + PANEL.size * panels
    if phase == 2:
        for i in range(panels):
            add_energy(p, w, hinge_energy(t, x[7 + k + i], p, n + AT.size + PANEL.size * i))
        for j in range(modes):
            eta = x[7 + k + panels + j]
            add_energy(p, w, 0.5 * p[first + MODE.size * j + MODE.stiffness] * eta * eta)
    elif phase == 3:
        for i in range(panels):
            panel = n + AT.size + PANEL.size * i
            if p[panel + PANEL.latched] != 0.0:
                latch_signals(x[7 + k + i], relative_rate(p, w, k + i), p, w, panel)
    elif phase <= 1:
        _place_panels(x, p, w, row, phase == 1)
        for i in range(panels):
            for point in range(POINTS):
                _move_point(phase, x, p, w, row, i, point)
        if phase == 0:
            for j in range(modes):
                c = 3 + k + panels + j
                add_mass(p, w, c, c, p[first + MODE.size * j + MODE.rest])
        else:
            for i in range(panels):
                torque, power = hinge_torque(
                    t, x[7 + k + i], relative_rate(p, w, k + i), p, n + AT.size + PANEL.size * i
                )
                add_force(p, w, k + i, torque)
                add_power(p, w, power)
            for j in range(modes):
                c, mode = k + panels + j, first + MODE.size * j
                rate = relative_rate(p, w, c)
                friction = -p[mode + MODE.damping] * rate
                add_force(p, w, c, friction - p[mode + MODE.stiffness] * x[7 + c])
                add_power(p, w, friction * rate)
