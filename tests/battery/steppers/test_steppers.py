"""Every stepper on the same motions: order, rows between steps, compiled runs against plain ones."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.attitude.free_motion import FreeMotion
from polhode.sim import INTEGRATORS
from polhode.sim.engine.indices import EXPLICIT
from polhode.sim.engine.steppers.stepper import Stepper

BODY = plant.RigidBody((4.0, 3.1, 2.0))
FREE = plant.Spacecraft(BODY, torques=plant.TorqueBasis("body", limit=1.0))
SPIN = (0.8, -0.5, 1.1)  # rad/s
END = 6.4  # s

names = pytest.mark.parametrize("name", INTEGRATORS)


def step_of(name: str) -> float:
    """By order: long enough for an error above round-off, short enough for the leading term to dominate."""
    return {1: 0.005, 2: 0.02, 3: 0.05, 4: 0.1, 5: 0.2, 6: 0.3}.get(INTEGRATORS[name].order, 0.5)


def flown(craft, name, step, **more):
    loose = {"rtol": 1e-2} if INTEGRATORS[name].adaptive else {}  # so that the largest step determines the error
    given = {"rate": SPIN, "duration": END, "output_times": [END], "ledger": False, **loose, **more}
    run = sim.simulate(craft, integrator=name, step=step, **given)
    assert run.status == "completed", run.reason
    return run


def observed(errors):
    return np.log2(np.array(errors[:-1]) / errors[1:])


@names
def test_stepper_order_on_closed_form_tumbling_body(name):
    exact = FreeMotion(BODY.inertia, momentum=BODY.inertia @ SPIN).momentum([END])
    step = step_of(name)
    if INTEGRATORS[name].exact:
        assert np.abs(flown(FREE, name, step).values("momentum") - exact).max() < 1e-14
        return
    runs = [flown(FREE, name, step / n) for n in (1, 2)]
    errors = [float(np.abs(run.values("momentum") - exact).max()) for run in runs]
    # half an order of slack: the next term of the error is of relative size (step x rate)
    assert (observed(errors) > INTEGRATORS[name].order - 0.5).all(), errors
    assert errors[-1] > 1e-14  # otherwise round-off is measured, not the method
    assert errors[-1] < 1e-3


@names
def test_stepper_order_with_timed_load_and_elements(name):
    """Stages evaluate loads at their own times; a spring and a wheel are included."""
    mass = plant.MassSpringDamper(point=(0.3, 0.1, 0.0), axis=(0, 1, 1), mass=0.2, stiffness=0.4, damping=0.1)
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.1, friction=0.02, relative_rate=5.0)
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.1, 2.0), mass=20.0), elements=[wheel, mass])
    shaped = plant.TorquePulse((0.6, -0.4, 0.5), start=0.0, stop=END, shape="raised-cosine")
    if INTEGRATORS[name].exact:
        with pytest.raises(plant.InputError, match="free rigid body only"):
            flown(craft, name, None, torques=[shaped])
        return
    exact = flown(craft, "rk8", 0.02, torques=[shaped]).states[-1]
    step = step_of(name)
    errors = [np.abs(flown(craft, name, step / n, torques=[shaped]).states[-1] - exact).max() for n in (1, 2)]
    assert (observed(errors) > INTEGRATORS[name].order - 0.6).all(), errors


@names
def test_rows_between_steps(name):
    """Rows between steps have the same order; inside a step of dop853 it is 7."""
    exact = FreeMotion(BODY.inertia, momentum=BODY.inertia @ SPIN)
    step = step_of(name)
    at = END - np.linspace(0.05, 0.95, 7) * step
    runs = [flown(FREE, name, step / n, output_times=at) for n in (1, 2)]
    if INTEGRATORS[name].exact:
        assert np.abs(runs[0].states - runs[1].states).max() < 1e-14
        return
    off = [float(np.abs(run.values("momentum") - exact.momentum(run.t)).max()) for run in runs]
    order = INTEGRATORS[name].order - (1 if INTEGRATORS[name].adaptive else 0)
    assert observed(off)[0] > order - 0.6, off


@pytest.mark.slow
@names
def test_compiled_is_plain_under_a_sampled_law(name):
    law = controllers.quaternion_feedback(FREE, frequency=0.8, damping_ratio=0.7, sample=0.1, delay=0.03)
    given = {
        "law": None if INTEGRATORS[name].exact else law,
        "rate": SPIN,
        "duration": 0.5,
        "step": 0.05,
        "integrator": name,
    }
    runs = [sim.simulate(FREE, **given, compiled=compiled) for compiled in (True, False)]
    assert np.abs(runs[0].states - runs[1].states).max() < 1e-13


@names
def test_stepper_name_words_and_tableau_are_consistent(name):
    stepper = INTEGRATORS[name]
    assert stepper.name == name
    assert " " in stepper.words
    assert stepper.exact or stepper.tableau.shape == (stepper.stages + 2, stepper.stages)


def test_invalid_tableau_is_rejected():
    given = {"name": "x", "words": "y", "order": 2}
    with pytest.raises(plant.InputError, match="strictly lower"):
        Stepper(**given, a=((0.5, 0), (0.5, 0)), b=(0.5, 0.5), c=(0.5, 0.5), method=EXPLICIT)
    with pytest.raises(plant.InputError, match="no two may have equal c"):
        Stepper(**given, a=((0.5, 0), (0.5, 0)), b=(0.5, 0.5), c=(0.5, 0.5))
    with pytest.raises(plant.InputError, match="add up"):
        Stepper(**given, a=((0, 0), (0.5, 0)), b=(0.5, 0.5), c=(0, 1))
    with pytest.raises(plant.InputError, match="must be"):
        Stepper(**given, a=((0, 0),), b=(0.5, 0.5), c=(0, 1))
