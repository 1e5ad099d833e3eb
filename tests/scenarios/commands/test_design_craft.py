"""Design models of spacecraft with flexible arms: rigid arms or modes, other elements unchanged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers.contracts.law_defaults import with_defaults
from polhode.plant.errors import InputError
from polhode.scenarios import build, load_case
from polhode.scenarios.case.kinds.design import (
    design_craft,
    design_model,
    design_plant,
    design_warnings,
    left_out_warning,
    taken_as,
)

from ..conftest import Command

PENDULUM = (
    '{kind="pendulum", hinge_m=[0.0, 0.02, -0.05], length_m=0.3, mass_kg=1.0, direction=[0, 0, -1], '
    "stiffness_N_m_rad=0.5, damping_N_m_s=0.02}"
)


def loaded(*overrides: str):
    return load_case("flexible-slew", ["compare=[]", *overrides])


def test_rigid_arms_are_the_rigid_body() -> None:
    """The gain is that of a single body with the inertia of hub and rods, written out."""
    case = loaded("controller.filters=[]").case
    law = build(case).law
    assert isinstance(law, controllers.LinearFeedback)
    along = 0.149 + 2 * 2800 * 1.04e-6 * 2
    across = 0.149 + 2 * 7 * (2.1**3 - 0.1**3) / 3 + 2 * 2800 * 5.2e-7 * 2
    body = plant.Spacecraft(plant.RigidBody((along, across, across)), torques=plant.TorqueBasis("body", limit=5.0))
    weights = {"attitude": (0.01, 15, 15), "rate": (0.01, 1, 1), "effort": 1.0}
    alone = controllers.lqr(body.linearize(body.at_rest()), **weights, sample=0.02)
    np.testing.assert_allclose(law.gain, alone.gain, rtol=0, atol=1e-10)


def test_design_model_keeps_other_elements() -> None:
    case = loaded("controller.filters=[]", f"plant.elements.1={PENDULUM}").case
    craft = build(case, with_law=False).craft
    inner = design_craft(case, craft)
    assert inner.layout.coordinates == ("pendulum_angle_1", "pendulum_angle_2")
    assert not inner.layout.own_names
    model = design_model(case, craft)
    assert "pendulum_angle_1" in model.states
    assert len(model.states) == 10
    np.testing.assert_allclose(model.inertia, craft.locked_inertia(craft.at_rest()), rtol=0, atol=1e-12)


def test_modes_are_in_the_model_and_in_the_margins() -> None:
    """On its modes the regulator of rigid arms is seen to be unstable, as it is when flown; with its notch it holds."""
    plain = loaded("controller.filters=[]").case
    law, craft = with_defaults(build(plain).law), build(plain).craft
    few = loaded("controller.filters=[]", "controller.design_on=modes", "controller.modes=2").case
    assert design_model(few, craft).states[6:] == ("mode_1", "mode_2", "mode_1_momentum", "mode_2_momentum")
    model = design_model(loaded("controller.filters=[]", "controller.design_on=modes").case, craft)
    assert len(model.states) == 6 + 2 * 10
    notched = with_defaults(build(loaded().case).law)
    assert np.abs(law.closed_loop_poles(model)).max() > 1.0005
    assert np.abs(notched.closed_loop_poles(model)).max() < 1.0


def test_estimator_on_modes_flies_mesh(polhode: Command) -> None:
    lqg = (
        'controller={kind="lqg", attitude_weight=[0.01, 15, 15], rate_weight=[0.01, 1, 1], effort_weight=1.0, '
        "sample_s=0.0025, torque_limit_N_m=5.0, torque_noise_N_m_rtHz=0.01, attitude_noise_rad=1e-4, "
        'rate_noise_rad_s=1e-4, design_on="modes", modes=4}'
    )
    short = ("--set", "run.duration_s=4", "--set", "metrics.residual_from_s=3", "--set", "require=[]")
    outcome = polhode("run", "flexible-slew", "--json", "--set", "compare=[]", "--set", lqg, *short)
    assert outcome.code == 0
    assert outcome.json["warnings"] == []
    plain = polhode("run", "flexible-slew", "--json", "--set", "compare=[]", "--set", "controller.filters=[]", *short)
    own, other = (each.json["metrics"]["residual_tip_deflection_m"] for each in (outcome, plain))
    assert own < 0.2 * other


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (("controller.modes=3",), 'also give design_on = "modes"'),
        (("controller.design_on=modes", "controller.internal=measured"), "no sensor of a craft with flexible arms"),
        (("plant.elements=[]",), "hub_size_m limits the roots of flexible arms"),
    ],
)
def test_design_craft_rejects_bad_input(changes: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match="flexible-slew: ") as caught:
        loaded(*changes)
    assert said in str(caught.value)


def test_modes_without_arms_and_too_many() -> None:
    with pytest.raises(
        InputError, match='slew-lqr: controller: design_on = "modes" requires a spacecraft with flexible arms'
    ):
        load_case("slew-lqr", ["controller.design_on=modes"])
    case = loaded("controller.design_on=modes", "controller.modes=99").case
    with pytest.raises(InputError, match="controller: modes must be 1 to 10"):
        build(case)


def test_methods_are_compared_on_a_craft_with_arms(polhode: Command, tmp_path: Path) -> None:
    more = ("--set", "run.duration_s=1", "--set", "metrics.residual_from_s=0.5", "--set", "require=[]")
    outcome = polhode("design", "flexible-slew", "--compare", "lqr,pid", "--json", *more)
    assert outcome.code == 0
    lqr, pid = outcome.json["comparison"]
    assert [lqr["method"], pid["method"]] == ["lqr", "pid"]
    assert lqr["margins"]["axes"][1]["phase_deg"] > 55.0


ORBIT = (
    'plant.potentials=[{kind="gravity-gradient", mu_m3_s2=3.986e14, position_m=[0, 3e6, 6.4e6], '
    "velocity_m_s=[7510, 0, 0]}]"
)


@pytest.mark.parametrize("on", ["rigid", "modes"])
def test_law_about_stars_is_designed_beside_gradient_of_orbit(on: str) -> None:
    """No constant model has a gradient that turns: the design is that without it, and it acts on what is flown."""
    more = ("controller.filters=[]", f"controller.design_on={on}")
    away, there = loaded(*more).case, loaded(*more, ORBIT).case
    craft = build(there, with_law=False).craft
    assert craft.time_dependent
    calm = design_model(away, build(away, with_law=False).craft)
    np.testing.assert_array_equal(design_model(there, craft).A, calm.A)
    if on == "rigid":
        with_it, without = build(there).law, build(away).law
        np.testing.assert_array_equal(with_it.gain, without.gain)  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue] # linear


def test_design_refuses_unsteady_state_in_orbit() -> None:
    """A wheel that friction slows is not steady, gradient or not."""
    wheel = '{kind="viscous-wheel", axis=[1, 0, 0], inertia_kg_m2=0.01, friction_N_m_s=0.1, relative_rate_rad_s=5}'
    case = loaded("controller.filters=[]", ORBIT, f"plant.elements.1={wheel}").case
    words = r"the state is not steady: wheel rotates at 5 rad/s against 0\.5 N m and has no motor"
    with pytest.raises(InputError, match=words):
        build(case)


def test_slosh_that_is_stirred_at_the_start_is_at_rest_in_the_model() -> None:
    stirred = PENDULUM.replace("damping", "angle_rad=[0.1, -0.2], rate_rad_s=[0.0, 0.1], damping")
    cases = [
        load_case("slew-lqr", ["plant.mass_kg=500.0", f"plant.elements=[{each}]"]).case for each in (PENDULUM, stirred)
    ]
    still, off = (build(case) for case in cases)
    assert off.state[7] == 0.1
    np.testing.assert_array_equal(with_defaults(still.law).gains()["K"], with_defaults(off.law).gains()["K"])


@pytest.mark.slow
def test_prescribed_orbit_is_left_out_of_every_linear_model(polhode: Command) -> None:
    """No constant model has what turns about an attitude at rest; the words say what was taken."""
    case = load_case("flexible-on-wheels").case
    craft = build(case, with_law=False).craft
    inner, model = design_plant(case, craft)
    assert not inner.time_dependent
    assert model.states == design_model(case, craft).states
    assert taken_as(case, craft, inner) == (
        "its flexible arms rigid and the gravity gradient of its prescribed orbit left out"
    )
    plain = load_case("slew-lqr").case
    alone = build(plain, with_law=False).craft
    assert design_plant(plain, alone)[0] is alone
    assert not taken_as(plain, alone, alone)
    for more in ((), ("--modes", "2")):
        done = polhode("linearize", "flexible-on-wheels", "--json", *more)
        assert done.code == 0
        assert "prescribed orbit" in done.json["warnings"][0]
    assert not polhode("linearize", "slew-lqr", "--json").json["warnings"]


def test_warning_of_left_out_loads_names_all_of_them() -> None:
    """A fixed attitude in an environment: its torques and those of a table depend on time."""
    pytest.importorskip("erfa", reason="pyerfa is in the extra orbit")
    case = load_case(
        "slew-lqr",
        [
            'orbit={epoch="2026-03-20T12:00:00Z", altitude_km=500.0, inclination_deg=60.0}',
            'environment={magnetic_field="dipole", residual_dipole_A_m2=[0.1, 0.0, 0.0]}',
        ],
    ).case
    craft = build(case, with_law=False).craft
    assert design_warnings(case, craft) == (
        "the law is designed without the environment along an orbit, which depends on time; in a run it acts",
    )
    assert "omits the environment along an orbit, which" in left_out_warning(craft)
    gradient = plant.GravityGradient(mu=4e14, position=(7e6, 0, 0), velocity=(0, 7.5e3, 0))
    craft = plant.Spacecraft(craft.body, potentials=[*craft.potentials, gradient])
    assert "the environment along an orbit and the gravity gradient of its prescribed orbit" in left_out_warning(craft)
