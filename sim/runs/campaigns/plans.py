"""Plans: the points of the unit cube of a campaign, one row of uniform numbers for each run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from ....plant.checks import choice
from ....plant.errors import InputError
from ....plant.kernels.philox import WORD, uniform_pair

Array = NDArray[np.float64]

BLOCK = 0x706C616E  # "plan": a random stream different from the sensors' streams
EDGE = float(ndtr(3.0))  # high end for one-at-a-time and corners: 3 sigma, or nearly the bound
MOST_CORNERS = 2**20


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A sampling plan of a campaign: kind, number of runs, uniform numbers per run, and seed.

    levels: numbers of levels of a factorial plan; by default equal for all numbers. groups: for a "saltelli" plan, the
    numbers that change together; by default, each number changes separately.
    Raises InputError when the plan does not allow this number of runs.
    """

    kind: str
    runs: int
    width: int
    seed: int
    levels: tuple[int, ...] | None = None
    groups: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        """Check the kind and the number of runs."""
        choice("plan", self.kind, tuple(PLANS))
        if self.kind != "random":
            _ = self.points

    @cached_property
    def points(self) -> Array:
        """The uniform numbers of every run, (runs, width), each inside (0, 1)."""
        return _inside(PLANS[self.kind](self))

    def rows(self, runs: Sequence[int]) -> Array:
        """Return the uniform numbers of some runs, (n, width); a random plan computes only these."""
        if self.kind == "random":
            return _inside(_random_rows(np.array(runs), self.width, self.seed))
        return self.points[list(runs)]

    def sample_of(self, run: int) -> int:
        """Return the sample of a run, which several runs of a "saltelli" plan share."""
        return run // self.runs_of_a_sample if self.kind == "saltelli" else run

    @property
    def runs_of_a_sample(self) -> int:
        """Number of runs per sample of a "saltelli" plan."""
        return 2 + (len(self.groups) or self.width)

    def __getstate__(self) -> dict[str, object]:
        """Return the state for pickling, excluding the points, which the receiving process recomputes."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def _inside(points: Array) -> Array:
    return np.clip(points, 2.0**-53, 1.0 - 2.0**-53)


def _random(plan: Plan) -> Array:
    return _random_rows(np.arange(plan.runs), plan.width, plan.seed)


def _random_rows(each: NDArray[np.int64], width: int, seed: int) -> Array:
    """Return random numbers from a counter per run; the numbers of a run do not depend on the other runs."""
    found = np.empty((each.size, width + width % 2))
    for pair in range(found.shape[1] // 2):
        found[:, 2 * pair], found[:, 2 * pair + 1] = uniform_pair(
            pair, 0, BLOCK, each, seed & WORD, (seed >> 32) & WORD
        )
    return found[:, :width]


def _latin_hypercube(plan: Plan) -> Array:
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(plan.width, rng=np.random.default_rng(plan.seed)).random(plan.runs))


def _sobol(plan: Plan) -> Array:
    runs = plan.runs
    if runs & (runs - 1):
        raise InputError(
            f"a Sobol plan is balanced only if the number of runs is a power of 2; got {runs}: use "
            f"{1 << (runs.bit_length() - 1)} or {1 << runs.bit_length()}"
        )
    return _sobol_points(runs, plan.width, plan.seed)


def _sobol_points(count: int, width: int, seed: int) -> Array:
    from scipy.stats import qmc

    return np.asarray(qmc.Sobol(width, rng=np.random.default_rng(seed)).random_base2(count.bit_length() - 1))


def _saltelli(plan: Plan) -> Array:
    """Return, for each sample, the points a and b, then a with one group at a time taken from b."""
    groups = plan.groups or tuple((number,) for number in range(plan.width))
    each = plan.runs_of_a_sample
    samples = plan.runs // each
    if samples * each != plan.runs or samples < 2 or samples & (samples - 1):
        near = each * max(2, 1 << (max(samples, 1).bit_length() - 1))
        raise InputError(
            f"a Saltelli plan requires {each} runs (two more than there are dispersions) times a power of 2; got "
            f"{plan.runs}: use {near} or {2 * near}"
        )
    points = _sobol_points(samples, 2 * plan.width, plan.seed)
    a, b = points[:, : plan.width], points[:, plan.width :]
    found = np.repeat(a[:, None, :], each, axis=1)
    found[:, 1] = b
    for n, group in enumerate(groups):
        found[:, 2 + n, list(group)] = b[:, list(group)]
    return found.reshape(plan.runs, plan.width)


def _factorial(plan: Plan) -> Array:
    if plan.levels is not None:
        _take(plan.runs, prod(plan.levels), plan.kind)
        return np.array(list(product(*(_middles(count) for count in plan.levels))))
    runs, width = plan.runs, plan.width
    levels = round(runs ** (1.0 / width))
    if levels**width != runs:
        raise InputError(
            f"a full factorial plan of {width} numbers requires levels^{width} runs; got {runs}: use "
            f"{max(2, levels) ** width} for {max(2, levels)} levels each"
        )
    return np.array(list(product(_middles(levels), repeat=width)))


def _middles(levels: int) -> list[float]:
    return [(level + 0.5) / levels for level in range(levels)]


def _one_at_a_time(plan: Plan) -> Array:
    """Return the nominal point, then points with one number at its low or high end and all others nominal."""
    runs, width = plan.runs, plan.width
    _take(runs, 2 * width + 1, plan.kind)
    found = np.full((runs, width), 0.5)
    for number in range(width):
        found[2 * number + 1, number], found[2 * number + 2, number] = 1.0 - EDGE, EDGE
    return found


def _corners(plan: Plan) -> Array:
    """Return all combinations of the low and high ends."""
    width = plan.width
    if 2**width > MOST_CORNERS:
        raise InputError(
            f"a corners plan of {width} numbers requires 2^{width} runs, more than {MOST_CORNERS}; disperse fewer keys "
            'or use plan = "random"'
        )
    _take(plan.runs, 2**width, plan.kind)
    return np.array(list(product((1.0 - EDGE, EDGE), repeat=width)))


def _take(runs: int, wanted: int, plan: str) -> None:
    if runs != wanted:
        raise InputError(f'plan = "{plan}" requires {wanted} runs for these dispersions; got {runs}')


PLANS: dict[str, Callable[[Plan], Array]] = {
    "random": _random,
    "latin-hypercube": _latin_hypercube,
    "sobol": _sobol,
    "saltelli": _saltelli,
    "factorial": _factorial,
    "one-at-a-time": _one_at_a_time,
    "corners": _corners,
}
"""Functions that return the points of a plan, by kind."""
