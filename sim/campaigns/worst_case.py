"""The worst of what scattered numbers can be: a search within their bounds, in place of runs drawn at random."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, isnan
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...plant.brief import brief
from ...plant.checks import of_kind, positive
from ...plant.errors import InputError, PolhodeError
from ...plant.frozen import frozen_arrays
from .distribution import Distribution
from .draws import Correlated, Draw, check_groups, flat_columns, values_at

__all__ = ["WorstCase", "worst_case"]

Array = NDArray[np.float64]

MOST_CORNERS = 6  # numbers of which every corner is tried; of more, each alone at either end
INWARDS = 0.5  # from where a refinement begins: its first steps
TRIES = 12  # of a refinement, for each number
CLOSE = 1e-4  # where it ends
NOTHING = 1e300  # beside which every value is worse
EDGE = 2.0**-53  # uniform numbers lie inside 0 and 1


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class WorstCase:
    """The worst that a search found.

    Attributes
    ----------
    value : float
        What was measured there; -inf (inf if the largest is worst) where something there is lost altogether.
    values : mapping
        What scatters, there.
    place : numpy.ndarray, shape (n,)
        There within the bounds, each number from -1 to 1.
    nominal : float
        What was measured at the nominal values; nan where nothing was.
    places : numpy.ndarray, shape (m, n)
        Everything tried, in order.
    dispersed : mapping
        From each key, or entry of it, to its value at each of them (m,); nan of words.
    measured : numpy.ndarray, shape (m,)
        What was measured there; nan where there was no value.
    refused : int
        How many of them made no craft, or no run.
    reason : str
        Why, of the first.
    largest : bool
        Whether the largest is the worst.
    sigmas : float
        Where what has no bounds was cut.
    cut : tuple of str
        What was cut.
    seed : int
        Of the search.
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
        """Whether something is lost altogether there, such as stability: the search ended with it."""
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
    """Look for the scattered numbers that make something smallest.

    The nominal values, the middle and the corners of the bounds (of more than six numbers each alone at either end),
    points of Sobol within them; then the worst of these are made worse by bounded simplex searches (Nelder & Mead
    1965). The same seed finds the same. What it finds is so bad at least: nothing says that there is nothing worse.

    Parameters
    ----------
    measure : callable
        `measure(draw)` returns the number for `draw.values`; nan where there is none, -inf (inf if the largest is
        worst) where it cannot be worse, which ends the search. What it refuses with a `PolhodeError` is counted.
    dispersions : mapping of str to Distribution
        What scatters, by name.
    correlated : sequence of Correlated
        Which of them go together: then the bounds are those of the independent numbers behind them.
    nominal : mapping, optional
        Nominal values; the middle of each distribution for those left out.
    largest : bool
        Whether the largest is the worst.
    sigmas : float
        Where what has no bounds of its own, such as a normal number, is cut.
    starts : int
        Points of Sobol: a power of 2.
    refined : int
        How many of the worst are refined.
    seed : int
        Of the points.
    progress : callable, optional
        Called with the share of the tries done, as far as can be told.

    Returns
    -------
    WorstCase
        The worst found, and everything tried.

    Raises
    ------
    InputError
        When an argument is out of range, or nothing that was tried has a value.

    Examples
    --------
    >>> from polhode.sim.campaigns import Normal, Uniform
    >>> def measure(draw):
    ...     return (draw.values["x"] - 0.3) ** 2 + draw.values["y"]
    >>> found = worst_case(measure, {"x": Uniform(low=-1, high=1), "y": Normal(mean=0.0, sigma=0.1)}, starts=8)
    >>> round(found.values["x"], 2), round(found.values["y"], 6), found.cut
    (0.3, -0.3, ('y',))
    """
    if not dispersions:
        raise InputError("a search for the worst needs at least one dispersion; there is nothing else to change")
    for name, each in dispersions.items():
        of_kind(f"the dispersion of {name}", each, Distribution, such_as="a distribution, such as Normal(...)")
    check_groups(correlated, dispersions)
    positive("sigmas", sigmas)
    if starts < 1 or starts & (starts - 1):
        raise InputError(f"starts must be a power of 2, as points of Sobol are balanced then; got {starts}")
    if refined < 0:
        raise InputError(f"refined must be at least 0; got {refined}")
    for each in dispersions.values():
        each.within(np.zeros(each.uniforms), sigmas)  # refuses what has nothing there
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
    """It cannot be worse."""


class _Search:
    """What was tried so far."""

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
        """What is at a place."""
        return Draw(
            run=len(self.places),
            seed=self.seed,
            values=values_within(self.dispersions, self.correlated, place, self.sigmas),
        )

    def tried(self, draw: Draw) -> float:
        """What is measured; nan where it is refused."""
        try:
            return float(self.measure(draw))
        except PolhodeError as error:
            self.refused += 1
            self.reason = self.reason or str(error)
            return np.nan

    def __call__(self, place: Array) -> float:
        """What is to be made small at a place; where there is nothing, NOTHING."""
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
        """The places tried, the worst first, those without a value last."""
        values = np.array(self.measured)
        return np.argsort(-values if self.largest else values, kind="stable")

    def worst(self, many: int) -> list[Array]:
        """The worst places with a value."""
        some: list[int] = self.order()[:many].tolist()
        return [self.places[n] for n in some if not isnan(self.measured[n])]

    def refine(self, place: Array) -> None:
        """Make it worse, within the bounds."""
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
        """The worst of all."""
        worst = int(self.order()[0])
        if isnan(self.measured[worst]):
            why = f" ({self.reason})" if self.reason else ""
            raise InputError(f"none of the {len(self.places)} crafts tried has a value{why}; give the dispersions less")
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
            cut=tuple(name for name, each in self.dispersions.items() if each.endless),
            seed=self.seed,
        )


def values_within(
    dispersions: Mapping[str, Distribution], correlated: Sequence[Correlated], place: Array, sigmas: float
) -> dict[str, Any]:
    """Return the value of each dispersion at a place (n,) of their bounds, each number of it from -1 to 1."""
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
