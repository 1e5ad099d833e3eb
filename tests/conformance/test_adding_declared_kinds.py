"""CONTRIBUTING's steps for kinds with declared quantities, carried out on a copy: one file and one line each.

An element, a potential, a reference, a block, a sensor, an estimator and a distribution. Without changes in other
files they are in the schema, run from a case and accept data-sheet values.
"""

import pytest

from .added_kinds import FILES, LINES
from .copied import copied, tried

SENSOR = '''"""Inclinometer: the angle of the boresight from the vertical of the inertial frame."""

import math
from typing import Any

from ....plant.kernels.fields import fields, filled
from ....plant.kernels.kernel import kernel
from ....plant.quantity import NUMBER, declared, quantity
from ...contracts.block_draws import draw_normals
from .sensor import WIDTHS, MeasurementKernel, Sensor, head
from .sensor_kernels import SENSOR, tell


NUMBERS = fields(head=SENSOR.size, noise=1, limit=1)


@kernel
def inclinometer_kernel(t, y, q, z, v):
    """y = attitude, rate -> v = angle, validity flag, time."""
    cosine = 1.0 - 2.0 * (y[1] * y[1] + y[2] * y[2])
    v[0] = math.acos(min(1.0, max(-1.0, cosine))) + q[NUMBERS.noise] * draw_normals(q, z[0], 0)[0]
    tell(t, q, z, v, 1, abs(v[0]) <= q[NUMBERS.limit])


@declared
class Inclinometer(Sensor):
    """Inclinometer: the angle of the z axis from the vertical of the inertial frame."""

    noise: float = quantity("rad", converter=NUMBER, case="deg", non_negative=True, below=0.1, doc="noise, 1 sigma")
    limit: float = quantity("rad", converter=NUMBER, case="deg", positive=True, default=1.0, doc="largest angle")
    name: str = "inclinometer"

    def reading(self) -> MeasurementKernel:
        numbers = filled(NUMBERS, head=head(self), noise=self.noise, limit=self.limit)
        return MeasurementKernel(
            kernel=inclinometer_kernel, reads=WIDTHS, numbers=numbers, memory=[0.0] * 2, width=1, unit="rad"
        )
'''

ESTIMATOR = '''"""Filter that follows its sensors with a time constant."""

from math import exp
from typing import Any

from ....plant.quantity import NUMBER, check_fields, declared, quantity
from ...contracts.block import Block
from .complementary import ComplementaryFilter


@declared
class Follower:
    """Filter that follows its sensors with a time constant and warns nobody."""

    time_constant: float = quantity("s", converter=NUMBER, positive=True, doc="time constant")
    angle_random_walk: float = quantity("rad/sqrt(s)", converter=NUMBER, case="deg/sqrt(h)", doc="of the gyro")

    def __post_init__(self) -> None:
        check_fields(self, of="the filter")

    def block(self, gyro: Block, sensors: Any, **start: Any) -> Block:
        assert self.angle_random_walk > 0.0
        gain = 1.0 - exp(-sensors[0][1].clock.period / self.time_constant)
        return ComplementaryFilter(attitude_gain=gain).block(gyro, sensors, **start)
'''

DISTRIBUTION = '''"""Triangular distribution."""

from dataclasses import dataclass

import numpy as np

from ....plant.errors import InputError
from ....plant.quantity import NUMBER, check_fields, quantity
from .distribution import Array, Single


@dataclass(frozen=True, kw_only=True)
class Triangular(Single):
    """A triangular distribution between two bounds."""

    low: float = quantity(converter=NUMBER, doc="lower bound, in the unit of the key")
    high: float = quantity(converter=NUMBER, doc="upper bound, in the unit of the key")
    peak: float = quantity(converter=NUMBER, doc="most likely value, in the unit of the key")

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.low < self.peak < self.high:
            raise InputError(f"peak must be between the bounds; got {self.peak:g}")

    @property
    def nominal(self) -> float:
        return self.peak

    @property
    def unbounded(self) -> bool:
        return False

    def _several(self, u: Array) -> Array:
        a, b, c = self.low, self.high, self.peak
        x, rise = u[:, 0], (c - a) / (b - a)
        up, down = a + np.sqrt(x * (b - a) * (c - a)), b - np.sqrt((1.0 - x) * (b - a) * (b - c))
        return np.where(x < rise, up, down)
'''

