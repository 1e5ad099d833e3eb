"""CONTRIBUTING, "Add a law", carried out on a copy of the code: two files and their lines, and the law works."""

import pytest

from .copied import copied, tried

LAW = '''"""A spring and a damper on the vector part of the error."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ...plant.kernels.kernel import kernel
from ...plant.quantity import NUMBER, declared, quantity
from .error_attitude import error_attitude
from .torque_law import TorqueLaw


@kernel
def spring_damper_kernel(t, y, r, q, z, u):
    """q = [k, c]."""
    _, d1, d2, d3 = error_attitude(y, r)
    u[0] = -2.0 * q[0] * d1 - q[1] * (y[7] - r[4])
    u[1] = -2.0 * q[0] * d2 - q[1] * (y[8] - r[5])
    u[2] = -2.0 * q[0] * d3 - q[1] * (y[9] - r[6])


@declared
class SpringDamper(TorqueLaw):
    """u = -k delta - c (omega - omega_ref)."""

    kind: ClassVar[str] = "spring-damper"

    stiffness: float = quantity("N m/rad", converter=NUMBER, positive=True, doc="k")
    damping: float = quantity("N m s/rad", converter=NUMBER, positive=True, doc="c")

    @property
    def kernel(self) -> Callable[..., Any]:
        return spring_damper_kernel

    @property
    def parameters(self):
        return np.array((self.stiffness, self.damping))

    def gains(self):
        return {"gain": [[self.stiffness, self.damping]]}
'''

KIND = '''"""The spring and damper in a case."""

from math import sqrt

from .....controllers import SpringDamper
from .declared_law import declared_law


def tuning(table, J):
    k, c, J = table.stiffness_N_m_rad, table.damping_N_m_s_rad, J.mean()
    return sqrt(k / J), 0.5 * c / sqrt(k * J)


def tuned(frequency, ratio, J, sample):
    return {
        "stiffness_N_m_rad": frequency**2 * J.mean(),
        "damping_N_m_s_rad": 2.0 * ratio * frequency * J.mean(),
    }


KIND = declared_law(
    SpringDamper,
    doc="A spring and a damper.",
    module=__name__,
    keys={"stiffness": "", "damping": ""},
    tuning=tuning,
    tuned=tuned,
)
'''

USE = """
import numpy as np
from polhode import controllers, sim
from polhode.scenarios.commands.comparison import with_method
from polhode.scenarios.case.kinds.design import design, linear_model
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.schema import Case

assert controllers.__file__.startswith(ROOM), controllers.__file__
case = Case.model_validate({
    "title": "x",
    "plant": {"inertia_kg_m2": [10.0, 10.0, 10.0], "elements": [
        {"kind": "ring-damper", "axis": [0, 0, 1], "mass_kg": 0.1, "radius_m": 0.3, "friction_kg_s": 0.1}]},
    "initial": {"attitude_deg": {"sequence": "3-2-1", "angles": [20.0, 0.0, 0.0]}},
    "reference": {"attitude": [1.0, 0.0, 0.0, 0.0]},
    "controller": {"kind": "spring-damper", "sample_s": 0.1, "stiffness_N_m_rad": 10.0, "damping_N_m_s_rad": 14.0},
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
assert abs(with_method(case, "pid").controller.frequency_rad_s - 1.0) < 1e-3  # the ring adds to the inertia
same = design(with_method(with_method(case, "pid"), "spring-damper"), problem.craft)
np.testing.assert_allclose(same.gains()["gain"], law.gains()["gain"], rtol=1e-12)
assert law.scalar_units() == {"stiffness": "N m/rad", "damping": "N m s/rad"}
print("done")
"""


@pytest.mark.slow
def test_new_law_needs_two_files_and_their_lines(tmp_path):
    copied(
        tmp_path,
        {"controllers/laws/spring_damper.py": LAW, "scenarios/case/kinds/laws/spring_damper.py": KIND},
        {
            "controllers/__init__.py": (
                '    "ThrusterAllocation": ".guidance.allocation",\n',
                '    "SpringDamper": ".laws.spring_damper",\n',
            ),
            "scenarios/case/kinds/laws/kinds.py": ('    "sliding_mode",\n', '    "spring_damper",\n'),
        },
    )
    tried(tmp_path, USE)


RUN = """
import pickle
from polhode import controllers, sim
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.schema import Case

assert controllers.__file__.startswith(ROOM), controllers.__file__
case = Case.model_validate({
    "title": "x",
    "plant": {"inertia_kg_m2": [10.0, 10.0, 10.0]},
    "initial": {"attitude_deg": {"sequence": "3-2-1", "angles": [20.0, 0.0, 0.0]}},
    "reference": {"attitude": [1.0, 0.0, 0.0, 0.0]},
    "controller": {"kind": "spring-damper", "sample_s": 0.1, "stiffness_N_m_rad": 10.0, "damping_N_m_s_rad": 14.0},
    "run": {"duration_s": 10.0},
})
assert pickle.loads(pickle.dumps(case)) == case
keys = Case.model_json_schema()["$defs"]["SpringDamperTable"]["properties"]
assert keys["damping_N_m_s_rad"]["description"] == "c, N m s/rad"
problem = build(case)
assert problem.law.margins(problem.craft.linearize(problem.craft.at_rest())).gain_up > 2.0
run = sim.simulate(problem.craft, problem.law, state=problem.state, reference=problem.reference, duration=10.0,
                   compiled=False)
assert run.values("attitude_error")[-1] < 0.01
print("done")
"""


@pytest.mark.slow
def test_new_law_without_tuning_needs_a_file_and_a_line(tmp_path):
    copied(
        tmp_path,
        {"controllers/laws/spring_damper.py": LAW},
        {
            "scenarios/case/kinds/laws/kinds.py": (
                ")\n\nKINDS",
                '    "spring-damper = controllers.laws.spring_damper:SpringDamper",\n',
            ),
        },
    )
    tried(tmp_path, RUN)
