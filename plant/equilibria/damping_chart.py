"""A design chart: the time constant of the nutation against the numbers of a damper, with the best of them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..brief import brief
from ..checks import SMALLEST, choice, numbers, positive
from ..errors import EquilibriumError, InputError
from ..frozen import frozen_arrays
from ..in_range import in_range
from ..one_thread import one_thread
from .equilibrium import SpinEquilibrium, judged
from .newton import ACCEPTED, Target, solve
from .reduced import Reduced, reduce
from .spin import spin_equilibria
from .variants import damper_number, variants
from .verdict import UNSTABLE

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["DampingChart", "damping_chart"]

Array = NDArray[np.float64]

UNSOUND = 1e6  # in place of the logarithm of a time constant that does not exist


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class DampingChart:
    """The time constant of the nutation over one to three numbers of a damper.

    Attributes
    ----------
    element : str
        The class of the damper, such as "RingDamper".
    parameters : tuple of str
        The names of the numbers.
    values : tuple of numpy.ndarray
        Those charted, rising, one array for each name.
    time_constant : numpy.ndarray
        -1/Re of the nutation's eigenvalue, s, an axis for each number; infinite where nutation is not damped, not a
        number where no steady spin is stable.
    energy_sink : numpy.ndarray
        What the energy-sink estimate gives, s, of the same shape.
    given : tuple of float
        The numbers of the craft charted.
    given_time_constant : float
        Its time constant, s.
    optimum : tuple of float
        The numbers with the shortest time constant within the limits of the values.
    best_time_constant : float
        That time constant, s.
    at_limit : tuple of str
        The numbers whose optimum is the first or last value: a wider chart would have a better one.
    section_values : tuple of numpy.ndarray, shape (m,)
        For each number its values, three between each two of them, and its optimum, rising.
    sections : tuple of numpy.ndarray, shape (2, m)
        For each number the time constant and its energy-sink estimate over these, the others at their optimum.
    rate : float
        The spin rate, rad/s.
    """

    element: str
    parameters: tuple[str, ...]
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
    craft: "Spacecraft",
    parameters: Mapping[str, ArrayLike],
    *,
    rate: float,
    element: int | None = None,
    axis: ArrayLike | None = None,
    fluid: str = "per-length",
) -> DampingChart:
    """Return the time constant of the nutation over numbers of a damper, and the best of them.

    At every point the steady spin is found and the time constant is that of the exact eigenvalue there. The optimum is
    sought on the logarithms of the numbers by the simplex of Nelder & Mead (1965), from the best point of the chart.

    Parameters
    ----------
    craft : Spacecraft
        The craft with its damper.
    parameters : mapping
        Names of one to three numbers of the element (for a ring "friction", "fill", "radius"), each with at
        least two rising values, greater than 0.
    rate : float
        |omega| of the spin, rad/s.
    element : int, optional
        Which element, from 0; the only one with such numbers if left out.
    axis : array_like, shape (3,), optional
        Chart the spin nearest this direction, body components; the stable one of largest |pi|/|omega| if left out.
    fluid : str
        "per-length": a ring keeps the mass of fluid per length of arc, so that a fuller one is heavier; "mass": it
        keeps its mass.

    Returns
    -------
    DampingChart
        Time constants, estimates, optimum and sections through it.

    Raises
    ------
    InputError
        When a name is unknown or its values are not rising and positive, or something acts on the craft from outside.
    EquilibriumError
        When nutation is damped nowhere on the chart.

    Examples
    --------
    A light slug in a given tube damps best with Cd = m lambda, filling 133.6 deg (tan g/2 = g):

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
    for index in _there_and_back(shape):
        charted[index] = search.at(np.array([value[i] for value, i in zip(values, index, strict=True)]))
    found = charted[..., 0]
    if not np.isfinite(found).any():
        raise EquilibriumError(
            "nutation is damped nowhere on this chart: the damper may not feel it (as a full ring about the spin axis "
            "of a symmetric craft), or the spin is not about the major axis; see plant.spin_equilibria"
        )
    start = np.unravel_index(int(np.argmin(np.where(np.isfinite(found), found, np.inf))), shape)
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
        values=values,
        time_constant=found.copy(),
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
    """The spin of one craft after the other, each sought from the last."""

    def __init__(
        self,
        craft: "Callable[[Mapping[str, float]], Spacecraft]",
        names: tuple[str, ...],
        rate: float,
        axis: ArrayLike | None,
    ) -> None:
        self._craft, self._names, self._rate, self._axis = craft, names, rate, axis
        self._last: SpinEquilibrium | None = None

    def at(self, numbers: Array) -> tuple[float, float]:
        """Time constant and its estimate, s."""
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

    def _find(self, craft: "Spacecraft") -> SpinEquilibrium | None:
        try:
            spins = spin_equilibria(craft, rate=self._rate, axis=self._axis)
        except EquilibriumError:
            return None
        return next((spin for spin in spins if spin.kind != UNSTABLE), None)

    def best(self, start: Array, values: tuple[Array, ...]) -> Array:
        """The numbers of the shortest time constant."""
        from scipy import optimize

        def cost(logarithms: Array) -> float:
            time = self.at(np.exp(logarithms))[0]
            return math.log(time) if math.isfinite(time) else UNSOUND

        limits = [(math.log(value[0]), math.log(value[-1])) for value in values]
        low, high = np.array(limits).T
        x: Array = np.log(start)
        for _ in range(2):  # a second time with a fresh simplex: one can collapse against a limit
            # into the chart from wherever it starts: as long as a tenth of the chart
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
        raise InputError(f"a damping chart has one to three numbers; got {len(parameters)}")
    found: list[Array] = []
    for name, given in parameters.items():
        value = numbers(f"the values of {name}", given)
        if value.ndim != 1 or len(value) < 2 or not (np.diff(value) > 0.0).all() or not value[0] >= SMALLEST:
            raise InputError(
                f"the values of {name} must be at least two, rising and greater than 0 ({SMALLEST:g} or more); got "
                f"{given}"
            )
        found.append(value)
    return tuple(found)


def _finer(values: Array, best: float) -> Array:
    """The charted values, three between each two of them, and the best, which a curve through them then meets."""
    inner = [low * (high / low) ** (np.arange(4) / 4.0) for low, high in pairwise(values.tolist())]
    return np.unique(np.concatenate([*inner, values[-1:], [best]]))


def _there_and_back(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All places of a grid, each next to the one before."""
    if not shape:
        return [()]
    rest = _there_and_back(shape[1:])
    return [(n, *(place)) for n in range(shape[0]) for place in (rest if n % 2 == 0 else rest[::-1])]