BUILD = """
import pickle
import numpy as np
from polhode import sim
from polhode.plant.quantity import tunable_units
from polhode.scenarios.case.schema import Case
from polhode.scenarios.case.kinds.problem import build

assert sim.__file__.startswith(ROOM), sim.__file__
disc = {"kind": "torsion-disc", "axis": [0, 0, 2], "inertia_kg_m2": 0.1, "stiffness_N_m_rad": 0.2, "damping_N_m_s": 0.1,
        "angle_deg": 3.0}
given = {
    "title": "x",
    "plant": {"inertia_kg_m2": [10.0, 10.0, 10.0], "elements": [disc],
              "potentials": [{"kind": "dipole", "dipole_A_m2": [1.0, 0.0, 0.0], "field_uT": [0.0, 0.0, 50.0]}]},
    "initial": {"rate_deg_s": [0.0, 0.0, 20.0]},
    "reference": {"kind": "swing", "amplitude_deg": 1.0, "frequency_rad_s": 0.1},
    "controller": {"kind": "quaternion-feedback", "sample_s": 0.1, "frequency_rad_s": 1.0, "damping_ratio": 0.7},
    "blocks": [{"kind": "dead-zone", "half_width": 1e-4, "reads": "rate"}],
    "run": {"duration_s": 30.0},
}
case = Case.model_validate(given)
schema = Case.model_json_schema()["$defs"]
assert schema["TorsionDiscTable"]["properties"]["angle_deg"]["description"] == "angle at t = 0, deg"
assert schema["SwingTable"]["description"] == "Swing about the body z axis from the attitude of rest."
assert schema["DeadZoneTable"]["description"] == "Block that passes on only what leaves a dead zone about zero."
assert pickle.loads(pickle.dumps(case)) == case
problem = build(case)
assert tunable_units(problem.craft.elements[0])["damping"] == "N m s"
assert np.allclose(problem.craft.potentials[0].field, (0.0, 0.0, 5e-5))
run = sim.simulate(problem.craft, problem.law, blocks=problem.blocks, state=problem.state, reference=problem.reference,
                   duration=30.0, integrator="rk4", step=0.05, compiled=False)
assert run.status == "completed"
assert abs(run.values("internal")[0, 0] - np.radians(3.0)) < 1e-12 and abs(run.values("internal")).max() > 0.1
assert run.values("attitude_error")[-1] < 1e-3
for part, key, value, words in (
    ("elements", "inertia_kg_m2", -1.0, "inertia_kg_m2"),
    ("elements", "axis", [0, 0, 0], "axis: axis of disc must have a direction"),
    ("potentials", "field_uT", [1.0, 2.0], "field_uT"),
):
    try:
        changed = {**given["plant"], part: [{**given["plant"][part][0], key: value}]}
        build(Case.model_validate({**given, "plant": changed}))
        raise SystemExit("taken")
    except ValueError as error:
        assert words in str(error), error
print("done")
"""

SENSE = """
import pickle
import numpy as np
from polhode import sim
from polhode.plant import InputError
from polhode.controllers.sensing.sensors.inclinometer import Inclinometer
from polhode.scenarios.case.schema import Case
from polhode.scenarios.case.kinds.problem import build

assert sim.__file__.startswith(ROOM), sim.__file__
sensors = [
    {"kind": "gyro", "angle_random_walk_deg_sqrt_h": 0.6, "sample_s": 0.1},
    {"kind": "star-tracker", "noise_arcsec": 10.0, "roll_noise_arcsec": 20.0, "sample_s": 0.5},
    {"kind": "inclinometer", "noise_deg": 0.01, "limit_deg": 5.0, "sample_s": 0.5},
]
given = {
    "title": "x",
    "plant": {"inertia_kg_m2": [10.0, 9.0, 8.0]},
    "initial": {"attitude_deg": {"sequence": "1-2-3", "angles": [3.0, 0.0, 0.0]}, "rate_deg_s": [0.2, 0.0, 0.0]},
    "reference": {"attitude": [1.0, 0.0, 0.0, 0.0]},
    "controller": {"kind": "quaternion-feedback", "sample_s": 0.1, "frequency_rad_s": 0.05, "damping_ratio": 0.7,
                   "uses": "estimate"},
    "sensors": sensors,
    "estimator": {"kind": "follower", "time_constant_s": 5.0, "attitude_error_deg": [0.5, 0.0, 0.0]},
    "run": {"duration_s": 60.0, "seed": 1},
}
case = Case.model_validate(given)
schema = Case.model_json_schema()
noise = schema["$defs"]["InclinometerTable"]["properties"]["noise_deg"]
assert 0.0 in (noise.get("minimum"), noise.get("ge")) and noise["description"] == "noise, 1 sigma, deg"
assert "the angle of the z axis from the vertical" in schema["$defs"]["InclinometerTable"]["description"]
assert "time_constant_s" in schema["$defs"]["FollowerTable"]["properties"]
assert "by default that of the gyro" in str(schema["$defs"]["FollowerTable"]["properties"])
assert pickle.loads(pickle.dumps(case)) == case
problem = build(case)
run = sim.simulate(problem.craft, problem.law, blocks=problem.blocks, state=problem.state, seed=1,
                   reference=problem.reference, duration=60.0, step=0.05, integrator="rk4", compiled=False)
assert run.status == "completed"
tilt, valid = run.values("inclinometer")[:, 0], run.values("inclinometer")[:, 1] > 0.0
e = run.values("attitude")
true = np.arccos(1.0 - 2.0 * (e[:, 1] ** 2 + e[:, 2] ** 2))
on = np.isclose(run.t % 0.5, 0.0) & valid
assert on.sum() > 10 and np.abs(tilt - true)[on].max() < np.radians(0.05)
assert Inclinometer.from_data_sheet(noise_arcsec=36.0).noise == np.radians(0.01)
for wrong, words in (
    (dict(noise_deg=-1.0), "noise_deg"),
    (dict(noise_deg=60.0), "noise of inclinometer must be below 0.1"),
):
    try:
        build(Case.model_validate({**given, "sensors": [*sensors[:2], {**sensors[2], **wrong}]}))
        raise SystemExit("taken")
    except ValueError as error:
        assert words in str(error), error
print("done")
"""

