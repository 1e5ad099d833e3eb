"""Foreign FMUs in a case: law and actuator by their connections, trusted, in campaigns; and bad input."""

import numpy as np
import pytest

from polhode import scenarios
from polhode.plant import InputError
from polhode.sim.codegen.toolchain import c_compiler

pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")
if c_compiler() is None:
    pytest.skip("no C compiler on this machine", allow_module_level=True)

from ....sim.hosts.fmi.units import (
    description2,
    description3,
    libraries,
    write_unit,
)  # only if FMPy is installed

HEAD = """\
title = "a unit"
[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]
[initial]
attitude = [0.8, 0.4, -0.4, 0.2]
rate_rad_s = [0.01, -0.02, 0.015]
[reference]
attitude = [1.0, 0.0, 0.0, 0.0]
[run]
duration_s = 2.0
integrator = "rk4"
step_s = 0.1
[controller]
sample_s = 0.1
"""
LAW = """\
kind = "fmu"
file = "units/law.fmu"
inputs = { rate = ["u1", "u2", "u3"] }
outputs = { command = ["v1", "v2", "v3"] }
values = { gain = -40.0, lasts = 1e-9 }
ahead = true
unitless = true
trust = true
"""
DAMPING = 'kind = "rate-damping"\ngain_N_m_s = 40.0\n'
MOTOR = """
[[blocks]]
kind = "fmu"
file = "units/motor.fmu"
inputs = { command = "u" }
outputs = { command = "v" }
trust = true
"""
TORQUE = """
[[torques]]
kind = "fmu"
file = "units/law.fmu"
inputs = { rate = ["u1", "u2", "u3"] }
outputs = { torque = ["v1", "v2", "v3"] }
values = { gain = -40.0, lasts = 1e-9 }
sample_s = 0.1
ahead = true
unitless = true
trust = true
"""
WHEEL = """
[[plant.elements]]
kind = "wheel"
axis = [0.0, 0.0, 1.0]
inertia_kg_m2 = 0.1
relative_rate_rad_s = 20.0
"""
FRICTION = """
[[torques]]
kind = "fmu"
name = "friction"
file = "units/law.fmu"
coordinates = "wheel_angle"
inputs = { wheel_angle_rate = ["u1"] }
outputs = { torque = ["v1"] }
values = { gain = -0.05, lasts = 1e-9, u2 = 0.0, u3 = 0.0 }
sample_s = 0.1
ahead = true
unitless = true
trust = true
"""
LAG = '\n[[blocks]]\nkind = "lag"\nreads = "command"\ntime_constant_s = 0.3\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("case")
    (made / "units").mkdir()
    libs = libraries(made)
    write_unit(made / "units" / "law.fmu", libs[2], description2().replace(' unit="N.m"', ""), fmi=2)
    write_unit(made / "units" / "motor.fmu", libs[3], description3(), fmi=3)
    return made


def flown(folder, text, **keys):
    path = folder / "case.toml"
    path.write_text(text)
    return scenarios.run_case(path, **keys).run


def test_law_and_actuator_fly_as_those_inside(folder):
    one, other = flown(folder, HEAD + LAW + MOTOR), flown(folder, HEAD + DAMPING + LAG)
    assert one.status == "completed", one.reason
    np.testing.assert_allclose(one.states, other.states, rtol=0, atol=1e-12)
    assert one.quantity("command_after_fmu").unit == "N m"


def test_torque_from_outside_acts_as_one_inside(folder):
    """Without a law it damps like the law; in parallel to one it adds to it, and the loop analysis reports it."""
    alone = HEAD[: HEAD.index("[reference]")] + HEAD[HEAD.index("[run]") : HEAD.index("[controller]")]
    one, law = flown(folder, alone + TORQUE), flown(folder, HEAD + DAMPING)
    assert one.status == "completed", one.reason
    np.testing.assert_allclose(one.states, law.states, rtol=0, atol=1e-12)  # including work and impulse of the ledger
    assert one.quantity("fmu_torque").unit == "N m"
    both, twice = (flown(folder, HEAD + text) for text in (DAMPING + TORQUE, DAMPING.replace("40.0", "80.0")))
    np.testing.assert_allclose(both.states, twice.states, rtol=0, atol=1e-12)


