"""Every law on every kind of spacecraft: its linear loop against nonlinear runs near the operating point."""

import control
import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers.contracts.attitude_law import AttitudeLaw
from polhode.controllers.contracts.law_defaults import with_defaults
from polhode.plant import DesignError
from polhode.plant.kernels.kernel import kernel
from polhode.sim.engine import new_loop_arrays

TENSOR = np.array([[12.0, -0.5, 0.3], [-0.5, 10.0, 0.2], [0.3, 0.2, 8.0]])
MAJOR = np.linalg.eigh(TENSOR)[1][:, 2]
BODY = plant.RigidBody(TENSOR)
SAMPLE = 0.1

CRAFTS = {
    "bare": lambda: plant.Spacecraft(BODY),
    "wheels": lambda: plant.Spacecraft(
        BODY, elements=[plant.Wheel(axis=axis, inertia=0.05, relative_rate=40.0) for axis in np.eye(3)]
    ),
    "wheels that give the torque": lambda: plant.Spacecraft(
        BODY, elements=plant.wheel_array(np.eye(3), inertia=0.05), torques=plant.TorqueBasis("body", internal=True)
    ),
    "mode": lambda: plant.Spacecraft(
        BODY, elements=[plant.FlexibleModes(frequencies=[3.0], damping_ratios=[0.02], rotation=[[0.9], [0.3], [-0.2]])]
    ),
    "ring": lambda: plant.Spacecraft(
        BODY, elements=[plant.RingDamper(axis=(0, 0, 1), mass=0.8, radius=0.7, friction=0.2)]
    ),
    "spin": lambda: plant.Spacecraft(BODY),
}


@kernel
def integrating(t, y, r, q, z, u):
    """A custom PID on the vector part of the attitude about (1, 0, 0, 0); z is the sum of errors and the measured
    rate.
    """
    side = 1.0
    if y[3].real < 0.0:
        side = -1.0
    for n in range(3):
        error = side * (r[0] * y[4 + n] - r[1 + n] * y[3])
        z[n] = z[n] + error
        u[n] = -q[0] * error - q[1] * (y[7 + n] - r[4 + n]) - q[2] * z[n] - q[3] * z[3 + n]
        z[3 + n] = 0.5 * z[3 + n] + 0.5 * (y[7 + n] - r[4 + n])


def plain(t, y, r):
    """The same law without memory, in plain Python that accepts real numbers only."""
    w, x = r[0], r[1:4]
    error = np.array([float(w * y[4 + n] - x[n] * y[3] - np.cross(x, y[4:7])[n]) for n in range(3)])
    return -4.0 * np.copysign(1.0, y[3] * w + x @ y[4:7]) * error - 12.0 * (y[7:10] - r[4:7])


def nonlinear(maker):
    return lambda craft, model, **timing: maker(craft, **timing)


WEIGHTS = {"attitude": 4.0, "rate": 4.0, "effort": 1.0}
LAWS = {
    "lqr": lambda craft, model, **timing: controllers.lqr(model, **WEIGHTS, **timing),
    "lqi": lambda craft, model, **timing: controllers.lqi(model, **WEIGHTS, integral=0.01, **timing),
    "lqg": lambda craft, model, **timing: controllers.lqg(
        model, **WEIGHTS, torque_noise=1e-2, attitude_noise=1e-4, rate_noise=1e-4, **timing
    ),
    "lqgi": lambda craft, model, **timing: controllers.lqgi(
        model, **WEIGHTS, integral=0.01, torque_noise=1e-2, attitude_noise=1e-4, rate_noise=1e-4, **timing
    ),
    "disturbance observer": lambda craft, model, **timing: controllers.disturbance_observer(
        model, **WEIGHTS, torque_noise=1e-2, torque_walk=1e-3, attitude_noise=1e-4, rate_noise=1e-4, **timing
    ),
    "pid": lambda craft, model, **timing: controllers.pid(model, frequency=0.5, damping_ratio=0.8, **timing),
    "quaternion feedback": nonlinear(
        lambda craft, **timing: controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, **timing)
    ),
    "energy shaping": nonlinear(
        lambda craft, **timing: controllers.EnergyShaping(
            stiffness=(3.0, 2.5, 2.0), damping=8.0, inertia=TENSOR, torques=craft.torques, **timing
        )
    ),
    "sliding mode": nonlinear(
        lambda craft, **timing: controllers.SlidingMode(
            inertia=TENSOR, slope=0.5, reach=2.0, boundary_layer=0.4, torques=craft.torques, **timing
        )
    ),
    "rate damping": nonlinear(
        lambda craft, **timing: controllers.RateDamping(gain=(6.0, 5.0, 4.0), torques=craft.torques, **timing)
    ),
    "gain schedule": lambda craft, model, **timing: controllers.GainSchedule(
        [controllers.lqi(model, **WEIGHTS, integral=each, **timing) for each in (0.01, 0.02)],
        (-0.4, 0.5),
        variable="rate",
        axis=MAJOR,
    ),
    "own kernel": nonlinear(
        lambda craft, **timing: controllers.CustomLaw(
            integrating, parameters=(6.0, 10.0, 0.01, 2.0), memory=np.zeros(6), **timing
        )
    ),
    "own plain": nonlinear(lambda craft, **timing: controllers.CustomLaw(plain, compiled=False, **timing)),
}
WITHOUT_SPIN = {"own kernel"}  # the law is written for a reference near (1, 0, 0, 0)


