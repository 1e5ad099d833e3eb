# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Solution of Kepler's equation for an ellipse, E - e sin E = M."""

import math

from ...plant.kernels.kernel import kernel


@kernel
def eccentric_anomaly(mean, e):
    """Return E in [-pi, pi] for M reduced by full revolutions, and -1 if their number is odd, else 1.

    On [0, pi], E - e sin E - M is convex, so Newton's iteration from an upper bound, the smallest of pi, M + e and
    M/(1 - e), converges monotonically without overshoot. The iteration stops when only rounding errors remain. A final
    step uses M as passed, which may be complex, and thus propagates the imaginary part of M.
    """
    turns = math.floor(mean.real / (2.0 * math.pi) + 0.5)
    mean = mean - 2.0 * math.pi * turns
    size = abs(mean.real)
    bound = min(math.pi, size + e, size / (1.0 - e))
    for _ in range(100):
        lower = bound - (bound - e * math.sin(bound) - size) / (1.0 - e * math.cos(bound))
        if not lower < bound:
            break
        bound = lower
    root = bound if mean.real >= 0.0 else -bound
    anomaly = root + (mean - root + e * math.sin(root)) / (1.0 - e * math.cos(root))
    return anomaly, 1.0 - 2.0 * (turns % 2)
