"""Time-optimal slews, with or without pointing cones, as references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import finite, positive
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ...contracts.kernel_reference import KernelReference
from ..sampled_kernel import sampled_kernel
from ..sampled_reference import SampledReference
from .plan_file import plan_text, planned
from .pointing_cone import PointingCone
from .slew_limits import slew_limits
from .slew_plan import PlanSettings, SlewPlan
from .slew_problem import SlewProblem, slew_problem
from .slew_table import body_momentum

if TYPE_CHECKING:
    from ..allocation import WheelAllocation

Array = NDArray[np.float64]

FEWEST, MOST = 8, 400
"""Least and greatest number of intervals."""


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class TimeOptimalSlew(KernelReference):
    """Time-optimal rest-to-rest slew within limits on torque, rate and wheel momentum.

    The slew is planned when the object is created, by direct collocation from several starts (CasADi and IPOPT, the
    extra `guidance`). The reference is a `SampledReference` of the planned attitude and rate. The torque is constant
    over each interval, and the interval lengths are free, so that switches are placed exactly. Each start leads to a
    local optimum, and the fastest optimum is used. If the eigenaxis slew under the same limits is permitted and faster
    than this optimum, the eigenaxis slew is used. `plan.check` contains the extremes between the samples, from an
    integration independent of the optimiser.

    The torque is J w' + w x J w or, if wheels produce it, J w' + w x R' H with the total momentum H. Feedback also
    requires torque, so choose a limit below the actuators' limit.

    Parameters
    ----------
    start : array_like, shape (4,)
        Initial attitude, Euler parameters, scalar first.
    end : array_like, shape (4,), optional
        Final attitude; give this or `pointing`.
    pointing : (array_like, array_like), optional
        Body axis, and the inertial direction to which it points at the end; the roll about this direction is free.
    begin : float
        Start time, s.
    inertia : array_like, shape (3,) or (3, 3)
        Inertia J, kg m^2; if wheels are given, it excludes their inertia about their own axes.
    torque_limit : array_like, shape () or (3,), optional
        Largest magnitude of each body component of the torque, N m; give this or `wheels`.
    wheels : WheelAllocation, optional
        Wheels that produce the torque, within their envelope.
    momentum_capacity : array_like, shape () or (m,), optional
        Largest momentum of each wheel, N m s; only for pseudo-inverse allocation.
    wheel_momentum : array_like, shape (m,), optional
        Momentum of each wheel about its axis at the start, N m s; zero by default.
    rate_limit : float, optional
        Largest magnitude of the body rate, rad/s.
    intervals : int
        Number of intervals of constant torque.
    starts : int
        Number of starts: the eigenaxis slew, and random detours from it.
    seed : int
        Seed of the random starts.
    tolerance : float
        Largest accepted excess over a limit between samples, as a fraction of the limit; a cone may be violated by up
        to 1e-4 rad.
    cones : sequence of PointingCone
        Cone constraints on the attitude, see `KeepOutSlew`.
    plan_file : path, optional
        File written by `save`. If it exists, the plan is read from it and checked instead of computed; the file must
        belong to the same inputs.

    Raises
    ------
    InputError
        When start and end are the same attitude, a limit is not positive, or the plan file belongs to different inputs.
    DesignError
        When CasADi is missing, no start leads to a solution, or a limit is exceeded between the samples.
    """

    manoeuvre: ClassVar[str] = "slew"

    problem: SlewProblem
    plan: SlewPlan
    settings: PlanSettings
    begin: float
    rate_limit: float
    table: Array

    def __init__(
        self,
        start: ArrayLike,
        end: ArrayLike | None = None,
        *,
        inertia: ArrayLike,
        pointing: tuple[ArrayLike, ArrayLike] | None = None,
        begin: float = 0.0,
        torque_limit: ArrayLike | None = None,
        wheels: WheelAllocation | None = None,
        momentum_capacity: ArrayLike | None = None,
        wheel_momentum: ArrayLike | None = None,
        rate_limit: float | None = None,
        intervals: int = 60,
        starts: int = 6,
        seed: int = 0,
        tolerance: float = 1e-3,
        cones: Sequence[PointingCone] = (),
        plan_file: str | Path | None = None,
    ) -> None:
        limits = slew_limits(
            inertia,
            start=start,
            torque_limit=torque_limit,
            wheels=wheels,
            momentum_capacity=momentum_capacity,
            wheel_momentum=wheel_momentum,
            rate_limit=rate_limit,
        )
        problem = slew_problem(start, end, pointing=pointing, limits=limits, cones=cones)
        settings = PlanSettings(
            intervals=_whole("intervals", intervals, FEWEST, MOST),
            starts=_whole("starts", starts, 1, 1000),
            seed=_whole("seed", seed, 0, 2**31),
            tolerance=positive("slew tolerance", tolerance),
        )
        object.__setattr__(self, "begin", finite("begin", begin, "s"))
        object.__setattr__(self, "problem", problem)
        object.__setattr__(self, "plan", planned(problem, settings, plan_file))
        object.__setattr__(self, "rate_limit", limits.rate)
        object.__setattr__(self, "settings", settings)
        object.__setattr__(self, "table", self.reference.parameters)

    @property
    def cones(self) -> tuple[PointingCone, ...]:
        """Cone constraints on the attitude."""
        return self.problem.cones

    @property
    def duration(self) -> float:
        """Duration, s."""
        return self.plan.duration

    @property
    def reference(self) -> SampledReference:
        """Reference that interpolates the planned attitudes and rates."""
        return SampledReference(self.plan.t + self.begin, self.plan.attitude, rate=self.plan.rate)

    @property
    def parameters(self) -> Array:
        """The kernel's parameters, which are the parameters of a `SampledReference`."""
        return self.table

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        return sampled_kernel

    @property
    def steady(self) -> tuple[Array, Array]:
        """Final attitude and rate (zero, rad/s)."""
        return self.plan.attitude[-1], np.zeros(3)

    def peak_torque(self, inertia: ArrayLike) -> Array:
        """Return the largest magnitude of each body component of the torque required by the slew.

        Parameters
        ----------
        inertia : array_like, shape (3,) or (3, 3)
            Inertia J of the spacecraft, kg m^2.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Maximum over the slew for a rigid spacecraft without other torques, N m.
        """
        from ....plant.hub.inertia import inertia_matrix

        J, t = inertia_matrix(inertia), self.plan.t + self.begin
        near = 1e-9 * np.diff(t)
        r = np.array([self.at(each) for each in np.concatenate((t[:-1] + near, t[1:] - near)).tolist()])
        limits = self.problem.limits
        h = np.array([body_momentum(limits, e) for e in r[:, :4]]) if limits.internal else r[:, 4:7] @ J
        return np.abs(r[:, 7:] @ J + np.cross(r[:, 4:7], h)).max(axis=0)

    def report(self) -> list[str]:
        """Return duration, best start, optimality residual and extremes between samples as text.

        Returns
        -------
        list of str
            One statement per line.
        """
        return self.plan.lines(self.problem)

    def save(self, path: str | Path) -> None:
        """Write the table of the slew as CSV: time, Euler parameters, body rate.

        Parameters
        ----------
        path : path
            File to write; an existing file is replaced. Times are counted from the beginning of the slew.
        """
        Path(path).write_text(plan_text(self.plan, self.problem, self.settings), encoding="utf-8")


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class KeepOutSlew(TimeOptimalSlew):
    """Time-optimal slew that keeps body axes outside or inside cones.

    Parameters
    ----------
    cones : sequence of PointingCone
        Keep-out cones of sensors and keep-in cones of antennas, about inertial directions.
    start, end, pointing, begin, inertia, torque_limit, wheels, momentum_capacity, wheel_momentum, rate_limit : optional
        As in `TimeOptimalSlew`.
    intervals, starts, seed, tolerance, plan_file : optional
        As in `TimeOptimalSlew`.

    Raises
    ------
    InputError
        As in `TimeOptimalSlew`, and when start or end is on the wrong side of a cone.
    DesignError
        As in `TimeOptimalSlew`.
    """

    def __init__(
        self,
        start: ArrayLike,
        end: ArrayLike | None = None,
        *,
        cones: Sequence[PointingCone],
        inertia: ArrayLike,
        pointing: tuple[ArrayLike, ArrayLike] | None = None,
        begin: float = 0.0,
        torque_limit: ArrayLike | None = None,
        wheels: WheelAllocation | None = None,
        momentum_capacity: ArrayLike | None = None,
        wheel_momentum: ArrayLike | None = None,
        rate_limit: float | None = None,
        intervals: int = 60,
        starts: int = 6,
        seed: int = 0,
        tolerance: float = 1e-3,
        plan_file: str | Path | None = None,
    ) -> None:
        if len(cones) == 0:
            raise InputError("a keep-out slew needs at least one cone; without cones use TimeOptimalSlew")
        super().__init__(
            start,
            end,
            inertia=inertia,
            pointing=pointing,
            begin=begin,
            torque_limit=torque_limit,
            wheels=wheels,
            momentum_capacity=momentum_capacity,
            wheel_momentum=wheel_momentum,
            rate_limit=rate_limit,
            intervals=intervals,
            starts=starts,
            seed=seed,
            tolerance=tolerance,
            cones=cones,
            plan_file=plan_file,
        )


def _whole(name: str, value: int, least: int, most: float = inf) -> int:
    if isinstance(value, bool) or int(value) != value or not least <= value <= most:
        raise InputError(f"slew {name} must be a whole number from {least} to {most}; got {value}")
    return int(value)