def at(name):
    craft = CRAFTS[name]()
    state = craft.spinning(0.3 * MAJOR) if name == "spin" else craft.at_rest()
    reference = controllers.SpinReference(rate=0.3 * MAJOR) if name == "spin" else controllers.FixedReference()
    return craft, state, reference


@pytest.mark.thinned(5)
@pytest.mark.parametrize("name", CRAFTS)
@pytest.mark.parametrize("kind", LAWS)
def test_linear_loop_matches_simulation_to_second_order(kind, name):
    if name == "spin" and kind in WITHOUT_SPIN | {"rate damping"}:  # rate damping stops a spin: no operating point
        pytest.skip("the law does not hold a spin")
    craft, state, reference = at(name)
    model = craft.linearize(state)
    law = LAWS[kind](craft, model, sample=SAMPLE, delay=0.04)
    turn, rate = np.array((0.6, -0.48, 0.64)), np.array((0.2, 0.3, -0.1))
    off = []
    for size in (2e-3, 1e-3):
        found = sim.overlay(
            craft,
            law,
            duration=3.0,
            error=size * turn,
            rate=size * rate * ("wheels" not in name),  # that moves the wheel momentum: a different operating point
            state=state,
            reference=reference,
            model=model,
            step=0.02,
        )
        assert not found.saturated
        off.append(max(found.difference(key) for key in ("error_vector", "rate", "command")))
    # relative: falls with the amplitude; the remainder, 1e-8, is step error and differences in plain Python
    assert off[1] < 0.02
    assert off[1] < 0.6 * off[0] or off[1] < 1e-8


@pytest.mark.thinned(4)
@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "mode")) for n in CRAFTS])
@pytest.mark.parametrize("kind", LAWS)
def test_laws_have_poles_and_margins_by_one_path(kind, name):
    if name == "spin" and kind in WITHOUT_SPIN | {"rate damping"}:
        pytest.skip("the law does not hold a spin")
    craft, state, _ = at(name)
    model = craft.linearize(state)
    law = LAWS[kind](craft, model, sample=SAMPLE)
    margins = law.margins(model)
    assert abs(margins.closed_loop_poles[0]) < 1.0
    closed = law.loop(model)
    assert margins.gain_up > 1.0 > margins.gain_down >= 0.0
    for n, axis in enumerate(margins.axes):  # the edges, by the poles of the changed loop
        for factor, sign in ((axis.gain_up, 1.0), (axis.gain_down, -1.0)):
            if np.isfinite(factor) and factor > 0.0:
                inside, outside = (
                    float(np.abs(closed.broken((n,)).closed(factor * (1.0 + sign * step))).max())
                    for step in (-1e-4, 1e-4)
                )
                assert inside < 1.0 < outside
    if name == "mode":
        found = controllers.analyse(law, model)
        assert found.margins.to_dict() == margins.to_dict()
        assert (found.step is None) == (kind == "rate damping")


