"""What CONTRIBUTING says of adding an element, a potential, a reference, a metric and a stepper, done on a copy.

The first three are a file in the room of the thing and a file with its table, with a line each; a metric and a stepper
are one file and one line. With no other file touched they fly from a case, are in its schema, measured and drawn.
"""

import pytest

from .copied import copied, tried

ELEMENT = '''"""A disc on a torsion spring about an axis of the hub."""

from dataclasses import dataclass
from typing import Any

from ..kernels.kernel import kernel
from .assembly import add_energy, add_force, add_mass, add_power, relative_rate
from .axis import unit_axis

__all__ = ["TorsionDisc"]


@dataclass(frozen=True, eq=False, kw_only=True)
class TorsionDisc:
    """p' = -k s - c sdot."""

    axis: Any
    inertia: float
    stiffness: float
    damping: float

    def __post_init__(self):
        object.__setattr__(self, "axis", unit_axis("disc axis", self.axis))

    coordinates = ("disc_angle",)
    units = ("rad",)
    cyclic = False
    constant = True
    moves_mass = False
    mass = 0.0

    @property
    def kernel(self):
        return torsion_disc

    @property
    def initial(self):
        return (0.0,), (0.0,)

    def pack(self, offset):
        return [self.inertia, *self.axis, self.stiffness, self.damping]


@kernel
def torsion_disc(phase, t, x, u, p, row, w):
    k = int(p[row + 2])
    n = row + 4
    if phase == 0:
        for i in range(3):
            for j in range(i + 1):
                add_mass(p, w, i, j, p[n] * p[n + 1 + i] * p[n + 1 + j])
            add_mass(p, w, 3 + k, i, p[n] * p[n + 1 + i])
        add_mass(p, w, 3 + k, 3 + k, p[n])
    elif phase == 1:
        rate = relative_rate(p, w, k)
        add_force(p, w, k, -p[n + 4] * x[7 + k] - p[n + 5] * rate)
        add_power(p, w, -p[n + 5] * rate * rate)
    elif phase == 2:
        add_energy(p, w, 0.5 * p[n + 4] * x[7 + k] * x[7 + k])
'''

ELEMENT_KIND = '''"""The disc in a case."""

from typing import ClassVar, Literal

from pydantic import Field

from ....plant.elements.torsion_disc import TorsionDisc
from ...case.schema.element import ElementTable
from ...case.schema.fields import NonNegative, Positive, Vector3
from .kind import ElementKind


class TorsionDiscTable(ElementTable):
    """A disc on a torsion spring."""

    moves_mass: ClassVar[bool] = False

    kind: Literal["torsion-disc"] = Field(description="which element")
    axis: Vector3 = Field(description="its axis")
    inertia_kg_m2: Positive = Field(description="about it, kg m^2")
    stiffness_N_m_rad: Positive = Field(description="N m/rad")
    damping_N_m_s: NonNegative = Field(default=0.0, description="N m s/rad")


def make(table):
    spring = {"stiffness": table.stiffness_N_m_rad, "damping": table.damping_N_m_s}
    return (TorsionDisc(axis=table.axis, inertia=table.inertia_kg_m2, **spring),)


KIND = ElementKind(table=TorsionDiscTable, make=make)
'''

REFERENCE = '''"""A turn about the body z axis that swings for ever."""

from dataclasses import dataclass

import numpy as np

from ...plant.kernels.kernel import kernel
from .kernel_reference import KernelReference

__all__ = ["Swing"]


@kernel
def swing_kernel(t, q, r):
    """q = [amplitude, frequency]."""
    angle = q[0] * np.sin(q[1] * t)
    r[0] = np.cos(0.5 * angle)
    r[1] = 0.0
    r[2] = 0.0
    r[3] = np.sin(0.5 * angle)
    for i in range(4, 10):
        r[i] = 0.0
    r[6] = q[0] * q[1] * np.cos(q[1] * t)
    r[9] = -q[1] * q[1] * angle


@dataclass(frozen=True, eq=False)
class Swing(KernelReference):
    """Attitude at rest, a swing about it."""

    parameters: np.ndarray

    @property
    def kernel(self):
        return swing_kernel

    @property
    def steady(self):
        return np.array((1.0, 0.0, 0.0, 0.0)), np.zeros(3)
'''

REFERENCE_KIND = '''"""The swing in a case."""

from typing import Literal

import numpy as np
from pydantic import Field

from ....controllers.guidance.swing import Swing
from ...case.schema.fields import Positive, Table
from .kind import ReferenceKind


class SwingTable(Table):
    """A swing about z."""

    kind: Literal["swing"] = Field(description="which reference")
    amplitude_deg: Positive = Field(description="deg")
    frequency_rad_s: Positive = Field(description="rad/s")


def make(table, case, craft):
    return Swing(np.array((np.radians(table.amplitude_deg), table.frequency_rad_s)))


KIND = ReferenceKind(table=SwingTable, make=make)
'''

