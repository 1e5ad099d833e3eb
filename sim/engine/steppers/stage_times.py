# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Evaluation times of loads, strictly between the ends of a step.

A user-defined load may jump at a breakpoint, at which integration is split. A stage at the very end of the step would
evaluate the load on the other side of the jump, and reduce the order of the method. Therefore the first and last stages
are evaluated inside the step, a few units in the last place from its ends, which makes no difference for a smooth load.
"""

from ....plant.kernels.kernel import kernel


@kernel(inline=True)
def close_to(t):
    """Return the largest difference of times that count as equal: four units in the last place."""
    return 8.9e-16 * abs(t)


@kernel(inline=True)
def stage_times(t, h):
    """Return the first and last evaluation times of the step from t to t + h, slightly inside its ends."""
    margin = min(2.0 * close_to(t + h), 0.25 * h)
    return t + margin, t + h - margin