@pytest.mark.parametrize("kind", LAWS)
def test_straight_on_is_what_the_general_loop_does(kind, monkeypatch):
    """Bitwise equal, for any rows, steps and caches."""
    craft = plant.Spacecraft(BODY, torques=plant.TorqueBasis("body", limit=0.5))
    law = LAWS[kind](craft, craft.linearize(craft.at_rest()), sample=SAMPLE)
    plain = new_loop_arrays._edges

    def one_edge(*_):  # long after the end: this keeps the run in the general loop
        return np.array([1e6])

    for rows, step, ledger in ((0.1, 0.1, True), (0.25, 0.03, False), (7.0, 0.1, False), (0.05, 0.05, True)):
        found = []
        for edges in (plain, one_edge):
            monkeypatch.setattr(new_loop_arrays, "_edges", edges)
            found.append(
                sim.simulate(
                    craft, law, attitude=(0.8, 0.6, 0, 0), rate=(0.02, -0.01, 0.03), duration=7.33, integrator="rk4",
                    step=step, output_step=rows, ledger=ledger, max_steps=10**6,
                )
            )  # fmt: skip
        one, other = found
        np.testing.assert_array_equal(one.t, other.t)
        np.testing.assert_array_equal(one.states, other.states)
        np.testing.assert_array_equal(one.inputs, other.inputs)
        assert one.ended == other.ended


@pytest.mark.thinned(7)
@pytest.mark.parametrize("name", CRAFTS)
@pytest.mark.parametrize("kind", LAWS)
def test_law_survives_round_trip_through_python_control(kind, name):
    """As a nonlinear system its run is bitwise equal; in its linear form it closes the same loop."""
    if name == "spin" and kind in WITHOUT_SPIN | {"rate damping"}:
        pytest.skip("the law does not hold a spin")
    craft, state, reference = at(name)
    model = craft.linearize(state)
    law = LAWS[kind](craft, model, sample=SAMPLE, delay=0.04)
    system = law.to_nlsys(craft, with_delay=False)
    memory = law.memory if law.memory.size else None
    back = controllers.law_from_system(system, model, sample=SAMPLE, delay=0.04, start=memory)
    flight = {"state": state, "reference": reference, "duration": 0.5, "integrator": "rk4", "step": 0.05}
    start = {**flight, "state": np.concatenate((1.01 * state[:3] + 0.05, state[3:]))}
    one, other = (sim.simulate(craft, each, **start, compiled=False) for each in (law, back))
    np.testing.assert_array_equal(one.states, other.states)

    every = control.ss(
        model.A, model.B, np.vstack((model.C, np.eye(len(model.A)))), np.vstack((model.D, np.zeros_like(model.B))),
        inputs=list(model.inputs), outputs=[*(f"out_{each}" for each in model.outputs), *model.states],
    )  # fmt: skip
    form = law.to_control(model, with_delay=False)
    names = list(form.input_labels)
    form.set_inputs([f"out_{each}" if each in model.outputs else each for each in names])
    ours = law.loop(model, delay=0.0).poles()
    theirs = control.interconnect(
        [every.sample(SAMPLE), form], inputs=["torque_1"], outputs=["torque_1"], check_unused=False
    ).poles()
    for pole in ours:  # equal axes make double poles, which round-off moves by its square root
        assert np.abs(theirs - pole).min() < 1e-6
    if set(names) <= {*model.outputs, *model.states} - {"momentum_x"}:
        again = controllers.law_from_system(
            law.to_control(model, with_delay=False), model, sample=SAMPLE, feedback="positive"
        )
        assert again.compensator.D.shape == law.small_signal(model).compensator.D.shape
        np.testing.assert_array_equal(again.compensator.D, law.small_signal(model).compensator.D)


def test_laws_without_gain_reject_margins():
    craft, state, _ = at("bare")
    laws = (
        controllers.OnOffThrusters(torque=1.0, deadband=0.01, lead=5.0, sample=SAMPLE),
        controllers.RateDamping(gain=1.0, field=(0, 0, 1), sample=SAMPLE),
        controllers.SpinPrecession(torque=(1, 0, 0), axis=(0, 0, 1), arc=0.7, deadband=0.01, sample=SAMPLE),
    )
    for law in laws:
        with pytest.raises(DesignError, match="no margins"):
            law.margins(craft.linearize(state))


