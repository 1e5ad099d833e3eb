"""Region of attraction by simulation: initial attitude and rate errors from which a law settles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...controllers import Block, Law, Reference
from ...plant import Spacecraft
from ...plant.brief import brief
from ...plant.checks import positive, vector
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..results.run import Run
from ..runs.default_reference import default_reference
from ..runs.simulate import simulate
from .operating_point import moved, operating_point

Array = NDArray[np.float64]

HOLD = 0.05  # final fraction of the run during which the error must stay within the band


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class RegionOfAttraction:
    """Settling times for a grid of initial errors.

    Parameters
    ----------
    angles : numpy.ndarray, shape (n,)
        Attitude errors at the start, rad.
    rates : numpy.ndarray, shape (m,)
        Rate errors at the start, rad/s.
    turn_axes, rate_axes : numpy.ndarray, shape (d, 3)
        The simulated directions: axes of the attitude error and of the rate error, body components.
    settling_time : numpy.ndarray, shape (n, m, d)
        Time after which the attitude error stays within the band, s; NaN if it does not settle within the duration.
    duration : float
        Length of each run, s.
    band : float
        Settling band of the attitude error, rad.
    """

    angles: Array
    rates: Array
    turn_axes: Array
    rate_axes: Array
    settling_time: Array
    duration: float
    band: float

    __repr__ = brief

    @property
    def converged(self) -> Array:
        """Fraction of the directions from which the law settled, shape (n, m)."""
        return np.isfinite(self.settling_time).mean(axis=2)

    @property
    def slowest(self) -> Array:
        """Longest settling time over the directions, s, shape (n, m); NaN if any run did not settle."""
        return self.settling_time.max(axis=2)

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values for JSON.

        Returns
        -------
        dict
            The grid, the fraction of directions that settled, and the longest settling times; None if any run did not
            settle.
        """
        slowest = [[float(v) if np.isfinite(v) else None for v in row] for row in self.slowest]
        return {
            "angles_deg": np.degrees(self.angles).tolist(),
            "rates_deg_s": np.degrees(self.rates).tolist(),
            "directions": len(self.turn_axes),
            "band_deg": float(np.degrees(self.band)),
            "duration_s": self.duration,
            "converged_share": self.converged.tolist(),
            "slowest_settling_time_s": slowest,
            "settled": int(np.isfinite(self.settling_time).sum()),
            "starts": int(self.settling_time.size),
        }


def region_of_attraction(
    craft: Spacecraft,
    law: Law,
    *,
    angles: ArrayLike,
    rates: ArrayLike,
    duration: float,
    axis: ArrayLike | None = None,
    rate_axis: ArrayLike | None = None,
    directions: int = 4,
    seed: int = 0,
    band: float = np.radians(1.0),
    state: ArrayLike | None = None,
    reference: Reference | None = None,
    step: float | None = None,
    blocks: Sequence[Block] = (),
    block_seed: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> RegionOfAttraction:
    """Simulate a law from a grid of initial attitude and rate errors, and return the settling times.

    The result is a map, not a proof: an initial error that settles says nothing about neighbouring errors, and one that
    does not settle within the run may settle later.

    Parameters
    ----------
    craft : Spacecraft
        The plant, with its torque limits.
    law : Law
        The law.
    angles : array_like, shape (n,)
        Attitude errors at the start, rad.
    rates : array_like, shape (m,)
        Rate errors at the start, rad/s; negative rates are opposite to `rate_axis`.
    duration : float
        Length of each run, s.
    axis : array_like, shape (3,), optional
        Axis of the attitude error, body components; by default random axes.
    rate_axis : array_like, shape (3,), optional
        Axis of the rate error; by default `axis` if given, otherwise random axes.
    directions : int
        Number of random directions per grid point; 1 with an `axis`.
    seed : int
        Seed of the random directions.
    band : float
        Attitude error below which the spacecraft has settled, rad. The error must stay below it for the last twentieth
        of the run.
    state : array_like, optional
        The operating point; by default the operating point of the law's model, or rest in (1, 0, 0, 0).
    reference : Reference, optional
        Reference of the law; by default the reference of its design.
    step : float, optional
        Longest step, s; by default one sampling period.
    blocks : sequence of Block
        Blocks in addition to the law.
    block_seed : int, optional
        Seed of the random numbers of the blocks.
    progress : callable, optional
        Called with the completed fraction of the runs.

    Returns
    -------
    RegionOfAttraction
        Settling times over angle, rate and direction.

    Raises
    ------
    InputError
        When an axis is zero, the grid is empty, or `directions` is below 1.

    Examples
    --------
    >>> from polhode import controllers, plant
    >>> craft = plant.Spacecraft(plant.RigidBody((100.0, 80.0, 60.0)), torques=plant.TorqueBasis("body", limit=1.0))
    >>> law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=1.0, sample=0.1)
    >>> found = region_of_attraction(craft, law, angles=(0.5, 3.0), rates=(0.0, 1.0), duration=99.0, axis=(1, 0, 0))
    >>> found.converged  # 1 N m needs 100 s to stop 1 rad/s
    array([[1., 0.],
           [1., 0.]])
    """
    grid_a, grid_r = _grid("angles", angles, "rad"), _grid("rates", rates, "rad/s")
    span, within = positive("duration", duration, "s"), positive("band", band, "rad")
    turns, spins = _directions(axis, rate_axis, directions, seed)
    at = operating_point(craft, law, state)
    follow = default_reference(law) if reference is None else reference
    found = np.full((grid_a.size, grid_r.size, len(turns)), np.nan)
    for done, (i, j, k) in enumerate(np.ndindex(found.shape)):
        run = simulate(
            craft,
            law,
            state=moved(craft, at, grid_a[i] * turns[k], grid_r[j] * spins[k]),
            reference=follow,
            duration=span,
            integrator="rk4",
            step=law.sample if step is None else step,
            ledger=False,
            blocks=blocks,
            seed=block_seed,
        )
        found[i, j, k] = _settled(run, within)
        if progress is not None:
            progress((done + 1) / found.size)
    return RegionOfAttraction(
        angles=grid_a, rates=grid_r, turn_axes=turns, rate_axes=spins, settling_time=found, duration=span, band=within
    )


def _grid(name: str, values: ArrayLike, unit: str) -> Array:
    grid = vector(name, values, int(np.size(values)), unit)
    if not grid.size:
        raise InputError(f"give at least one of the {name} ({unit})")
    return grid


def _directions(axis: ArrayLike | None, rate_axis: ArrayLike | None, directions: int, seed: int) -> tuple[Array, Array]:
    if directions < 1:
        raise InputError(f"directions must be at least 1; got {directions}")
    count = directions if axis is None else 1
    random = np.random.default_rng(seed).standard_normal((2, count, 3))
    turns = random[0] if axis is None else vector("axis", axis)[None]
    same = axis is not None and rate_axis is None
    spins = turns if same else random[1] if rate_axis is None else np.tile(vector("rate axis", rate_axis), (count, 1))
    sizes = np.linalg.norm(turns, axis=1), np.linalg.norm(spins, axis=1)
    if min(sizes[0].min(), sizes[1].min()) <= 0.0:
        raise InputError("an axis must not be zero")
    return turns / sizes[0][:, None], spins / sizes[1][:, None]


def _settled(run: Run, band: float) -> float:
    if run.status != "completed":
        return np.nan
    outside = np.flatnonzero(run.values("attitude_error") > band)
    if not outside.size:
        return 0.0
    last = int(outside[-1])
    return float(run.t[last + 1]) if run.t[last] < (1.0 - HOLD) * run.t[-1] else np.nan
