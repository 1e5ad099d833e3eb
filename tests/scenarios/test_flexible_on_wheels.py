"""The case with all features on one spacecraft: its balances, its hub-and-modes equivalent, its rigid limit."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from polhode import sim
from polhode.plant import Spacecraft
from polhode.plant.attitude import attitude_error, rotation_angle
from polhode.plant.flexible import reduce_craft, rigid_twin
from polhode.plant.hub.dynamics import derivative, energy
from polhode.scenarios import Problem, build, load_case
from polhode.sim import Run

CASE = "flexible-on-wheels"
TINY = 1e-40
EPS = float(np.finfo(np.float64).eps)


def problem(*overrides: str) -> Problem:
    return build(load_case(CASE, ["require=[]", *overrides]).case)


@pytest.fixture(scope="module")
def whole() -> Problem:
    return problem()


@pytest.fixture(scope="module")
def calm() -> Problem:
    """Without the gravity gradient, which does not act on modes, and with an energy that only work changes."""
    return problem("plant.potentials=[]")


def flown(given: Problem, craft: Spacecraft | None = None, *, duration: float, step: float = 0.05) -> Run:
    """The law of the case on this craft, from the case's attitude at rest."""
    craft = given.craft if craft is None else craft
    timing: dict[str, Any] = {"duration": duration, "integrator": "gauss4", "step": step, "output_step": 0.2}
    start = craft.state(attitude=given.state[3:7])
    return sim.simulate(craft, given.law, reference=given.reference, state=start, **timing)


def balance_of(run: Run, what: str) -> float:
    """The relative imbalance of momentum or energy, which the run must have."""
    found = run.invariants()[f"{what}_balance_relative"]
    assert found is not None
    return found


def apart(run: Run, other: Run) -> float:
    """The largest angle between the hubs of two runs at any row, as a fraction of the angle of the slew."""
    pairs = zip(run.values("attitude"), other.values("attitude"), strict=True)
    angles = [float(rotation_angle(attitude_error(one, two))) for one, two in pairs]
    return max(angles) / float(run.values("attitude_error")[0])


def test_flexible_on_wheels_has_all_parts(whole: Problem) -> None:
    layout = whole.craft.layout
    heads = {name.split("_")[0] for name in layout.coordinates}
    assert heads == {"wheel", "ring", "pendulum"}
    assert len([name for name in layout.coordinates if name.startswith("wheel")]) == 4
    assert len(layout.own_names) > 100  # two meshes of four elements
    assert whole.craft.time_dependent
    assert whole.law is not None
    assert whole.law.delay == pytest.approx(0.3 * whole.law.sample)


def test_power_is_balanced_to_round_off(whole: Problem) -> None:
    """dH/dt along the flow, with the orbit fixed, equals the power of motors, friction and damping; well into the
    slew.
    """
    craft = whole.craft
    x = flown(whole, duration=2.0).states[-1, : craft.layout.size]
    full = np.concatenate([x, np.zeros(4)])
    u, rates = np.array((-0.1, 0.02, -0.2)), np.zeros_like(full)
    derivative(0.0, full, u, craft.pack(ledger=True), rates, craft.user_loads(), craft.work_space())
    z = x + 1j * TINY * rates[:-4]
    along = energy(0.0, z, np.zeros(3), craft.pack(), craft.work_space(dtype=z.dtype)).imag / TINY
    assert abs(rates[-4]) > 0.1  # W, most of it of motors at 200 rad/s
    assert along == pytest.approx(rates[-4], rel=1e-12)


def test_momentum_less_impulse(whole: Problem) -> None:
    run = flown(whole, duration=20.0)
    assert run.status == "completed"
    assert balance_of(run, "momentum") < 1e-10
    # the gradient did rotate it: 3 n^2 of the difference of inertias, twice the sine of some degrees, for 20 s
    turned = run.values("inertial_momentum")
    assert np.abs(turned[-1] - turned[0]).max() > 1e-3


@pytest.mark.slow
def test_balances_of_the_whole_slew(whole: Problem, calm: Problem) -> None:
    """Momentum and energy to the error of the step iteration, for any step."""
    assert balance_of(flown(whole, duration=240.0), "momentum") < 1e-9
    runs = [flown(calm, duration=60.0, step=step) for step in (0.1, 0.05, 0.025)]
    assert max(balance_of(run, "momentum") for run in runs) < 1e-11
    work = [balance_of(run, "energy") for run in runs]
    assert max(work) < 5e-8


@pytest.mark.slow
@pytest.mark.parametrize("modes", [2, 6])
def test_hub_and_modes_fly_the_same_slew(calm: Problem, modes: int) -> None:
    """The hub's attitude at every row, as a fraction of the slew; the bound is 1 %, the error a thousandth.

    A law must include the two modes of bending about x and about z.
    """
    twin = reduce_craft(calm.craft, modes=modes).spacecraft()
    assert twin.layout.coordinates[modes:] == calm.craft.layout.coordinates
    off = apart(flown(calm, duration=240.0), flown(calm, twin, duration=240.0))
    assert 1e-7 < off < 2e-5


@pytest.mark.slow
def test_stiff_arms_are_rigid(calm: Problem) -> None:
    """The hub lags by the acceleration over the square of a frequency, that is by 1/E."""
    rigid = flown(calm, rigid_twin(calm.craft), duration=60.0)
    off: list[float] = []
    for modulus in (7e10, 7e11, 7e12):
        harder = problem(
            "plant.potentials=[]", *(f"plant.elements.{arm}.youngs_modulus_Pa={modulus!r}" for arm in (0, 1))
        )
        off.append(apart(flown(harder, duration=60.0), rigid))
    assert off[0] < 1e-4
    for soft, stiff in pairwise(off):
        assert 8.0 < soft / stiff < 15.0  # vibrations at the start decay faster, which removes a little more
