# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Magnetic hysteresis rod: a soft magnetic rod that damps the rotation in a magnetic field (Flatley & Henretty 1995).

The field H = b . B / mu0 along the axis b of the rod magnetises it to the induction B_rod, with hysteresis. The loop of
a field that saturates the rod is

    B_rod = (2 Bs/pi) atan(k (H - Hc))  for rising H,     k = tan(pi Br / (2 Bs)) / Hc

and the same with H + Hc for falling H. Inside the loop, with y = tan(pi B_rod / (2 Bs)) / k, the field at which the
curve without hysteresis has the same induction, and the lag z = H - y, which the loop limits to +-Hc,

    dy/dt = [q0 + (1 - q0) f^n] dH/dt,    f = (Hc + z)/(2 Hc) for rising H, (Hc - z)/(2 Hc) for falling H

This is equation dB/dH = [q0 + (1 - q0) f^n] (2 Bs k/pi) cos^2(pi B/(2 Bs)) of Flatley & Henretty, in terms of y. On the
loop f = 1, and the slope is that of the loop; directly after a reversal on the loop f = 0, and the slope is q0 times
that slope. The state is z, so the induction never exceeds Bs. dH/dt is the rate of change in body axes,
b . (dB/dt - omega x B) / mu0. The dipole V B_rod b / mu0 exerts the torque

    tau = (V B_rod / mu0) b x B

whose power is V B_rod dH/dt: over a closed loop the rotation loses V times the area of the loop, at most 4 V Hc Bs.

D. Flatley, D. Henretty: "A magnetic hysteresis model", Flight Mechanics/Estimation Theory Symposium, NASA GSFC, 1995.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..environment.constants import MU0
from ..environment.load_kernels import INSTANT, environment_now
from ..errors import InputError
from ..hub.parameters import ELEMENT, OUT, OUT_OF, W_HUB, W_V
from ..kernels.fields import fields, filled, three
from ..kernels.kernel import kernel
from ..kernels.rotation import to_body
from ..quantity import AXIS, NUMBER, check_fields, declared, quantity
from .assembly import add_signal, is_probed
from .shape import ElementMotion, Shape
from .signal import Signal

Array = NDArray[np.float64]

AT = fields(at=1, rate=1, environment=1, axis=3, volume=1, scale=1, slope=1, coercive=1, initial=1, power=1)
"""Parameters: index of the lag in x, of its rate in the workspace, and of the row of the environment in p, all set when
the spacecraft is packed; then axis, V/mu0, 2 Bs/pi, k, Hc, q0 and n."""


LEAST = 1e-30
"""Least f, which has a logarithm."""

SPHERE = 1.0 / 3.0
"""Demagnetisation factor of a sphere; a rod has less along its axis."""