METRIC = '''"""Where the disc ends."""

from .kind import DoesNotApplyError, metric


@metric("angle of the disc at the end")
def final_disc_angle_rad(run, settings):
    if "internal" not in run.names or "disc_angle" not in run.components("internal")[0]:
        raise DoesNotApplyError("the case has no disc")
    return float(run.values("internal")[-1, run.components("internal")[0].index("disc_angle")])
'''

POTENTIAL = '''"""A permanent magnetic dipole in a uniform field: V = -m . R'B."""

from dataclasses import dataclass
from typing import Any, ClassVar

from ...checks import vector
from ...kernels.fields import fields, filled, three
from ...kernels.kernel import kernel
from ...kernels.rotation import to_body
from .any_potential import AnyPotential

AT = fields(dipole=3, field=3)


@dataclass(frozen=True, eq=False, kw_only=True)
class Dipole(AnyPotential):
    """m in A m^2, body components; B in T, inertial."""

    words: ClassVar[str] = "a dipole"
    needs_place: ClassVar[bool] = False

    moment: Any
    flux: Any

    def __post_init__(self):
        object.__setattr__(self, "moment", vector("dipole moment", self.moment))

    def pack(self, body, *, translation, off_center):
        return filled(AT, dipole=self.moment, field=self.flux)


@kernel
def dipole_load(t, x, p, row, w):
    m0, m1, m2 = three(p, row + AT.dipole)
    b0, b1, b2 = three(p, row + AT.field)
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], b0, b1, b2)
    zero = 0.0 * a0
    return m1 * a2 - m2 * a1, m2 * a0 - m0 * a2, m0 * a1 - m1 * a0, zero, zero, zero


@kernel
def dipole_energy(t, x, p, row, w):
    m0, m1, m2 = three(p, row + AT.dipole)
    b0, b1, b2 = three(p, row + AT.field)
    a0, a1, a2 = to_body(x[3], x[4], x[5], x[6], b0, b1, b2)
    return -(m0 * a0 + m1 * a1 + m2 * a2)


Dipole.kernels = dipole_load, dipole_energy
POTENTIAL = Dipole
'''

POTENTIAL_KIND = '''"""The dipole in a case."""

from typing import ClassVar, Literal

from pydantic import Field

from ....plant.loads.potentials.dipole import Dipole
from ...case.schema.fields import Vector3
from ...case.schema.potential import PotentialTable
from .kind import PotentialKind


class DipoleTable(PotentialTable):
    """A permanent dipole in a uniform field."""

    needs_place: ClassVar[bool] = False

    kind: Literal["dipole"] = Field(description="which potential")
    moment_A_m2: Vector3 = Field(description="body axes, A m^2")
    field_T: Vector3 = Field(description="inertial axes, T")


KIND = PotentialKind(table=DipoleTable, make=lambda table: Dipole(moment=table.moment_A_m2, flux=table.field_T))
'''

PULL = """
import numpy as np
from polhode import plant, sim
from polhode.plant.attitude import rotation_matrix
from polhode.scenarios.case.schema import Case
from polhode.scenarios.objects.problem import build

assert sim.__file__.startswith(ROOM), sim.__file__
m, B = np.array((30.0, -10.0, 20.0)), np.array((2e-3, 1e-3, -3e-3))
case = Case.model_validate({
    "title": "x",
    "plant": {"inertia_kg_m2": [4.0, 3.1, 2.0],
              "potentials": [{"kind": "dipole", "moment_A_m2": list(m), "field_T": list(B)}]},
    "initial": {"rate_rad_s": [0.1, -0.2, 0.3]},
    "run": {"duration_s": 5.0},
})
assert "A permanent dipole in a uniform field" in str(Case.model_json_schema())
problem = build(case)
run = sim.simulate(problem.craft, state=problem.state, duration=5.0, integrator="rk8", step=0.1, at=[0.0, 2.5, 5.0],
                   compiled=False)
assert abs(run.values("energy_balance")).max() < 1e-12
assert abs(run.values("energy")[-1] - run.values("energy")[0]) < 1e-12
assert np.ptp(0.5 * np.sum(run.values("momentum") * run.values("rate"), axis=1)) > 1e-3  # and it moved it
for e, torque in zip(run.values("attitude"), run.values("torque")):
    assert np.allclose(torque, np.cross(m, rotation_matrix(e).T @ B), rtol=0, atol=1e-14)
model = problem.craft.linearize(problem.craft.at_rest(), allow_nonequilibrium=True)
assert np.isfinite(model.A).all()
print("done")
"""

