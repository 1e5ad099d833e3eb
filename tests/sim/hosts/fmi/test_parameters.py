"""Parameters of an FMU: each sets the value of a spacecraft that is created with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant import RigidBody
from polhode.plant.quantity import NUMBER, declared, quantity
from polhode.sim.codegen.toolchain import c_compiler
from polhode.sim.hosts.fmi.export import export_fmu, flown_unit
from polhode.sim.hosts.fmi.parameters import Parameters
from polhode.sim.hosts.fmi.unit import Unit

J = np.array([[4.0, 0.1, 0.0], [0.1, 3.0, -0.2], [0.0, -0.2, 2.5]])
RING = plant.RingDamper(axis=(0, 0, 1), mass=0.2, radius=0.3, friction=0.2)
WHEELS = plant.wheel_array(np.eye(3), inertia=0.05, torque_limit=0.2, minimum_torque=0.01)
SLOSH = plant.Pendulum(hinge=(0, 0, 0.1), length=0.3, mass=0.2, direction=(1, 0, 0))
CRAFTS = {
    "body": plant.Spacecraft(RigidBody(J)),
    "ring": plant.Spacecraft(RigidBody(J, mass=10.0), elements=[RING], translation=True),
    "wheels": plant.Spacecraft(RigidBody(J), elements=WHEELS, torques=plant.TorqueBasis("body", internal=True)),
    "company": plant.Spacecraft(
        RigidBody(J, mass=10.0),
        elements=[replace(RING, fill=2.0), WHEELS[0], SLOSH],
        torques=plant.TorqueBasis("body", internal=False),
    ),
    "top": plant.Spacecraft(
        RigidBody((3, 3, 1), mass=2.0, pivot=(0, 0, -1)), potentials=[plant.UniformGravity((0, 0, -9.81))]
    ),
}
FLIGHT: dict[str, Any] = {"duration": 5.0, "rate": (0.1, 0.2, 0.4), "integrator": "rk4", "step": 0.05}


def made(name: str) -> tuple[plant.Spacecraft, Unit]:

    craft = CRAFTS[name]
    law = (
        None if name == "top" else controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    )
    return craft, flown_unit(craft, law, FLIGHT)


def offered(parameters: Parameters) -> set[str]:
    return {each.name for each in parameters.all if not each.name.startswith("law_")}


INERTIA = {f"inertia_{axis}" for axis in ("xx", "yy", "zz", "xy", "xz", "yz")}
OF_WHEEL = {"inertia", "friction", "coulomb", "coulomb_rate", "motor_torque", "torque_limit", "minimum_torque"}
OFFERED = {
    "body": INERTIA,
    "ring": INERTIA | {"ring_mass", "ring_friction"},  # proportional to the square of the radius
    "wheels": INERTIA | {f"wheel_{n}_{name}" for n in (1, 2, 3) for name in OF_WHEEL},
    "company": INERTIA
    | {"ring_friction", "pendulum_damping", "pendulum_stiffness", *(f"wheel_{name}" for name in OF_WHEEL)},
    "top": INERTIA,
}


@pytest.mark.parametrize("name", CRAFTS)
def test_fmu_parameters_are_listed(name: str) -> None:
    craft, unit = made(name)
    assert offered(unit.parameters) == OFFERED[name]
    laws = {each.name for each in unit.parameters.all} - OFFERED[name]
    assert laws == set() if name == "top" else {"law_stiffness_1_1", "law_damping_2_3", "law_inertia_3_3"} <= laws
    assert unit.parameters.rates == pytest.approx(FLIGHT["rate"], rel=1e-14)
    if craft.elements:
        assert unit.parameters.relative == pytest.approx(np.zeros(len(craft.layout.coordinates)), abs=1e-15)


def test_bounds_are_those_of_the_craft() -> None:
    found = {each.name: (each.low, each.open) for each in made("wheels")[1].parameters.all}
    assert found["wheel_1_friction"] == (0.0, False)
    assert found["wheel_1_inertia"] == (0.0, True)
    assert found["wheel_1_motor_torque"] == (None, False)
    assert found["law_stiffness_2_2"] == (0.0, True)
    assert found["inertia_xy"] == (None, False)


def test_numbers_that_multiply_each_other_are_not_offered_together() -> None:
    """Each alone is a straight line; a matrix of them would be interpolated wrongly."""

    @declared
    class Product(plant.RingDamper):
        lag: float = quantity("rad", converter=NUMBER, default=0.0, doc="factor of the friction, less 1")

        def pack(self, offset: Any) -> list[float]:
            numbers = list(plant.RingDamper.pack(self, offset))
            numbers[4] = self.friction * self.radius**2 * (1.0 + self.lag)
            return numbers

    craft = plant.Spacecraft(RigidBody(J), elements=[Product(axis=(0, 0, 1), mass=0.2, radius=0.3, friction=0.2)])

    found = offered(flown_unit(craft, None, FLIGHT).parameters) - INERTIA
    assert found == {"ring_mass", "ring_friction"}


def test_implicit_steps_offer_the_whole_inertia_or_none_of_it() -> None:
    """The weights of the iteration scale with the inverse inertia; they do not affect the motion."""
    for craft in (CRAFTS["body"], plant.Spacecraft(RigidBody((2.0, 2.0, 2.0)))):
        parameters = flown_unit(craft, None, {**FLIGHT, "integrator": "gauss6"}).parameters
        assert offered(parameters) == INERTIA
        assert parameters.inertia


def test_limits_of_the_craft_reach_a_law_that_takes_turns() -> None:
    outside = plant.TorqueBasis("body", limit=0.125)
    craft = plant.Spacecraft(
        RigidBody(J), elements=WHEELS, torques=plant.TorqueBasis("body", internal=True), external=outside
    )
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    modes = controllers.Modes([controllers.Mode("point", law, actuators="wheels", unload=5.0, final=True)])
    unit = flown_unit(craft, modes, {**FLIGHT, "blocks": (modes.block(),)})
    assert np.count_nonzero(unit.arrays.q == 0.125) == 3
    assert 0.125 not in np.asarray(modes.parameters)


def states(one: Any) -> np.ndarray:
    return np.array(one.slave.getFloat64([1_000_000 + n for n in range(7)]))


VALUES = {"inertia_xx": 4.5, "inertia_yz": -0.1, "law_stiffness_1_1": 1.7, "law_damping_2_2": 2.0}


@pytest.fixture(scope="module")
def simulate_fmu() -> Any:
    return pytest.importorskip("fmpy", reason="FMPy is in the extra fmi").simulate_fmu


@pytest.mark.slow  # compiling an FMU takes some seconds
@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
@pytest.mark.parametrize("name", ["body", "ring", "wheels"])
def test_fmu_parameters_equal_those_of_a_changed_craft(name: str, tmp_path: Path, simulate_fmu: Any) -> None:
    craft = CRAFTS[name]
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    export_fmu(craft, law, path=tmp_path / "craft.fmu", flight=FLIGHT)
    values: dict[str, float] = {**VALUES, "start_rate_x": 0.3, "start_rate_z": -0.2}
    tensor = J.copy()
    tensor[0, 0], tensor[1, 2], tensor[2, 1] = 4.5, -0.1, -0.1
    elements = list(craft.elements)
    if name == "ring":
        values |= {"ring_mass": 0.35, "ring_friction": 0.0}
        elements = [replace(RING, mass=0.35, friction=0.0)]
    if name == "wheels":
        values |= {"wheel_2_inertia": 0.08, "wheel_2_torque_limit": 0.1, "wheel_3_minimum_torque": 0.1}
        elements[1] = replace(elements[1], inertia=0.08, torque_limit=0.1)
        elements[2] = replace(elements[2], minimum_torque=0.1)
    other = replace(craft, body=RigidBody(tensor, mass=craft.body.mass), elements=tuple(elements))
    stiffness, damping = law.stiffness.copy(), law.damping.copy()
    stiffness[0, 0], damping[1, 1] = 1.7, 2.0
    changed = replace(law, stiffness=stiffness, damping=damping)
    run = sim.simulate(other, changed, **{**FLIGHT, "rate": (0.3, 0.2, -0.2)}, output_step=5.0, ledger=False)
    names = list(craft.layout.names)
    given = {"fmi_type": "CoSimulation", "stop_time": 5.0, "output_interval": 0.1, "output": names}
    found = simulate_fmu(str(tmp_path / "craft.fmu"), start_values=values, **given)
    assert np.array([found[-1][each] for each in names]) == pytest.approx(run.states[-1], rel=1e-11, abs=1e-13)


@pytest.mark.slow  # the same
@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
@pytest.mark.parametrize("fmi", [2, 3])
def test_rate_at_start_goes_with_where_elements_are(fmi: int, tmp_path: Path, simulate_fmu: Any) -> None:
    """The mass matrix of this spacecraft depends on its coordinates: those that the host has set are used."""
    craft = CRAFTS["company"]
    path = tmp_path / "craft.fmu"
    export_fmu(craft, path=path, flight=FLIGHT, fmi=fmi)
    names, turned = list(craft.layout.names), plant.attitude.from_euler_angles((0.3, -0.2, 0.5), "3-2-1")
    placed = dict(zip(craft.layout.coordinates, (0.4, -0.3, 0.2, 0.6), strict=True))
    values = {f"start_rate_{axis}": rate for axis, rate in zip("xyz", (0.3, -0.2, 0.7), strict=True)}
    values |= {**placed, **{f"attitude_{n}": float(e) for n, e in enumerate(turned)}, "inertia_xx": 4.5}
    tensor = J.copy()
    tensor[0, 0] = 4.5
    other = replace(craft, body=RigidBody(tensor, mass=10.0))
    state = other.state(attitude=turned, rate=(0.3, -0.2, 0.7), internal=list(placed.values()))
    run = sim.simulate(other, **{**FLIGHT, "rate": None}, state=state, output_step=5.0, ledger=False)
    given = {"fmi_type": "CoSimulation", "stop_time": 5.0, "output_interval": 0.1, "output": names}
    found = simulate_fmu(str(path), start_values=values, **given)
    assert np.array([found[0][each] for each in names]) == pytest.approx(state, rel=1e-13, abs=1e-13)
    assert np.array([found[-1][each] for each in names]) == pytest.approx(run.states[-1], rel=1e-9, abs=1e-9)


@pytest.mark.slow  # the same
@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
@pytest.mark.parametrize("moves", [False, True])
def test_arms_start_with_the_attitude_and_rate_that_are_set(moves: bool, tmp_path: Path, simulate_fmu: Any) -> None:
    """Their nodes and momenta equal those of a spacecraft created so: nothing bends, nothing is left behind."""
    from .test_flight import with_arm

    craft, law, flight = with_arm()
    craft = replace(craft, translation=moves)
    flight |= {"attitude": (0.6, 0.0, 0.8, 0.0)}
    export_fmu(craft, law, path=tmp_path / "craft.fmu", flight=flight)
    names, turned = list(craft.layout.names), plant.attitude.from_euler_angles((0.3, -0.2, 0.5), "3-2-1")
    values = {f"start_rate_{axis}": rate for axis, rate in zip("xyz", (0.03, -0.02, 0.05), strict=True)}
    values |= {f"attitude_{n}": float(e) for n, e in enumerate(turned)}
    tensor = np.array(craft.body.central_inertia)
    tensor[0, 0] *= 1.1
    other = replace(craft, body=RigidBody(tensor, mass=craft.body.mass))
    given = {**flight, "attitude": turned, "rate": (0.03, -0.02, 0.05), "output_step": 2.0, "ledger": False}
    run = sim.simulate(other, law, **given)
    given = {"stop_time": 2.0, "output_interval": 0.1, "output": names}
    found = simulate_fmu(str(tmp_path / "craft.fmu"), start_values=values | {"inertia_xx": tensor[0, 0]}, **given)
    assert np.array([found[0][each] for each in names]) == pytest.approx(run.states[0], rel=1e-12, abs=1e-13)
    assert np.array([found[-1][each] for each in names]) == pytest.approx(run.states[-1], rel=1e-8, abs=1e-9)

    said: list[str] = []
    (coordinate,) = (name for name in craft.layout.coordinates if "ring" in name)
    for also in (coordinate, names[craft.layout.own.start]):
        with pytest.raises(Exception, match="fmi3ExitInitializationMode"):
            simulate_fmu(
                str(tmp_path / "craft.fmu"),
                start_values={"start_rate_x": 0.1, also: 0.01},
                logger=lambda environment, status, category, message: said.append(message.decode()),
                **given,
            )
        assert "set their states and all momenta, or the rate" in said[-1]


@pytest.mark.slow  # the same
@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
def test_target_moves_as_it_flies_and_nonsense_is_refused(tmp_path: Path) -> None:
    from .test_flight import Slave

    craft = CRAFTS["body"]
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    path = tmp_path / "craft.fmu"
    export_fmu(craft, law, path=path, flight={**FLIGHT, "rate": None})
    one = Slave(path, begin=False)
    reference = {each.name: each.valueReference for each in one.description.modelVariables}
    one.slave.enterInitializationMode()
    for name, value, said in (
        ("inertia_xx", 9.0, "no body has this inertia"),
        ("law_damping_1_1", 0.0, "law_damping_1_1 must be more than 0; got 0"),
    ):
        with pytest.raises(Exception, match="fmi3"):  # noqa: PT012 # the one at its bound, the other at the end
            one.slave.setFloat64([reference[name]], [value])
            one.slave.exitInitializationMode()
        assert said in one.said[-1]
    one.slave.setFloat64([reference["inertia_xx"]], [4.0])
    one.slave.exitInitializationMode()
    half = np.sqrt(0.5)
    t = one.go(0.0, 0.1, 20)
    assert np.abs(states(one)[:3]).max() == 0.0  # at rest on its target
    one.slave.setFloat64([reference[f"target_{n}"] for n in range(4)], [half, 0.0, half, 0.0])
    t = one.go(t, 0.1, 600)
    assert np.abs(states(one)[3:7]) == pytest.approx([half, 0.0, half, 0.0], abs=1e-6)
    one.slave.setFloat64([reference["target_0"]], [5.0])
    with pytest.raises(Exception, match="fmi3DoStep"):
        one.go(t, 0.1, 1)
    assert "target_0 ... target_3 must be unit Euler parameters" in one.said[-1]
    one.close()


@pytest.mark.slow  # the same
@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
def test_singular_pose_is_event(tmp_path: Path, simulate_fmu: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """Rotated at a steady rate toward the pose: the host stops at the time of the closed form."""
    basis = plant.TorqueBasis("dual-euler", "1-2-3")
    craft = plant.Spacecraft(RigidBody((2.0, 2.0, 2.0)), torques=basis)
    path = tmp_path / "craft.fmu"
    flight = {"duration": 20.0, "rate": (0.0, 0.2, 0.0), "integrator": "rk4", "step": 0.05}
    export_fmu(craft, path=path, flight=flight)
    signals = np.array([(0.0, 1e-9), (20.0, 1e-9)], dtype=[("time", np.float64), ("torque_1", np.float64)])
    given = {"stop_time": 20.0, "output_interval": 0.5, "relative_tolerance": 1e-10}
    found = simulate_fmu(
        str(path), fmi_type="ModelExchange", input=signals, output=["pose_distance", "pose_clearance"], **given
    )
    limit = found["pose_distance"][0] - found["pose_clearance"][0]
    assert found["time"][-1] == pytest.approx((np.pi / 2.0 - limit) / 0.2, abs=1e-4)
    assert found["pose_distance"][1] == pytest.approx(abs(np.cos(0.1)), abs=1e-8)  # the error of the host
    said = capfd.readouterr().out
    assert f"at t = {found['time'][-1]:.4g}" in said
    assert "came to its singular pose; the simulation ends" in said
