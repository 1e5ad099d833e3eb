"""Environment torques along the orbit, by source."""

from typing import TYPE_CHECKING

import numpy as np

from .kind import DoesNotApplyError, MetricSettings, MissingPartError, NoValueError, metric

if TYPE_CHECKING:
    from ....plant.environment import TorqueBudget
    from ....sim import Run

ACTUATORS = ("magnetic damping", "magnetic unloading", "magnetic pointing")
"""Torque sources that are actuators."""


def _budget(run: "Run") -> "TorqueBudget":
    if not run.craft.time_dependent:
        raise MissingPartError("the case has no [environment]")
    from ..torque_budget import budget_of

    budget = budget_of(run)
    if budget is None:
        raise DoesNotApplyError("the case has no [environment]")
    return budget


def _disturbances(budget: "TorqueBudget") -> list[int]:
    """Return the indices of the sources that are not actuators."""
    return [k for k, source in enumerate(budget.sources) if source not in ACTUATORS]


def _peak(run: "Run", source: str) -> float:
    """Return the largest torque magnitude of one source, N m."""
    budget = _budget(run)
    if source not in budget.sources:
        raise DoesNotApplyError(f"the case has no {source}")
    return float(budget.peak[budget.sources.index(source)])


@metric("largest torque of the gravity gradient, at the output times")
def peak_gravity_gradient_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return _peak(run, "gravity gradient")


@metric("largest torque of the residual dipole, at the output times")
def peak_residual_dipole_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return _peak(run, "residual dipole")


@metric("largest torque of the eddy currents, at the output times")
def peak_eddy_currents_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return _peak(run, "eddy currents")


@metric("largest torque of the magnetic damping, at the output times")
def peak_magnetic_damping_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return _peak(run, "magnetic damping")


@metric("largest torque of the magnetic unloading, at the output times")
def peak_magnetic_unloading_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return _peak(run, "magnetic unloading")


@metric("largest torque of the magnetic pointing, at the output times")
def peak_magnetic_pointing_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return _peak(run, "magnetic pointing")


@metric("largest torque of the solar pressure, at the output times")
def peak_solar_pressure_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return _peak(run, "solar pressure")


@metric("largest torque of the drag, at the output times")
def peak_drag_torque_N_m(run: "Run", _: MetricSettings) -> float:
    return _peak(run, "drag")


@metric("largest sum of the torques of the environment, without magnetorquers, at the output times")
def peak_environment_torque_N_m(run: "Run", _: MetricSettings) -> float:
    budget = _budget(run)
    return float(np.linalg.norm(budget.torque[_disturbances(budget)].sum(axis=0), axis=1).max())


@metric("angular momentum that the environment adds in an orbit, without magnetorquers, inertial axes, magnitude")
def secular_momentum_N_m_s(run: "Run", _: MetricSettings) -> float:
    budget = _budget(run)
    if not budget.orbits:
        raise NoValueError("the run is shorter than one orbit")
    return float(np.linalg.norm(budget.secular[_disturbances(budget)].sum(axis=0)))