def test_every_law_of_the_room_is_here():
    """A law that is added but not listed fails this test."""
    craft, state, _ = at("bare")
    made = {type(make(craft, craft.linearize(state), sample=SAMPLE)) for make in LAWS.values()}
    shown = [getattr(controllers, name) for name in controllers.__all__]  # new laws may exist while the test runs
    known = {thing for thing in shown if isinstance(thing, type) and issubclass(thing, AttitudeLaw)}
    wrapped = controllers.SystemLaw  # each of them is converted back to itself above
    nonlinear_or_open = {
        controllers.OnOffThrusters, controllers.SpinPrecession, controllers.Modes, controllers.RecordedCommands,
        controllers.PeriodicDipoleFeedback,
    }  # fmt: skip
    assert known == made | {AttitudeLaw, controllers.TorqueLaw, wrapped, *nonlinear_or_open}


class Foreign:
    """A law that inherits nothing."""

    sample, delay = 0.1, 0.0
    parameters, memory = np.zeros(0), np.zeros(0)

    @staticmethod
    def kernel(t, y, r, q, z, u):
        for n in range(3):
            u[n] = -4.0 * y[4 + n] / y[3] - 12.0 * y[7 + n]


@pytest.mark.slow
def test_foreign_law_without_base_class_has_margins():
    craft, state, _ = at("mode")
    model = craft.linearize(state)
    law = with_defaults(Foreign())
    same = controllers.LinearFeedback(
        controllers.Compensator.static(np.hstack((-2.0 * np.eye(3), -12.0 * np.eye(3)))), model, sample=0.1
    )
    np.testing.assert_allclose(law.closed_loop_poles(model), same.closed_loop_poles(), rtol=0, atol=1e-12)
    assert controllers.analyse(Foreign(), model).margins.gain_up == pytest.approx(same.margins().gain_up, rel=1e-9)
    assert law.gains() == {}
    with pytest.raises(DesignError, match="no Lyapunov function of a Foreign"):
        law.lyapunov()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda t, y, r: -np.sign(y[4:7]), "changes abruptly"),
        (lambda t, y, r: -np.abs(y[4:7]), "changes abruptly"),
    ],
)
def test_kinked_law_rejects_margins(function, words):
    craft, state, _ = at("bare")
    law = controllers.CustomLaw(function, sample=0.1, compiled=False)
    with pytest.raises(DesignError, match=words):
        law.margins(craft.linearize(state))


def test_stateful_python_law_rejects_margins():
    craft, state, _ = at("bare")
    total = np.zeros(3)

    def function(t, y, r):
        total[:] += y[4:7] + 1.0
        return -total

    with pytest.raises(DesignError, match="returns different outputs for the same input"):
        controllers.CustomLaw(function, sample=0.1, compiled=False).margins(craft.linearize(state))


@kernel
def counting(t, y, r, q, z, u):
    z[0] = z[0] + 1.0
    for n in range(3):
        u[n] = -y[4 + n]


def test_law_with_unsettled_memory_rejects_margins():
    craft, state, _ = at("bare")
    law = controllers.CustomLaw(counting, memory=(0.0,), sample=0.1)
    with pytest.raises(DesignError, match="does not settle"):
        law.margins(craft.linearize(state))


@kernel
def with_abs(t, y, r, q, z, u):
    for n in range(3):  # the vector part through abs on complex numbers: a complex step would find no stiffness
        size = abs(y[4 + n] + 2.0) - 2.0
        u[n] = -4.0 * size - 12.0 * y[7 + n]


def test_non_analytic_kernel_is_linearised_by_differences():
    craft, state, _ = at("bare")
    D = controllers.CustomLaw(with_abs, sample=0.1).small_signal(craft.linearize(state)).compensator.D
    np.testing.assert_allclose(D, np.hstack((-2.0 * np.eye(3), -12.0 * np.eye(3))), rtol=0, atol=1e-8)