STEPPER = '''"""Ralston's method of order 3 (1962): of three stages, the one with the least bound of its error."""

from .stepper import Stepper

STEPPER = Stepper(
    name="ralston3",
    words="Ralston's Runge-Kutta method of order 3 at fixed steps",
    order=3,
    a=((0, 0, 0), (1 / 2, 0, 0), (0, 3 / 4, 0)),
    b=(2 / 9, 1 / 3, 4 / 9),
    c=(0, 1 / 2, 3 / 4),
)
'''

STEPS = """
import numpy as np
from polhode import plant, sim
from polhode.plant.free_motion import FreeMotion
from polhode.scenarios.case.schema import Case
from polhode.scenarios.objects.problem import build
from polhode.sim.steppers.longest_step import stability_limit
from polhode.sim.steppers.phase_error import step_error

assert sim.__file__.startswith(ROOM), sim.__file__
def case(step):
    return Case.model_validate({
        "title": "x",
        "plant": {"inertia_kg_m2": [4.0, 3.1, 2.0]},
        "initial": {"rate_rad_s": [0.8, -0.5, 1.1]},
        "run": {"duration_s": 3.2, "integrator": "ralston3", "step_s": step},
    })
assert "ralston3: Ralston's Runge-Kutta method of order 3 at fixed steps" in str(Case.model_json_schema())
def flown(step):
    problem = build(case(step))
    run = sim.simulate(problem.craft, state=problem.state, **{**problem.settings, "output": None}, at=[1.57, 3.2],
                       compiled=False)
    return run.values("momentum"), run.t, run.status
exact = FreeMotion((4.0, 3.1, 2.0), momentum=np.array((4.0, 3.1, 2.0)) * (0.8, -0.5, 1.1))
off = []
for step in (0.1, 0.05, 0.025):
    found, t, status = flown(step)
    assert status == "completed"
    off.append(np.abs(found - exact.momentum(t)).max(axis=1))
order = np.log2(np.divide(off[:-1], off[1:]))
assert (abs(order - 3.0) < 0.3).all(), (order, off)
# where |1 - z^2/2 + i (z - z^3/6)| = 1: of every method of order 3 in three stages
assert abs(stability_limit("ralston3") - 3.0 ** 0.5) < 1e-3
assert abs(step_error(sim.INTEGRATORS["ralston3"], 0.01j) / (0.01**4 / 24) - 1.0) < 1e-2
try:
    case(None)
    raise SystemExit("a fixed step was not asked for")
except ValueError as error:
    assert "needs step_s" in str(error)
try:
    sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), duration=1.0, integrator="ralston4")
    raise SystemExit("taken")
except plant.InputError as error:
    assert "ralston3" in str(error)
"""

IMPLICIT_STEPPER = '''"""Radau IIA in two stages, of order 3 (Ehle 1969): its last stage is the end of the step."""

from .stepper import Stepper

STEPPER = Stepper(
    name="radau3",
    words="Radau IIA of order 3 at fixed steps, implicit",
    order=3,
    a=((5 / 12, -1 / 12), (3 / 4, 1 / 4)),
    b=(3 / 4, 1 / 4),
    c=(1 / 3, 1),
)
'''

DIAGONAL_STEPPER = '''"""Alexander's diagonally implicit method of order 2 (1977): of one eigenvector."""

from .stepper import Stepper

G = 1 - 0.5**0.5

STEPPER = Stepper(
    name="sdirk2", words="Alexander's method of order 2", order=2, a=((G, 0), (1 - G, G)), b=(1 - G, G), c=(G, 1)
)
'''

IMPLICIT_STEPS = """
assert "radau3: Radau IIA of order 3 at fixed steps, implicit" in str(Case.model_json_schema())
exact = FreeMotion((4.0, 3.1, 2.0), momentum=np.array((4.0, 3.1, 2.0)) * (0.8, -0.5, 1.1)).momentum([1.57, 3.2])
slider = {"kind": "mass-spring-damper", "point_m": [0.3, 0.1, 0.0], "axis": [0, 1, 1], "mass_kg": 0.2,
          "stiffness_N_m": 4e5, "damping_N_s_m": 50.0}
def held(name, step, elements):
    problem = build(Case.model_validate({
        "title": "x",
        "plant": {"inertia_kg_m2": [4.0, 3.1, 2.0], "mass_kg": 20.0, "elements": elements},
        "initial": {"rate_rad_s": [0.8, -0.5, 1.1]},
        "run": {"duration_s": 3.2, "integrator": name, "step_s": step},
    }))
    run = sim.simulate(problem.craft, state=problem.state, **{**problem.settings, "output": None}, at=[1.57, 3.2],
                       compiled=False)
    assert run.status == "completed", run.reason
    return run
for name, order in (("radau3", 3), ("sdirk2", 2)):
    off = [np.abs(held(name, step, []).values("momentum") - exact).max() for step in (0.2, 0.1)]
    assert abs(np.log2(off[0] / off[1]) - order) < 0.3, off
    stiff = held(name, 0.1, [slider])  # 1,400 rad/s: far from resolved, and no matter
    assert abs(stiff.invariants()["momentum_balance_relative"]) < 1e-13
    assert np.abs(stiff.values("internal")).max() < 1e-5
assert abs(step_error(sim.INTEGRATORS["radau3"], 0.01j) / (0.01**4 / 72) - 1.0) < 1e-2
print("done")
"""

