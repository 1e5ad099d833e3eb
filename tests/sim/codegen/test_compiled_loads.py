"""User potentials, forces, laws and references: compiled and plain, without compiling the engine again."""

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.loads.torque.torque_kernels import components, torque_in_body
from polhode.sim.codegen import user_kernel
from polhode.sim.codegen.library import has_library
from polhode.sim.codegen.toolchain import c_compiler
from polhode.sim.engine.addresses import entry_function

needs_library = pytest.mark.skipif(not has_library() or c_compiler() is None, reason="no C compiler on this machine")

WEIGHT = 20.0  # N m, of the top of Shivarama & Fahrenthold (2004), example 3


def top_potential(c, e):
    return WEIGHT * (e[0] ** 2 - e[1] ** 2 - e[2] ** 2 + e[3] ** 2)


def top_gradient(c, e):
    return (0.0, 0.0, 0.0, 2 * WEIGHT * e[0], -2 * WEIGHT * e[1], -2 * WEIGHT * e[2], 2 * WEIGHT * e[3])


def well(c, e):
    return 0.5 * (c[0] ** 2 + 2.0 * c[1] ** 2 + 3.0 * c[2] ** 2) + 0.3 * c[0] * e[1]


def drag(t, e, omega, c, v):
    return (-0.1 * omega[0], -0.2 * omega[1], -0.3 * omega[2], -0.1 * v[0], 0.0, 0.2 * np.sin(t))


def motion(craft, **more):
    return sim.simulate(
        craft,
        attitude=(0.8, 0.6, 0, 0),
        rate=(0.1, 0.2, 3.0),
        duration=2.0,
        output_step=0.1,
        **({"rtol": 1e-12} | more),
    )


@pytest.mark.parametrize("gradient", [None, pytest.param("top_gradient", marks=pytest.mark.slow)])
def test_potential_moves_top_as_built_in_gravity_does(gradient):
    body = plant.RigidBody((5, 5, 1), mass=WEIGHT / 9.81, pivot=(0, 0, -1.0))
    built_in = plant.Spacecraft(body, potentials=[plant.UniformGravity((0, 0, -9.81))])
    about_pivot = np.diag(built_in.body.inertia)
    free = plant.RigidBody(about_pivot)
    potential = plant.Potential(top_potential, None if gradient is None else top_gradient)
    runs = [motion(plant.Spacecraft(free, potentials=[potential]), compiled=compiled) for compiled in (True, False)]
    wanted = motion(built_in)
    for run in runs:
        # the gradient is exact in both ways; only the order of a few sums differs
        np.testing.assert_allclose(run.x, wanted.x, rtol=0, atol=1e-12 * np.abs(wanted.x).max())
        np.testing.assert_allclose(run.values("energy"), wanted.values("energy"), rtol=1e-13)
        assert float(run.invariants()["energy_balance_relative"]) < 1e-11  # of rtol 1e-12 a step
    assert np.ptp(wanted.values("rate")[:, 0]) > 0.1


@pytest.mark.parametrize("scheme", [{"integrator": "rk4", "step": 0.01}, {"integrator": "rk8", "step": 0.1}, {}])
def test_potential_and_effort_together_compiled_and_plain(skew_body, scheme):
    craft = plant.Spacecraft(
        skew_body,
        potentials=[plant.Potential(well), plant.Potential(top_potential, top_gradient)],
        user_forces=[plant.UserForce(drag), plant.UserForce(drag)],
        translation=True,
    )
    more = {"position": (0.3, -0.2, 0.1), "velocity": (0.1, 0.2, -0.3)} | scheme
    fast, slow = (motion(craft, compiled=compiled, **more) for compiled in (True, False))
    # complex step and dual numbers are both exact to round-off; 2 s at 3 rad/s amplify it little
    np.testing.assert_allclose(slow.states, fast.states, rtol=0, atol=1e-13 * np.abs(fast.states).max())
    np.testing.assert_allclose(slow.observables, fast.observables, rtol=0, atol=1e-12 * np.abs(fast.observables).max())
    tolerance = 1e-6 if scheme.get("integrator") == "rk4" else 1e-9  # the integration error of the ledgers themselves
    assert float(fast.invariants()["energy_balance_relative"]) < tolerance
    assert float(fast.invariants()["momentum_balance_relative"]) < tolerance


def pd_kernel(t, y, r, q, z, u):
    z[0] += 1.0
    for n in range(3):
        u[n] = -q[0] * y[4 + n] * y[3] - q[1] * y[n]


def pd_plain(t, y, r):
    return [-2.0 * y[4 + n] * y[3] - 1.5 * y[n] for n in range(3)]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("integrator", ["rk4", "rk8", "dop853"])
