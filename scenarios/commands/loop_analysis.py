"""Loop analysis of a case, for `polhode analyse`."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import FixedReference, SpinReference, pointing_budget
from ...controllers.contracts.law_defaults import with_defaults
from ...controllers.guidance import follows_orbit
from ...controllers.loop.acting_model import operating_rate
from ...plant.errors import DesignError, EquilibriumError, InputError
from ..case_run import run_problem
from ..report.progress import progress

if TYPE_CHECKING:
    from ...controllers import Block, PointingBudget, Reference
    from ...plant import LinearModel, Spacecraft
    from ...sim import (
        LyapunovDecrease,
        MarginConfirmation,
        MarginSweep,
        Overlay,
        PointingErrors,
        RegionOfAttraction,
        Unwinding,
    )
    from ..case.kinds.problem import Problem

MOST_SAMPLES = 100_000  # longest duration of the overlay, samples
MOST_UNDER_WAY = 40  # largest additional delay in the delay sweep, samples

Array = NDArray[np.float64]

AGREE = 0.02
"""Largest relative difference at which a predicted and an observed margin count as equal."""

ON_REFERENCE = 1e-12

START = np.radians(5.0) * np.array((0.6, -0.48, 0.64))  # start of the overlay: 5 deg about a general axis


@dataclass(frozen=True, eq=False, kw_only=True)
class Analysis:
    """Results of analysing the loop of a case.

    margins: predicted and observed margins. Both treat quantisation and lost samples of blocks as a gain of 1.
    overlay: linear loop and nonlinear run from an error of 5 deg; None if there are blocks, since the linear loop
        lacks their initial states.
    lyapunov: Lyapunov function along the run of the case; None if none is known.
    reason: reason why there is no Lyapunov function.
    unwinding: comparison of the runs from e and from -e.
    region: region of attraction over attitude and rate.
    sweeps: margins over inertia, delay and, if the spacecraft can spin, spin rate.
    taken_as: simplification of the spacecraft in model and simulation; empty if there is none.
    budget: pointing error budget of a noisy case; None otherwise.
    no_budget: reason why a noisy case has no budget; empty if there is no noise.
    measured: pointing errors measured in the run of the case; None if there are none.
    known: whether unwinding and region of attraction use a law that reads the true attitude, although the case has
        sensors.
    """

    margins: "MarginConfirmation"
    overlay: "Overlay | None"
    lyapunov: "LyapunovDecrease | None"
    reason: str
    unwinding: "Unwinding"
    region: "RegionOfAttraction"
    sweeps: "tuple[MarginSweep, ...]"
    taken_as: str = ""
    budget: "PointingBudget | None" = None
    no_budget: str = ""
    measured: "PointingErrors | None" = None
    known: bool = False

    @property
    def holds(self) -> bool:
        """True if margins agree, the law does not unwind and the Lyapunov function, if any, decreases."""
        falls = self.lyapunov is None or self.lyapunov.decreases()
        return self.margins.worst <= AGREE and not self.unwinding.unwinds and falls

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: one entry for each part, and the verdict."""
        return {
            "margins": self.margins.to_dict(),
            "overlay": None if self.overlay is None else self.overlay.to_dict(),
            "lyapunov": None if self.lyapunov is None else self.lyapunov.to_dict(),
            "lyapunov_reason": self.reason or None,
            "unwinding": self.unwinding.to_dict(),
            "region_of_attraction": self.region.to_dict(),
            "sweeps": [sweep.to_dict() for sweep in self.sweeps],
            "taken_as": self.taken_as or None,
            "pointing_budget": None if self.budget is None else self.budget.to_dict(),
            "no_pointing_budget": self.no_budget or None,
            "pointing_errors": None if self.measured is None else self.measured.to_dict(),
            "on_true_attitude": self.known,
            "holds": self.holds,
        }


def analyse(
    problem: "Problem",
    model: "LinearModel",
    *,
    name: str,
    duration: float,
    taken_as: str = "",
    known: "tuple[Block, ...] | None" = None,
    window: float | None = None,
    pointing_from: float | None = None,
) -> Analysis:
    """Analyse the loop of a case.

    problem: objects built from the case.
    model: linear model about the reference.
    name: name of the case, for the progress bar.
    duration: duration of the case, and of each run for the region of attraction, s.
    taken_as: description of the simplified spacecraft in the problem; empty if it is not simplified.
    known: blocks for a law that reads the true attitude. They are used for unwinding and region of attraction, where
        errors are too large for a filter to settle. None: the blocks of the problem.
    window, pointing_from: averaging window and start of the pointing errors, s.
    Raises InputError if the problem has no law, DesignError if the loop is unstable, and EquilibriumError if the
    orbit of the reference moves the spacecraft.
    """
    from ... import sim

    craft, law = problem.craft, problem.law
    if law is None:
        raise InputError("there is no law, so there is no closed loop to analyse")
    if follows_orbit(problem.reference):
        _require_rest(craft, model)
    about: dict[str, Any] = {"state": np.array(model.operating_point), "reference": _held(model)}
    blocks, seed = problem.blocks, problem.settings.get("seed")
    with progress(f"{name} (margins)") as show:
        margins = sim.confirm_margins(craft, law, model=model, progress=show, blocks=blocks, **about)
    budget, no_budget, measured = _budget(problem, model, name, window, pointing_from)
    large = blocks if known is None else known
    laid = (
        None
        if blocks
        else sim.overlay(
            craft, law, duration=min(duration, law.sample * MOST_SAMPLES), error=START, model=model, **about
        )
    )
    lyapunov, reason = _lyapunov(problem)
    unwinding = sim.unwinding(craft, law, duration=duration, blocks=large, seed=seed, **about)
    with progress(f"{name} (region of attraction)") as show:
        region = sim.region_of_attraction(
            craft,
            law,
            angles=np.radians(np.linspace(15.0, 180.0, 12)),
            rates=np.linspace(0.0, _fastest(craft, model, law, duration), 9),
            duration=duration,
            progress=show,
            blocks=large,
            block_seed=seed,
            **about,
        )
    return Analysis(
        margins=margins,
        overlay=laid,
        lyapunov=lyapunov,
        reason=reason,
        unwinding=unwinding,
        region=region,
        sweeps=tuple(_sweeps(craft, law, model, margins, blocks)),
        taken_as=taken_as,
        budget=budget,
        no_budget=no_budget,
        measured=measured,
        known=known is not None,
    )


