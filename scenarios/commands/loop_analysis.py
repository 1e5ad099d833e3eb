"""What `polhode analyse` finds out about the loop of a case, as objects."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import FixedReference, SpinReference, pointing_budget
from ...controllers.guidance import follows_orbit
from ...controllers.laws.law import asked
from ...controllers.loop.acting_model import operating_rate
from ...plant.errors import DesignError, EquilibriumError, InputError
from ..case_run import flown
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
    from ..objects.problem import Problem

__all__ = ["Analysis", "analyse"]

MOST_SAMPLES = 100_000  # of the linear loop beside the run
MOST_UNDER_WAY = 40  # samples of further delay up to which the sweep over delay goes

Array = NDArray[np.float64]

AGREE = 0.02
"""Predicted and observed margins agree within this share."""

ON_REFERENCE = 1e-12

START = np.radians(5.0) * np.array((0.6, -0.48, 0.64))  # of the overlay: a turn of 5 deg about no special axis


@dataclass(frozen=True, eq=False, kw_only=True)
class Analysis:
    """The loop of a case, analysed.

    margins: predicted and observed; rounding and lost samples of blocks, which count with gain 1, are left out of both.
    overlay: the linear loop over the nonlinear run, from 5 deg off; None with blocks, whose memories at the start of a
        run the linear loop does not know.
    lyapunov: along the run of the case; None where no function is known.
    reason: why there is none.
    unwinding: from e and from -e.
    region: over attitude and rate.
    sweeps: over inertia, delay and, where the craft can spin, spin rate.
    taken_as: how the craft of the case was taken, model and simulation alike; empty: as it is.
    budget: of the pointing error, where something of the case is noisy; None otherwise.
    no_budget: why there is none of a noisy case; empty where nothing is noisy.
    flown: the same errors measured in the run of the case.
    known: whether unwinding and region are those of the law on the true attitude, where it flies on sensors.
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
    flown: "PointingErrors | None" = None
    known: bool = False

    @property
    def holds(self) -> bool:
        """Whether margins agree, nothing unwinds and a known Lyapunov function decreases."""
        falls = self.lyapunov is None or self.lyapunov.decreases()
        return self.margins.worst <= AGREE and not self.unwinding.unwinds and falls

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON: one entry for each part, and the verdict."""
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
            "pointing_errors": None if self.flown is None else self.flown.to_dict(),
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

    problem: the case as objects.
    model: the plant about the reference.
    name: the case's name, for the progress bar.
    duration: of the case, s: how long each run of the map lasts.
    taken_as: how the craft of the case stands in the problem, in words; empty: as it is.
    known: the blocks where the law sees the truth, which fly in the large, as a filter in its steady state would not be
        there; None: those of the problem.
    window, pointing_from: of the pointing errors, s.
    -> everything found.
    Raises InputError when the problem has no law; DesignError when the loop is not stable; EquilibriumError when the
        orbit that a reference follows moves the craft.
    """
    from ... import sim

    craft, law = problem.craft, problem.law
    if law is None:
        raise InputError("there is no law; analyse looks at the loop that one closes")
    if follows_orbit(problem.reference):
        _require_rest(craft, model)
    about: dict[str, Any] = {"state": np.array(model.operating_point), "reference": _held(model)}
    blocks, seed = problem.blocks, problem.settings.get("seed")
    with progress(f"{name} (margins)") as show:
        margins = sim.confirm_margins(craft, law, model=model, progress=show, blocks=blocks, **about)
    budget, no_budget, flown = _budget(problem, model, name, window, pointing_from)
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
        flown=flown,
        known=known is not None,
    )


