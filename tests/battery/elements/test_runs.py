"""Elements in the engine: compiled and plain the same, momentum and energy kept in a run."""

import numpy as np
import pytest

from polhode import sim
from polhode.plant.attitude import rotation_matrix

TOGETHER = ("ring", "wheel", "spherical pendulum", "slider", "modes", "own kind", "wheel")


def test_compiled_is_plain(make_kit, one_kind):
    for support in ("translating", "pivoted"):
        kit = make_kit([one_kind], support, seed=2)
        runs = [
            sim.simulate(kit.craft, state=kit.x, duration=0.5, integrator="rk4", step=0.05, at=[0.5], compiled=compiled)
            for compiled in (True, False)
        ]
        assert [run.status for run in runs] == ["completed"] * 2
        fast, slow = (run.states[-1] for run in runs)
        # 40 evaluations of some hundred operations, in another order where the compiler contracts them
        np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12 * np.abs(slow).max())


@pytest.mark.parametrize("together", [False, True], ids=["alone", "together"])
def test_momentum_and_energy_in_a_run(make_kit, one_kind, together):
    kinds = [one_kind, *TOGETHER] if together else [one_kind]
    kit = make_kit(kinds, "free", seed=4)
    n = kit.craft.layout.size
    run = sim.simulate(kit.craft, state=kit.x, duration=4.0, output=0.5, rtol=1e-13)
    assert run.status == "completed"
    momentum = np.array([rotation_matrix(x[3:7]) @ x[:3] for x in run.states])
    size = np.linalg.norm(momentum[0])
    assert np.abs(momentum - momentum[0]).max() < 1e-12 * max(1.0, size)
    energies = np.array([kit.craft.energy(x[:n]) for x in run.states])
    # DOP853 at rtol 1e-13: some ten to a hundred steps' worth of the energy, most of it in the wheels
    assert np.abs(energies - energies[0] - run.states[:, -4]).max() < 3e-11 * energies[0]
    assert np.ptp(energies) > 1e-4 * energies[0]  # friction did something
