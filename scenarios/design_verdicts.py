"""Whether a designed law keeps what its case requires: it is flown once and measured."""

from typing import TYPE_CHECKING

from .margin_metrics import MARGINS, margin_metrics
from .metrics import Metric, measure
from .problem import build
from .progress import progress
from .requirements import Verdict, judge
from .schema import Case, SatelliteCase

if TYPE_CHECKING:
    from ..controllers import LoopAnalysis
    from ..sim import Run
    from .schema.controller import ControllerTable

__all__ = ["fly", "satellite_verdicts_of", "verdicts_of"]


def fly(case: Case, *, name: str) -> "Run":
    """Run a case under its law, with progress.

    Parameters
    ----------
    case : Case
        A case with a controller.
    name : str
        For the progress bar.

    Returns
    -------
    Run
        The run.
    """
    from ..sim import simulate

    problem = build(case)
    with progress(name) as show:
        return simulate(
            problem.craft,
            problem.law,
            state=problem.state,
            reference=problem.reference,
            torques=problem.pulses,
            progress=show,
            **problem.settings,
        )


def verdicts_of(
    case: Case, analysis: "LoopAnalysis | None", *, name: str, reason: str = ""
) -> tuple[tuple[Verdict, ...], tuple[str, ...]]:
    """Return what became of each requirement of a case under its law, and what its run warned of.

    Parameters
    ----------
    case : Case
        A case with a controller.
    analysis : LoopAnalysis or None
        Of its loop, for requirements on margins.
    name : str
        For the progress bar.
    reason : str
        Why there is no analysis.

    Returns
    -------
    tuple of Verdict, tuple of str
        Both empty when the case requires nothing; then nothing is flown.
    """
    if not case.require:
        return (), ()
    run = fly(case, name=name)
    metrics = measure(run, settling_band_deg=case.metrics.settling_band_deg)
    if analysis is None:
        metrics |= dict.fromkeys(MARGINS, Metric(None, reason))
    else:
        metrics |= margin_metrics(analysis)
    return judge(case.require, metrics), run.warnings


def satellite_verdicts_of(case: SatelliteCase, controller: "ControllerTable | None") -> tuple[Verdict, ...]:
    """Return what became of each requirement of a flexible satellite under a law.

    Parameters
    ----------
    case : SatelliteCase
        The case.
    controller : table or None
        The law, perhaps another than that of the case.

    Returns
    -------
    tuple of Verdict
        Empty when the case requires nothing; then nothing is flown.
    """
    from .flexible.flight import fly as fly_satellite
    from .flexible.metrics import measure_flight

    if not case.require:
        return ()
    flight = fly_satellite(case.model_copy(update={"controller": controller}), ())
    return judge(case.require, measure_flight(flight))