@pytest.mark.parametrize("ledger", [True, False])
def test_law_compiled_and_plain_gives_same_numbers(skew_body, integrator, ledger):
    craft = plant.Spacecraft(skew_body, torques=plant.TorqueBasis("body", limit=0.4))
    compiled_law = controllers.CustomLaw(pd_kernel, sample=0.1, delay=0.04, parameters=(2.0, 1.5), memory=(0.0,))
    plain_law = controllers.CustomLaw(pd_plain, sample=0.1, delay=0.04, compiled=False)
    more = {"ledger": ledger, "integrator": integrator, "step": 0.05}
    reference = motion_of(craft, compiled_law, **more)
    for law, compiled in ((compiled_law, False), (plain_law, True), (plain_law, False)):
        other = motion_of(craft, law, compiled=compiled, **more)
        np.testing.assert_allclose(other.states, reference.states, rtol=0, atol=1e-14)  # states up to 4
        np.testing.assert_allclose(other.inputs, reference.inputs, rtol=0, atol=1e-14)
    assert compiled_law.memory[0] == 0.0  # each run has its own memory


def motion_of(craft, law, **more):
    return sim.simulate(
        craft, law, attitude=(0.6, 0, 0.8, 0), rate=(0.1, 0, 0.2), duration=3.0, output_step=0.1, **more
    )


def test_plain_law_sees_plant_alone_and_may_scribble_on_what_it_gets(skew_body):
    seen = []

    def law(t, y, r):
        seen.append((t, y.copy(), r.copy()))
        y[:] = np.nan
        r[:] = np.nan
        return (0.0, 0.0, 0.0)

    plain = controllers.CustomLaw(law, sample=0.5, compiled=False)
    for compiled in (True, False):
        for ledger in (True, False):
            seen.clear()
            run = sim.simulate(
                plant.Spacecraft(skew_body), plain, rate=(0, 0, 1), duration=1.2, compiled=compiled, ledger=ledger
            )
            assert run.status == "completed"
            assert [t for t, _, _ in seen] == [0.0, 0.5, 1.0]
            assert {y.shape for _, y, _ in seen} == {(10,)}  # momentum, attitude, rate
            np.testing.assert_array_equal(seen[1][2], controllers.FixedReference().at(0.5))


@pytest.fixture
def texts(monkeypatch):
    """C texts that are compiled or taken from the cache."""
    found = []
    load = user_kernel.load_library
    monkeypatch.setattr(user_kernel, "load_library", lambda text: found.append(text) or load(text))
    return found


@needs_library
def test_new_law_compiles_itself_and_nothing_else(texts):
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    engine = entry_function("advance_entry")

    def make(gain):
        def law(t, y, r, q, z, u):
            for n in range(3):
                u[n] = -gain * y[n]

        return law

    mine = make(0.5)
    for _ in range(3):
        sim.simulate(craft, controllers.CustomLaw(mine, sample=0.1), rate=(1, 0, 0), duration=1.0)
    assert len(texts) == 1  # once, for any number of runs
    assert "0.5" in texts[0]
    sim.simulate(craft, controllers.CustomLaw(make(0.7), sample=0.1), rate=(1, 0, 0), duration=1.0)
    assert len(texts) == 2
    assert entry_function("advance_entry") is engine


@needs_library
def test_compiled_loads_are_reused_by_another_craft(texts):
    def effort(t, e, omega, c, v):
        return (0.1, 0.0, 0.0, 0.0, 0.0, 0.0)

    for inertia in (1.0, 2.0, 3.0):  # as a campaign does
        craft = plant.Spacecraft(plant.RigidBody((inertia, 1.0, 1.0)[:1] * 3), user_forces=[plant.UserForce(effort)])
        run = sim.simulate(craft, duration=1.0, output_times=[1.0])
        assert run.values("momentum")[-1, 0] == pytest.approx(0.1)
    assert len(texts) == 1


class Table:
    """Callable, but not a function that can be compiled."""

    def __call__(self, *args):
        return (0.0,) * 6


def text_law(t, y, r, q, z, u):
    u[0] = float(f"{t:.3f}".strip().split(".")[0])


def text_reference(t, q, r):
    r[:] = [1.0 if n == 0 else 0.0 for n in range(10)]
    {"a": object()}.pop("a")


