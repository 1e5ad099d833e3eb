"""Laws as flight code: bitwise equal to the engine, written whole or not at all, refused in one sentence."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.laws.blocks import low_pass
from polhode.plant import InputError
from polhode.plant.kernels.kernel import kernel
from polhode.sim.codegen.toolchain import c_compiler

from ....battery.laws.test_laws import CRAFTS, LAWS, SAMPLE, at
from .exports import EXPORTS

needs_compiler = pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")

CRAFT = plant.Spacecraft(plant.RigidBody((400, 300, 200)), torques=plant.TorqueBasis("body", limit=0.5))
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.8, sample=0.1)
FLIGHT = {"duration": 3.0, "attitude": (0.9, 0.3, -0.3, 0.1), "integrator": "rk4", "step": 0.1}


def replayed(folder: Path, name: str = "law", *options: str) -> str:
    command = c_compiler()
    assert command is not None
    flags = ("-std=c99", "-pedantic", "-Wall", "-Werror", "-O1", "-ffp-contract=off", *options)
    line = [*command, *flags, f"{name}.c", f"{name}_test.c", "-lm", "-o", "replay"]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([str(folder / "replay")], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


@pytest.mark.thinned(3)
@needs_compiler
@pytest.mark.parametrize("kind", [kind for kind in LAWS if kind != "own plain"])
def test_every_law_answers_as_it_did_in_flight(kind: str, tmp_path: Path) -> None:
    """The test vectors are from the plain kernel; equality with the engine is the other half of the proof."""
    craft, state, reference = at("bare")
    law = LAWS[kind](craft, craft.linearize(state), sample=SAMPLE, delay=0.04)
    flight = {"duration": 4.0, "state": state, "reference": reference, "integrator": "rk4", "step": 0.02}
    flight["state"] = craft.state(attitude=(0.9, 0.3, -0.3, 0.1), rate=(0.01, 0.02, -0.01))
    sim.export_code(craft, law, path=tmp_path / "law.c", flight=flight, samples=40)
    assert replayed(tmp_path) == "law: 40 samples, bitwise identical\n"


@needs_compiler
def test_flight_code_equals_engine_command(tmp_path: Path) -> None:
    sim.export_code(CRAFT, LAW, path=tmp_path / "law.c", flight=FLIGHT, samples=30)
    assert "bitwise identical" in replayed(tmp_path)
    assert "bitwise identical" in replayed(tmp_path, "law", "-std=gnu17")  # math.h then declares more names
    run = sim.simulate(CRAFT, LAW, **FLIGHT, output_times=np.arange(30) * 0.1)
    rows = [line.strip(" {},\n") for line in (tmp_path / "law_test.c").read_text().splitlines()]
    first = rows.index("static const double U[30][3] =") + 1
    flown = np.array([[float(word) for word in row.split(",")] for row in rows[first : first + 30]])
    assert np.abs(flown).max() == 0.5  # the limit was met
    for row, t in zip(flown, run.t[:1], strict=False):
        assert np.array_equal(row, run.inputs[0, :3]), t
    at_samples = np.searchsorted(run.t, np.arange(30) * 0.1 - 1e-9)
    assert np.array_equal(flown, run.inputs[at_samples, :3])


WRONG_INPUT = """#include <math.h>
#include <stdio.h>
#include "law.h"
static const double Y[LAW_READS] = {0, 0, 0, 1}, R[10] = {1};
static int answer(double t, int of, int place, double value)
{
    double y[LAW_READS], r[10], u[LAW_WRITES] = {7, 7, 7};
    law_state state;
    int n, first, second;
    for (n = 0; n < LAW_READS; n++) y[n] = Y[n];
    for (n = 0; n < 10; n++) r[n] = R[n];
    law_init(&state);
    first = law_step(&state, 5.0, y, r, u);
    if (first != LAW_DONE || u[0] == 7) return -1;
    u[0] = 7;
    if (of >= 0) (of ? r : y)[place] = value;
    second = law_step(&state, t, y, r, u);
    return (second == LAW_DONE) == (u[0] == 7) ? -2 : second;
}
int main(void)
{
    const double wrong[3] = {NAN, INFINITY, -INFINITY};
    double y[LAW_READS] = {0, 0, 0, 1}, r[10] = {1}, u[LAW_WRITES];
    law_state state;
    int n, k;
    law_init(&state);
    for (k = 0; k < 3; k++) {
        if (answer(wrong[k], -1, 0, 0) != LAW_BAD_INPUT) return 1;
        for (n = 0; n < LAW_READS; n++) if (answer(6, 0, n, wrong[k]) != LAW_BAD_INPUT) return 2;
        for (n = 0; n < 10; n++) if (answer(6, 1, n, wrong[k]) != LAW_BAD_INPUT) return 3;
    }
    if (answer(6, 0, 3, 0) != LAW_BAD_ATTITUDE || answer(6, 0, 3, 2) != LAW_BAD_ATTITUDE) return 4;
    if (answer(6, 1, 0, 0) != LAW_BAD_ATTITUDE || answer(6, 1, 0, 2) != LAW_BAD_ATTITUDE) return 5;
    if (answer(6, 0, 3, -1.001) != LAW_DONE || answer(6, 0, 4, 0.01) != LAW_DONE) return 6;
    if (answer(4.9, -1, 0, 0) != LAW_BAD_TIME || answer(5.0, -1, 0, 0) != LAW_DONE) return 7;
    if (law_step(0, 0, y, r, u) != LAW_BAD_INPUT || law_step(&state, 0, 0, r, u) != LAW_BAD_INPUT) return 8;
    if (law_step(&state, 0, y, 0, u) != LAW_BAD_INPUT || law_step(&state, 0, y, r, 0) != LAW_BAD_INPUT) return 9;
    return 0;
}
"""


@needs_compiler
def test_flight_code_refuses_wrong_input(tmp_path: Path) -> None:
    """Not finite, no unit quaternion (zero, of length 2), decreasing time, null pointers: an error, and u is
    unchanged.
    """
    sim.export_code(CRAFT, LAW, path=tmp_path / "law.c", flight=FLIGHT, samples=1)
    (tmp_path / "law_test.c").write_text(WRONG_INPUT)
    replayed(tmp_path, "law", "-Wno-nonnull")


@needs_compiler
def test_flight_code_of_a_filter_refuses_wrong_fixes(tmp_path: Path) -> None:
    """The attitude of a star tracker is used only if it is marked valid."""
    maker, kind = EXPORTS["estimator mekf"]
    craft, law, flight, block = maker(kind)
    sim.export_code(craft, law, path=tmp_path / "law.c", flight=flight, block=block, samples=1)
    header = (tmp_path / "law.h").read_text()
    names = re.findall(r"^ \*   \[\d+\] (\w+)", header, re.MULTILINE)
    at, valid = names.index("star_tracker_0"), names.index("star_tracker_valid")
    steps = f"""#include "law.h"
