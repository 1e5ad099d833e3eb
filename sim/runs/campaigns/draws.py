"""Drawn values of the runs of a campaign: distributions map a row of the plan to values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from .distribution import Distribution
from .distributions import Choice
from .plans import Plan

Array = NDArray[np.float64]

NOMINAL_RUN = 2**32 - 1
"""`Draw.number` of the nominal run, used by no other run."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Draw:
    """Inputs of one run of a campaign.

    Attributes
    ----------
    run : int
        Run number, from 0; -1 for the nominal run.
    seed : int
        Seed of the campaign. Seed and `number` determine all further random numbers of the run, such as noise.
    values : mapping
        Drawn values by name.
    number : int
        Run index for the other random numbers, in place of `run`. The runs of one sample of a "saltelli" plan share
        this number, so that the effect of noise is not attributed to a dispersion.
    """

    run: int
    seed: int
    values: Mapping[str, Any]
    number: int = NOMINAL_RUN


@dataclass(frozen=True, eq=False)
class Drawn(Sequence[Draw]):
    """Inputs of several runs of a campaign: a sequence of `Draw`, with the values also as arrays.

    Attributes
    ----------
    runs : tuple of int
        Run numbers.
    seed : int
        Seed of the campaign.
    values : mapping
        Drawn values by name, one for each run; numbers as an array (runs, ...).
    numbers : tuple of int
        `Draw.number` of each run.
    """

    runs: tuple[int, ...]
    seed: int
    values: Mapping[str, Any]
    numbers: tuple[int, ...]

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self.runs)

    @overload
    def __getitem__(self, k: int) -> Draw: ...
    @overload
    def __getitem__(self, k: slice) -> Drawn: ...

    def __getitem__(self, k: int | slice) -> Draw | Drawn:
        """Return the inputs of one run, or of several.

        Parameters
        ----------
        k : int or slice
            Index in this sequence, from 0.

        Returns
        -------
        Draw or Drawn
            The inputs of the selected runs.
        """
        if isinstance(k, slice):
            values = {name: column[k] for name, column in self.values.items()}
            return Drawn(self.runs[k], self.seed, values, self.numbers[k])
        values = {name: _one(column[k]) for name, column in self.values.items()}
        return Draw(run=self.runs[k], seed=self.seed, values=values, number=self.numbers[k])


def _one(value: Any) -> Any:
    """Convert a NumPy scalar to a Python number."""
    return cast("Any", value).item() if isinstance(value, np.generic) else value


def drawn_alone(draw: Draw) -> Drawn:
    """Return a single draw as a `Drawn` of one run."""
    values: dict[str, Any] = {
        name: [value]
        if isinstance(value, bool) or not isinstance(value, int | float | np.ndarray)
        else np.array([value])
        for name, value in draw.values.items()
    }
    return Drawn((draw.run,), draw.seed, values, (draw.number,))


