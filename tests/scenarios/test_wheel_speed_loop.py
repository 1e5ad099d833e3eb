"""Keys of wheels that are commanded in speed."""

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.scenarios.case_run import run_case

KEYS = "speed_loop_frequency_rad_s = 4.0\nspeed_loop_sample_s = 0.02\nspeed_loop_damping_ratio = 0.9"
TEXT = f"""
[plant]
inertia_kg_m2 = [10.0, 8.0, 6.0]

[[plant.elements]]
kind = "wheel-array"
axes = [[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]]
inertia_kg_m2 = 0.05
friction_N_m_s = 1e-3
relative_rates_rad_s = [50.0, -20.0, 30.0, 10.0]
{KEYS}

[initial]
attitude_deg = {{ sequence = "3-2-1", angles = [3.0, -2.0, 4.0] }}

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

[controller]
kind = "lqr"
attitude_weight = 25.0
rate_weight = 1.0
effort_weight = 1.0
sample_s = 0.1

[run]
duration_s = 40.0
seed = 1
output_s = 0.5

[[sensors]]
kind = "gyro"
name = "gyro"
sample_s = 0.1
angle_random_walk_deg_sqrt_h = 0.0
bias_deg_h = 200.0

[[require]]
metric = "phase_margin_deg"
min = 30.0
"""


def result_of(tmp_path, text):
    path = tmp_path / "case.toml"
    path.write_text(text, encoding="utf-8")
    return run_case(path)


def number(result, name):
    value = result.metrics[name].value
    assert value is not None
    return value


def test_speed_loop_of_a_case_removes_the_error_from_friction(tmp_path):
    sensor = TEXT[TEXT.index("[[sensors]]") : TEXT.index("[[require]]")]
    text = TEXT.replace(sensor, "")
    result, bare = result_of(tmp_path, text), result_of(tmp_path, text.replace(KEYS, ""))
    errors = [number(each, "final_attitude_error_deg") for each in (result, bare)]
    assert errors[0] < 1e-5
    assert errors[1] > 0.01
    margins = [number(each, "phase_margin_deg") for each in (result, bare)]
    assert margins[0] < margins[1]
    speeds, targets = (result.run.values(name) for name in ("wheel_speeds", "wheel_speed_commands"))
    np.testing.assert_allclose(speeds[-1], targets[-1], atol=0.05)


def test_tachometers_are_before_the_sensors(tmp_path):
    """A gyro bias must not enter the speeds of the wheels."""
    run = result_of(tmp_path, TEXT).run
    assert run.blocks[0].name == "wheel_speeds"
    assert any("rate" in block.writes for block in run.blocks[1:])  # the gyro writes the rate behind it
    # wheels of 0.05 kg m^2 change their speed by less than 0.01 rad/s in a period of the tachometers
    np.testing.assert_allclose(run.values("wheel_speeds")[-1], run.values("internal_rate")[-1], atol=1e-2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("speed_loop_frequency_rad_s = 4.0\n", "", "speed_loop_damping_ratio needs a speed loop"),
        (
            "speed_loop_frequency_rad_s = 4.0",
            "speed_loop_frequency_rad_s = 40.0",
            "frequency of the speed loop must",
        ),
        ("sample_s = 0.1\n\n[run]", 'sample_s = 0.1\nactuators = "external"\n\n[run]', "does not command the wheels"),
    ],
)
def test_inconsistent_speed_loop_is_refused(tmp_path, old, new, message):
    with pytest.raises(InputError, match=message):
        result_of(tmp_path, TEXT.replace(old, new, 1))
