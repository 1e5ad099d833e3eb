"""Bounds of FMU parameters and start values: those of the elements, checked in C with name, value and bound."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polhode import plant
from polhode.plant import InputError
from polhode.sim.codegen.toolchain import c_compiler
from polhode.sim.hosts.fmi.export import flown_unit
from polhode.sim.hosts.fmi.variables import FIRST

from .library import Instance, load

PANEL = plant.HingedPanel(
    hinge=(1.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0), mass=2.0, centre=(1.5, 0.0, 0.0), inertia=np.diag((0.1, 0.2, 0.3)),
    stiffness=0.2, damping=0.1, rest=1.5, latch_angle=1.2, latch_time=0.05, angle=0.5,
)  # fmt: skip
GYRO = plant.ControlMomentGyro(
    axis=(0, 0, 1), spin_axis=(1, 0, 0), momentum=10.0, rotor_inertia=0.1, gimbal_inertia=0.08, transverse_inertia=0.09,
    spin_inertia=0.03, time_constant=0.1,
)  # fmt: skip
WHEEL = plant.Wheel(axis=(0, 1, 0), inertia=0.1, motor_torque=0.1, motor_efficiency=0.8, standby_power=1.0)
CRAFT = plant.Spacecraft(plant.RigidBody((8.0, 7.0, 6.0), mass=50.0), elements=[PANEL, GYRO, WHEEL])
FLIGHT = {"duration": 1.0, "integrator": "rk4", "step": 0.01}
OVERSHOOT = 2.0 * np.pi * 0.05 / np.e  # rad: v T/e of a critically damped latch that is passed at 2 pi rad/s
BOUNDS = {
    "panel_latch_angle": (0.5 - OVERSHOOT, None),
    "panel_capture": (0.0, None),
    "panel_rest": (None, None),
    "cmg_rotor_inertia": (0.0, 0.08 + 0.09 - 0.03),  # spin <= gimbal + transverse - rotor
    "cmg_gimbal_inertia": (0.09 - 0.03, 0.09 + 0.03),  # |gimbal - transverse| <= spin
    "cmg_transverse_inertia": (0.1 / 2.0, 0.08 + 0.03),  # at least half the rotor
    "cmg_spin_inertia": (0.09 - 0.08, 0.08 + 0.09 - 0.1),
    "wheel_motor_efficiency": (0.0, 1.0),
    "wheel_standby_power": (0.0, None),
}
"""Bounds in closed form, from the other parameters at their start values."""


def test_bounds_are_those_of_the_elements() -> None:
    parameters = flown_unit(CRAFT, None, FLIGHT).parameters
    found = {each.name: (each.low, each.high) for each in parameters.all}
    for name, bounds in BOUNDS.items():
        for one, other in zip(found[name], bounds, strict=True):
            assert one == (None if other is None else pytest.approx(other, rel=1e-7, abs=1e-12)), name
    starts = {name: (low, high) for name, low, high in parameters.coordinates}
    assert starts["panel_angle"] == (-np.inf, pytest.approx(1.2 + OVERSHOOT, rel=1e-7))
    assert starts["wheel_angle"] == (-np.inf, np.inf)


def test_unstable_step_is_refused_as_in_a_run() -> None:
    """The rate loop of the gimbal has the pole -1/T: rk4 is stable up to 2.785 T."""
    for step in (2.7, 2.9):
        flight = {**FLIGHT, "step": step * 0.1, "duration": 100.0 * step}
        free = plant.Spacecraft(CRAFT.body, elements=[GYRO])
        if step < 2.785:
            flown_unit(free, None, flight)
        else:
            with pytest.raises(InputError, match="is too long for 'rk4': cmg_gimbal_angle"):
                flown_unit(free, None, flight)


@pytest.mark.slow  # compiling an FMU takes some seconds
@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
def test_values_beyond_their_bounds_are_refused(tmp_path: Path) -> None:
    library, model, unit = load(tmp_path, CRAFT, None, FLIGHT)
    references = {each.name: FIRST["parameter"] + n for n, each in enumerate(unit.parameters.all)}
    for name, value, said in (
        ("cmg_rotor_inertia", 0.15, "cmg_rotor_inertia must be at most 0.14; got 0.15"),
        ("cmg_transverse_inertia", 0.04, "cmg_transverse_inertia must be at least 0.05; got 0.04"),
        ("panel_latch_angle", 0.3, "panel_latch_angle must be at least 0.38442726"),
        ("wheel_motor_efficiency", 80.0, "wheel_motor_efficiency must be at most 1; got 80"),
    ):
        one = Instance(library, model.token, fmi=3, exchange=False).reach("initialization")
        assert one.set({references[name]: value}) != 0
        assert said in one.said[-1]
    angle = FIRST["x"] + list(CRAFT.layout.names).index("panel_angle")
    for value, status in ((1.31, 0), (1.32, 3)):
        one = Instance(library, model.token, fmi=3, exchange=False).reach("initialization")
        assert one.set({angle: value}) == 0
        assert one.ExitInitializationMode() == status
    assert "panel_angle at the start must be at most 1.3155727" in one.said[-1]
    assert "; got 1.32" in one.said[-1]