@declared
class HysteresisRod:
    """Soft magnetic rod that damps the rotation in a magnetic field by hysteresis.

    The field is that of the `EnvironmentLoads` among the potentials, without the fields of magnets, other rods and
    magnetorquers on the spacecraft. The mass of the rod is included in the hub. At t = 0, unless the state is given,
    the rod has the induction of the curve without hysteresis in the field there. There is no linear model: the
    induction depends on the history of the field, with different slopes for a rising and a falling field.

    Saturation, remanence and coercive force are those of the mounted rod as measured, in the applied field. A rod
    demagnetises itself, so those of its material differ by an order of magnitude or more. For the values of the
    material, give the demagnetisation factor N: about (ln(2 l/d) - 1)/(l/d)^2 for a long ellipsoid of length l and
    diameter d (Osborn 1945). The rod then has the apparent remanence Br', where

        Br' = (2 Bs/pi) atan(k (Hc - N Br'/mu0)),     k of the material,

    and the saturation and the coercive force of the material. This is accurate for fields well below N Bs/mu0.

    Parameters
    ----------
    axis : array_like, shape (3,)
        Axis of the rod, body components; any non-zero length.
    volume : float
        Volume V, m^3: the sum for several equal rods along one axis, less than their sum if they are close together.
    saturation : float
        Saturation induction Bs, T.
    remanence : float
        Remanence Br, T: the induction that remains at zero field after saturation; below Bs.
    coercive_force : float
        Coercive force Hc, A/m: the field that returns the induction to zero after saturation.
    reversal_slope : float
        q0, 0 to 1: the slope of the induction after a reversal on the loop, relative to the slope of the loop there. It
        is fitted to measured minor loops, like the exponent.
    exponent : float
        n, by which the slope returns to that of the loop.
    demagnetisation : float
        Demagnetisation factor N; 0 if the other values are those of the mounted rod.

    Raises
    ------
    InputError
        When the axis has no direction, a value is out of range, or the remanence is not below the saturation.

    Examples
    --------
    >>> rod = HysteresisRod(axis=(1, 0, 0), volume=7.5e-8, saturation=0.025, remanence=0.004, coercive_force=12.0,
    ...                     reversal_slope=0.1, exponent=4.0)
    >>> round(rod.largest_loss * 1e9, 1)  # nJ per cycle
    90.0
    """

    axis: Array = quantity(converter=AXIS, doc="axis of the rod, body axes, any length but zero")
    volume: float = quantity("m^3", converter=NUMBER, positive=True, doc="volume of the rod, or of all on this axis")
    saturation: float = quantity("T", converter=NUMBER, positive=True, doc="saturation induction Bs")
    remanence: float = quantity("T", converter=NUMBER, positive=True, doc="remanence Br, below the saturation")
    coercive_force: float = quantity("A/m", converter=NUMBER, positive=True, doc="coercive force Hc")
    reversal_slope: float = quantity(
        converter=NUMBER,
        non_negative=True,
        at_most=1.0,
        doc="q0, slope after a reversal relative to that of the loop; fitted to measured minor loops",
    )
    exponent: float = quantity(
        converter=NUMBER, positive=True, doc="n, by which the slope returns to that of the loop; fitted likewise"
    )
    demagnetisation: float = quantity(
        converter=NUMBER,
        non_negative=True,
        below=SPHERE,
        default=0.0,
        doc="factor N of the rod if the values are those of its material; 0 if they are those of the mounted rod",
    )

    def __post_init__(self) -> None:
        check_fields(self, of="hysteresis rod")
        if not self.remanence < self.saturation:
            raise InputError(
                f"remanence of a hysteresis rod must be below its saturation of {self.saturation:g} T; got "
                f"{self.remanence:g} T"
            )

    coordinates = ()
    """None: the rod does not move."""

    units = ()
    """None."""

    cyclic = False
    """False: there are no coordinates."""

    constant = True
    """True: the mass matrix is constant."""

    moves_mass = False
    """False: the hub includes the rod."""

    mass = 0.0
    """0: the hub includes the rod."""

    initial: ClassVar[tuple[Sequence[float], Sequence[float]]] = ((), ())
    """No coordinates."""

    levels = ("rod_lag",)
    """Name of the state z, the lag of the induction behind the applied field."""

    level_units = (("A/m", "", ""),)
    """Unit of the lag, which has no input."""

    undriven = "the magnetic field determines the induction of a hysteresis rod"
    """Reason why no force acts on the rod."""

    reads_magnetic_field = True
    """True: the kernel reads the magnetic field of the environment."""

    not_linear = (
        "a hysteresis rod has no linear model, since its induction depends on the history of the field and has "
        "different slopes for a rising and a falling field: simulate the spacecraft, or linearise it without the rod "
        "(in a case: describe the plant without rods in [nominal.plant])"
    )
    """Reason why a spacecraft with this element has no linear model."""

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function, shared by all rods."""
        return hysteresis_rod

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Applied field along the rod and induction: the axes of its hysteresis loop."""
        return (
            Signal(name="applied_field", unit="A/m", words="applied field along the hysteresis rod"),
            Signal(name="induction", unit="T", words="induction of the hysteresis rod"),
        )

    @property
    def apparent_remanence(self) -> float:
        """Remanence of the mounted rod, T."""
        if self.demagnetisation == 0.0:
            return self.remanence
        steep = math.tan(0.5 * math.pi * self.remanence / self.saturation) / self.coercive_force
        low, high = 0.0, self.remanence
        for _ in range(200):
            middle = 0.5 * (low + high)
            field = self.coercive_force - self.demagnetisation * middle / MU0
            if 2.0 * self.saturation / math.pi * math.atan(steep * field) > middle:
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    @property
    def steepness(self) -> float:
        """k = tan(pi Br/(2 Bs))/Hc with the apparent remanence, m/A."""
        return math.tan(0.5 * math.pi * self.apparent_remanence / self.saturation) / self.coercive_force

    @property
    def largest_loss(self) -> float:
        """Energy that the rod dissipates in a cycle of a field that saturates it, 4 V Hc Bs, J."""
        return 4.0 * self.volume * self.coercive_force * self.saturation

    def induction(self, field: ArrayLike, lag: ArrayLike) -> Array:
        """Return the induction of the rod.

        Parameters
        ----------
        field : array_like
            Applied field along the axis, A/m.
        lag : array_like
            State of the rod, A/m.

        Returns
        -------
        numpy.ndarray
            Induction, T, in the common shape of both.
        """
        behind = np.asarray(field, dtype=np.float64) - np.asarray(lag, dtype=np.float64)
        return 2.0 * self.saturation / np.pi * np.arctan(self.steepness * behind)

    def torque(self, field: ArrayLike, lag: ArrayLike) -> Array:
        """Return the torque on the rod.

        Parameters
        ----------
        field : array_like, shape (n, 3)
            Magnetic flux density, body components, T.
        lag : array_like, shape (n,)
            State of the rod, A/m.

        Returns
        -------
        numpy.ndarray, shape (n, 3)
            Torque, body components, N m.
        """
        flux = np.asarray(field, dtype=np.float64)
        dipole = self.volume / MU0 * self.induction(flux @ self.axis / MU0, lag)
        return dipole[:, None] * np.cross(self.axis, flux)

    def shapes(self, motion: ElementMotion) -> tuple[Shape, ...]:
        """Return no shapes: the length of the rod is not known.

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
            The fields of AT after the first three.
        """
        del offset
        whole = filled(
            AT, at=0.0, rate=0.0, environment=0.0, axis=self.axis, volume=self.volume / MU0,
            scale=2.0 * self.saturation / math.pi, slope=self.steepness, coercive=self.coercive_force,
            initial=self.reversal_slope, power=self.exponent,
        )  # fmt: skip
        return whole[3:]


