"""Spacecraft with wheels simulated in packs have results bitwise equal to their single runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.sim.engine import packs
from polhode.sim.engine.element_packs import fits_element_pack
from polhode.sim.runs.drive import loop_of
from polhode.sim.runs.parallel_runs import run_in_parallel
from polhode.sim.runs.run_spec import run_spec

RNG = np.random.default_rng(7)
MOST = 13
TURNS = RNG.standard_normal((MOST, 4))
ATTITUDES = TURNS / np.linalg.norm(TURNS, axis=1)[:, None]
RATES = 0.02 * RNG.standard_normal((MOST, 3))
INERTIA = np.array(((6.0, 0.1, 0.2), (0.1, 5.0, 0.3), (0.2, 0.3, 4.0)))
PYRAMID = ((1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1))
SCALES = 1.0 + 0.1 * RNG.random(MOST)
SPEEDS = 150.0 * (1.0 + 0.1 * RNG.random((MOST, 4))) * (1, -1, 1, -1)

METHODS: dict[str, dict[str, Any]] = {
    "dop853": {},
    "rk4": {"integrator": "rk4", "step": 0.05},
    "rk8": {"integrator": "rk8", "step": 0.07},
}


def array(n: int, **more: Any) -> Any:
    """Four wheels with different initial rates in each run."""
    given = {"axes": PYRAMID, "inertia": 0.002, "relative_rates": SPEEDS[n].tolist(), **more}
    return plant.wheel_array(**given)


def pair(n: int) -> Any:
    """A damper wheel and one with a constant motor torque: the torque of the law is external."""
    return (
        plant.Wheel(axis=(0, 0, 1), inertia=0.01, friction=0.01 * (n + 1), relative_rate=10.0),
        plant.Wheel(
            axis=(1, 0, 2),
            inertia=0.01,
            coulomb=0.002 * (n % 3),
            motor_torque=0.02,
            speed_limit=12.0,
            relative_rate=9.0 + n,
        ),
    )


WHEELS: dict[str, Callable[[int], Any]] = {
    "min-max with limits": lambda n: array(n, torque_limit=0.02, speed_limit=180.0, allocation="min-max"),
    "pseudo-inverse with limits": lambda n: array(n, torque_limit=0.02, speed_limit=170.0),
    "no limits": array,
    "torque limit": lambda n: array(n, torque_limit=0.01),
    "minimum torque": lambda n: array(n, torque_limit=0.02, minimum_torque=0.006 + 0.0005 * n, speed_limit=180.0),
    "speed limit and friction": lambda n: array(n, speed_limit=160.0, friction=1e-5 * (1 + n), coulomb=1e-3 * (n % 2)),
    "electrical power": lambda n: array(
        n, torque_limit=0.02, motor_efficiency=0.5 + 0.03 * n, standby_power=0.5 * n, rated_power=1.0 + n
    ),
    "wheels without a command": pair,
}

LIMITS: dict[str, dict[str, Any]] = {
    "none": {},
    "component": {"limit": 0.03},
    "direction": {"limit": 0.03, "keep_direction": True},
}

RIGID = plant.Spacecraft(plant.RigidBody(INERTIA))


def _model() -> Any:
    return RIGID.linearize(RIGID.at_rest())


LAWS: dict[str, Callable[[], Any]] = {
    "quaternion feedback": lambda: controllers.QuaternionFeedback(
        inertia=INERTIA, stiffness=0.4, damping=2.0, sample=0.1
    ),
    "LQR": lambda: controllers.lqr(_model(), attitude=25.0, rate=1.0, effort=1.0, sample=0.1),
    "LQR with a delay": lambda: controllers.lqr(_model(), attitude=5.0, rate=1.0, effort=1.0, sample=0.1, delay=0.15),
    "LQI": lambda: controllers.lqi(_model(), attitude=5.0, rate=1.0, integral=1.0, effort=1.0, sample=0.1),
    "energy shaping": lambda: controllers.EnergyShaping(inertia=INERTIA, damping=2.0, stiffness=0.4, sample=0.1),
    "sliding mode": lambda: controllers.SlidingMode(
        inertia=INERTIA, slope=0.5, reach=0.4, boundary_layer=0.05, sample=0.1
    ),
    "rate damping": lambda: controllers.RateDamping(gain=3.0, sample=0.1),
}


def spacecraft(n: int, wheels: str, limits: str = "none") -> Any:
    elements = WHEELS[wheels](n)
    basis = plant.TorqueBasis("body", internal=wheels != "wheels without a command", **LIMITS[limits])
    return plant.Spacecraft(plant.RigidBody(SCALES[n] * INERTIA), torques=basis, elements=elements)


def same(wheels: str, law: Any, *, runs: int = 3, limits: str = "none", rates: Any = RATES, **more: Any) -> Any:
    """Simulate some together, and each singly."""
    given = {"duration": 2.0, "output_step": 0.1, **more}
    crafts = [spacecraft(n, wheels, limits) for n in range(runs)]
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


@pytest.mark.parametrize("wheels", WHEELS)
def test_wheels_side_by_side_are_their_single_runs(in_packs, wheels) -> None:
    same(wheels, LAWS["quaternion feedback"]())
    assert in_packs == [3]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("law", [None, "LQI", "LQR with a delay"])
def test_methods_and_laws_side_by_side_are_their_single_runs(in_packs, method, law) -> None:
    same("pseudo-inverse with limits", law and LAWS[law](), limits="direction", **METHODS[method])
    assert in_packs == [3]


@pytest.mark.slow
@pytest.mark.parametrize(("wheels", "law", "limits"), [*product(WHEELS, LAWS, LIMITS)])
def test_every_law_on_every_kind_of_wheels(in_packs, wheels, law, limits) -> None:
    for method in METHODS.values():
        same(wheels, LAWS[law](), limits=limits, **method)
    assert in_packs == [3, 3, 3]


@pytest.mark.parametrize("runs", [1, 3, 8, 13])
@pytest.mark.parametrize("method", ["dop853", "rk4"])
def test_any_number_of_runs_with_wheels(in_packs, method, runs) -> None:
    same("min-max with limits", LAWS["quaternion feedback"](), runs=runs, duration=1.0, **METHODS[method])
    assert in_packs == [runs if runs > 1 else 0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("runs", [3, 13])
def test_run_that_fails_leaves_the_others_as_they_are(in_packs, method, runs) -> None:
    rates = RATES.copy()
    rates[1] = (1e140, -1e140, 1e140)
    found = same("pseudo-inverse with limits", LAWS["quaternion feedback"](), runs=runs, rates=rates, duration=1.0,
                 **METHODS[method])  # fmt: skip
    assert found.status.tolist() == ["completed", "failed"] + ["completed"] * (runs - 2)
    assert in_packs[0] == runs - 1


@pytest.mark.parametrize(
    "more",
    [
        {"output_step": 0.03},
        {"output_times": [0.05, 0.1, 0.101, 2.0], "output_step": None, "ledger": False},
        {"integrator": "rk4", "step": 0.05, "output_step": 0.02},
        {"integrator": "rk4", "step": 0.05, "output_step": 0.05},
        {"integrator": "dop853", "step": 0.03, "output_step": 0.1},
        {"rtol": 1e-14, "output_step": 0.1},
    ],
    ids=[
        "rows within steps",
        "few rows",
        "rows within fixed steps",
        "rows at steps",
        "a largest step",
        "refused steps",
    ],
)
def test_rows_and_steps_between_samples(in_packs, more) -> None:
    """Runs that diverge within a stretch complete it singly, and continue in packs."""
    more = {name: value for name, value in more.items() if value is not None or name == "output_step"}
    law = controllers.QuaternionFeedback(inertia=INERTIA, stiffness=0.4, damping=2.0, sample=0.5)
    rates = 10.0 * RATES if "rtol" in more else RATES
    same("pseudo-inverse with limits", law, runs=3, rates=rates, **more)
    assert in_packs == [3]


@pytest.mark.parametrize("method", METHODS)
def test_long_runs_with_wheels_come_back_on_the_way(in_packs, monkeypatch, method) -> None:
    from polhode.sim.runs import batch_run

    monkeypatch.setattr(batch_run, "steps_per_call", lambda craft: 7)
    same("speed limit and friction", LAWS["LQR"](), **METHODS[method])
    found = same("speed limit and friction", LAWS["LQR"](), max_steps=12, **METHODS[method])
    assert set(found.status) == {"failed"}
    assert len(in_packs) > 4


def test_counters_of_a_campaign_are_those_of_the_single_run(in_packs) -> None:
    """A campaign has complete runs: motor torques at every step, number of steps, and energy balance."""
    law = LAWS["quaternion feedback"]()
    given = {"duration": 2.0, "output_step": 0.1}
    crafts = [
        plant.Spacecraft(
            plant.RigidBody(SCALES[n] * INERTIA),
            elements=array(
                n,
                torque_limit=0.01 + 0.002 * n,
                speed_limit=160.0 + n,
                allocation="min-max",
                motor_efficiency=0.5 + 0.05 * n,
                standby_power=0.2 * n,
                rated_power=2.0 + n,
            ),
        )
        for n in range(5)
    ]
    plans = [
        run_spec(craft, law, reference=None, attitude=ATTITUDES[n], rate=RATES[n], **given)
        for n, craft in enumerate(crafts)
    ]
    together = dict(run_in_parallel(plans))
    for n, craft in enumerate(crafts):
        run, one = together[n], sim.simulate(craft, law, attitude=ATTITUDES[n], rate=RATES[n], **given)
        assert isinstance(run, type(one))
        assert run.counters == one.counters
        assert run.states.tobytes() == one.states.tobytes()
        assert run.warnings == one.warnings
    assert in_packs == [5]


@pytest.mark.parametrize(
    ("more", "may"),
    [
        ({}, True),
        ({"integrator": "rk4", "step": 0.1}, True),
        ({"integrator": "gauss4", "step": 0.1}, False),
        ({"torques": [plant.TorquePulse((0.1, 0, 0), start=0.5, stop=1.0)]}, False),
    ],
)
def test_element_pack_requires_an_explicit_method_and_no_pulses(more, may) -> None:
    plan = run_spec(
        spacecraft(0, "no limits"), LAWS["LQR"](), reference=None, duration=1.0, attitude=(1, 0, 0, 0), **more
    )
    loop = loop_of(plan)
    assert fits_element_pack(loop) == (may and packs.simd_width() > 0)
    assert not packs.may_fly_in_packs(loop)


def test_wheels_without_vector_code_are_simulated_one_by_one(in_packs, monkeypatch, capfd) -> None:
    monkeypatch.setattr(packs, "simd_width", lambda: 0)
    same("min-max with limits", LAWS["quaternion feedback"](), duration=0.5)
    assert in_packs == []
    assert capfd.readouterr() == ("", "")