DISPERSE = """
import pickle
import numpy as np
from polhode import sim
from polhode.scenarios.case.campaigns.dispersions import dispersions_of
from polhode.scenarios.case.schema import Case

assert sim.__file__.startswith(ROOM), sim.__file__
def case(**more):
    return Case.model_validate({
        "title": "x",
        "plant": {"inertia_kg_m2": [10.0, 9.0, 8.0], "mass_kg": 10.0},
        "initial": {"rate_deg_s": [0.2, 0.0, 0.0]},
        "run": {"duration_s": 6.0},
        "campaign": {"runs": 10},
        "dispersions": {"plant.mass_kg": {"distribution": "triangular", **more}},
    })
told = case(low=8.0, peak=10.0, high=14.0)
found = dispersions_of(told)["plant.mass_kg"]
assert type(found).__name__ == "Triangular" and pickle.loads(pickle.dumps(told)) == told
u = (np.arange(20000) + 0.5) / 20000
drawn = found.several(u[:, None])
assert abs(drawn.mean() - (8.0 + 10.0 + 14.0) / 3.0) < 1e-4
assert abs(drawn.var() - (64 + 100 + 196 - 80 - 112 - 140) / 18.0) < 1e-4
schema = Case.model_json_schema()["$defs"]["DispersionTable"]["properties"]
assert schema["peak"]["description"] == "triangular: most likely value, in the unit of the key"
assert "triangular: A triangular distribution between two bounds" in schema["distribution"]["description"]
for wrong, words in (
    (dict(low=8.0, high=14.0), 'distribution = "triangular" needs high and low and peak'),
    (dict(low=8.0, peak=10.0, high=14.0, sigma=1.0), 'sigma is not used by distribution = "triangular"'),
    (dict(low=8.0, peak=7.0, high=14.0), "peak must be between the bounds"),
):
    try:
        dispersions_of(case(**wrong))
        raise SystemExit("taken")
    except ValueError as error:
        assert words in str(error), error
print("done")
"""


@pytest.mark.slow
def test_new_kinds_of_plant_reference_and_block_are_a_file_and_a_line(tmp_path):
    copied(tmp_path, FILES, LINES)
    tried(tmp_path, BUILD)


@pytest.mark.slow
def test_new_sensor_and_estimator_need_a_file_and_a_line_each(tmp_path):
    copied(
        tmp_path,
        {
            "controllers/sensing/sensors/inclinometer.py": SENSOR,
            "controllers/sensing/estimators/follower.py": ESTIMATOR,
        },
        {
            "scenarios/case/kinds/sensors/kinds.py": (
                ")\n\nKINDS",
                '    "inclinometer = controllers.sensing.sensors.inclinometer:Inclinometer",\n',
            ),
            "scenarios/case/kinds/estimators/kinds.py": (
                ")\n\nKINDS",
                '    "follower = controllers.sensing.estimators.follower:Follower",\n',
            ),
        },
    )
    tried(tmp_path, SENSE)


def test_new_distribution_needs_a_file_and_a_line(tmp_path):
    copied(
        tmp_path,
        {"sim/runs/campaigns/triangular.py": DISTRIBUTION},
        {
            "scenarios/case/kinds/distributions.py": (
                ")\n\n\ndef quantities_of",
                '    "triangular = sim.runs.campaigns.triangular:Triangular",\n',
            )
        },
    )
    tried(tmp_path, DISPERSE)
