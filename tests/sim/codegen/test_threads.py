"""Several threads in one library simultaneously: no call writes data of the library."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.codegen.library import has_library

THREADS = 8

pytestmark = pytest.mark.skipif(not has_library(), reason="no C compiler on this machine")


def test_eight_threads_run_as_one_does():
    body = plant.RigidBody(inertia=(400.0, 307.8, 200.0))
    craft = plant.Spacecraft(body, torques=plant.TorqueBasis("body", limit=1.0))
    law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    together = Barrier(THREADS)

    def rows(n: int, barrier: Barrier | None = None) -> bytes:
        if barrier is not None:
            barrier.wait()
        attitude = plant.attitude.from_euler_angles(np.radians((60.0, -20.0, 10.0 * n)), "3-2-1")
        run = sim.simulate(craft, law, attitude=attitude, duration=20.0)
        return np.asarray(run.x).tobytes() + np.asarray(run["torque"]).tobytes()

    expected = [rows(n) for n in range(THREADS)]
    assert len(set(expected)) == THREADS
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(rows, range(THREADS), [together] * THREADS)) == expected