@kernel
def hysteresis_rod(phase, t, x, u, p, row, w):
    """Kernel of a hysteresis rod; see `polhode.plant.elements.element`."""
    if phase not in (1, 3):
        return
    if phase == 1 and is_probed(p, w):
        return
    n = row + ELEMENT.size
    environment = int(p[n + AT.environment])
    table, k = int(p[environment]), int(p[environment + 1])
    environment_now(t, p, table, w, k)
    f0, f1, f2 = three(w, k + INSTANT.field)
    b0, b1, b2 = to_body(x[3], x[4], x[5], x[6], f0, f1, f2)
    a0, a1, a2 = three(p, n + AT.axis)
    field = (a0 * b0 + a1 * b1 + a2 * b2) / MU0
    if w[k + INSTANT.inside].real == 0.0:
        field = math.nan + 0.0 * field
    lag = x[int(p[n + AT.at])]
    reduced = p[n + AT.slope] * (field - lag)
    angle = np.arctan(reduced.real) + (reduced - reduced.real) / (1.0 + reduced.real * reduced.real)  # by its slope
    induction = p[n + AT.scale] * angle
    if phase == 3:
        add_signal(p, w, field)
        add_signal(p, w, induction)
        return
    f0, f1, f2 = three(w, k + INSTANT.slope)
    d0, d1, d2 = to_body(x[3], x[4], x[5], x[6], f0, f1, f2)
    v = int(p[W_V])
    w0, w1, w2 = w[v], w[v + 1], w[v + 2]
    d0, d1, d2 = d0 - w1 * b2 + w2 * b1, d1 - w2 * b0 + w0 * b2, d2 - w0 * b1 + w1 * b0
    rise = (a0 * d0 + a1 * d1 + a2 * d2) / MU0
    half = 0.5 / p[n + AT.coercive]
    if rise.real >= 0.0:
        share = 0.5 + half * lag
    else:
        share = 0.5 - half * lag
    if share.real < LEAST:  # on the loop, or beyond it by rounding
        share = LEAST + 0.0 * share
    if share.real > 1.0:
        share = 1.0 + 0.0 * share
    power = np.exp(p[n + AT.power] * np.log(share))
    w[int(p[n + AT.rate])] = (1.0 - p[n + AT.initial]) * (1.0 - power) * rise
    dipole = p[n + AT.volume] * induction
    o = int(p[W_HUB]) + OUT + OUT_OF.torque
    w[o] = w[o] + dipole * (a1 * b2 - a2 * b1)
    w[o + 1] = w[o + 1] + dipole * (a2 * b0 - a0 * b2)
    w[o + 2] = w[o + 2] + dipole * (a0 * b1 - a1 * b0)
