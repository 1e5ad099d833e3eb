# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Evaluation times of loads in a step, strictly between its ends.

A user-defined load may jump at a breakpoint, and integration is split there. A stage at the very end of the step would
evaluate the load of the other side, and reduce the order of the method. The first and last stage are therefore
evaluated a few units in the last place inside, which no smooth load can distinguish from the end itself.
"""

from ....plant.kernels.kernel import kernel


@kernel(inline=True)
def close_to(t):
    """Largest difference of two times that count as equal: four units in the last place."""
    return 8.9e-16 * abs(t)


@kernel(inline=True)
def stage_times(t, h):
    """The first and the last time of the step from t to t + h, moved inside by more than equal times differ."""
    margin = min(2.0 * close_to(t + h), 0.25 * h)
    return t + margin, t + h - margin
