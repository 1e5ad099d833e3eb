"""Sampled laws of the controllers' room on the hub of a flexible satellite."""

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.controllers import FixedReference, RateDamping, SpinReference
from polhode.plant import InputError, RigidBody
from polhode.sim.flexible import law_on_hub, simulate_flexible

BODY = RigidBody(np.diag([0.16, 43.4, 43.4]), mass=50.4)
E = np.array((1.0, 0.0, 0.0, 0.0))


def test_a_delay_is_a_queue_of_commands():
    law = law_on_hub(RateDamping(gain=2.0, sample=0.1, delay=0.2), FixedReference(), body=BODY)
    answers = [law(0.1 * k, E, np.array((0.0, k + 1.0, 0.0))) for k in range(4)]
    assert np.array(answers)[:, 1].tolist() == [0.0, 0.0, -2.0, -4.0]
    with pytest.raises(InputError, match=r"delay 0\.05 s is 0\.5 samples of 0\.1 s"):
        law_on_hub(RateDamping(gain=2.0, sample=0.1, delay=0.05), FixedReference(), body=BODY)


def test_a_limit_cuts_each_component():
    law = law_on_hub(RateDamping(gain=2.0, sample=0.1), FixedReference(), body=BODY, limit=(1.0, 2.0, 3.0))
    assert law(0.0, E, np.array((1.0, -5.0, 1.0))).tolist() == [-1.0, 2.0, -2.0]
    with pytest.raises(InputError, match="limit must be greater than 0"):
        law_on_hub(RateDamping(gain=2.0, sample=0.1), FixedReference(), body=BODY, limit=0.0)


def test_what_the_hub_cannot_give_is_refused():
    craft = plant.Spacecraft(
        plant.RigidBody((3, 2, 1)), elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.1, friction=0.01)]
    )
    law = controllers.lqr(
        craft.linearize(craft.at_rest()), attitude=1.0, rate=1.0, effort=1.0, sample=0.1, internal="measured"
    )  # fmt: skip
    with pytest.raises(InputError, match="only attitude and rate of the hub are measured"):
        law_on_hub(law, FixedReference(), body=BODY)
    euler = RateDamping(gain=2.0, sample=0.1, torques=plant.TorqueBasis("euler", sequence="3-2-1"))
    with pytest.raises(InputError, match="'euler' basis"):
        law_on_hub(euler, FixedReference(), body=BODY)


def test_what_acts_is_what_the_law_answered(satellite):
    """The impulse of the held torques is the angular momentum lost; the law sees the hub as it is."""
    seen, inner = [], law_on_hub(RateDamping(gain=20.0, sample=0.05), SpinReference(rate=(0, 0, 0)), body=BODY)

    def law(t, e, rate):
        u = np.asarray(inner(t, e, rate))
        seen.append((rate[1], u[1]))
        return u

    run = simulate_flexible(satellite(1), rate=(0, 0.2, 0), law=law, sample=0.05, duration=1.0, step=5e-3, output=0.05)
    rates, torques = np.array(seen).T
    assert torques == pytest.approx(-20.0 * rates)
    assert rates == pytest.approx(run.values("rate")[:-1, 1], abs=1e-12)
    momentum = run.values("angular_momentum")[:, 1]
    assert np.diff(momentum) == pytest.approx(0.05 * torques, abs=1e-10)