def _budget(
    problem: "Problem", model: "LinearModel", name: str, window: float | None, begin: float | None
) -> "tuple[PointingBudget | None, str, PointingErrors | None]":
    """The pointing budget of a noisy case, why there is none, and the same errors of its run."""
    from ... import sim
    from ..case_run import fly

    law = problem.law
    if law is None or not any(block.random for block in problem.blocks):
        return None, "", None
    if window is None:
        return None, "no pointing budget: give metrics.window_s, over which mean and relative errors are taken", None
    try:
        budget = pointing_budget(law, model, window=window, blocks=problem.blocks)
    except (DesignError, InputError) as error:
        return None, f"no pointing budget: {error}", None
    sample = asked(law).sample
    rows = {**problem.settings, "output": min(float(problem.settings["output"]), sample)}
    run = fly(replace(problem, settings=rows), name=f"{name} (pointing errors)")
    try:
        return budget, "", sim.pointing_errors(run, window=window, start=begin)
    except InputError as error:
        return budget, f"no pointing error was measured: {error}", None


def _require_rest(craft: "Spacecraft", model: "LinearModel") -> None:
    """Refuse an orbit that moves the craft: its model takes the orbit as standing still, and every run would differ."""
    try:
        craft.linearize(np.array(model.operating_point))
    except EquilibriumError:
        raise EquilibriumError(
            "along the orbit the gravity gradient never rests, so there is no steady motion whose margins a run could "
            "confirm; `polhode design` gives the margins with the orbit standing still, `polhode run` flies it"
        ) from None


def _lyapunov(problem: "Problem") -> "tuple[LyapunovDecrease | None, str]":
    from ... import sim

    assert problem.law is not None  # noqa: S101 # the caller looked
    if problem.blocks:
        return None, "no Lyapunov function is known of a law with blocks beside it"
    try:
        asked(problem.law).lyapunov()
    except DesignError as error:
        return None, str(error)
    run = flown(replace(problem, pulses=()))  # the theorem knows of no torques from outside
    try:
        found = sim.lyapunov_decrease(run)
    except DesignError as error:
        return None, str(error)
    if found.values[0] < ON_REFERENCE:
        return None, "the case starts on its reference, where a Lyapunov function has nowhere to fall"
    return found, ""


def _held(model: "LinearModel") -> "Reference":
    """The operating point as a reference: what a guided case holds when its manoeuvre is over, or spins on with."""
    attitude, rate = np.array(model.operating_point[3:7]), operating_rate(model)
    return SpinReference(attitude=attitude, rate=rate) if rate.any() else FixedReference(attitude)


def _fastest(craft: "Spacecraft", model: "LinearModel", law: Any, duration: float) -> float:
    """The largest rate error of the map: a quarter of the run's time goes into stopping it, or the loop's own pace."""

    limits = craft.torques.limits()
    inertia = float(np.linalg.eigvalsh(craft.locked_inertia(np.array(model.operating_point))).max())
    if np.isfinite(limits).all():
        return 0.25 * duration * float(limits.min()) / inertia
    loop = asked(law).loop(model)
    return loop.slowest() / loop.sample


def _sweeps(
    craft: "Spacecraft", law: Any, model: "LinearModel", margins: "MarginConfirmation", blocks: "tuple[Block, ...]"
) -> "list[MarginSweep]":
    from ... import sim

    if craft.torques.internal:
        return []  # a sweep would have to change the wheels along with the craft
    at = np.array(model.operating_point)
    found = [sim.inertia_sweep(craft, law, factors=np.geomspace(0.25, 4.0, 7), state=at, blocks=blocks)]
    together = [row.predicted for row in margins.rows if row.input == "all"]
    if together:  # a loop with hundreds of commands under way has as many states
        reach = min(0.9 * together[0], MOST_UNDER_WAY * law.sample)
        found.append(sim.delay_sweep(model, law, delays=law.delay + reach * np.linspace(0.0, 1.0, 6), blocks=blocks))
    rigid = not (craft.elements or craft.potentials or craft.efforts or craft.translation or blocks)
    if rigid and craft.torques.name == "body" and not craft.rate(at).any():
        values, axes = np.linalg.eigh(craft.body.inertia)
        loop = asked(law).loop(model)
        pace = loop.slowest() / loop.sample
        found.append(
            sim.spin_sweep(craft, law, axis=axes[:, int(np.argmax(values))], rates=pace * np.linspace(0, 2, 9))
        )
    return found
