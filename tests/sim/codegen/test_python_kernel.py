# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""User functions that cannot be compiled run as plain Python within the compiled engine, with one sentence."""

import functools

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.errors import InputError
from polhode.sim.codegen import user_kernel
from polhode.sim.codegen.library import has_library
from polhode.sim.codegen.toolchain import c_compiler

pytestmark = pytest.mark.skipif(c_compiler() is None or not has_library(), reason="no C compiler on this machine")

AT_A_PROMPT = """
def law(t, y, r, q, z, u):
    for n in range(3):
        u[n] = -2.0 * y[4 + n] * y[3] - y[n]

def reference(t, q, r):
    r[:] = 0.0
    r[0] = 1.0

def block(t, y, q, z, v):
    z[0] += 1.0
    v[:] = y

def spring(c, e):
    return 0.5 * e[1] ** 2

def drag(t, e, omega, c, v):
    return (-0.1 * omega[0], 0.0, 0.0, 0.0, 0.0, 0.0)
"""


@pytest.fixture
def sentences(monkeypatch):
    """The output on stderr."""
    found = []
    monkeypatch.setattr(user_kernel, "say", found.append)
    return found


def typed(text=AT_A_PROMPT):
    functions = {}
    exec(text, functions)
    return functions


def run_of(functions, *, compiled=True, **more):
    craft = plant.Spacecraft(
        plant.RigidBody((3, 2, 1)),
        potentials=[plant.Potential(functions["spring"])],
        user_forces=[plant.UserForce(functions["drag"])],
    )
    return sim.simulate(
        craft,
        controllers.CustomLaw(functions["law"], sample=0.1),
        reference=controllers.CustomReference(functions["reference"]),
        blocks=[
            controllers.Block(
                functions["block"], reads="rate", writes="rate", clock=controllers.Clock(0.1), memory=(0.0,)
            )
        ],
        rate=(0.1, 1.0, 0.1),
        duration=1.0,
        output_times=[1.0],
        compiled=compiled,
        **more,
    )


def test_functions_without_source_run_with_a_sentence_each(sentences):
    functions = typed()
    found = run_of(functions).x[-1]
    assert len(sentences) == 4
    assert all("source cannot be read" in each and "file or notebook" in each for each in sentences)
    assert run_of(functions).x[-1].tobytes() == found.tobytes()
    assert len(sentences) == 4
    # dual numbers in both, but compiled code forms the sums of the step: equal to round-off
    np.testing.assert_allclose(run_of(functions, compiled=False).x[-1], found, rtol=1e-14, atol=1e-16)


def tries(t, y, r, q, z, u):
    try:
        u[0] = {"gain": -1.0}["gain"] * y[0]
    except KeyError:
        u[0] = 0.0
    u[1] = u[2] = 0.0


class Steering:
    """A law with a state."""

    def __init__(self):
        self.calls = 0

    def __call__(self, t, y, r, q, z, u):
        self.calls += 1
        u[:] = -y[:3]


def law_run(law, **more):
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    law = controllers.CustomLaw(law, sample=0.1)
    return sim.simulate(craft, law, rate=(0.1, 1.0, 0.1), duration=1.0, output_times=[1.0], **more)


def test_construct_that_is_not_translated_is_named_with_its_line(sentences):
    found = law_run(tries).x[-1]
    (sentence,) = sentences
    line = tries.__code__.co_firstlineno + 1
    assert f"test_python_kernel.py, line {line}: " in sentence
    assert "'try'" in sentence
    assert "law 'tries' is not compiled" in sentence
    np.testing.assert_allclose(law_run(tries, compiled=False).x[-1], found, rtol=1e-14, atol=1e-16)


def test_objects_that_are_called_run(sentences):
    law = Steering()
    law_run(law)
    assert law.calls >= 10
    law_run(functools.partial(tries))
    assert len(sentences) == 2


def writes_what_it_reads(t, y, r, q, z, u):
    y[0] = 1.0
    u[:] = 0.0


def too_few(t, y, u):
    u[:] = 0.0


def test_law_that_writes_what_it_reads_is_refused():
    with pytest.raises(InputError, match=r"writes to 'y', which a law must only read; change a copy: own = y.copy\(\)"):
        law_run(writes_what_it_reads)


def test_law_with_other_arguments_is_refused():
    with pytest.raises(InputError, match=r"called with 6 arguments: define it as too_few\(t, y, r, q, z, u\)"):
        law_run(too_few)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("y[0] = 1.0", "read-only"),
        ("u[3] = 1.0", "index 3 is out of bounds"),
        ("raise ValueError(f'{t:.1f} s is late') if t > 0.45 else None", "ValueError: 0.5 s is late"),
    ],
)
def test_function_without_source_that_fails_ends_the_run(line, words, sentences):
    functions = typed(f"def law(t, y, r, q, z, u):\n    u[:] = 0.0\n    if t >= 0.45: {line.split(' if ')[0]}")
    if "beyond" in words:
        functions = typed(f"def law(t, y, r, q, z, u):\n    {line}")
    if "beyond" in words:
        with pytest.raises(InputError, match=words):
            law_run(functions["law"])
        return
    run = law_run(functions["law"])
    assert run.status == "failed"
    assert words in run.reason


GAIN = 1.0


def with_a_gain(t, y, r, q, z, u):
    for n in range(3):
        u[n] = -GAIN * y[n]


def test_changed_constant_counts_in_the_next_run(monkeypatch):
    first = law_run(with_a_gain).x[-1]
    monkeypatch.setitem(globals(), "GAIN", 2.0)
    second = law_run(with_a_gain).x[-1]
    assert second.tobytes() != first.tobytes()
    np.testing.assert_allclose(second, law_run(with_a_gain, compiled=False).x[-1], rtol=1e-14)


def law_of(gain):
    def law(t, y, r, q, z, u):
        for n in range(3):
            u[n] = -gain[n] * y[n]

    return law


def test_closures_with_other_values_are_other_laws():
    first, second = (law_run(law_of(np.full(3, gain))).x[-1] for gain in (1.0, 2.0))
    assert first.tobytes() != second.tobytes()
    gain = np.ones(3)
    law = law_of(gain)
    assert law_run(law).x[-1].tobytes() == first.tobytes()
    gain[:] = 2.0
    assert law_run(law).x[-1].tobytes() == second.tobytes()


def at_rest(t, y, r, q, z, u):
    for n in range(3):
        u[n] = -2.0 * y[4 + n] * y[3] - y[n]


def test_margins_of_a_function_without_source_are_those_of_one_in_a_file():
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    found, wanted = (
        str(controllers.CustomLaw(law, sample=0.1).margins(craft.linearize(craft.at_rest())))
        for law in (typed()["law"], at_rest)
    )
    assert found == wanted


def test_batch_with_a_function_without_source_is_the_runs_one_by_one(sentences):
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    law = controllers.CustomLaw(typed()["law"], sample=0.1)
    rates = [(0.1, 1.0, 0.1), (0.2, 0.5, 0.1)]
    found = sim.simulate_batch(craft, law, rate=rates, duration=1.0, output_times=[1.0])
    for n, rate in enumerate(rates):
        single = sim.simulate(craft, law, rate=rate, duration=1.0, output_times=[1.0])
        assert found.states[n].tobytes() == single.states.tobytes()
    assert len(sentences) == 1
