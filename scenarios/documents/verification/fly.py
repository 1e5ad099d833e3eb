"""Run of a shipped case for the verification table."""

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
    """States of a run at requested times.

    t (n,).
    x (n, nx): states.
    rate (n, 3): body rate, rad/s.
    status: status of the run.
    end: its end, s.
    """

    t: Array
    x: Array
    rate: Array
    status: str
    end: float


def fly(name: str, times: tuple[float, ...], *, amplification_limit: float | None = None) -> Flown:
    """Return the run of a shipped case at some times.

    name: the case.
    times: s, ascending; the run ends at the last time, or with the duration of the case if there are none.
    amplification_limit: amplification at which a run ends as singular, in place of that of the case.
    -> the states there.
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