def _budget(
    problem: "Problem", model: "LinearModel", name: str, window: float | None, begin: float | None
) -> "tuple[PointingBudget | None, str, PointingErrors | None]":
    """Return pointing budget, reason for a missing budget, and measured pointing errors of a noisy case."""
    from ... import sim
    from ..case_run import fly

    law = problem.law
    if law is None or not any(block.random for block in problem.blocks):
        return None, "", None
    if window is None:
        return None, "no pointing budget: set metrics.window_s, the averaging window of mean and relative errors", None
    try:
        budget = pointing_budget(law, model, window=window, blocks=problem.blocks)
    except (DesignError, InputError) as error:
        return None, f"no pointing budget: {error}", None
    sample = with_defaults(law).sample
    rows = {**problem.settings, "output_step": min(float(problem.settings["output_step"]), sample)}
    run = fly(replace(problem, settings=rows), name=f"{name} (pointing errors)")
    try:
        return budget, "", sim.pointing_errors(run, window=window, start=begin)
    except InputError as error:
        return budget, f"no pointing error was measured: {error}", None


def _require_rest(craft: "Spacecraft", model: "LinearModel") -> None:
    """Raise EquilibriumError if motion along the orbit disturbs the operating point.

    The linear model holds the orbit position fixed, so every run would deviate from it.
    """
    try:
        craft.linearize(np.array(model.operating_point))
    except EquilibriumError:
        raise EquilibriumError(
            "the gravity gradient varies along the orbit, so there is no steady motion about which a run "
            "could confirm margins; `polhode design` computes the margins at a fixed point of the orbit, `polhode run` "
            "simulates the motion"
        ) from None


def _lyapunov(problem: "Problem") -> "tuple[LyapunovDecrease | None, str]":
    from ... import sim

    assert problem.law is not None  # noqa: S101 # the caller checked
    if problem.blocks:
        return None, "no Lyapunov function is known for a law with blocks"
    try:
        with_defaults(problem.law).lyapunov()
    except DesignError as error:
        return None, str(error)
    run = run_problem(replace(problem, pulses=()))  # the theorem excludes external torques
    try:
        found = sim.lyapunov_decrease(run)
    except DesignError as error:
        return None, str(error)
    if found.values[0] < ON_REFERENCE:
        return None, "the case starts on its reference, where a Lyapunov function is at its minimum"
    return found, ""


def _held(model: "LinearModel") -> "Reference":
    """Return the reference at the operating point: the attitude or spin after the manoeuvre, if any."""
    attitude, rate = np.array(model.operating_point[3:7]), operating_rate(model)
    return SpinReference(attitude=attitude, rate=rate) if rate.any() else FixedReference(attitude)


def _fastest(craft: "Spacecraft", model: "LinearModel", law: Any, duration: float) -> float:
    """Return the largest rate error in the map of the region of attraction, rad/s.

    If the torque is limited, braking from this rate takes a quarter of the run. Otherwise, the rate is the smallest
    natural frequency of the loop.
    """

    limits = craft.torques.limits()
    inertia = float(np.linalg.eigvalsh(craft.locked_inertia(np.array(model.operating_point))).max())
    if np.isfinite(limits).all():
        return 0.25 * duration * float(limits.min()) / inertia
    loop = with_defaults(law).loop(model)
    return loop.slowest() / loop.sample


def _sweeps(
    craft: "Spacecraft", law: Any, model: "LinearModel", margins: "MarginConfirmation", blocks: "tuple[Block, ...]"
) -> "list[MarginSweep]":
    from ... import sim

    if craft.torques.internal:
        return []  # scaling the inertia of the hub would require scaling the wheels too
    at = np.array(model.operating_point)
    found = [sim.inertia_sweep(craft, law, factors=np.geomspace(0.25, 4.0, 7), state=at, blocks=blocks)]
    together = [row.predicted for row in margins.rows if row.input == "all"]
    if together:  # limit the delay: each delayed command adds states to the loop
        reach = min(0.9 * together[0], MOST_UNDER_WAY * law.sample)
        found.append(sim.delay_sweep(model, law, delays=law.delay + reach * np.linspace(0.0, 1.0, 6), blocks=blocks))
    rigid = not (craft.elements or craft.potentials or craft.user_forces or craft.translation or blocks)
    if rigid and craft.torques.name == "body" and not craft.rate(at).any():
        values, axes = np.linalg.eigh(craft.body.inertia)
        loop = with_defaults(law).loop(model)
        pace = loop.slowest() / loop.sample
        found.append(
            sim.spin_sweep(craft, law, axis=axes[:, int(np.argmax(values))], rates=pace * np.linspace(0, 2, 9))
        )
    return found
