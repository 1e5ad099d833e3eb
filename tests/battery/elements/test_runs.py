"""Elements in the engine: compiled and plain runs agree, and momentum and energy are conserved."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.controllers import Block, Clock, Signal
from polhode.plant.attitude import rotation_matrix

TOGETHER = ("ring", "wheel", "spherical pendulum", "slider", "modes", "own kind", "wheel")


def test_compiled_is_plain(make_kit, one_kind):
    for support in ("translating", "pivoted"):
        kit = make_kit([one_kind], support, seed=2)
        runs = [
            sim.simulate(
                kit.craft, state=kit.x, duration=0.5, integrator="rk4", step=0.05, output_times=[0.5], compiled=compiled
            )
            for compiled in (True, False)
        ]
        assert [run.status for run in runs] == ["completed"] * 2
        fast, slow = (run.states[-1] for run in runs)
        # 40 evaluations of some hundred operations, in a different order if the compiler contracts products
        np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12 * np.abs(slow).max())


def test_coordinate_efforts_enter_energy_and_momentum_balances(make_kit, one_kind):
    """Forces by pulses and by a block on all coordinates: equal motion, two equal ledgers, no change of momentum."""
    kit = make_kit([one_kind, "wheel"], "free", seed=4)
    names = kit.craft.layout.coordinates[: -1 if one_kind != "wheel" else None]
    sizes = [0.3 + 0.1 * k for k in range(len(names))]
    given = {"state": kit.x, "duration": 2.0, "output_step": 0.5, "rtol": 1e-13}
    pulses = [plant.TorquePulse(f, start=0.0, stop=9.0, coordinate=name) for f, name in zip(sizes, names, strict=True)]
    units = plant.hub.actuated_coordinates.actuated_coordinates(kit.craft)
    blocks = [
        Block(
            lambda t, y, f=f: [f],
            reads=f"{name}_rate",
            writes={f"f{k}": Signal(role="torque", coordinates=name)},
            clock=Clock(0.5),
            compiled=False,
        )
        for k, (f, name) in enumerate(zip(sizes, names, strict=True))
    ]
    runs = [sim.simulate(kit.craft, torques=pulses, **given), sim.simulate(kit.craft, blocks=blocks, **given)]
    # both by dop853, whose steps end at the samples of the block
    np.testing.assert_allclose(runs[0].states, runs[1].states, rtol=0, atol=1e-10 * np.abs(runs[0].states).max())
    for run in runs:
        assert run.status == "completed"
        scale = np.abs(run.values("energy")).max()
        assert np.abs(run.values("energy_balance")).max() < 3e-11 * scale
        assert np.abs(run.values("momentum_balance")).max() < 1e-12 * max(1.0, float(np.abs(kit.x[:3]).max()))
        assert not run.states[:, -3:].any()  # no impulse
        assert not run.values("torque").any()
    quiet = sim.simulate(kit.craft, **given)
    assert np.abs(quiet.states - runs[0].states).max() > 1e-3
    assert [runs[1][f"f{k}"].attrs["units"] for k in range(len(names))] == [units[name].unit for name in names]


@pytest.mark.parametrize("together", [False, True], ids=["alone", "together"])
def test_momentum_and_energy_in_a_run(make_kit, one_kind, together):
    kinds = [one_kind, *TOGETHER] if together else [one_kind]
    kit = make_kit(kinds, "free", seed=4)
    n = kit.craft.layout.size
    run = sim.simulate(kit.craft, state=kit.x, duration=4.0, output_step=0.5, rtol=1e-13)
    assert run.status == "completed"
    momentum = np.array([rotation_matrix(x[3:7]) @ x[:3] for x in run.states])
    size = np.linalg.norm(momentum[0])
    assert np.abs(momentum - momentum[0]).max() < 1e-12 * max(1.0, size)
    energies = np.array([kit.craft.energy(x[:n]) for x in run.states])
    # DOP853 at rtol 1e-13: some ten to a hundred step errors of the energy, most of it in the wheels
    assert np.abs(energies - energies[0] - run.states[:, -4]).max() < 3e-11 * energies[0]
    if kit.rayleigh(kit.craft.initial_coordinates, np.concatenate([kit.rate, kit.craft.initial_rates])) > 0.0:
        assert np.ptp(energies) > 1e-4 * energies[0]  # friction dissipated energy