USE = """
from polhode import controllers, sim
from polhode.scenarios import measure
from polhode.scenarios.objects.design import design_model
from polhode.scenarios.pictures.run.panels import panels_of
from polhode.scenarios.objects.problem import build
from polhode.scenarios.report.requirements import judge
from polhode.scenarios.case.schema import Case

assert controllers.__file__.startswith(ROOM), controllers.__file__
disc = {"kind": "torsion-disc", "axis": [0, 0, 2], "inertia_kg_m2": 0.1, "stiffness_N_m_rad": 0.2, "damping_N_m_s": 0.1}
case = Case.model_validate({
    "title": "x",
    "plant": {"inertia_kg_m2": [10.0, 10.0, 10.0], "elements": [disc]},
    "initial": {"rate_deg_s": [0.0, 0.0, 20.0]},
    "reference": {"kind": "swing", "amplitude_deg": 1.0, "frequency_rad_s": 0.1},
    "controller": {"kind": "quaternion-feedback", "sample_s": 0.1, "frequency_rad_s": 1.0, "damping_ratio": 0.7},
    "run": {"duration_s": 30.0},
    "require": [{"metric": "final_disc_angle_rad", "max": 0.01, "min": -0.01}],
})
schema = str(Case.model_json_schema())
assert all(word in schema for word in ("torsion-disc", "swing", "final_disc_angle_rad: angle of the disc at the end"))
problem = build(case)
assert "disc_angle" in design_model(case, problem.craft).states
run = sim.simulate(problem.craft, problem.law, state=problem.state, reference=problem.reference, duration=30.0,
                   integrator="rk4", step=0.05, compiled=False)
assert abs(run.values("internal")).max() > 0.1 and run.values("attitude_error")[-1] < 1e-3
found = measure(run)
assert found["energy_drift_relative"].value < 1e-6 and abs(found["final_disc_angle_rad"].value) < 0.01
assert judge(case.require, found)[0].met
assert panels_of(run)["disc"].title == "Disc"
print("done")
"""


@pytest.mark.slow
def test_an_element_a_reference_and_a_metric_are_their_files_and_a_line_each(tmp_path):
    copied(
        tmp_path,
        {
            "plant/elements/torsion_disc.py": ELEMENT,
            "scenarios/objects/elements/torsion_disc.py": ELEMENT_KIND,
            "controllers/guidance/swing.py": REFERENCE,
            "scenarios/objects/references/swing.py": REFERENCE_KIND,
            "scenarios/report/metrics/disc.py": METRIC,
        },
        {
            "scenarios/objects/elements/kinds.py": ('    "viscous_wheel",\n', '    "torsion_disc",\n'),
            "scenarios/objects/references/kinds.py": (")\n\nKINDS", '    "swing",\n'),
            "scenarios/report/metrics/kinds.py": ('    "nutation",\n', '    "disc",\n'),
        },
    )
    tried(tmp_path, USE)


@pytest.mark.slow
def test_steppers_are_a_file_and_a_line_each(tmp_path):
    """Explicit or implicit, of any stages, even where their matrix has no full set of eigenvectors."""
    copied(
        tmp_path,
        {
            "sim/steppers/ralston3.py": STEPPER,
            "sim/steppers/radau3.py": IMPLICIT_STEPPER,
            "sim/steppers/sdirk2.py": DIAGONAL_STEPPER,
        },
        {"sim/steppers/kinds.py": ('    "rk4",\n', '    "radau3",\n    "ralston3",\n    "sdirk2",\n')},
    )
    tried(tmp_path, STEPS + IMPLICIT_STEPS)


def test_a_potential_is_two_files_and_a_line_each(tmp_path):
    copied(
        tmp_path,
        {"plant/loads/potentials/dipole.py": POTENTIAL, "scenarios/objects/potentials/dipole.py": POTENTIAL_KIND},
        {
            "plant/loads/potentials/kinds.py": ('    "gravity_gradient",\n', '    "dipole",\n'),
            "scenarios/objects/potentials/kinds.py": ('    "gravity_gradient",\n', '    "dipole",\n'),
        },
    )
    tried(tmp_path, PULL)
