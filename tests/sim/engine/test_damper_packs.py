"""Spacecraft with rings and pendulums in packs have the numbers of their single runs, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.hub.element_calls import element_code
from polhode.plant.hub.parameters import AT_ELEMENTS, ELEMENT
from polhode.sim.engine import batch, packs
from polhode.sim.engine import indices as at
from polhode.sim.engine.element_pack_loop import advance_element_packs
from polhode.sim.engine.element_packs import fits_element_pack, vector_kernel
from polhode.sim.runs.drive import loop_of
from polhode.sim.runs.run_spec import run_spec

RNG = np.random.default_rng(17)
MOST = 17
TURNS = RNG.standard_normal((MOST, 4))
ATTITUDES = TURNS / np.linalg.norm(TURNS, axis=1)[:, None]
RATES = 0.3 * RNG.standard_normal((MOST, 3))
INERTIA = np.array(((6.0, 0.1, 0.2), (0.1, 5.0, 0.3), (0.2, 0.3, 4.0)))
SIZES = 1.0 + 0.1 * RNG.random(MOST)

METHODS: dict[str, dict[str, Any]] = {
    "dop853": {},
    "rk4": {"integrator": "rk4", "step": 0.05},
    "rk8": {"integrator": "rk8", "step": 0.07},
}


def ring(n: int, **more: Any) -> Any:
    given = {"mass": 0.05 * SIZES[n], "friction": 0.2 + 0.01 * n, "center": (0, 0, 0.3), "fill": 2.0 + 0.1 * n, **more}
    return plant.RingDamper(axis=(0, 0, 1), radius=0.5, angle=0.1 * n, relative_rate=0.2, **given)


def planar(n: int) -> Any:
    return plant.Pendulum(
        hinge=(0, 0.1, 0.2), length=0.3 * SIZES[n], mass=2.0, direction=(0, 0, -1), axis=(1, 0, 0),
        stiffness=1.5, damping=0.01 * n, angle=0.2, rate=0.1,
    )  # fmt: skip


def spherical(n: int) -> Any:
    return plant.Pendulum(
        hinge=(0.1, 0, 0.2), length=0.3, mass=1.0 + 0.1 * n, direction=(0, 0.1, -1),
        stiffness=1.5 * SIZES[n], damping=0.02, angle=(0.2, 0.1 * (n % 3)),
    )  # fmt: skip


def wheels(n: int) -> Any:
    return plant.wheel_array(
        axes=((1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1)), inertia=0.002, torque_limit=0.015,
        speed_limit=160.0, relative_rates=[150.0 + n, -150.0, 140.0, -140.0], allocation="min-max",
    )  # fmt: skip


ELEMENTS: dict[str, Callable[[int], list[Any]]] = {
    "ring": lambda n: [ring(n)],
    "full ring": lambda n: [ring(n, fill=2.0 * np.pi, center=(0, 0, 0))],
    "planar pendulum": lambda n: [planar(n)],
    "spherical pendulum": lambda n: [spherical(n)],
    "two rings": lambda n: [ring(n), ring(n + 1 if n + 1 < MOST else 0)],
    "all and wheels": lambda n: [ring(n), *wheels(n), planar(n), spherical(n)],
}

FEW_ROWS: dict[str, Any] = {"output_times": [0.013, 0.5, 2.0]}

LAWS: dict[str, Any] = {
    "none": None,
    "feedback": controllers.QuaternionFeedback(inertia=INERTIA, stiffness=0.4, damping=2.0, sample=0.1),
    "delay": controllers.QuaternionFeedback(inertia=INERTIA, stiffness=0.1, damping=1.0, sample=0.1, delay=0.15),
}


def spacecraft(n: int, elements: str, **more: Any) -> Any:
    return plant.Spacecraft(plant.RigidBody(SIZES[n] * INERTIA, mass=10.0 + n, **more), elements=ELEMENTS[elements](n))


def same(elements: str, law: Any, *, runs: int = 3, crafts: Any = None, rates: Any = RATES, **more: Any) -> Any:
    """Simulate some together, and each as a single run."""
    given = {"duration": 2.0, **({} if "output_times" in more else {"output_step": 0.1}), **more}
    crafts = [spacecraft(n, elements) for n in range(runs)] if crafts is None else crafts
    found = sim.simulate_batch(crafts, law, attitude=ATTITUDES[:runs], rate=rates[:runs], workers=1, **given)
    for n, craft in enumerate(crafts):
        one = sim.simulate(craft, law, attitude=ATTITUDES[n], rate=rates[n], **given)
        assert found.status[n] == one.status
        assert found.reasons.get(n, "") == one.reason
        assert (n in found.flagged) == bool(one.ended.warnings)
        k = int((one.t[: found.t.size] == found.t[: one.t.size]).sum())
        for name in ("states", "inputs", "observables"):
            assert getattr(found, name)[n, :k].tobytes() == getattr(one, name)[:k].tobytes(), (n, name)
            assert np.isnan(getattr(found, name)[n, k:]).all()
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("elements", ELEMENTS)
def test_elements_in_packs_equal_single_runs(in_packs, elements, method) -> None:
    same(elements, LAWS["feedback"], **METHODS[method])
    assert in_packs == [3]


@pytest.mark.slow
@pytest.mark.parametrize(("elements", "law"), [*product(ELEMENTS, LAWS)])
def test_elements_under_every_law_equal_single_runs(in_packs, elements, law) -> None:
    for method, rows in product(METHODS.values(), ({"output_step": 0.03}, FEW_ROWS)):
        same(elements, LAWS[law], runs=9, **method, **rows)
    assert set(in_packs) == {9}


@pytest.mark.parametrize("runs", [1, 2, 7, 8, 9, 17])
@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_any_number_of_damped_spacecraft_equals_single_runs(in_packs, method, runs) -> None:
    same("ring", None, runs=runs, duration=1.0, **METHODS[method])
    assert in_packs == [runs if runs > 1 else 0]


def test_runs_with_different_steps_of_dop853_stay_in_the_pack(in_packs) -> None:
    """Ten times the rate in every second run: their numbers of steps differ by more than a factor of two."""
    rates = RATES * np.where(np.arange(MOST) % 2, 10.0, 1.0)[:, None]
    same("ring", None, runs=9, rates=rates, duration=5.0, output_step=0.04)
    assert in_packs == [9]
    counted = [
        sim.simulate(spacecraft(n, "ring"), attitude=ATTITUDES[n], rate=rates[n], duration=5.0).counters["steps"]
        for n in range(2)
    ]
    assert counted[1] > 2 * counted[0]


def test_refused_steps_of_one_run_do_not_disturb_the_others(in_packs) -> None:
    """A fast start in a stiff pendulum: with this tolerance most runs reject steps, each at its own times."""
    rates = RATES * np.linspace(1.0, 20.0, MOST)[:, None]
    same("planar pendulum", LAWS["feedback"], runs=9, rates=rates, rtol=1e-13)
    assert in_packs == [9]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("runs", [3, 9])
def test_run_that_fails_leaves_the_other_damped_ones_unchanged(in_packs, method, runs) -> None:
    rates = RATES.copy()
    rates[1] = (1e140, -1e140, 1e140)
    found = same("all and wheels", LAWS["feedback"], runs=runs, rates=rates, duration=0.5, **METHODS[method])
    assert found.status.tolist() == ["completed", "failed"] + ["completed"] * (runs - 2)
    assert in_packs[0] == runs - 1


def test_run_that_diverges_later_leaves_the_others_unchanged(in_packs, monkeypatch) -> None:
    """The ring of one run is too stiff for the step, so that its rate grows until it is not finite."""
    monkeypatch.setattr("polhode.sim.runs.run_spec.require_stable_states", lambda *_: None)
    crafts = [spacecraft(n, "ring") for n in range(3)]
    stiff = plant.RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, friction=20.0, fill=2.0, relative_rate=0.1)
    crafts[1] = plant.Spacecraft(plant.RigidBody(INERTIA, mass=10.0), elements=[stiff])
    found = same("", None, crafts=crafts, duration=10.0, **METHODS["rk4"])
    assert found.status.tolist() == ["completed", "failed", "completed"]
    assert 0.0 < np.nanmax(np.where(np.isnan(found.states[1, :, 0]), np.nan, found.t)) < 10.0
    assert in_packs[0] == 2


@pytest.mark.parametrize("method", METHODS)
def test_long_damped_runs_return_within_an_interval(in_packs, monkeypatch, method) -> None:
    from polhode.sim.runs import batch_run

    monkeypatch.setattr(batch_run, "steps_per_call", lambda craft: 7)
    same("ring", LAWS["delay"], **METHODS[method])
    found = same("ring", None, max_steps=5, **METHODS[method])
    assert set(found.status) == {"failed"}
    assert len(in_packs) > 4


def test_pivoted_and_ledgerless_spacecraft_equal_single_runs(in_packs) -> None:
    crafts = [spacecraft(n, "two rings", pivot=(0, 0, 0.1 + 0.01 * n)) for n in range(3)]
    same("", LAWS["feedback"], crafts=crafts)
    same("spherical pendulum", LAWS["feedback"], ledger=False)
    assert in_packs == [3, 3]


@pytest.mark.parametrize(
    ("more", "may"),
    [
        ({}, True),
        ({"potentials": [plant.GravityGradient(mu=3.986e14, position=(7e6, 0, 0), velocity=(0, 7.5e3, 0))]}, False),
        ({"elements": [ring(0), plant.MassSpringDamper(axis=(1, 0, 0), mass=0.1, stiffness=1.0, point=(0, 0, 1))]},
         False),
        ({"translation": True}, False),
        ({"elements": [planar(n) for n in range(5)] + [spherical(n) for n in range(8)]}, False),
    ],
    ids=["ring", "potential", "element without a vector kernel", "translation", "many coordinates"],
)  # fmt: skip
def test_element_pack_refuses_what_has_no_vector_code(more, may) -> None:
    """The runs are then single, with equal results; see `test_other_elements_run_one_by_one`."""
    craft = plant.Spacecraft(plant.RigidBody(INERTIA, mass=10.0), **({"elements": [ring(0)]} | more))
    loop = loop_of(run_spec(craft, None, reference=None, duration=1.0, attitude=(1, 0, 0, 0)))
    assert fits_element_pack(loop) == (may and packs.simd_width() > 0)


def test_other_elements_run_one_by_one(in_packs) -> None:
    spring = plant.MassSpringDamper(axis=(1, 0, 0), mass=0.1, stiffness=1.0, point=(0, 0, 1))
    crafts = [plant.Spacecraft(plant.RigidBody(INERTIA, mass=10.0), elements=[ring(n), spring]) for n in range(3)]
    same("", None, crafts=crafts)
    assert in_packs == []


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("elements", ["ring", "all and wheels"])
def test_element_pack_loop_in_plain_python_is_the_engine(elements, method) -> None:
    """In plain Python, a vector holds one run; the states agree to rounding of the processor's functions."""
    craft = spacecraft(2, elements)
    plan = run_spec(craft, LAWS["feedback"], reference=None, duration=0.3, attitude=ATTITUDES[2], rate=RATES[2],
                    output_step=0.08, **METHODS[method])  # fmt: skip
    loop: Any = loop_of(plan)
    own: Any = batch.Batch(loop, 2, follows=True)
    for lane in range(2):
        own.load(lane, loop, plan.x)
        own.field("count")[lane, at.BUDGET] = own.field("count")[lane, at.MAX_STEPS]
    b, codes = own.arrays(1), np.zeros(1, dtype=np.int64)
    kernels = np.array([element_code(vector_kernel(element)) for element in craft.elements], dtype=np.float64)
    row, wheel_rows = int(b.p[AT_ELEMENTS]), []
    for element in craft.elements:
        b.p[row + ELEMENT.function] = element_code(element.kernel)  # not its address: called in plain Python
        if isinstance(element, plant.Wheel):
            wheel_rows.append(row)
        row += int(b.p[row + ELEMENT.length])
    rows = np.array(wheel_rows, dtype=np.int64)
    with np.errstate(all="ignore"):
        advance_element_packs(
            loop.law.kernel,
            loop.reference.kernel,
            None,
            [b],
            kernels,
            rows,
            np.zeros(30_000),
            codes,
        )
    assert codes[0] == at.DONE == own._call("advance_entry", own._flights[:1])[0]
    for name in ("x", "u", "out_x", "out_u", "tally"):
        np.testing.assert_allclose(getattr(b, name), own.field(name)[0], rtol=1e-12, atol=1e-14)
    assert b.count[at.STEPS] == own.field("count")[0, at.STEPS] > 0


