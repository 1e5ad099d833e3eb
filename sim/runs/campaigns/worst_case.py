"""Worst case of dispersed parameters: a search within their bounds, instead of random runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, isnan
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ....plant.brief import brief
from ....plant.checks import of_kind, positive
from ....plant.errors import InputError, PolhodeError
from ....plant.frozen import frozen_arrays
from .distribution import Distribution
from .draws import Correlated, Draw, check_groups, flat_columns, values_at

Array = NDArray[np.float64]

MOST_CORNERS = 6  # largest number of coordinates for trying every corner; with more, each is varied separately
INWARDS = 0.5  # length of the first steps of a refinement
TRIES = 12  # evaluations of a refinement, per coordinate
CLOSE = 1e-4  # tolerance on the point, which ends a refinement
NOTHING = 1e300  # objective assigned to a point that has no value; larger than any other objective
EDGE = 2.0**-53  # smallest distance of uniform numbers from 0 and 1
MOST_SIGMAS = 7.0  # a bound beyond would be cut short, since 1 - probability has 16 digits


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class WorstCase:
    """Result of a worst-case search.

    Attributes
    ----------
    value : float
        The measure at the worst case; -inf (inf with `largest`) for a complete loss, such as loss of stability.
    values : mapping
        The dispersed values of the worst case.
    place : numpy.ndarray, shape (n,)
        Point of the worst case within the bounds, each coordinate from -1 to 1.
    nominal : float
        The measure at the nominal values; nan if they have no value.
    places : numpy.ndarray, shape (m, n)
        All evaluated points, in order.
    dispersed : mapping
        Value at each point (m,), by key or entry of a key; nan for strings.
    measured : numpy.ndarray, shape (m,)
        The measure at each point; nan for a point that has no value.
    refused : int
        Number of points at which the measure raised a `PolhodeError`.
    reason : str
        Reason for the first refusal.
    largest : bool
        Whether the largest value is the worst.
    sigmas : float
        Search bound of unbounded quantities, in standard deviations.
    cut : tuple of str
        Names of the quantities that were cut at this bound.
    seed : int
        Seed of the search.
    """

    value: float
    values: Mapping[str, Any]
    place: Array
    nominal: float
    places: Array
    dispersed: Mapping[str, Array]
    measured: Array
    refused: int
    reason: str
    largest: bool
    sigmas: float
    cut: tuple[str, ...]
    seed: int

    __repr__ = brief

    @property
    def lost(self) -> bool:
        """True if the worst case found is a complete failure, such as loss of stability."""
        return self.value == (inf if self.largest else -inf)


def worst_case(
    measure: Callable[[Draw], float],
    dispersions: Mapping[str, Distribution],
    *,
    correlated: Sequence[Correlated] = (),
    nominal: Mapping[str, Any] | None = None,
    largest: bool = False,
    sigmas: float = 3.0,
    starts: int = 64,
    refined: int = 2,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> WorstCase:
    """Search for the dispersed values that minimise a measure.

    The search evaluates the nominal values, the middle and the corners of the bounds, and Sobol points within them.
    If there are more than six coordinates, the corners are replaced by points with one coordinate at either bound.
    Bounded simplex searches (Nelder & Mead 1965) refine the worst of these points. The same seed gives the same result.
    The result is a one-sided bound: worse values may exist.

    Parameters
    ----------
    measure : callable
        `measure(draw)` returns the measure for `draw.values`: nan if there is no value, -inf (inf with `largest`) for a
        complete loss, which ends the search. A `PolhodeError` counts as a refused point.
    dispersions : mapping of str to Distribution
        Distributions of the dispersed parameters, by name.
    correlated : sequence of Correlated
        Groups of correlated parameters; their bounds are those of the underlying independent numbers.
    nominal : mapping, optional
        Nominal values; by default the middle of each distribution.
    largest : bool
        Whether the largest value is the worst.
    sigmas : float
        Search bound of unbounded quantities, such as normal ones, in standard deviations, at most 7.
    starts : int
        Number of Sobol points: a power of 2.
    refined : int
        Number of worst points to refine.
    seed : int
        Seed of the Sobol points.
    progress : callable, optional
        Called with the estimated completed fraction of the search.

    Returns
    -------
    WorstCase
        The worst case, and all evaluated points.

    Raises
    ------
    InputError
        When an argument is out of range, or no point has a value.

    Examples
    --------
    >>> from polhode.sim.runs.campaigns import Normal, Uniform
    >>> def measure(draw):
    ...     return (draw.values["x"] - 0.3) ** 2 + draw.values["y"]
    >>> found = worst_case(measure, {"x": Uniform(low=-1, high=1), "y": Normal(mean=0.0, sigma=0.1)}, starts=8)
    >>> round(found.values["x"], 2), round(found.values["y"], 6), found.cut
    (0.3, -0.3, ('y',))
    """
    if not dispersions:
        raise InputError("a worst-case search needs at least one dispersion to vary")
    for name, each in dispersions.items():
        of_kind(f"the dispersion of {name}", each, Distribution, such_as="a distribution, such as Normal(...)")
    check_groups(correlated, dispersions)
    if positive("sigmas", sigmas) > MOST_SIGMAS:
        raise InputError(
            f"sigmas must be at most {MOST_SIGMAS:g}, beyond which probabilities differ from 1 by less than the "
            f"numbers resolve; got {sigmas:g}: give a larger standard deviation, or a uniform distribution"
        )
    if starts < 1 or starts & (starts - 1):
        raise InputError(f"starts must be a power of 2, so that the Sobol points are balanced; got {starts}")
    if refined < 0:
        raise InputError(f"refined must be at least 0; got {refined}")
    for each in dispersions.values():
        each.within(np.zeros(each.uniforms), sigmas)  # rejects keys that are not in the case
    search = _Search(measure, dispersions, tuple(correlated), largest, sigmas, seed, progress)
    n = search.width
    corners = _corners(n)
    search.planned = 2 + len(corners) + starts + refined * TRIES * n
    first = {name: each.nominal for name, each in dispersions.items()} | dict(nominal or {})
    usual = search.tried(Draw(run=-1, seed=seed, values=first))
    try:
        for place in (np.zeros(n), *corners, *_spread(starts, n, seed)):
            search(place)
        for place in search.worst(refined):
            search.refine(place)
    except _LostError:
        pass
    return search.result(usual)


class _LostError(Exception):
    """A complete loss was measured: the search ends."""


class _Search:
    """State of the search: evaluated points and their measures."""

    def __init__(
        self,
        measure: Callable[[Draw], float],
        dispersions: Mapping[str, Distribution],
        correlated: tuple[Correlated, ...],
        largest: bool,
        sigmas: float,
        seed: int,
        progress: Callable[[float], None] | None,
    ) -> None:
        self.measure, self.dispersions, self.correlated = measure, dispersions, correlated
        self.largest, self.sigmas, self.seed, self.progress = largest, sigmas, seed, progress
        self.width = sum(each.uniforms for each in dispersions.values())
        self.places: list[Array] = []
        self.values: list[dict[str, float]] = []
        self.measured: list[float] = []
        self.refused, self.reason, self.planned = 0, "", 1

    def draw(self, place: Array) -> Draw:
        """Return the draw at a point of the bounds."""
        return Draw(
            run=len(self.places),
            seed=self.seed,
            values=values_within(self.dispersions, self.correlated, place, self.sigmas),
        )

    def tried(self, draw: Draw) -> float:
        """Return the measure of a draw; nan for a refused draw."""
        try:
            return float(self.measure(draw))
        except PolhodeError as error:
            self.refused += 1
            self.reason = self.reason or str(error)
            return np.nan

    def __call__(self, place: Array) -> float:
        """Return the objective to minimise at a point; NOTHING if the point has no value."""
        draw = self.draw(place)
        value = self.tried(draw)
        self.values.append(flat_columns(draw.values))
        self.places.append(np.array(place))
        self.measured.append(value)
        if self.progress is not None:
            self.progress(min(1.0, len(self.places) / self.planned))
        bad = -value if self.largest else value
        if bad == -inf:
            raise _LostError
        return NOTHING if isnan(bad) else bad

    def order(self) -> NDArray[np.intp]:
        """Return the indices of the evaluated points, worst first; points that have no value come last."""
        values = np.array(self.measured)
        return np.argsort(-values if self.largest else values, kind="stable")

    def worst(self, many: int) -> list[Array]:
        """Return up to `many` worst points that have a value."""
        some: list[int] = self.order()[:many].tolist()
        return [self.places[n] for n in some if not isnan(self.measured[n])]

    def refine(self, place: Array) -> None:
        """Search within the bounds for worse points, starting from a given point."""
        from scipy import optimize

        def bad(x: Array) -> float:
            return self(np.clip(x, -1.0, 1.0))

        inwards = np.where(place > 0.0, -INWARDS, INWARDS)
        simplex = np.vstack((place, place + np.diag(inwards)))
        cast("Any", optimize).minimize(
            bad,
            place,
            method="Nelder-Mead",
            bounds=[(-1.0, 1.0)] * self.width,
            options={
                "initial_simplex": simplex,
                "maxfev": TRIES * self.width,
                "xatol": CLOSE,
                "fatol": NOTHING,
                "adaptive": True,
            },
        )

    def result(self, nominal: float) -> WorstCase:
        """Return the result of the search; raise InputError if no point has a value."""
        worst = int(self.order()[0])
        if isnan(self.measured[worst]):
            why = f" ({self.reason})" if self.reason else ""
            raise InputError(
                f"none of the {len(self.places)} evaluated points has a value{why}; reduce the dispersions"
            )
        return WorstCase(
            value=self.measured[worst],
            values=self.draw(self.places[worst]).values,
            place=self.places[worst],
            nominal=nominal,
            places=np.array(self.places),
            dispersed={name: np.array([each[name] for each in self.values]) for name in self.values[0]},
            measured=np.array(self.measured),
            refused=self.refused,
            reason=self.reason,
            largest=self.largest,
            sigmas=self.sigmas,
            cut=tuple(name for name, each in self.dispersions.items() if each.unbounded),
            seed=self.seed,
        )


def values_within(
    dispersions: Mapping[str, Distribution], correlated: Sequence[Correlated], place: Array, sigmas: float
) -> dict[str, Any]:
    """Return the value of each dispersion at a point (n,) of their bounds, each coordinate from -1 to 1."""
    first, parts = 0, list[Array]()
    for each in dispersions.values():
        parts.append(each.within(place[first : first + each.uniforms], sigmas))
        first += each.uniforms
    return values_at(dispersions, correlated, np.clip(np.concatenate(parts), EDGE, 1.0 - EDGE))


def _corners(width: int) -> list[Array]:
    if width <= MOST_CORNERS:
        return [np.array(corner) for corner in product((-1.0, 1.0), repeat=width)]
    return [side * row for row in np.eye(width) for side in (-1.0, 1.0)]


def _spread(starts: int, width: int, seed: int) -> Array:
    from scipy.stats import qmc

    points = qmc.Sobol(width, rng=np.random.default_rng(seed)).random_base2(starts.bit_length() - 1)
    return 2.0 * np.asarray(points, dtype=np.float64) - 1.0
