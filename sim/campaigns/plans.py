"""Which points of the unit cube a campaign flies: one row of uniform numbers for each run."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from ...plant.checks import choice
from ...plant.errors import InputError
from ...plant.kernels.philox import WORD, uniform_pair

__all__ = ["PLANS", "Plan"]

Array = NDArray[np.float64]

BLOCK = 0x706C616E  # "plan": these numbers are no sensor's
EDGE = float(ndtr(3.0))  # where one-at-a-time and corners look: three sigma of what is normal, nearly the bounds else
MOST_CORNERS = 2**20


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A plan: its name, how many runs of how many uniform numbers, and the seed of whatever is random.

    levels: of a factorial plan, how many of each number; as many of each if left out.
    Raises InputError when it does not come to as many runs.
    """

    kind: str
    runs: int
    width: int
    seed: int
    levels: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        """Check the name, and the number of runs."""
        choice("plan", self.kind, tuple(PLANS))
        if self.kind != "random":
            _ = self.points

    @cached_property
    def points(self) -> Array:
        """The uniform numbers of every run, (runs, width), each inside (0, 1)."""
        if self.levels is not None:
            _take(self.runs, prod(self.levels), self.kind)
            return np.array(list(product(*(_middles(count) for count in self.levels))))
        return _inside(PLANS[self.kind](self.runs, self.width, self.seed))

    def row(self, run: int) -> Array:
        """Return the uniform numbers of a run, (width,); of a random plan without those of the others."""
        if self.kind == "random":
            return _inside(_random_rows(np.array([run]), self.width, self.seed))[0]
        return self.points[run].copy()

    def __getstate__(self) -> dict[str, object]:
        """Without the points: another process makes its own."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def _inside(points: Array) -> Array:
    return np.clip(points, 2.0**-53, 1.0 - 2.0**-53)


def _random(runs: int, width: int, seed: int) -> Array:
    return _random_rows(np.arange(runs), width, seed)


def _random_rows(each: NDArray[np.int64], width: int, seed: int) -> Array:
    """Of each run from its own counter: the first of 100 runs and of 10,000 is the same."""
    found = np.empty((each.size, width + width % 2))
    for pair in range(found.shape[1] // 2):
        found[:, 2 * pair], found[:, 2 * pair + 1] = uniform_pair(
            pair, 0, BLOCK, each, seed & WORD, (seed >> 32) & WORD
        )
    return found[:, :width]


def _latin_hypercube(runs: int, width: int, seed: int) -> Array:
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(width, rng=np.random.default_rng(seed)).random(runs))


def _sobol(runs: int, width: int, seed: int) -> Array:
    from scipy.stats import qmc

    if runs & (runs - 1):
        raise InputError(
            f"a Sobol plan is balanced with a power of 2 of runs; got {runs}: take {1 << (runs.bit_length() - 1)} or "
            f"{1 << runs.bit_length()}"
        )
    return np.asarray(qmc.Sobol(width, rng=np.random.default_rng(seed)).random_base2(runs.bit_length() - 1))


def _factorial(runs: int, width: int, seed: int) -> Array:
    del seed
    levels = round(runs ** (1.0 / width))
    if levels**width != runs:
        raise InputError(
            f"a full factorial plan of {width} numbers takes levels^{width} runs; got {runs}: take "
            f"{max(2, levels) ** width} for {max(2, levels)} levels of each"
        )
    return np.array(list(product(_middles(levels), repeat=width)))


def _middles(levels: int) -> list[float]:
    return [(level + 0.5) / levels for level in range(levels)]


def _one_at_a_time(runs: int, width: int, seed: int) -> Array:
    """The nominal run, then each number low and high with all others nominal."""
    del seed
    _take(runs, 2 * width + 1, "one-at-a-time")
    found = np.full((runs, width), 0.5)
    for number in range(width):
        found[2 * number + 1, number], found[2 * number + 2, number] = 1.0 - EDGE, EDGE
    return found


def _corners(runs: int, width: int, seed: int) -> Array:
    """Every number low or high, in every combination."""
    del seed
    if 2**width > MOST_CORNERS:
        raise InputError(
            f"a plan of corners of {width} numbers takes 2^{width} runs, more than {MOST_CORNERS}; disperse fewer keys "
            'or take plan = "random"'
        )
    _take(runs, 2**width, "corners")
    return np.array(list(product((1.0 - EDGE, EDGE), repeat=width)))


def _take(runs: int, wanted: int, plan: str) -> None:
    if runs != wanted:
        raise InputError(f'plan = "{plan}" takes {wanted} runs for these dispersions; got {runs}')


PLANS: dict[str, Callable[[int, int, int], Array]] = {
    "random": _random,
    "latin-hypercube": _latin_hypercube,
    "sobol": _sobol,
    "factorial": _factorial,
    "one-at-a-time": _one_at_a_time,
    "corners": _corners,
}
"""By name: what fills the unit cube, from the number of runs, of uniform numbers in each, and the seed."""
