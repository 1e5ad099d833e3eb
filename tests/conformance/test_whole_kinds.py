"""A registered kind is complete: schema, guide row, battery and picture; each test fails if a part is missing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from polhode import plant, sim
from polhode.controllers.contracts.attitude_law import SAVED
from polhode.plant.environment import AxialDipoleField, EnvironmentLoads, Epoch, MeanOrbit, fields_along
from polhode.plant.formulations import FORMULATIONS
from polhode.plant.kernels.kernel import kernel
from polhode.plant.loads.potentials.kinds import POTENTIALS
from polhode.plant.loads.torque.basis import BASIS_NAMES, BASIS_WORDS
from polhode.scenarios.case.kinds import blocks, elements, estimators, laws, potentials, references, sensors, torques
from polhode.scenarios.case.schema import Case
from polhode.scenarios.case.schema.run import MARGIN_WORDS, MARGINS
from polhode.scenarios.pictures.run.panels import PANELS, panels_of
from polhode.scenarios.report.metrics import METRICS
from polhode.sim import INTEGRATORS, QUANTITIES

from .wholeness import classes_made, without_battery, without_picture, without_row, without_schema

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "case-reference.md").read_text(encoding="utf-8")


def text_of(*places: str) -> str:
    """All files of folders, or files, of the tests."""
    found = [ROOT / "tests" / place for place in places]
    files = [file for each in found for file in (sorted(each.rglob("*.py")) if each.is_dir() else [each])]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


ROWS = [
    *(("element", kind.name, str(kind.table.__doc__)) for kind in elements.KINDS),
    *(("potential", kind.name, str(kind.table.__doc__).split("\n", maxsplit=1)[0]) for kind in potentials.KINDS),
    *(("torque basis", name, BASIS_WORDS[name]) for name in BASIS_NAMES),
    *(("reference", kind.name, str(kind.table.__doc__)) for kind in references.KINDS),
    *(("torque", kind.name, str(kind.table.__doc__)) for kind in torques.KINDS),
    *(("block", kind.name, str(kind.table.__doc__)) for kind in blocks.KINDS),
    *(("sensor", kind.name, str(kind.table.__doc__)) for kind in sensors.KINDS),
    *(("estimator", kind.name, str(kind.table.__doc__)) for kind in estimators.KINDS),
    *(("integrator", kind.name, kind.words) for kind in INTEGRATORS.values()),
    *(
        ("formulation", name, f"{FORMULATIONS[name].title}: {FORMULATIONS[name].source}")
        for name in sorted(FORMULATIONS)
    ),
    *(("metric", kind.name, kind.words) for kind in METRICS.values()),
    *(("metric", name, words) for name, words in MARGIN_WORDS.items()),
]
NAMES = [*(name for _, name, _ in ROWS), *(kind.name for kind in laws.KINDS)]


def test_every_margin_metric_has_words():
    assert set(MARGIN_WORDS) == set(MARGINS)


def test_case_reference_has_row_for_each_kind():
    """Laws and their Python classes are checked in `test_laws`."""
    missing = without_row(ROWS, GUIDE)
    assert not missing, "docs/case-reference.md needs\n" + "\n".join(missing)
    assert without_row([*ROWS, ("element", "ghost", "A | ghost.")], GUIDE) == ["| element | `ghost` | A \\| ghost |"]


def test_schema_has_each_kind():
    schema = Case.model_json_schema()
    assert not without_schema(NAMES, schema)
    assert without_schema([*NAMES, "ghost"], schema) == ["ghost"]


BATTERIES = {
    "element": (
        [
            name
            for kind in elements.KINDS
            for name in ([kind.element.__name__] if kind.element else classes_made(kind.make))
        ],
        text_of(
            "battery/elements/conftest.py", "battery/companies", "crafts.py", "plant/elements/test_hysteresis_rod.py"
        ),
    ),
    "potential": ([each.__name__ for each in POTENTIALS], text_of("battery/conftest.py")),
    "reference": (
        [
            "ShapedReference",
            *(
                name
                for kind in references.KINDS
                for name in ([kind.reference.__name__] if kind.reference else classes_made(kind.make))
            ),
        ],
        text_of("controllers/guidance/test_every_reference.py"),
    ),
    "law": ([each.__name__ for each in SAVED.values()], text_of("battery/laws", "controllers")),
}


@pytest.mark.parametrize("room", BATTERIES)
def test_battery_covers_each_class(room):
    classes, battery = BATTERIES[room]
    assert classes
    assert not without_battery(classes, battery)
    assert without_battery([*classes, "Ghost"], battery) == ["Ghost"]


def test_batteries_cover_all_steppers_and_formulations():
    assert text_of("battery/steppers").count('parametrize("name", INTEGRATORS)') == 1
    assert text_of("battery/formulations").count('parametrize("name", FORMULATIONS)') >= 4


def test_plant_battery_covers_each_torque_basis():
    missing = [name for name in BASIS_NAMES if f'plant.TorqueBasis("{name}"' not in text_of("battery/conftest.py")]
    assert not missing


def test_each_metric_is_held_against_a_number():
    tests = text_of("scenarios")
    named = {name for name in [*METRICS, "ghost_rad"] if f'"{name}"' in tests}
    assert named == set(METRICS)


EXAMPLES = {
    "hysteresis-rod": {
        "axis": [1, 0, 0],
        "volume_m3": 1e-6,
        "saturation_T": 0.025,
        "remanence_T": 0.004,
        "coercive_force_A_m": 12.0,
        "reversal_slope": 0.1,
        "exponent": 4.0,
    },
    "imbalanced-wheel": {"axis": [0, 0, 1], "inertia_kg_m2": 0.1, "dynamic_imbalance_kg_m2": 1e-3},
    "cmg-array": {
        "skew_deg": 54.73,
        "momentum_N_m_s": 10.0,
        "rotor_inertia_kg_m2": 0.02,
        "gimbal_inertia_kg_m2": 0.03,
        "time_constant_s": 0.05,
    },
    "control-moment-gyro": {
        "axis": [0, 0, 1],
        "spin_axis": [1, 0, 0],
        "momentum_N_m_s": 2.0,
        "rotor_inertia_kg_m2": 0.02,
        "gimbal_inertia_kg_m2": 0.03,
    },
    "flexible-arm": {
        "root_m": [0.5, 0, 0],
        "direction": [1, 0, 0],
        "length_m": 2.0,
        "elements": 1,
        "section": {"area_m2": 1e-3, "second_moment_m_m4": 8e-9, "second_moment_n_m4": 8e-9},
        "youngs_modulus_Pa": 7e8,
        "shear_modulus_Pa": 2.6e8,
        "density_kg_m3": 2700.0,
    },
    "flexible-modes": {
        "frequencies_rad_s": [3.0],
        "damping_ratios": [0.02],
        "rotation_sqrt_kg_m": [[0.9, 0.3, -0.2]],
    },
    "hinged-panel": {
        "hinge_m": [0.1, 0, 0.2],
        "axis": [0, 1, 0],
        "mass_kg": 0.2,
        "centre_m": [0.3, 0, 0],
        "inertia_kg_m2": [0.01, 0.02, 0.03],
        "angle_deg": 20.0,
    },
    "mass-spring-damper": {"point_m": [0.3, 0, 0], "axis": [0, 1, 0], "mass_kg": 0.2, "stiffness_N_m": 1.0},
    "panel-chain": {
        "panels": [
            {
                "hinge_m": [0.1, 0, 0.2],
                "axis": [0, 1, 0],
                "mass_kg": 0.2,
                "centre_m": [0.3, 0, 0],
                "inertia_kg_m2": [0.01, 0.02, 0.03],
                "angle_deg": 20.0,
            }
        ]
    },
    "pendulum": {"hinge_m": [0.1, 0, 0.2], "length_m": 0.3, "mass_kg": 0.2, "direction": [0, 0, 1]},
    "ring-damper": {"axis": [0, 0, 1], "mass_kg": 0.1, "radius_m": 0.3, "friction_kg_s": 0.1},
    "viscous-wheel": {"axis": [0, 0, 1], "inertia_kg_m2": 0.01, "friction_N_m_s": 0.01},
    "wheel": {"axis": [0, 0, 1], "inertia_kg_m2": 0.01, "relative_rate_rad_s": 5.0},
    "wheel-array": {"axes": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "inertia_kg_m2": 0.01},
}


USUAL = {*PANELS} - {"tips", "motor_torque", "induction"}
"""Panels that a run may have whatever its elements are."""


def field():
    epoch = Epoch("2026-03-20T12:00:00Z")
    orbit = MeanOrbit(epoch=epoch, semi_major_axis=7e6, inclination=1.0)
    return (EnvironmentLoads(fields=fields_along(orbit, 1.0, magnetic=AxialDipoleField())),)


@cache
def drawn(*parts) -> set[str]:
    magnetic = any(getattr(each, "reads_magnetic_field", False) for each in parts)
    craft = plant.Spacecraft(
        plant.RigidBody((14.0, 11.0, 9.0), mass=60.0), elements=parts, potentials=field() if magnetic else ()
    )
    given = {"rate": (0.1, 0.2, 0.3), "duration": 0.02, "step": 0.01, "output_step": 0.01}
    run = sim.simulate(craft, **given, integrator="gauss4" if parts and not magnetic else "rk4", compiled=False)
    assert run.status == "completed"
    return {*panels_of(run)}


@pytest.mark.parametrize("kind", list(elements.KINDS), ids=lambda kind: kind.name)
def test_each_element_is_seen_in_the_pictures(kind):
    table = kind.table.model_validate({"kind": kind.name, **EXAMPLES[kind.name]})
    assert not without_picture({kind.name: drawn(*kind.make(table))}, USUAL)


@kernel
def _nothing(phase, t, x, u, p, row, w):
    """Table of an element without effect."""
    k = int(p[row + 2])
    if phase == 0:
        plant.elements.assembly.add_mass(p, w, 3 + k, 3 + k, 1.0)


class Ghost:
    """An element whose coordinate affects nothing and has no rate as output."""

    kernel = staticmethod(_nothing)
    coordinates, units, initial = ("ghost_angle",), ("rad",), ((0.0,), (0.0,))
    cyclic = constant = True
    moves_mass, mass = False, 0.0

    def pack(self, offset):
        return [0.0]


def test_element_without_picture_is_reported():
    assert without_picture({"ghost": drawn(Ghost())}, USUAL) == ["ghost"]


NOT_DRAWN = {
    "command": "shown as the torque of the law",
    "command_external": "shown as the external torque",
    "command_wheels": "shown as the torque of the wheels",
    "error_vector": "the size of it is",
    "formulation_state": "told by rate and attitude, which are read from it",
    "hub_torque": "the motors behind it are",
    "motor_power": "the torque and the rate behind it are",
    "hub_position": "a part of the mass centre's",
    "inertial_momentum": "kept; its balance is",
    "internal_momentum": "the coordinates are",
    "linear_momentum": "the position is",
    "norm_error": "put back after each step; the norm is",
    "velocity": "the position is",
}
"""Of all a run can tell, what no picture of it shows, and why."""


def test_each_quantity_of_a_run_is_in_a_picture_or_said_not_to_be():
    pictures = "\n".join(
        file.read_text(encoding="utf-8") for file in sorted((ROOT / "scenarios/pictures/run").glob("*.py"))
    )
    shown = {name for name in QUANTITIES if f'"{name}"' in pictures}
    assert {*QUANTITIES} - shown <= {*NOT_DRAWN}
    assert {*NOT_DRAWN} <= {*QUANTITIES}


def test_bodies_that_translate_and_multipliers_are_drawn():
    craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0), mass=5.0), translation=True)
    given = {"rate": (0.1, 0.2, 0.3), "duration": 0.2, "step": 0.1, "integrator": "rk4", "compiled": False}
    assert "position" in panels_of(sim.simulate(craft, velocity=(1, 2, 3), **given))
    bare = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    run = sim.simulate(bare, formulation="lagrange-29", **given)
    assert "multiplier" in panels_of(run)
    assert np.isfinite(run.values("multiplier")).all()
