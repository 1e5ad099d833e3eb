"""Residual vibration against known amplitudes."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.flexible import Arm, BeamSection
from polhode.plant.linear.vibration.elastic import elastic_modes
from polhode.sim.analysis.residual_vibration import _most

SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=5.2e-7,
    youngs_modulus=7.17e8,
    shear_modulus=2.68e8,
    density=2.8e3,
)
ARMS = [
    Arm(section=SECTION, length=2.0, elements=1, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
]  # Choi (2014), chapter 4, with a hundredth of the modulus: a tenth of all frequencies
CRAFT = plant.Spacecraft(plant.RigidBody(0.149 * np.eye(3), mass=22.4), elements=ARMS)
STEP = 1e-3


def excited():
    """Modes that a torque of 1 N m about y on the hub excites: frequency, tip deflection, twice the energy.

    The static deflection of a mode is (rotation of the hub) x (deflection of the tip) / w^2, and its energy half of
    the square of (rotation of the hub) / w.
    """
    modes = elastic_modes(CRAFT)
    assert modes is not None
    turn = modes.shapes[4]
    bent = modes.shapes[6 + 1 + 2] - (modes.shapes[2] - 2.1 * turn)  # omega x r of a rigid arm: -2.1 omega_y along z
    chosen = (modes.frequencies > 0.1) & (np.abs(turn) > 1e-3)
    w, each = modes.frequencies[chosen], (turn * bent)[chosen]
    pairs = sorted({round(float(value), 3) for value in w})  # two modes of the same frequency, one in each plane
    alike = [np.abs(w - pair) < 1e-2 for pair in pairs]
    work = turn[chosen] ** 2 / w**2
    return [
        (p, float((each / w**2)[same].sum()), float(work[same].sum())) for p, same in zip(pairs, alike, strict=True)
    ]


def flown(*, shape, torque, stop, output_step, duration=None, **more):
    pulse = plant.TorquePulse((0, torque, 0), start=0.0, stop=stop, shape=shape)
    given = {"integrator": "rk8", "step": STEP, "torques": [pulse], "output_step": output_step} | more
    return sim.simulate(CRAFT, duration=duration or stop + 2.0, **given)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("periods", [2.0, 2.5])
@pytest.mark.parametrize("output_step", [1e-3, 0.05, 0.3])
def test_torque_switched_off_leaves_its_static_deflection_vibrating(periods, output_step):
    """After a constant torque for a time T every mode has the amplitude 2 a |sin(w T/2)|, a its static deflection."""
    modes = excited()
    stop = periods * 2.0 * np.pi / modes[0][0]
    run = flown(shape="constant", torque=0.01, stop=stop, output_step=output_step)
    expected = sum(abs(0.02 * a * np.sin(w * stop / 2.0)) for w, a, _ in modes)
    found = sim.residual_vibration(run, after=stop)
    assert found.tip_deflection == pytest.approx([expected] * 2, rel=0.06)  # the modes, when they meet
    energy = sum(0.5 * work * (0.02 * np.sin(w * stop / 2.0)) ** 2 for w, _, work in modes)
    assert found.strain_energy == pytest.approx(energy, rel=0.06)


def test_slow_deflection_is_no_vibration():
    """A raised cosine leaves a W^2/(w^2 - W^2) |sin(w T/2)| of each mode, W = 2 pi/T, after a larger deflection."""
    stop = 4.0
    run = flown(shape="raised-cosine", torque=0.15, stop=stop, output_step=0.01)
    W = 2.0 * np.pi / stop
    left = sum(abs(0.15 * a * W**2 / (w**2 - W**2) * np.sin(w * stop / 2.0)) for w, a, _ in excited())
    bending = float(np.abs(run.values("tip_deflection")[:, 0, 2]).max())
    assert left < 0.02 * bending
    assert sim.residual_vibration(run, after=stop).tip_deflection == pytest.approx([left] * 2, rel=0.05)


def test_run_from_file_says_same(tmp_path):
    run = flown(shape="constant", torque=0.01, stop=0.4, output_step=0.05)
    loaded = sim.load(run.save(tmp_path / "run.nc"), craft=CRAFT)
    one, two = (sim.residual_vibration(each, after=0.4) for each in (run, loaded))
    np.testing.assert_array_equal(one.tip_deflection, two.tip_deflection)
    assert one.strain_energy == two.strain_energy


def test_most_of_every_stretch():
    rng = np.random.default_rng(3)
    table = rng.normal(size=(40, 2))
    begin = rng.integers(0, 20, size=30)
    end = begin + rng.integers(1, 20, size=30)
    expected = [table[i:j].max(axis=0) for i, j in zip(begin, end, strict=True)]
    np.testing.assert_array_equal(_most(table, begin, end), expected)


def test_residual_vibration_refuses_bad_input():
    run = flown(shape="constant", torque=0.01, stop=0.4, output_step=0.5)
    with pytest.raises(plant.InputError, match=r"needs one period of the slowest elastic mode, 0\.7\d* s, after 2 s"):
        sim.residual_vibration(run, after=2.0)
    with pytest.raises(plant.InputError, match=r"up to 0\.5 s apart: use an output step below 0\.3\d* s"):
        sim.residual_vibration(run, after=0.0)
    rigid = sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0)
    with pytest.raises(plant.InputError, match="needs flexible arms, and the spacecraft of this run has none"):
        sim.residual_vibration(rigid, after=0.0)
