"""Quantities of flexible arms against figures of another program and against the states."""

import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.attitude import rotation_matrix
from polhode.plant.flexible import Arm, BeamSection

HUB = plant.RigidBody(((14.0, 0.5, 0.2), (0.5, 11.0, -0.3), (0.2, -0.3, 9.0)), mass=60.0)
SECTION = BeamSection(
    area=1e-3, second_moment_m=8e-9, second_moment_n=2e-8, youngs_modulus=7e6, shear_modulus=2.6e6, density=2700.0
)
ARMS = (
    Arm(section=SECTION, length=2.0, elements=2, direction=(1, 0.2, 0.1), root=(0.4, 0, 0.1), tip_mass=0.5),
    Arm(section=SECTION, length=1.5, elements=1, direction=(-1, 0.3, 0.2), root=(-0.3, 0.1, 0)),
)
GIVEN = {"rate": (0.1, 0.5, 0.2), "duration": 0.5, "step": 2.5e-4, "output_step": 0.01}


@pytest.fixture(scope="module")
def run():
    pulse = plant.TorquePulse((4, 2, -2), start=0.05, stop=0.25, shape="raised-cosine")
    craft = plant.Spacecraft(HUB, elements=ARMS, translation=True)
    return sim.simulate(craft, integrator="rk8", torques=[pulse], velocity=(0.1, -0.2, 0.3), **GIVEN)


ELSEWHERE = {
    "rate": [[0.129139161096, 0.5141053142633, 0.1901852978598], [0.1369759140472, 0.5145655939674, 0.2041594339131]],
    "torque": [[2.0, 1.0, -1.0], [0.0, 0.0, 0.0]],
    "energy": [9.3608348509353, 9.3714839589394],
    "tip_deflection": [
        [[0.0003099708723, -0.0045419629642, -0.0001669792216], [0.0001598214099, -0.000969958832, 0.0027848798152]],
        [[-0.0002724266773, -0.0291920163726, 8.89184397e-05], [-1.99655173e-05, -0.0061495037749, 0.0189941323252]],
    ],
    "tip_deflection_lowest": [
        [[0.0001635701549, -0.0045419629642, -0.0002447547967], [0.0001598214099, -0.000969958832, 0.0023784447971]],
        [[-0.0002724266773, -0.0291920163726, 8.89184397e-05], [-7.59262182e-05, -0.0061495037749, 0.0183512706934]],
    ],
    "tip_deflection_highest": [
        [[0.0003099708723, -0.0043131779655, -0.0001669792216], [0.0002278403614, -0.0007875942028, 0.0027848798152]],
        [[-0.0002394775431, -0.0277683457342, 0.0001660579099], [-1.99655173e-05, -0.005995664158, 0.0189941323252]],
    ],
    "tip_across_highest": [[0.0045450313122, 0.0029489618039], [0.0291921517944, 0.0199648055203]],
    "hub_position": [
        [-0.0456418489694, -0.0777522207107, 0.0403496307005],
        [-0.0157585587415, -0.1396404372762, 0.1395535524576],
    ],
    "position": [[0.02, -0.04, 0.06], [0.05, -0.1, 0.15]],
}
"""The same flight at 0.2 and 0.5 s by a program of its own, whose states are the place of the hub and of all nodes in
inertial space and which solves for all velocities at once; steps of order 8, 0.25 ms."""
STRAIN = [0.00029587730905, 0.00053562915013]
ABOUT_ORIGIN = [[1.597431076894, 15.286860751797, 5.100113255726], [1.630823835642, 15.306971478448, 5.07863978282]]
LINEAR = [[6.995, -13.99, 20.985], [6.995, -13.99, 20.985]]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_another_program_says_the_same(run, name):
    np.testing.assert_array_equal(run.t[[20, 50]], (0.2, 0.5))
    np.testing.assert_allclose(run.values(name)[[20, 50]], ELSEWHERE[name], rtol=0, atol=1e-12)


def test_energy_and_momentum_are_those_of_another_program(run):
    np.testing.assert_allclose(run.values("strain_energy")[[20, 50]].sum(axis=1), STRAIN, rtol=0, atol=1e-13)
    linear = run.values("linear_momentum")
    about_origin = run.values("inertial_momentum") + np.cross(run.values("position"), linear)
    np.testing.assert_allclose(about_origin[[20, 50]], ABOUT_ORIGIN, rtol=0, atol=2e-12)
    np.testing.assert_allclose(linear[[20, 50]], LINEAR, rtol=0, atol=2e-12)