@pytest.mark.parametrize(
    ("build", "name"),
    [
        (lambda craft: (craft(), controllers.CustomLaw(text_law, sample=0.1), None), "text_law"),
        (lambda craft: (craft(), None, controllers.CustomReference(text_reference)), "text_reference"),
        (
            lambda craft: (craft(user_forces=[plant.UserForce(Table())]), None, None),
            "not a function; define it with def",
        ),
    ],
    ids=["law", "reference", "effort"],
)
@needs_library
def test_load_without_c_runs_in_python_and_is_named(build, name, monkeypatch):
    sentences = []
    monkeypatch.setattr("polhode.sim.codegen.user_kernel.say", sentences.append)

    def make(**more):
        return plant.Spacecraft(plant.RigidBody((3, 2, 1)), **more)

    craft, law, reference = build(make)
    found = sim.simulate(craft, law, reference=reference, duration=1.0, output_times=[1.0])
    (sentence,) = sentences
    assert name in sentence
    assert "runs as plain Python" in sentence or "run as plain Python" in sentence
    assert len(sentence) < 600  # one message instead of a page from the compiler
    plain = sim.simulate(craft, law, reference=reference, duration=1.0, output_times=[1.0], compiled=False)
    np.testing.assert_allclose(found.states, plain.states, rtol=1e-14, atol=1e-15)


BASES = [
    plant.TorqueBasis("inertial"),
    plant.TorqueBasis("euler", "3-1-3"),
    plant.TorqueBasis("dual-euler", "3-1-3"),
    plant.TorqueBasis("dual-euler", "1-2-3"),
    plant.TorqueBasis("euler", "2-3-1"),
]


def converting_effort(basis):
    """A body torque, converted into the basis and back at every evaluation."""
    code = basis.code
    i, j, k = basis.axes

    def effort(t, e, omega, c, v):
        b0, b1, b2 = 0.4 * np.sin(t), -0.3, 0.2 * np.cos(2.0 * t)
        u0, u1, u2 = components(code, i, j, k, e[0], e[1], e[2], e[3], b0, b1, b2)
        t0, t1, t2 = torque_in_body(code, i, j, k, e[0], e[1], e[2], e[3], u0, u1, u2)
        return (t0, t1, t2, 0.0, 0.0, 0.0)

    return effort


def conversion_kernel(t, y, r, q, z, u):
    """A body torque held constant, in components of the plant's basis at the sample; q = [basis, i, j, k]."""
    b0, b1, b2 = 0.4 * np.sin(t), -0.3, 0.2 * np.cos(2.0 * t)
    u[0], u[1], u[2] = components(int(q[0]), int(q[1]), int(q[2]), int(q[3]), y[3], y[4], y[5], y[6], b0, b1, b2)


START = {
    "attitude": (0.8, 0.36, 0.48, 0.0),
    "rate": (0.05, -0.04, 0.06),
    "duration": 3.0,
    "output_times": [1.0, 2.0, 3.0],
}


@pytest.mark.parametrize(
    "basis",
    [BASES[1], *(pytest.param(b, marks=pytest.mark.slow) for b in (BASES[0], *BASES[2:]))],
    ids=lambda basis: f"{basis.name} {basis.sequence or ''}",
)
def test_compiled_torque_is_equal_in_every_basis(skew_body, basis):
    with np.errstate(all="ignore"):  # an effort is checked at (1, 0, 0, 0), the pose of symmetric sequences
        efforts = [plant.UserForce(converting_effort(each)) for each in (plant.TorqueBasis("body"), basis)]
    wanted, found = (
        sim.simulate(plant.Spacecraft(skew_body, user_forces=[effort]), rtol=1e-12, **START) for effort in efforts
    )
    # converted at every stage: round-off of the conversion, times the amplification (a few) and the 1/c^2 in it
    np.testing.assert_allclose(found.states, wanted.states, rtol=0, atol=2e-12)
    assert np.abs(wanted.x[-1] - wanted.x[0]).max() > 0.1


@pytest.mark.parametrize("basis", BASES, ids=lambda basis: f"{basis.name} {basis.sequence or ''}")
def test_compiled_pulse_is_equal_through_ports_of_every_basis(skew_body, basis):
    # Converted along the motion at every sample and held in the basis: the rotation of the basis within a sample is an
    # error of first order in its length. Extrapolated to zero (two steps of Richardson) the motions are equal.
    def ends(port, sample):
        law = controllers.CustomLaw(conversion_kernel, sample=sample, parameters=(port.code, *port.axes))
        return sim.simulate(plant.Spacecraft(skew_body, torques=port), law, integrator="rk8", step=0.05, **START).x

    def extrapolated(port):
        a, b, c = (ends(port, sample) for sample in (0.01, 0.005, 0.0025))
        return (4 * (2 * c - b) - (2 * b - a)) / 3, a

    wanted, _ = extrapolated(plant.TorqueBasis("body"))
    found, coarse = extrapolated(basis)
    assert np.abs(coarse - wanted).max() > 1e-4  # held for 0.01 s they differ
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-7)
