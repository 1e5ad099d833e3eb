"""FMUs run by FMPy and by a host in C against the native run."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.laws.blocks import low_pass
from polhode.plant.hub.dynamics import derivative, no_user_loads
from polhode.plant.kernels.kernel import kernel
from polhode.sim.codegen.toolchain import c_compiler

from ...engine.test_flexible_arm import HUB, arms, company

pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")

from fmpy import extract, fmi3, platform_tuple, read_model_description, simulate_fmu  # only where it is installed
from fmpy.validation import validate_fmu  # likewise

pytestmark = [
    pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine"),
    pytest.mark.slow,  # compiling an FMU takes some seconds
]

INERTIA = np.array([[4.0, 0.1, 0.0], [0.1, 3.0, -0.2], [0.0, -0.2, 2.5]])
CRAFT = plant.Spacecraft(
    plant.RigidBody(INERTIA),
    elements=[plant.RingDamper(axis=(0, 0, 1), mass=0.2, radius=0.3, friction=0.2)],
    torques=plant.TorqueBasis("body", limit=0.3),
)
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.8, sample=0.1, delay=0.05)
PULSE = plant.TorquePulse((0.05, 0.0, 0.1), start=1.03, stop=2.2)
FLIGHT: dict[str, Any] = {
    "duration": 5.0,
    "attitude": (0.9, 0.3, -0.3, 0.1),
    "rate": (0.01, 0.02, 0.1),
    "integrator": "rk4",
    "step": 0.05,
    "torques": (PULSE,),
}
NAMES = list(CRAFT.layout.names)
GRID = np.arange(51) * 0.1
STATES = [1_000_000 + n for n in range(len(NAMES))]


@pytest.fixture(scope="module")
def native() -> Any:
    return sim.simulate(CRAFT, LAW, **FLIGHT, output_times=GRID, output_step=5.0, ledger=False).states


@pytest.fixture(scope="module")
def units(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("units")
    found: dict[str, Path] = {}
    for name, law, fmi in (("loop3", LAW, 3), ("loop2", LAW, 2), ("plant3", None, 3)):
        found[name] = folder / f"{name}.fmu"
        sim.export_fmu(CRAFT, law, path=found[name], flight=FLIGHT, fmi=fmi)
    return found


def with_arm() -> tuple[Any, Any, dict[str, Any]]:
    craft = plant.Spacecraft(HUB, elements=[arms(damping_time=1e-3)[1], *company()[:2]])
    law = controllers.quaternion_feedback(craft, frequency=0.2, damping_ratio=0.8, sample=0.1)
    return craft, law, {"duration": 2.0, "rate": (0.0, 0.0, 0.02), "integrator": "gauss6", "step": 0.05}


def with_modes() -> tuple[Any, Any, dict[str, Any]]:
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    model = craft.linearize(craft.at_rest())
    first = controllers.RateDamping(gain=1.0, sample=0.1)
    aside = controllers.FixedReference((0.8, 0.0, 0.6, 0.0))  # held by the second mode only
    second = controllers.lqi(model, attitude=1.0, rate=1.0, integral=0.1, effort=1.0, sample=0.1)
    later = controllers.Transition("b", controllers.Condition("elapsed", above=1.0))
    law = controllers.Modes(
        [controllers.Mode("a", first, transitions=later), controllers.Mode("b", second, reference=aside, final=True)]
    )
    smooth = low_pass(frequency=2.0, reads="rate", writes="rate", sample=0.1)
    blocks = (smooth, law.block((smooth,)))
    return (
        craft,
        law,
        {"duration": 2.0, "rate": (0.02, -0.01, 0.03), "blocks": blocks, "integrator": "rk4", "step": 0.1},
    )


def with_wheels() -> tuple[Any, Any, dict[str, Any]]:
    wheels = plant.wheel_array(np.eye(3), inertia=0.05, torque_limit=0.2)
    craft = plant.Spacecraft(
        plant.RigidBody(INERTIA), elements=wheels, torques=plant.TorqueBasis("body", internal=True)
    )
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    return craft, law, {"duration": 2.0, "attitude": FLIGHT["attitude"], "integrator": "rk4", "step": 0.05}


@kernel
def friction(t, y, q, z, v):
    v[0] = -q[0] * y[0]


def with_driven_coordinates() -> tuple[Any, Any, dict[str, Any]]:
    mass = plant.MassSpringDamper(point=(0.3, 0.1, 0.0), axis=(0, 1, 1), mass=0.2, stiffness=0.4)
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1, relative_rate=5.0)
    craft = plant.Spacecraft(plant.RigidBody(INERTIA, mass=20.0), elements=[wheel, mass])
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    drag = controllers.Block(
        friction,
        reads="wheel_angle_rate",
        writes={"drag": controllers.Signal(role="torque", coordinates="wheel_angle")},
        clock=controllers.Clock(0.1),
        parameters=[0.3],
    )
    shaped = plant.TorquePulse(0.1, start=0.23, stop=1.5, shape="raised-cosine", coordinate="slider_displacement")
    flight = {"attitude": FLIGHT["attitude"], "integrator": "rk4", "step": 0.05, "torques": (shaped,)}
    return craft, law, {"duration": 2.0, **flight, "blocks": (drag,)}


COMPANY = {
    "arm": with_arm,
    "modes and a filter": with_modes,
    "wheels that give the torque": with_wheels,
    "driven coordinates": with_driven_coordinates,
}


def rows(found: Any) -> np.ndarray:
    return np.array([[row[name] for name in NAMES] for row in found])


@pytest.mark.parametrize("name", ["loop3", "loop2", "plant3"])
def test_validator_finds_nothing(units: dict[str, Path], name: str) -> None:
    assert validate_fmu(str(units[name])) == []


@pytest.mark.parametrize("name", ["loop3", "loop2"])
def test_co_simulation_is_the_native_run(units: dict[str, Path], name: str, native: np.ndarray) -> None:
    found = simulate_fmu(str(units[name]), fmi_type="CoSimulation", stop_time=5.0, output_interval=0.1, output=NAMES)
    assert np.array_equal(rows(found), native)


@pytest.mark.parametrize("name", ["loop3", "loop2"])
def test_model_exchange_is_near(units: dict[str, Path], name: str) -> None:
    exact = sim.simulate(
        CRAFT,
        LAW,
        **{**FLIGHT, "integrator": "dop853", "step": None, "rtol": 1e-12},
        output_times=GRID,
        output_step=5.0,
        ledger=False,
    )
    found = simulate_fmu(
        str(units[name]),
        fmi_type="ModelExchange",
        solver="CVode",
        relative_tolerance=1e-10,
        stop_time=5.0,
        output_interval=0.1,
        output=NAMES,
    )
    last = {round(float(row["time"]), 6): row for row in found}  # after the event if there are two rows
    mine = rows([last[round(t, 6)] for t in GRID.tolist()])
    assert np.abs(mine - exact.states).max() < 1e-7  # error of CVode over 5 s at its tolerance


@pytest.mark.parametrize("name", ["loop3", "loop2"])
def test_events_are_told_where_they_are_asked_for(units: dict[str, Path], name: str) -> None:
    """Samples, commands half a sample later, and the edges of the pulse: each is an event in time."""
    said: list[tuple[str, str]] = []

    def note(*words: Any) -> None:
        category, message = words[-2:]
        said.append((category.decode(), message.decode()))

    given: dict[str, Any] = {"fmi_type": "ModelExchange", "stop_time": 2.5, "output_interval": 0.5}
    simulate_fmu(str(units[name]), debug_logging=True, logger=note, **given)
    assert {category for category, _ in said} == {"logEvents"}
    found = {round(float(words.split()[3]), 6) for _, words in said if " s: event" in words}
    wanted = {round(0.05 * n, 6) for n in range(51)} | {1.03, 2.2}
    assert wanted - found <= {2.5}  # the host ends there
    said.clear()
    simulate_fmu(str(units[name]), logger=note, **given)
    assert said == []


class Slave:
    """An FMU of FMI 3.0 in co-simulation, by its functions."""

    def __init__(self, path: Path, *, token: str = "", start: float = 0.0, begin: bool = True) -> None:
        self.description = read_model_description(str(path))
        self.folder = extract(str(path))
        assert self.description.coSimulation is not None
        self.said: list[str] = []
        self.slave = fmi3.FMU3Slave(
            guid=token or self.description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="one",
        )
        log = fmi3.fmi3LogMessageCallback(
            lambda environment, status, category, message: self.said.append(message.decode())
        )
        self._log = log
        self.slave.instantiate(logMessage=log)
        if begin:
            self.slave.enterInitializationMode(startTime=start)
            self.slave.exitInitializationMode()

    def go(self, t: float, h: float, times: int) -> float:
        for _ in range(times):
            self.slave.doStep(currentCommunicationPoint=t, communicationStepSize=h)
            t += h
        return t

    @property
    def states(self) -> np.ndarray:
        return np.array(self.slave.getFloat64(STATES))

    def close(self) -> None:
        self.slave.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture
def slave(units: dict[str, Path]) -> Iterator[Any]:
    made: list[Slave] = []

    def make(name: str = "loop3", **more: Any) -> Slave:
        made.append(Slave(units[name], **more))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_host_that_adds_up_its_time_and_one_that_starts_late(slave: Any, native: np.ndarray) -> None:
    early, late = slave(), slave(start=10.0)
    early.go(0.0, 0.1, 50)
    late.go(10.0, 0.1, 50)
    assert np.array_equal(early.states, native[-1])
    assert np.array_equal(late.states, native[-1])


def test_odd_steps_split_those_of_the_integrator(slave: Any, native: np.ndarray) -> None:
    one = slave()
    one.go(0.0, 0.0625, 80)
    assert np.abs(one.states - native[-1]).max() < 1e-7  # rk4 with a different step


def test_instances_know_nothing_of_each_other(slave: Any, native: np.ndarray) -> None:
    one, two = slave(), slave()
    t = one.go(0.0, 0.1, 7)
    two.go(0.0, 0.1, 50)
    one.go(t, 0.1, 43)
    assert np.array_equal(one.states, native[-1])
    assert np.array_equal(two.states, native[-1])


def test_state_comes_back_to_bit_also_elsewhere(slave: Any, native: np.ndarray) -> None:
    one, two = slave(), slave()
    t = one.go(0.0, 0.1, 23)
    state = one.slave.getFMUState()
    bytes_of_state = one.slave.serializeFMUState(state)
    one.go(t, 0.1, 27)
    assert np.array_equal(one.states, native[-1])
    one.slave.setFMUState(state)
    one.go(t, 0.1, 27)
    assert np.array_equal(one.states, native[-1])
    there = two.slave.deserializeFMUState(bytes_of_state)
    two.slave.setFMUState(there)
    two.go(t, 0.1, 27)
    assert np.array_equal(two.states, native[-1])
    with pytest.raises(Exception, match="fmi3DeserializeFMUState"):
        two.slave.deserializeFMUState(b"x" * len(bytes_of_state))
    assert "the state is not of this FMU, or damaged" in two.said


def test_reset_is_a_fresh_instance(slave: Any, native: np.ndarray) -> None:
    one = slave()
    one.go(0.0, 0.1, 9)
    one.slave.reset()
    one.slave.enterInitializationMode()
    one.slave.exitInitializationMode()
    one.go(0.0, 0.1, 50)
    assert np.array_equal(one.states, native[-1])


def test_torque_inputs_fly_the_plant(slave: Any, native: np.ndarray) -> None:
    """The commands of the loop, applied from outside at their times, give its motion."""
    loop, craft = slave(), slave("plant3")
    inputs = [4_000_000 + n for n in range(3)]
    for k in range(100):  # half samples: the delay is one
        craft.slave.setFloat64(inputs, loop.slave.getFloat64(inputs))
        craft.go(0.05 * k, 0.05, 1)
        loop.go(0.05 * k, 0.05, 1)
    assert np.abs(craft.states - loop.states).max() < 1e-12


def test_nonsense_is_refused_in_words(slave: Any, units: dict[str, Path]) -> None:
    one = slave("plant3")
    for values, said in (
        ([np.nan, 0.0, 0.0], "is given a number that is not finite"),
        ([1e400, 0.0, 0.0], "is given a number that is not finite"),
    ):
        with pytest.raises(Exception, match="fmi3SetFloat64"):
            one.slave.setFloat64([4_000_000 + n for n in range(3)], values)
        assert said in one.said[-1]
    with pytest.raises(Exception, match="fmi3SetFloat64"):
        one.slave.setFloat64(STATES[:1], [1.0])
    assert "is set before initialization ends, not later" in one.said[-1]
    with pytest.raises(Exception, match="fmi3DoStep"):
        one.go(0.0, -0.1, 1)
    assert "a step must be more than 0" in one.said[-1]
    with pytest.raises(Exception, match="fmi3GetFloat32"):
        one.slave.getFloat32([1])
    assert "fmi3GetFloat32 is not offered by this FMU" in one.said[-1]
    two = slave("plant3", begin=False)
    two.slave.enterInitializationMode()
    two.slave.setFloat64(STATES[3:7], [2.0, 0.0, 0.0, 0.0])
    with pytest.raises(Exception, match="fmi3ExitInitializationMode"):
        two.slave.exitInitializationMode()
    assert "must be unit Euler parameters" in two.said[-1]
    with pytest.raises(Exception, match="instantiate"):
        slave("plant3", token="{00000000-0000-0000-0000-000000000000}")


def test_start_is_set_from_outside(slave: Any) -> None:
    one = slave("plant3", begin=False)
    x = CRAFT.state(attitude=(0.5, 0.5, 0.5, 0.5), rate=(0.3, -0.2, 0.1))
    one.slave.enterInitializationMode()
    one.slave.setFloat64(STATES, x.tolist())
    one.slave.exitInitializationMode()
    one.go(0.0, 0.05, 100)
    run = sim.simulate(CRAFT, **{**FLIGHT, "attitude": None, "rate": None}, state=x, output_step=5.0, ledger=False)
    assert (
        np.abs(one.states - run.states[-1]).max() < 1e-10
    )  # steps of 0.05 s to an edge at 1.03 s, and between samples


def test_fmu_parameter_set_and_reset_changes_nothing(slave: Any) -> None:
    """Also if the host reads values in between, whose memory it then shares with the step."""
    states: list[np.ndarray] = []
    for moved in (None, 3.5):
        one = slave(begin=False)
        known = {each.name: each.valueReference for each in one.description.modelVariables}
        one.slave.enterInitializationMode()
        begun = one.slave.getFloat64([known["momentum_z"]])[0]
        for name, start in (("inertia_zz", 2.5), ("ring_mass", 0.2)) if moved else ():
            one.slave.setFloat64([known[name]], [moved])
            assert one.slave.getFloat64([known["momentum_z"]])[0] != begun
            one.slave.setFloat64([known[name]], [start])
        one.slave.exitInitializationMode()
        one.go(0.0, 0.1, 20)
        states.append(one.states)
    assert np.array_equal(*states)


def test_derivatives_along_a_direction_are_exact(slave: Any) -> None:
    """Derivatives of the rates of change equal the linear model, by complex step in Python."""
    one = slave("plant3")
    one.go(0.0, 0.05, 30)
    rates = [2_000_000 + n for n in range(len(NAMES))]
    knowns = [*STATES, *(4_000_000 + n for n in range(3))]
    rng = np.random.default_rng(3)
    p, w = CRAFT.pack((PULSE,)), CRAFT.work_space(dtype=complex)
    acting = np.array([0.0, 0.0, 0.0, 1.0, *np.asarray(PULSE.components)])
    x = one.states
    for _ in range(5):
        seed = rng.uniform(-1.0, 1.0, len(knowns))
        found = np.array(one.slave.getDirectionalDerivative(rates, knowns, seed.tolist()))
        u, wanted = acting + 0j, np.zeros(len(NAMES), complex)
        u[:3] += 1e-40j * seed[len(NAMES) :]
        derivative(1.5, x + 1e-40j * seed[: len(NAMES)], u, p, wanted, no_user_loads, w)
        assert found == pytest.approx(wanted.imag / 1e-40, rel=1e-14, abs=1e-15)
        shown = one.slave.getDirectionalDerivative([3_000_000, 1_000_003], knowns, seed.tolist())
        step = 1e-6 * seed[: len(NAMES)]
        slope = (CRAFT.rate(x + step)[0] - CRAFT.rate(x - step)[0]) / 2e-6
        assert shown[0] == pytest.approx(slope, abs=1e-8)
        assert shown[1] == seed[3]
    with pytest.raises(Exception, match="fmi3GetDirectionalDerivative"):
        one.slave.getDirectionalDerivative(rates[:1], [0], [1.0])
    assert "nothing is differentiated by the variable" in one.said[-1]


@pytest.mark.parametrize("kind", COMPANY)
def test_whatever_flies_is_exported(kind: str, tmp_path: Path) -> None:
    """Implicit steps of an arm, laws and elements called by number, blocks."""
    craft, law, flight = COMPANY[kind]()
    sim.export_fmu(craft, law, path=tmp_path / "craft.fmu", flight=flight)
    names = list(craft.layout.names)
    found = simulate_fmu(
        str(tmp_path / "craft.fmu"), fmi_type="CoSimulation", stop_time=2.0, output_interval=0.1, output=names
    )
    run = sim.simulate(craft, law, **flight, output_times=GRID[:21], output_step=2.0, ledger=False)
    mine = np.array([[row[name] for name in names] for row in found])
    assert np.array_equal(mine, run.states)


def test_libraries_for_other_machines(tmp_path: Path, native: np.ndarray) -> None:
    pytest.importorskip("ziglang", reason="zig is in the extra cross")
    path, platforms = tmp_path / "craft.fmu", ["x86_64-linux", "aarch64-darwin"]
    parts = sim.export_fmu(CRAFT, LAW, path=path, flight=FLIGHT, platforms=platforms)
    assert [part for part in parts if part.startswith("binaries/")] == [
        "binaries/x86_64-linux/craft.so",
        "binaries/aarch64-darwin/craft.dylib",
    ]
    with zipfile.ZipFile(path) as held:
        assert held.read("binaries/x86_64-linux/craft.so")[:4] == b"\x7fELF"
        assert held.read("binaries/aarch64-darwin/craft.dylib")[:4] == bytes.fromhex("cffaedfe")
    if platform_tuple == "x86_64-linux":
        found = simulate_fmu(str(path), fmi_type="CoSimulation", stop_time=5.0, output_interval=0.1, output=NAMES)
        assert np.array_equal(rows(found), native)


def test_host_without_python(units: dict[str, Path], tmp_path: Path, native: np.ndarray) -> None:
    folder = Path(extract(str(units["loop3"]), unzipdir=str(tmp_path / "unit")))
    command = c_compiler()
    assert command is not None
    source, host = Path(__file__).with_name("host.c"), tmp_path / "host"
    subprocess.run([*command, str(source), f"-I{folder / 'sources'}", "-ldl", "-o", str(host)], check=True)
    (library,) = (folder / "binaries").rglob("loop3.*")
    token = read_model_description(str(units["loop3"])).guid
    words = [str(host), str(library), token, str(len(NAMES)), "50", "0.1"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert np.array_equal([float(line) for line in done.stdout.splitlines()], native[-1])
