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
from .flexible_modes import FlexibleModes
from .hinged_panel import HingedPanel
from .hinged_panel_kernel import AT as PANEL
from .hinged_panel_kernel import POINTS
from .panel_chain_kernel import AT, MODE, STATE, panel_chain
from .shape import ElementMotion, Shape
from .signal import Signal

Array = NDArray[np.float64]


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
