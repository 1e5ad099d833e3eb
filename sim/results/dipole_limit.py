"""Warning about magnetorquers of a periodic law at their dipole limit, which the torque of the run does not show."""

from typing import TYPE_CHECKING

import numpy as np

from ...controllers import PeriodicDipoleFeedback

if TYPE_CHECKING:
    from .run import Run

LONG = 0.05  # fraction of the rows
MOST_ROWS = 400  # rows at which the reference is evaluated


def dipole_limit(run: "Run") -> list[str]:
    """Return a sentence if the demanded dipole of a periodic law exceeded its limit in many rows.

    The demand is computed from the true attitude and rate, also if the law reads an estimate.
    """
    law, reference = run.law, run.reference
    if not isinstance(law, PeriodicDipoleFeedback) or reference is None or not run.t.size:
        return []
    rows = np.unique(np.linspace(0, run.t.size - 1, min(run.t.size, MOST_ROWS)).astype(np.intp))
    t = np.asarray(run.t)[rows]
    states = np.hstack((run.values("attitude")[rows], run.values("rate")[rows]))
    references = np.array([reference.at(float(each))[:7] for each in t])
    demanded = np.abs(law.demanded_dipoles(t, states, references=references))
    beyond = (demanded > np.broadcast_to(law.dipole_limit, (3,))).any(axis=1)
    share = float(beyond.mean())
    if not share > LONG:
        return []
    words = (
        f"the demanded dipole exceeds its limit at {100.0 * share:.0f} % of the rows, up to {demanded.max():.3g} "
        "A m^2; the Floquet multipliers do not contain the limit: lower the weights on attitude and rate, or start "
        "closer to the reference"
    )
    return [words]