def test_unit_is_friction_of_wheel(folder):
    """Held over a sample, the relative rate falls by the fraction c h (1/Jw + 1/J) in each."""
    alone = HEAD[: HEAD.index("[reference]")] + HEAD[HEAD.index("[run]") : HEAD.index("[controller]")]
    run = flown(folder, alone.replace("[0.01, -0.02, 0.015]", "[0.0, 0.0, 0.1]") + WHEEL + FRICTION)
    assert run.status == "completed", run.reason
    k = np.round(run.t / 0.1, 6)
    whole = k == np.round(k)
    expected = 20.0 * (1 - 0.05 * 0.1 * (1 / 0.1 + 1 / 200.0)) ** k[whole]
    np.testing.assert_allclose(run.values("internal_rate")[whole, 0], expected, rtol=0, atol=1e-12)
    assert run.quantity("friction").unit == "N m"
    assert np.abs(run.values("energy_balance")).max() < 1e-12


@pytest.mark.slow  # three FMUs are loaded
def test_campaign_flies_each_run_in_its_own(folder):
    path = folder / "case.toml"
    scattered = '\n[dispersions]\n"controller.gain_N_m_s" = { sigma = 1.0 }\n[campaign]\nseed = 7\n'
    path.write_text(HEAD + DAMPING + MOTOR + scattered)
    found = scenarios.run_campaign(path, runs=2, workers=1).campaign
    assert set(found.status) == {"completed"}


@pytest.mark.parametrize(
    ("text", "old", "new", "words"),
    [
        (LAW, "trust = true", "", r"the law 'law' runs the library in '.*law\.fmu' on this machine"),
        (MOTOR, "trust = true", "", r"the block 'fmu' runs the library in"),
        (LAW, "law.fmu", "lawn.fmu", "no such file"),
        (LAW, '"u1", ', "", "'u3' do not match this length"),
        (LAW, '["u1", "u2", "u3"]', "3", "must be the name of an array, or a list of names"),
        (LAW, '{ rate = ["u1", "u2", "u3"] }', '"u1"', "must be a table from signals to variables"),
        (LAW, "rate = ", "rat = ", "'rat' is unknown; did you mean 'rate'"),
        (LAW, "gain = -40.0", "gain = [1.0]", "must be a table from variables to numbers"),
        (MOTOR, 'command = "v"', 'command = "v", rate = "v"', "a block of a case writes one signal; got 2"),
        (TORQUE, "trust = true", "", r"the block 'fmu_torque' runs the library in"),
        (TORQUE, "torque = [", "command = [", r"torques.0.*outputs: must be { torque = \["),
        (TORQUE, "{ rate =", "{ rates =", "torques.0: signal 'rates' is unknown; did you mean 'rate'"),
        (TORQUE, "sample_s = 0.1", "", "torques.0.*sample_s"),
        (TORQUE, "unitless = true", "basis = 'body'", "torques.0.basis: unknown key"),
        (TORQUE, "unitless = true", "", "'u1' has no unit, but rate is in 'rad/s'"),
        (
            FRICTION,
            "torque = [",
            "force = [",
            "the output that acts on wheel_angle, in N m must be named torque; got force",
        ),
        (FRICTION, "torque = [", "command = [", "on angles, { force = .* a variable for each of wheel_angle; got comm"),
        (FRICTION, '["v1"]', '["v1", "v2"]', "'v2' do not match this length"),
        (MOTOR, 'command = "u"', 'rate = "u"', r"'u' is in 'N\.m', but rate is in 'rad/s': they cannot be connected"),
    ],
)
def test_bad_input_says_what_to_do(folder, text, old, new, words):
    assert old in text
    other = HEAD + (LAW if text is MOTOR else "" if text is LAW else DAMPING) + (WHEEL if text is FRICTION else "")
    with pytest.raises(InputError, match=words):
        flown(folder, other + text.replace(old, new, 1))
