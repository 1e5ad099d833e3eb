# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Evaluation times of loads in a step, strictly between its ends.

A load of the user's own may jump at a breakpoint, and integration is split there. A stage at the very end of the
step would see the load of the other side, and cost the method its order; so the first and last stage look a few
units in the last place inside, which no smooth load can tell from the end itself.
"""

from ...plant.kernels.kernel import kernel

__all__ = ["close_to", "stage_times"]


@kernel(inline=True)
def close_to(t):
    """Largest difference of two times that count as equal: four units in the last place."""
    return 8.9e-16 * abs(t)


@kernel(inline=True)
def stage_times(t, h):
    """The first and the last time of the step from t to t + h, moved inside by more than two times may merge."""
    margin = min(2.0 * close_to(t + h), 0.25 * h)
    return t + margin, t + h - margin
