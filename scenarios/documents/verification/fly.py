"""Simulation of shipped cases for the verification table."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.frozen import frozen_results
from ...case.kinds.problem import build
from ...case.loader import load_case

Array = NDArray[np.float64]


@frozen_results
@dataclass(frozen=True, eq=False, kw_only=True)
class Flown:
    """State vectors of a run at requested times.

    t (n,): times, s.
    x (n, nx): state vectors.
    rate (n, 3): body rates, rad/s.
    status: status of the run.
    end: time at which the run ended, s.
    """

    t: Array
    x: Array
    rate: Array
    status: str
    end: float


def fly(name: str, times: tuple[float, ...], *, amplification_limit: float | None = None) -> Flown:
    """Simulate a shipped case and return its state vectors at some times.

    name: name of the case.
    times: ascending, s. The run ends at the last of these times, or after the duration of the case if there are none.
    amplification_limit: amplification at which the run ends as singular; by default the limit in the case.
    """
    from ....sim import simulate

    problem = build(load_case(name).case)
    settings: dict[str, Any] = dict(problem.settings)
    if amplification_limit is not None:
        settings["amplification_limit"] = amplification_limit
    if times:
        settings["duration"] = max(times)
        settings["output_step"] = max(times)
    run = simulate(
        problem.craft,
        problem.law,
        state=problem.state,
        reference=problem.reference,
        torques=problem.pulses,
        output_times=times or None,
        **settings,
    )
    rows = [int(np.abs(run.t - time).argmin()) for time in times]
    rate = run.values("rate")[rows]
    return Flown(t=run.t[rows], x=run.x[rows], rate=rate, status=run.status, end=float(run.t[-1]))
