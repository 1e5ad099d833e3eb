"""Runs with sensors and a filter in packs have the numbers of their single runs, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.contracts.kernel_call import call_code
from polhode.controllers.sensing.estimators import MEKF, USQUE
from polhode.controllers.sensing.sensors import ExclusionZone, FineSunSensor, RateGyro, StarTracker
from polhode.plant.hub.element_calls import element_code
from polhode.plant.hub.parameters import AT_ELEMENTS, ELEMENT
from polhode.sim.engine import batch, packs
from polhode.sim.engine import indices as at
from polhode.sim.engine.element_pack_loop import advance_element_packs
from polhode.sim.engine.element_packs import fits_element_pack, vector_kernel
from polhode.sim.runs.drive import loop_of
from polhode.sim.runs.run_spec import run_spec

RNG = np.random.default_rng(5)
MOST = 17
INERTIA = np.array(((40.0, 1.2, -0.8), (1.2, 30.8, 1.5), (-0.8, 1.5, 20.0)))
SIZES = 1.0 + 0.1 * RNG.random(MOST)
RATES = 0.002 * RNG.standard_normal((MOST, 3))
START = np.array((0.995, 0.05, -0.06, 0.06)) / np.linalg.norm((0.995, 0.05, -0.06, 0.06))
GYRO = {"angle_random_walk": 1e-5, "rate_random_walk": 1e-8, "bias": 1e-4}
RK4 = {"integrator": "rk4", "step": 0.05}
LAW = controllers.lqr(
    plant.Spacecraft(plant.RigidBody(INERTIA)).linearize(plant.Spacecraft(plant.RigidBody(INERTIA)).at_rest()),
    attitude=25.0,
    rate=1.0,
    effort=1.0,
    sample=0.1,
)


def blocks(
    *,
    gyro: dict[str, Any] | None = None,
    tracker: dict[str, Any] | None = None,
    mekf: dict[str, Any] | None = None,
    start: dict[str, Any] | None = None,
    kind: Any = MEKF,
    sample: float = 0.2,
) -> list[Any]:
    """A gyro at 10 Hz, a star tracker and a filter, with changes."""
    rates = RateGyro(**(GYRO | (gyro or {}))).block(sample=0.1)
    stars = StarTracker(**({"noise": 4e-5, "roll_noise": 3e-4, "delay": 0.2} | (tracker or {})))
    fixes = stars.block(sample=sample)
    found = kind(angle_random_walk=1e-5, rate_random_walk=1e-8, **({"gate": 0.9999} | (mekf or {}))).block(
        rates,
        [(stars, fixes)],
        **({"attitude": START, "attitude_sigma": 1e-3, "bias_sigma": 1e-4} | (start or {})),
    )
    return [rates, fixes, found]


def wheels(n: int) -> Any:
    return plant.wheel_array(
        axes=((1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1)),
        inertia=0.002,
        torque_limit=0.05,
        speed_limit=400.0,
        relative_rates=[150.0 + n, -150.0, 140.0, -140.0],
    )


def crafts(runs: int, elements: Callable[[int], Any] | None = None) -> list[Any]:
    basis = {} if elements else {"torques": plant.TorqueBasis("body", limit=0.2)}
    return [
        plant.Spacecraft(
            plant.RigidBody(SIZES[n] * INERTIA, mass=100.0), elements=elements(n) if elements else (), **basis
        )
        for n in range(runs)
    ]


def same(
    blocks: list[Any], *, runs: int = 9, craft: Any = None, law: Any = LAW, rates: Any = RATES, **more: Any
) -> Any:
    """Simulate some together, each with random numbers of its own, and each as a single run."""
    given = {"duration": 5.0, "output_step": 0.25, "blocks": blocks, "seed": 3, **RK4, **more}
    craft = crafts(runs) if craft is None else craft
    found = sim.simulate_batch(craft, law, attitude=START, rate=rates[:runs], workers=1, **given)
    for n, one in enumerate(craft):
        run = sim.simulate(one, law, attitude=START, rate=rates[n], run_index=n, **given)
        assert found.status[n] == run.status
        assert found.reasons.get(n, "") == run.reason
        k = int((run.t[: found.t.size] == found.t[: run.t.size]).sum())
        for name in ("states", "inputs", "observables", "block_signals"):
            assert getattr(found, name)[n, :k].tobytes() == getattr(run, name)[:k].tobytes(), (n, name)
    return found


@pytest.mark.parametrize("runs", [1, 2, 7, 8, 9, 17])
def test_any_number_of_runs_with_a_filter_equals_single_runs(in_packs, runs) -> None:
    found = same(blocks(), runs=runs)
    assert in_packs == [runs if runs > 1 else 0]
    if runs > 1:
        assert found.values("rate")[0, -1].tobytes() != found.values("rate")[1, -1].tobytes()


SENSORS: dict[str, dict[str, Any]] = {
    "whole counts and saturation": {"gyro": {"step": 1e-5, "limit": 5e-3}, "mekf": {"restart_after": None}},
    "quantised rate": {"gyro": {"rate_step": 1e-5, "errors": 1e-3 * np.ones((3, 3))}},
    "bias instability": {"gyro": {"bias_instability": 1e-6, "correlation_time": 50.0}},
    "errors in the field of view": {"tracker": {"field_noise": 1e-5, "field_time": 20.0}},
    "outages of both": {"gyro": {"outages": [(1.0, 1.5)]}, "tracker": {"outages": [(2.0, 3.1)]}},
    "exclusion zone": {"tracker": {"exclusions": [ExclusionZone((1, 0, 0), 0.2)]}},
    "no delay": {"tracker": {"delay": 0.0}},
    "long delay": {"tracker": {"delay": 0.7}, "sample": 0.3},
    "tight gate": {"mekf": {"gate": 0.5, "restart_after": None}},
}


@pytest.mark.parametrize("name", SENSORS)
def test_sensors_and_gates_in_packs_equal_single_runs(in_packs, name) -> None:
    """A tight gate refuses half of the messages, at different times in each run."""
    found = same(blocks(**SENSORS[name]))
    assert in_packs == [9]
    if name == "tight gate":
        refused = found.values("refused") > 0.0
        assert 0.2 < refused.mean() < 0.8
        assert (refused[:, 10:].any(axis=0) & ~refused[:, 10:].all(axis=0)).any()


@pytest.mark.parametrize(
    ("change", "least"),
    [
        ({"tracker": {"loss": 0.2}}, 0),
        ({"gyro": {"loss": 0.2}}, 9),
        ({"tracker": {"rate_limit": 2e-3}}, 0),
        ({"mekf": {"restart_after": 5}, "start": {"attitude": (1, 0, 0, 0), "attitude_sigma": 1e-6}}, 0),
    ],
    ids=["lost fixes", "lost readings", "too fast for the tracker", "restart of the filter"],
)
def test_runs_that_branch_leave_the_pack_with_equal_results(in_packs, change, least) -> None:
    """The filter of most runs takes a message that is lost in one of them: this one continues as a single run."""
    same(blocks(**change))
    assert least <= in_packs[0] <= 9


def test_few_runs_that_branch_leave_the_others_in_the_pack(in_packs) -> None:
    rates = RATES.copy()
    rates[4] = (0.05, 0, 0)
    same(blocks(tracker={"rate_limit": 3e-2}), rates=rates, duration=2.0)
    assert in_packs == [8]


def test_run_that_fails_leaves_the_other_filters_unchanged(in_packs) -> None:
    rates = RATES.copy()
    rates[2] = (1e140, -1e140, 1e140)
    found = same(blocks(), rates=rates, duration=1.0)
    assert found.status.tolist() == ["completed"] * 2 + ["failed"] + ["completed"] * 6
    assert in_packs[0] == 8


@pytest.mark.parametrize(
    "more",
    [
        {"craft": crafts(9, wheels)},
        {"craft": crafts(9, wheels), "integrator": "rk8", "step": 0.05},
        {
            "craft": crafts(
                9, lambda n: [plant.RingDamper(axis=(0, 0, 1), mass=0.1, radius=0.5, friction=0.3, fill=2.0)]
            )
        },
        {"output_step": 0.03},
        {"output_times": [0.013, 0.1, 2.0], "output_step": None, "ledger": False},
    ],
    ids=["wheels", "wheels with rk8", "ring", "rows within steps", "few rows"],
)
def test_plants_and_rows_with_a_filter_equal_single_runs(in_packs, more) -> None:
    same(blocks(), **more)
    assert in_packs == [9]


def test_monitors_in_packs_equal_single_runs(in_packs) -> None:
    """The law uses the true state, and sensors and filter are recorded only."""
    same([block.as_monitor() for block in blocks()])
    assert in_packs == [9]


def test_law_with_a_delay_on_raw_measurements_equals_single_runs(in_packs) -> None:
    law = controllers.QuaternionFeedback(inertia=INERTIA, stiffness=4.0, damping=20.0, sample=0.2, delay=0.1)
    shadows = [
        RateGyro(**GYRO).block(sample=0.1, shadows=True),
        StarTracker(noise=4e-5, roll_noise=3e-4).block(sample=0.2, shadows=True),
    ]
    same(shadows, law=law)
    assert in_packs == [9]


def test_long_runs_with_a_filter_return_within_an_interval(in_packs, monkeypatch) -> None:
    from polhode.sim.runs import batch_run

    monkeypatch.setattr(batch_run, "steps_per_call", lambda craft: 7)
    same(blocks(), duration=2.0)
    assert len(in_packs) > 4


@pytest.mark.parametrize(
    ("made", "more", "may"),
    [
        (blocks, {}, True),
        (lambda: blocks(kind=USQUE), {}, False),
        (lambda: blocks(start={"attitude": None, "attitude_sigma": None}), {}, False),
        (blocks, {"integrator": "dop853", "step": None}, False),
        (lambda: [controllers.blocks.low_pass(reads="rate", width=3, frequency=1.0, sample=0.1)], {}, False),
        (lambda: [FineSunSensor(sun=(1, 0, 0), noise=1e-4, half_angle=1.0).block(sample=0.1).as_monitor()], {}, False),
    ],
    ids=["MEKF", "USQUE", "start from sensors", "dop853", "filter block", "Sun sensor"],
)
def test_block_pack_refuses_blocks_without_vector_code(in_packs, made, more, may) -> None:
    given = {**RK4, **more}
    craft = crafts(1)[0]
    plan = run_spec(craft, LAW, reference=None, duration=1.0, attitude=START, blocks=made(), seed=1, **given)
    assert fits_element_pack(loop_of(plan)) == (may and packs.simd_width() > 0)
    same(made(), runs=3, duration=1.0, **more)
    assert in_packs == ([3] if may else [])


@pytest.mark.parametrize("elements", [None, wheels])
def test_pack_loop_with_blocks_in_plain_python_is_the_engine(elements) -> None:
    """In plain Python, a vector holds one run; the states agree to rounding of the processor's functions."""
    craft = crafts(1, elements)[0]
    made = blocks()
    plan = run_spec(craft, LAW, reference=None, duration=1.0, attitude=START, rate=RATES[0], blocks=made, seed=1,
                    output_step=0.08, **RK4)  # fmt: skip
    loop: Any = loop_of(plan)
    own: Any = batch.Batch(loop, 2, follows=True)
    for lane in range(2):
        own.load(lane, loop, plan.x)
        own.field("count")[lane, at.BUDGET] = own.field("count")[lane, at.MAX_STEPS]
    b, codes = own.arrays(1), np.zeros(1, dtype=np.int64)
    kernels = [element_code(vector_kernel(element)) for element in craft.elements]
    kernels += [call_code(block.kernel) for block in made]
    row, rows = int(b.p[AT_ELEMENTS]), []
    for element in craft.elements:
        b.p[row + ELEMENT.function] = element_code(element.kernel)
        rows.append(row)
        row += int(b.p[row + ELEMENT.length])
    with np.errstate(all="ignore"):
        advance_element_packs(
            loop.law.kernel,
            loop.reference.kernel,
            None,
            [b],
            np.array(kernels, dtype=np.float64),
            np.array(rows, dtype=np.int64),
            np.zeros(60_000),
            codes,
        )
    assert codes[0] == at.DONE == own._call("advance_entry", own._flights[:1])[0]
    for name in ("x", "u", "out_x", "out_u", "out_s", "tally", "block_z", "signals"):
        np.testing.assert_allclose(getattr(b, name), own.field(name)[0], rtol=1e-9, atol=1e-12)
    assert b.count[at.STEPS] == own.field("count")[0, at.STEPS] > 0
    np.testing.assert_array_equal(b.blocks[:, at.BLOCK.taken], own.field("blocks")[0][:, at.BLOCK.taken])