def test_full_rings_in_a_pack_decay_as_in_closed_form(in_packs) -> None:
    """About the axis of a full ring: sdot = sdot_0 exp(-c (1/I_f + 1/J) t), from pi = J w + I_f (w + sdot) = constant.

    I_f = m R^2 and c = Cd R^2 are the inertia and friction of the fluid, J is the inertia of the hub about the axis.
    """
    runs, mass, radius, inertia = 9, 0.5, 0.4, np.diag((3.0, 2.5, 2.0))
    friction = 0.05 * (1.0 + np.arange(runs))
    crafts = [
        plant.Spacecraft(
            plant.RigidBody(inertia, mass=10.0),
            elements=[plant.RingDamper(axis=(0, 0, 1), mass=mass, radius=radius, friction=c, relative_rate=2.0)],
        )
        for c in friction
    ]
    found = sim.simulate_batch(crafts, duration=5.0, output_step=1.0, rtol=1e-12, workers=1)
    assert in_packs == [runs]
    fluid, hub = mass * radius**2, inertia[2, 2]
    decay = friction * radius**2 * (1.0 / fluid + 1.0 / hub)
    rate = 2.0 * np.exp(-decay[:, None] * found.t)
    np.testing.assert_allclose(found.values("internal_rate")[..., 0], rate, rtol=1e-9)