def test_tips_are_where_the_states_say(run):
    """From the positions of the last nodes in the state, which are measured from the hub's mass centre."""
    R, layout = rotation_matrix(run.values("attitude")), run.craft.layout
    at = layout.own.start
    for n, arm in enumerate(ARMS):
        last = at + 1 + 8 * (arm.elements - 1)
        root, straight = np.asarray(arm.root), arm.length * np.asarray(arm.direction)
        local = np.einsum("tji,tj->ti", R, run.x[:, last : last + 3]) - root - straight
        np.testing.assert_allclose(run.values("tip_deflection")[:, n], local @ arm.frame, rtol=0, atol=1e-14)
        across = np.hypot(*(local @ arm.frame)[:, 1:].T)
        np.testing.assert_allclose(run.values("tip_across")[:, n], across, rtol=0, atol=1e-14)
        at += len(arm.states)


def test_between_rows_is_what_more_rows_show(run):
    coarse = sim.simulate(run.craft, state=run.states[0], integrator="rk8", duration=0.2, step=2.5e-4, output_step=0.05)
    fine = sim.simulate(run.craft, state=run.states[0], integrator="rk8", duration=0.2, step=2.5e-4, output_step=2.5e-4)
    for name in ("tip_deflection", "tip_across", "strain_energy"):
        values = fine.values(name)
        for row in range(1, coarse.t.size):
            inside = values[200 * (row - 1) : 200 * row + 1]
            np.testing.assert_allclose(coarse.values(f"{name}_lowest")[row], inside.min(axis=0), rtol=0, atol=1e-14)
            np.testing.assert_allclose(coarse.values(f"{name}_highest")[row], inside.max(axis=0), rtol=0, atol=1e-14)


def test_labels_units_and_files(run, tmp_path):
    tip = run["tip_deflection"]
    assert tip.dims == ("time", "arm", "arm_axis")
    assert tip.attrs["units"] == "m"
    assert list(tip.coords["arm"].values) == ["arm_1", "arm_2"]
    assert list(tip.coords["arm_axis"].values) == ["l", "m", "n"]
    assert run.components("tip_deflection")[0] == tuple(f"arm_{n}_{axis}" for n in (1, 2) for axis in "lmn")
    assert run["strain_energy_highest"].dims == ("time", "arm")
    loaded = sim.load(run.save(tmp_path / "run.nc"))
    assert set(loaded.names) == set(run.names)
    for name in run.names:
        assert loaded[name].identical(run[name]), name
        assert loaded.components(name) == run.components(name)
    assert run.to_dataset()["tip_across_highest"].sizes == {"time": 51, "arm": 2}
    assert len(run.plot("tip_deflection").axes[0].get_lines()) == 6


def test_names_appear_where_they_apply(run):
    assert not {"internal", "internal_rate", "internal_momentum", "hub_torque"} & {*run.names}
    rigid = sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0)
    assert not {"tip_deflection", "strain_energy", "hub_position", "linear_momentum"} & {*rigid.names}
    with pytest.raises(plant.InputError, match="needs a free spacecraft with elements that move mass"):
        rigid.values("hub_position")


def test_signals_are_told_in_the_order_of_the_rows():
    """Arms come after the other elements in the engine, for any order of elements."""
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.05, motor_torque=0.3)
    found = [
        sim.simulate(plant.Spacecraft(HUB, elements=elements), rate=(0.1, 0.5, 0.2), duration=0.01, output_step=0.005)
        for elements in ([wheel, ARMS[1]], [ARMS[1], wheel])
    ]
    for run in found:
        np.testing.assert_array_equal(run.values("motor_torque"), 0.3)
    np.testing.assert_allclose(found[0].values("tip_deflection"), found[1].values("tip_deflection"), atol=1e-15)


def test_hub_recoils_where_craft_does_not_translate(run):
    craft = plant.Spacecraft(HUB, elements=ARMS)
    still = sim.simulate(craft, integrator="rk8", **GIVEN)
    moved = plant.Spacecraft(HUB, elements=ARMS, translation=True)
    moving = sim.simulate(moved, position=(1, 2, 3), integrator="rk8", **GIVEN)
    apart = moving.values("hub_position") - moving.values("position")
    np.testing.assert_allclose(still.values("hub_position"), apart, rtol=0, atol=1e-14)
    assert np.ptp(apart, axis=0).max() > 1e-3
