"""CONTRIBUTING, "Add a law", done for real on a copy of the code: two files and their lines, and the law is there."""

import pytest

from .copied import copied, tried

LAW = '''"""A spring and a damper on the vector part of the error."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...plant.kernels.kernel import kernel
from .error_attitude import error_attitude
from .law import body_unless, check_timing, read_only
from .torque_law import TorqueLaw

__all__ = ["SpringDamper"]


@kernel
def spring_damper_kernel(t, y, r, q, z, u):
    """q = [k, c]."""
    _, d1, d2, d3 = error_attitude(y, r)
    u[0] = -2.0 * q[0] * d1 - q[1] * (y[7] - r[4])
    u[1] = -2.0 * q[0] * d2 - q[1] * (y[8] - r[5])
    u[2] = -2.0 * q[0] * d3 - q[1] * (y[9] - r[6])


@dataclass(frozen=True, eq=False, init=False)
class SpringDamper(TorqueLaw):
    """u = -k delta - c (omega - omega_ref)."""

    kind: ClassVar[str] = "spring-damper"
    numbers: ClassVar[tuple[str, ...]] = ("gain",)

    gain: np.ndarray

    def __init__(self, *, gain, sample, delay=0.0, torques=None):
        period, lag = check_timing(sample, delay)
        values = {"gain": read_only(gain), "sample": period, "delay": lag, "torques": body_unless(torques)}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def kernel(self) -> Callable[..., Any]:
        return spring_damper_kernel

    @property
    def parameters(self):
        return self.gain

    def gains(self):
        return {"gain": [self.gain.tolist()]}
'''

KIND = '''"""The spring and damper in a case."""

from typing import Literal

from pydantic import Field

from ....controllers import SpringDamper
from ...case.schema.fields import Positive
from ...case.schema.sampled import SampledTable
from .kind import LawKind, second_order


class SpringDamperTable(SampledTable):
    """A spring and a damper."""

    kind: Literal["spring-damper"] = Field(description="which law")
    frequency_rad_s: Positive = Field(description="natural frequency, rad/s")
    damping_ratio: Positive = Field(description="damping ratio")


def make(table, craft, model):
    J = float(craft.body.inertia[0, 0])
    gain = (J * table.frequency_rad_s**2, 2.0 * J * table.damping_ratio * table.frequency_rad_s)
    return SpringDamper(gain=gain, sample=table.sample_s, delay=table.delay_s, torques=craft.torques)


KIND = LawKind(table=SpringDamperTable, make=make, tuned=second_order)
'''

USE = """
import numpy as np
from polhode import controllers, sim
from polhode.scenarios.commands.comparison import with_method
from polhode.scenarios.objects.design import design, linear_model
from polhode.scenarios.objects.problem import build
from polhode.scenarios.case.schema import Case

assert controllers.__file__.startswith(ROOM), controllers.__file__
case = Case.model_validate({
    "title": "x",
    "plant": {"inertia_kg_m2": [10.0, 10.0, 10.0], "elements": [
        {"kind": "ring-damper", "axis": [0, 0, 1], "mass_kg": 0.1, "radius_m": 0.3, "friction_kg_s": 0.1}]},
    "initial": {"attitude_deg": {"sequence": "3-2-1", "angles": [20.0, 0.0, 0.0]}},
    "reference": {"attitude": [1.0, 0.0, 0.0, 0.0]},
    "controller": {"kind": "spring-damper", "sample_s": 0.1, "frequency_rad_s": 1.0, "damping_ratio": 0.7},
    "run": {"duration_s": 10.0},
})
assert "spring-damper" in str(Case.model_json_schema())
problem = build(case)
law, model = problem.law, linear_model(case, problem.craft)
found = controllers.analyse(law, model)
assert found.margins.gain_up > 2.0 and found.step is not None
np.testing.assert_allclose(law.small_signal(model).compensator.D[0, [0, 3]], (-10.0, -14.0), rtol=1e-12)
run = sim.simulate(problem.craft, law, state=problem.state, reference=problem.reference, duration=10.0, compiled=False)
assert run.values("attitude_error")[-1] < 0.01
controllers.save_law(law, FILE, model=model)
assert (controllers.load_law(FILE, model).parameters == law.parameters).all()
assert with_method(case, "pid").controller.frequency_rad_s == 1.0
assert design(with_method(with_method(case, "pid"), "spring-damper"), problem.craft).gains() == law.gains()
print("done")
"""


@pytest.mark.slow
def test_a_law_is_two_files_and_their_lines(tmp_path):
    copied(
        tmp_path,
        {"controllers/laws/spring_damper.py": LAW, "scenarios/objects/laws/spring_damper.py": KIND},
        {
            "controllers/__init__.py": (
                '    "ThrusterAllocation": ".allocation",\n',
                '    "SpringDamper": ".laws.spring_damper",\n',
            ),
            "scenarios/objects/laws/kinds.py": ('    "sliding_mode",\n', '    "spring_damper",\n'),
        },
    )
    tried(tmp_path, USE)