def test_pendulums_in_a_pack_swing_as_in_closed_form(in_packs) -> None:
    """A planar pendulum below a free hub, both at rest: q = q_0 cos(nu t), nu^2 = k (J + mu r^2) / (mu l^2 J).

    Bob and hub have the reduced mass mu; r is the distance from the bob to the mass centre of the hub. Angles of 1e-5
    rad keep the nonlinear remainder below 1e-10 of them.
    """
    runs, mass, hub_mass, hub, hinge, length = 9, 2.0, 10.0, 3.0, 0.2, 0.5
    stiffness = 0.5 * (1.0 + np.arange(runs))
    crafts = [
        plant.Spacecraft(
            plant.RigidBody(np.diag((hub, 2.5, 2.0)), mass=hub_mass),
            elements=[
                plant.Pendulum(
                    hinge=(0, 0, hinge),
                    length=length,
                    mass=mass,
                    direction=(0, 0, -1),
                    axis=(1, 0, 0),
                    stiffness=k,
                    angle=1e-5,
                )
            ],
        )
        for k in stiffness
    ]
    found = sim.simulate_batch(crafts, duration=5.0, output_step=0.5, workers=1)
    assert in_packs == [runs]
    reduced, arm = mass * hub_mass / (mass + hub_mass), hinge - length
    frequency = np.sqrt(stiffness * (hub + reduced * arm**2) / (reduced * length**2 * hub))
    np.testing.assert_allclose(
        found.values("internal")[..., 0], 1e-5 * np.cos(frequency[:, None] * found.t), atol=1e-13
    )
