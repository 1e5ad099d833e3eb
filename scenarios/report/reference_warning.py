"""Warning when a planned motion outlasts the run or needs more torque than is available."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ...sim import Run


def unkept_plan(run: "Run", duration: float) -> list[str]:
    """Return warnings about a slew or spin-up that cannot follow its plan.

    duration: planned duration of the run, s. Returns one sentence for a motion that ends after the run, and one for a
    slew whose torque, with the elements locked at their initial state, exceeds the torque limits of the plant about
    body axes.
    """
    plan: Any = run.reference
    what = getattr(plan, "manoeuvre", "")  # empty unless the motion has a start and an end
    if not what:
        return []
    found: list[str] = []
    end = plan.begin + plan.duration
    if end > duration:
        found.append(f"reference: the {what} ends at {end:.6g} s, after the run of {duration:g} s")
    torques = run.craft.torques
    if hasattr(plan, "peak_torque") and run.law is not None and torques.name == "body" and torques.limit is not None:
        needed = plan.peak_torque(run.craft.locked_inertia(run.start[: run.craft.layout.size]))
        limits = np.max([each.limits() for each in run.craft.ports.values()], axis=0)
        worst = int((needed / limits).argmax())
        if needed[worst] > limits[worst] * (1.0 + 1e-9):
            found.append(
                f"reference: the slew requires {needed[worst]:.4g} N m about body axis {worst + 1}, more than the "
                f"limit of {limits[worst]:g} N m; set a lower torque_limit_N_m in [reference]"
            )
    return found