def test_filters_in_a_pack_reach_the_accuracy_of_farrenkopf(in_packs) -> None:
    """Standard deviation of the attitude after an update, in closed form (Farrenkopf 1978; Markley & Crassidis 2014).

    With S_v = sigma_v sqrt(T)/sigma_n, S_u = sigma_u T^(3/2)/sigma_n and equal noise sigma_n about all axes.
    """
    noise, walk, drift, period = 5e-5, 1e-5, 1e-6, 0.1
    gyro = RateGyro(angle_random_walk=walk, rate_random_walk=drift).block(sample=period)
    stars = StarTracker(noise=noise, roll_noise=noise)
    fixes = stars.block(sample=period)
    filtered = MEKF(angle_random_walk=walk, rate_random_walk=drift).block(
        gyro, [(stars, fixes)], attitude=START, attitude_sigma=1e-3, bias_sigma=1e-4
    )
    found = sim.simulate_batch(
        crafts(9), LAW, attitude=START, duration=120.0, output_step=10.0, blocks=[gyro, fixes, filtered], workers=1,
        seed=2, **RK4,
    )  # fmt: skip
    assert in_packs == [9]
    v, u = walk * np.sqrt(period) / noise, drift * period**1.5 / noise
    gamma = np.sqrt(1.0 + v**2 / 4.0 + u**2 / 48.0)
    zeta = gamma + u / 4.0 + 0.5 * np.sqrt(2.0 * gamma * u + v**2 + u**2 / 3.0)
    expected = noise * np.sqrt(1.0 - zeta**-2)
    sigma = found.values("attitude_sigma")[:, -1]
    np.testing.assert_allclose(sigma, expected, rtol=1e-3)
    errors = found.values("knowledge_error")[:, -6:]
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(expected, rel=0.3)  # of 162 numbers
