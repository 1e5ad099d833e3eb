"""The exact motion as a kernel is that of `FreeMotion`, in every regime."""

import numpy as np
import pytest

from polhode.plant.attitude.free_motion import FreeMotion
from polhode.sim.engine.steppers.elliptic_state import SPARE, elliptic_constants, elliptic_state

TENSOR = ((4.0, 0.3, -0.2), (0.3, 3.0, 0.1), (-0.2, 0.1, 2.0))
MIDDLE = float(np.sqrt((1 / 3.1 - 1 / 4) / (1 / 2 - 1 / 3.1)))  # h_3 / h_1 on the separatrix of (4, 3.1, 2)
STARTS = [
    ((4.0, 3.1, 2.0), (1.0, 0.3, -0.2), "major"),
    ((4.0, 3.1, 2.0), (0.2, -0.3, 1.0), "minor"),
    (TENSOR, (1.0, -0.3, 0.2), "major"),
    ((3.0, 3.0, 2.0), (0.4, 0.1, -0.9), "minor"),
    ((3.0, 2.0, 2.0), (0.4, 0.1, -0.9), "major"),
    ((4.0, 3.999999, 2.0), (0.4, 0.1, -0.9), "minor"),
    ((2.0, 2.0, 2.0), (0.4, 0.1, -0.9), "steady"),
    ((4.0, 3.1, 2.0), (0.0, 1.0, 0.0), "steady"),
    ((4.0, 3.1, 2.0), (0.0, 0.0, 0.0), "steady"),
    ((4.0, 3.1, 2.0), (1.0, 0.3, MIDDLE), "separatrix"),
    ((4.0, 3.1, 2.0), (1.0, 0.3, MIDDLE * (1.0 + 1e-9)), "minor"),
    ((4.0, 3.1, 2.0), (1.0, 0.3, MIDDLE * (1.0 - 1e-9)), "major"),
]


@pytest.mark.parametrize(("inertia", "momentum", "regime"), STARTS)
def test_every_regime(inertia, momentum, regime):
    motion = FreeMotion(inertia, momentum=momentum, attitude=(0.5, 0.5, -0.5, 0.5))
    assert motion.regime == regime
    q, spare, y = elliptic_constants(motion), np.zeros(SPARE), np.zeros(7)
    for t in (0.0, 0.3, 7.7, -3.0, 41.0, 1000.0):
        elliptic_state(t, q, spare, y)
        # rounding of some hundred radians
        np.testing.assert_allclose(y[:3], motion.momentum(t), rtol=0, atol=3e-13)
        e = motion.attitude(t)
        np.testing.assert_allclose(y[3:] * np.sign(y[3:] @ e), e, rtol=0, atol=3e-13)
