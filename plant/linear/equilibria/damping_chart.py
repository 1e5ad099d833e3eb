"""Design chart of a nutation damper: time constant over the damper's parameters, and the optimum."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...brief import brief
from ...checks import SMALLEST, choice, numbers, positive
from ...errors import EquilibriumError, InputError
from ...frozen import frozen_arrays
from ...in_range import in_range
from ...one_thread import one_thread
from ...quantity import tunable_units
from .equilibrium import SpinEquilibrium, judged
from .newton import ACCEPTED, Target, solve
from .reduced import Reduced, reduce
from .spin import spin_equilibria
from .variants import damper_number, variants
from .verdict import UNSTABLE

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]

UNSOUND = 1e6  # cost of a point without a finite time constant, in place of the logarithm of the time constant


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class DampingChart:
    """Nutation time constant over one to three parameters of a damper.

    Attributes
    ----------
    element : str
        Class of the damper, such as "RingDamper".
    parameters : tuple of str
        Names of the parameters.
    units : tuple of str
        Units of the parameters.
    values : tuple of numpy.ndarray
        Values on the chart, ascending, one array per parameter.
    time_constant : numpy.ndarray
        -1/Re of the nutation eigenvalue, s, one axis per parameter; infinite where nutation is undamped, NaN where no
        steady spin is stable.
    energy_sink : numpy.ndarray
        Energy-sink estimate of the time constant, s, same shape.
    given : tuple of float
        Parameter values of the original spacecraft.
    given_time_constant : float
        Time constant at these parameters, s.
    optimum : tuple of float
        Parameters with the shortest time constant within the range of the values.
    best_time_constant : float
        Time constant at the optimum, s.
    at_limit : tuple of str
        Parameters whose optimum is the first or last value; a wider chart would contain a better optimum.
    section_values : tuple of numpy.ndarray, shape (m,)
        For each parameter: its chart values, three points between neighbours, and its optimum, ascending.
    sections : tuple of numpy.ndarray, shape (2, m)
        For each parameter: time constant and energy-sink estimate at its `section_values`, all others at the
        optimum.
    rate : float
        Spin rate, rad/s.
    """

    element: str
    parameters: tuple[str, ...]
    units: tuple[str, ...]
    values: tuple[Array, ...]
    time_constant: Array
    energy_sink: Array
    given: tuple[float, ...]
    given_time_constant: float
    optimum: tuple[float, ...]
    best_time_constant: float
    at_limit: tuple[str, ...]
    section_values: tuple[Array, ...]
    sections: tuple[Array, ...]
    rate: float

    __repr__ = brief


@one_thread
@in_range("the damping chart")
def damping_chart(
    craft: Spacecraft,
    parameters: Mapping[str, ArrayLike],
    *,
    rate: float,
    element: int | None = None,
    axis: ArrayLike | None = None,
    fluid: str = "per-length",
) -> DampingChart:
    """Return a chart of the nutation time constant over parameters of a damper, with the optimum.

    At every point the steady spin is solved, and the time constant is computed from its exact nutation eigenvalue. The
    optimum is found in the logarithms of the parameters by the simplex of Nelder & Mead (1965), which starts from the
    best point of the chart.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with the damper.
    parameters : mapping
        Names of one to three parameters of the element (for a ring "friction", "fill", "radius"), each with at least
        two ascending values greater than 0.
    rate : float
        |omega| of the spin, rad/s.
    element : int, optional
        Index of the element, from 0. Default: the only one with such parameters.
    axis : array_like, shape (3,), optional
        Chart the spin nearest to this direction, body components. Default: the stable spin with the largest
        |pi|/|omega|.
    fluid : str
        "per-length": a ring keeps its fluid mass per length of arc, so a fuller ring is heavier; "mass": a ring
        keeps its total fluid mass.

    Returns
    -------
    DampingChart
        Time constants, estimates, optimum and sections through the optimum.

    Raises
    ------
    InputError
        When a name is unknown, values are not ascending and positive, or an external load acts on the spacecraft.
    EquilibriumError
        When nutation is undamped everywhere on the chart.

    Examples
    --------
    A light slug in a given tube damps best with Cd = m lambda and a filled angle of 133.6 deg (tan g/2 = g):

    >>> from polhode import plant
    >>> ring = plant.RingDamper(axis=(0, 0, 1), mass=1e-4, radius=0.5, center=(0, 0, 0.3), fill=2.0, friction=1e-3)
    >>> craft = plant.Spacecraft(plant.RigidBody((1, 1, 1.6), pivot=(0, 0, 0)), elements=[ring])
    >>> chart = plant.damping_chart(craft, {"friction": [2e-4, 2e-3], "fill": [1.0, 2.0, 4.0]}, rate=10.0)
    >>> f"{np.degrees(chart.optimum[1]):.1f}", chart.at_limit
    ('133.6', ())
    """
    choice("fluid", fluid, ("per-length", "mass"))
    positive("rate", rate, "rad/s")
    values = _values(parameters)
    number = damper_number(craft, parameters, element)
    search = _Search(variants(craft, number, fluid=fluid), tuple(parameters), rate, axis)
    shape = tuple(len(value) for value in values)
    charted = np.empty((*shape, 2))
    for index in _serpentine(shape):
        charted[index] = search.at(np.array([value[i] for value, i in zip(values, index, strict=True)]))
    times = charted[..., 0]
    if not np.isfinite(times).any():
        raise EquilibriumError(
            "nutation is undamped everywhere on this chart: nutation may not excite the damper (e.g. a full ring about "
            "the spin axis of a symmetric spacecraft), or the spin is not about the major axis; see "
            "plant.spin_equilibria"
        )
    start = np.unravel_index(int(np.argmin(np.where(np.isfinite(times), times, np.inf))), shape)
    optimum = search.best(np.array([value[i] for value, i in zip(values, start, strict=True)]), values)
    sections: list[Array] = []
    along = tuple(_finer(value, best) for value, best in zip(values, optimum.tolist(), strict=True))
    for n, value in enumerate(along):
        points = np.tile(optimum, (len(value), 1))
        points[:, n] = value
        sections.append(np.array([search.at(point) for point in points]).T)
    own: Any = craft.elements[number]
    given = tuple(float(getattr(own, name)) for name in parameters)
    return DampingChart(
        element=type(own).__name__,
        parameters=tuple(parameters),
        units=tuple(tunable_units(own).get(name, "") for name in parameters),
        values=values,
        time_constant=times.copy(),
        energy_sink=charted[..., 1].copy(),
        given=given,
        given_time_constant=search.at(np.array(given))[0],
        optimum=tuple(optimum.tolist()),
        best_time_constant=search.at(optimum)[0],
        at_limit=tuple(
            name
            for name, value, best in zip(parameters, values, optimum, strict=True)
            if min(abs(math.log(best / value[0])), abs(math.log(best / value[-1]))) < 1e-4
        ),
        section_values=along,
        sections=tuple(sections),
        rate=rate,
    )


class _Search:
    """Steady spins of a sequence of spacecraft; each starts from the previous solution."""

    def __init__(
        self,
        craft: Callable[[Mapping[str, float]], Spacecraft],
        names: tuple[str, ...],
        rate: float,
        axis: ArrayLike | None,
    ) -> None:
        self._craft, self._names, self._rate, self._axis = craft, names, rate, axis
        self._last: SpinEquilibrium | None = None

    def at(self, numbers: Array) -> tuple[float, float]:
        """Return the time constant and its energy-sink estimate, s."""
        craft = self._craft(dict(zip(self._names, numbers.tolist(), strict=True)))
        spin = self._follow(reduce(craft)) or self._find(craft)
        if spin is None:
            return math.nan, math.nan
        self._last = spin
        return _time(spin.nutation.real, self._rate), _time(spin.energy_sink, self._rate)

    def _follow(self, system: Reduced) -> SpinEquilibrium | None:
        if self._last is None:
            return None
        start = system.start(self._last.rate, self._last.coordinates, relative_rates=self._last.relative_rates)
        z, residual = solve(system, start, target=Target(rate=self._rate, momentum=None))
        if not residual < ACCEPTED:
            return None
        spin = judged(system, z, residual=residual)
        return None if spin.kind == UNSTABLE else spin

    def _find(self, craft: Spacecraft) -> SpinEquilibrium | None:
        try:
            spins = spin_equilibria(craft, rate=self._rate, axis=self._axis)
        except EquilibriumError:
            return None
        return next((spin for spin in spins if spin.kind != UNSTABLE), None)

    def best(self, start: Array, values: tuple[Array, ...]) -> Array:
        """Return the parameters with the shortest time constant."""
        from scipy import optimize

        def cost(logarithms: Array) -> float:
            time = self.at(np.exp(logarithms))[0]
            return math.log(time) if math.isfinite(time) else UNSOUND

        limits = [(math.log(value[0]), math.log(value[-1])) for value in values]
        low, high = np.array(limits).T
        x: Array = np.log(start)
        for _ in range(2):  # restart with a fresh simplex, since one can collapse at a limit
            # steps of a tenth of the chart, towards its interior
            steps = np.where(x + 0.1 * (high - low) <= high, 0.1, -0.1) * (high - low)
            simplex = np.vstack([x, x + np.diag(steps)])
            options = {"initial_simplex": simplex, "xatol": 1e-6, "fatol": 1e-10, "maxiter": 400}
            x = np.asarray(
                optimize.minimize(cost, x, method="Nelder-Mead", bounds=limits, options=options).x, dtype=np.float64
            )
        return np.clip(np.exp(x), [value[0] for value in values], [value[-1] for value in values])


def _time(real: float, rate: float) -> float:
    if math.isnan(real):
        return math.nan
    return -1.0 / real if real < -1e-12 * rate else math.inf


def _values(parameters: Mapping[str, ArrayLike]) -> tuple[Array, ...]:
    if not 1 <= len(parameters) <= 3:
        raise InputError(f"a damping chart has one to three parameters; got {len(parameters)}")
    rows: list[Array] = []
    for name, row in parameters.items():
        value = numbers(f"the values of {name}", row)
        if value.ndim != 1 or len(value) < 2 or not (np.diff(value) > 0.0).all() or not value[0] >= SMALLEST:
            raise InputError(
                f"the values of {name} must be at least two, ascending and greater than 0 ({SMALLEST:g} or more); got "
                f"{row}"
            )
        rows.append(value)
    return tuple(rows)


def _finer(values: Array, best: float) -> Array:
    """Return the chart values, three points between neighbours, and the optimum, for a smooth curve."""
    inner = [low * (high / low) ** (np.arange(4) / 4.0) for low, high in pairwise(values.tolist())]
    return np.unique(np.concatenate([*inner, values[-1:], [best]]))


def _serpentine(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return all indices of a grid in an order in which consecutive points are neighbours."""
    if not shape:
        return [()]
    rest = _serpentine(shape[1:])
    return [(n, *(place)) for n in range(shape[0]) for place in (rest if n % 2 == 0 else rest[::-1])]