@frozen_arrays
@dataclass(frozen=True, eq=False)
class Correlated:
    """Correlated dispersions, by a Gaussian copula; each may have any distribution.

    Parameters
    ----------
    names : sequence of str
        Names of two or more dispersions, each of a single number.
    correlation : array_like, shape (n, n)
        Correlation matrix of the underlying normal numbers.

    Raises
    ------
    InputError
        When the matrix is not a correlation matrix.
    """

    names: Sequence[str]
    correlation: ArrayLike

    def __post_init__(self) -> None:
        """Check the matrix."""
        C, n = np.asarray(self.correlation, dtype=np.float64), len(self.names)
        if C.shape != (n, n) or n < 2:
            raise InputError(f"a correlation of {n} quantities must be {n} x {n}; got shape {C.shape}")
        good = np.array_equal(C, C.T) and np.array_equal(np.diag(C), np.ones(n)) and np.linalg.eigvalsh(C)[0] > 0.0
        if not good:
            raise InputError(
                f"the correlation of {', '.join(self.names)} must be symmetric, 1 on the diagonal and positive definite"
            )
        object.__setattr__(self, "names", tuple(self.names))

    @cached_property
    def factor(self) -> Array:
        """Lower Cholesky factor of the correlation matrix."""
        return np.asarray(np.linalg.cholesky(np.asarray(self.correlation, dtype=np.float64)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Draws:
    """Mapping from run number to drawn values, by applying the distributions to the row of the plan."""

    dispersions: Mapping[str, Distribution]
    correlated: tuple[Correlated, ...]
    plan: Plan

    def __call__(self, run: int) -> Draw:
        """Return the inputs of a run."""
        return self.of([run])[0]

    def of(self, runs: Sequence[int]) -> Drawn:
        """Return the inputs of several runs."""
        u, places = self.plan.rows(runs), places_of(self.dispersions)
        if self.correlated:
            u = np.array([together(u_of_run, places, self.correlated) for u_of_run in u])
        values = {name: each.several(u[:, places[name]]) for name, each in self.dispersions.items()}
        return Drawn(tuple(runs), self.plan.seed, values, tuple(self.plan.sample_of(run) for run in runs))

    def nominal(self, given: Mapping[str, Any]) -> Draw:
        """Return the inputs of the nominal run: the given values, otherwise the middle of the distribution."""
        middle = {name: each.nominal for name, each in self.dispersions.items()}
        values = {name: middle[name] if given.get(name) is None else given[name] for name in middle}
        return Draw(run=-1, seed=self.plan.seed, values=values)


def places_of(dispersions: Mapping[str, Distribution]) -> dict[str, slice]:
    """Return, by name, the slice of the uniform numbers that each dispersion uses."""
    ends = np.cumsum([each.uniforms for each in dispersions.values()], dtype=int).tolist()
    return {name: slice(a, b) for name, a, b in zip(dispersions, [0, *ends[:-1]], ends, strict=True)}


def together(uniforms: Array, places: Mapping[str, slice], correlated: Sequence[Correlated]) -> Array:
    """Return uniform numbers (n,), correlated within the given groups."""
    u = uniforms.copy()
    for group in correlated:
        at = [places[name].start for name in group.names]
        u[at] = np.clip(ndtr(group.factor @ ndtri(u[at])), 2.0**-53, 1.0 - 2.0**-53)
    return u


def values_at(
    dispersions: Mapping[str, Distribution], correlated: Sequence[Correlated], uniforms: Array
) -> dict[str, Any]:
    """Return the value of each dispersion for uniform numbers (n,), correlated within the given groups."""
    places = places_of(dispersions)
    u = together(uniforms, places, correlated)
    return {name: each.value(u[places[name]]) for name, each in dispersions.items()}


def levels_of(distributions: Iterable[Distribution]) -> tuple[int, ...] | None:
    """Return the number of values of each choice; None if one of the distributions is not a choice."""
    found = [len(each.values) if isinstance(each, Choice) else 0 for each in distributions]
    return tuple(found) if all(found) else None


def runs_of(plan: str, distributions: Iterable[Distribution]) -> int | None:
    """Return the number of runs if the plan defines it; otherwise None."""
    those = tuple(distributions)
    width, levels = sum(each.uniforms for each in those), levels_of(those)
    known = {"one-at-a-time": 2 * width + 1, "corners": 2**width}
    return prod(levels) if plan == "factorial" and levels is not None else known.get(plan)


def flat_columns(values: Mapping[str, Any]) -> dict[str, float]:
    """Return the entries of some values as numbers with keys name, name[0], name[1, 2]; nan for a string."""
    found: dict[str, float] = {}
    for name, value in values.items():
        try:
            entries = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            entries = np.asarray(np.nan)
        for place in np.ndindex(entries.shape):
            found[f"{name}[{', '.join(map(str, place))}]" if place else name] = float(entries[place])
    return found


def columns_of(values: Mapping[str, Any]) -> Array:
    """Return the values of several runs with the columns of `flat_columns`, (n, columns)."""
    found: list[Array] = []
    for name, column in values.items():
        if isinstance(column, np.ndarray):
            numbers = np.asarray(cast("Array", column), dtype=np.float64)
            found.append(numbers.reshape(len(numbers), -1))
        else:
            found.append(np.array([[*flat_columns({name: value}).values()] for value in column]))
    return np.concatenate(found, axis=1)


def draws_of(
    dispersions: Mapping[str, Distribution], groups: Sequence[Correlated], *, plan: str, runs: int, seed: int
) -> Draws:
    """Return the draws of a plan. Raises InputError when the plan does not allow this number of runs."""
    those = dispersions.values()
    width = sum(each.uniforms for each in those)
    levels = levels_of(those) if plan == "factorial" else None
    together = tuple(sources(dispersions, groups).values())
    made = Plan(kind=plan, runs=runs, width=width, seed=seed, levels=levels, groups=together)
    return Draws(dispersions, tuple(groups), made)


def sources(dispersions: Mapping[str, Distribution], groups: Sequence[Correlated]) -> dict[str, tuple[int, ...]]:
    """Return, by name, the uniform numbers of each independent source: a dispersion or a correlated group."""
    leader = {name: group.names[0] for group in groups for name in group.names}
    found: dict[str, tuple[int, ...]] = {}
    first = 0
    for name, each in dispersions.items():
        numbers = tuple(range(first, first + each.uniforms))
        first += each.uniforms
        found[leader.get(name, name)] = (*found.get(leader.get(name, name), ()), *numbers)
    words = {group.names[0]: " with ".join(group.names) for group in groups}
    return {words.get(name, name): numbers for name, numbers in found.items()}


def check_groups(groups: Sequence[Correlated], dispersions: Mapping[str, Distribution]) -> None:
    """Raise InputError unless each name is a dispersion of a single number and occurs in only one group."""
    seen: set[str] = set()
    for group in groups:
        for name in group.names:
            if name not in dispersions:
                raise InputError(
                    f"correlated: {name} is not a dispersion; the dispersions are {', '.join(dispersions)}"
                )
            if dispersions[name].uniforms != 1:
                raise InputError(
                    f"correlated: {name} has more than one number, but only single numbers can be correlated"
                )
            if name in seen:
                raise InputError(f"correlated: {name} is in two groups; put both into one")
            seen.add(name)