int main(void)
{{
    double y[LAW_READS] = {{0}}, u[LAW_WRITES];
    law_state state;
    law_init(&state);
    if (law_step(&state, 0.0, y, u) != LAW_DONE) return 1;
    y[{valid}] = 1;
    if (law_step(&state, 0.1, y, u) != LAW_BAD_ATTITUDE) return 2;
    y[{at}] = 1;
    return law_step(&state, 0.1, y, u) != LAW_DONE;
}}
"""
    (tmp_path / "law_test.c").write_text(steps)
    replayed(tmp_path)


@kernel
def shrink(t, y, q, z, v):
    for k in range(4):
        v[k] = 0.9 * y[k]


@needs_compiler
def test_attitude_that_is_no_unit_in_the_run_is_not_checked(tmp_path: Path) -> None:
    shorter = controllers.Block(shrink, reads="attitude", writes="attitude", clock=controllers.Clock(0.1))
    sim.export_code(CRAFT, LAW, path=tmp_path / "law.c", flight={**FLIGHT, "blocks": (shorter,)}, samples=5)
    assert "bitwise identical" in replayed(tmp_path)
    assert "each attitude (r[0..3]) add up" in (tmp_path / "law.h").read_text()


@needs_compiler
def test_float32_is_near(tmp_path: Path) -> None:
    craft = plant.Spacecraft(plant.RigidBody((400, 300, 200)))
    sim.export_code(craft, LAW, path=tmp_path / "law.c", flight=FLIGHT, samples=30, float32=True)
    assert "double" not in (tmp_path / "law.c").read_text()
    assert "largest difference" in replayed(tmp_path, "law", "-Wdouble-promotion", "-Wno-error=double-promotion")


@needs_compiler
def test_law_on_what_mode_shows_and_filter_before_it(tmp_path: Path) -> None:
    craft = CRAFTS["mode"]()
    law = controllers.quaternion_feedback(craft, frequency=0.2, damping_ratio=0.8, sample=SAMPLE)
    smooth = low_pass(frequency=2.0, reads="rate", writes="rate", sample=SAMPLE)
    flight = {"duration": 2.0, "rate": (0.01, 0.02, 0.0), "blocks": (smooth,), "integrator": "rk4", "step": 0.02}
    sim.export_code(craft, law, path=tmp_path / "law.c", flight=flight)
    sim.export_code(craft, law, path=tmp_path / "filter.c", flight=flight, block=smooth.name)
    assert "bitwise identical" in replayed(tmp_path)
    assert "bitwise identical" in replayed(tmp_path, "filter")
    assert f"[10] {craft.layout.names[7]}" in (tmp_path / "law.h").read_text()


@needs_compiler
def test_limits_of_wheels_are_kept(tmp_path: Path) -> None:
    wheels = plant.wheel_array(np.eye(3), inertia=0.05, torque_limit=0.2)
    craft = plant.Spacecraft(
        plant.RigidBody((400, 300, 200)), elements=wheels, torques=plant.TorqueBasis("body", internal=True)
    )
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    sim.export_code(craft, law, path=tmp_path / "law.c", flight=FLIGHT, samples=20)
    assert "bitwise identical" in replayed(tmp_path)


@needs_compiler
@pytest.mark.parametrize("allocation", ["pseudo-inverse", "min-max"])
def test_flight_code_of_wheel_allocation_equals_engine(allocation: str, tmp_path: Path) -> None:
    a = 3**-0.5
    axes = [(a, a, a), (-a, a, a), (-a, -a, a), (a, -a, a)]
    wheels = plant.wheel_array(axes, inertia=0.05, torque_limit=0.2, allocation=allocation)
    body = plant.RigidBody((400, 300, 200))
    craft = plant.Spacecraft(body, elements=wheels, torques=plant.TorqueBasis("inertial", internal=True))
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    flight = {**FLIGHT, "blocks": (controllers.wheel_shares(craft, sample=0.1),)}
    sim.export_code(craft, law, path=tmp_path / "share.c", flight=flight, block="allocation", samples=30)
    assert replayed(tmp_path, "share") == "share: 30 samples, bitwise identical\n"


@needs_compiler
def test_laws_that_take_turns_and_what_decides_whose_it_is(tmp_path: Path) -> None:
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    model = craft.linearize(craft.at_rest())
    first = controllers.RateDamping(gain=1.0, sample=0.1)
    second = controllers.lqi(model, attitude=1.0, rate=1.0, integral=0.1, effort=1.0, sample=0.1)
    later = controllers.Transition("b", controllers.Condition("elapsed", above=1.0))
    law = controllers.Modes(
        [controllers.Mode("a", first, transitions=later), controllers.Mode("b", second, final=True)]
    )
    block = law.block(())
    flight = {"duration": 3.0, "rate": (0.02, -0.01, 0.03), "blocks": (block,), "step": 0.1}
    sim.export_code(craft, law, path=tmp_path / "law.c", flight=flight)
    sim.export_code(craft, law, path=tmp_path / "modes.c", flight=flight, block=block.name)
    assert "[10] mode " in (tmp_path / "law.h").read_text()
    assert "bitwise identical" in replayed(tmp_path)
    assert "bitwise identical" in replayed(tmp_path, "modes")


def wrong(t, y, r, q, z, u):
    for k in range(3):
        u[k] = -y[k] if y[k] else 0.0


def test_flight_code_without_c_is_refused(tmp_path: Path) -> None:
    def export(law: object, name: str = "law.c", **more: object) -> None:
        sim.export_code(CRAFT, law, path=tmp_path / name, flight=FLIGHT, **more)

    plain = controllers.CustomLaw(lambda t, y, r: -y[:3], sample=0.1, compiled=False)
    with pytest.raises(
        InputError, match="the law '<lambda>' is plain Python, which cannot be exported; write it as a kernel"
    ):
        export(plain)
    with pytest.raises(InputError, match="a condition must be a comparison, not a number"):
        export(controllers.CustomLaw(wrong, sample=0.1))
    with pytest.raises(InputError, match=r"use a name such as law\.c"):
        export(LAW, "law.txt")
    with pytest.raises(InputError, match=r"use a name such as law\.c"):
        export(LAW, "sin.c")
    with pytest.raises(InputError, match="samples must be from 1 to 100000; got 0"):
        export(LAW, samples=0)
    with pytest.raises(InputError, match="so there is no block"):
        export(LAW, block="nothing")
    assert not list(tmp_path.iterdir())
