"""No kernel uses negative indices: compiled code applies an index without conversion."""

import ast
import inspect
import textwrap

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.controllers import blocks
from polhode.plant.flexible import Arm, BeamSection
from polhode.plant.kernels.kernel import KERNELS
from polhode.sim.engine import advance, observed
from polhode.sim.engine.loop_arrays import LoopArrays, Rows

SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=5.2e-7,
    youngs_modulus=7e10,
    shear_modulus=3e10,
    density=3e3,
    damping_time=1e-5,
)
BODY = plant.RigidBody((3.0, 2.0, 1.0), mass=20.0)
RING = plant.RingDamper(axis=(0, 0, 1), mass=0.3, radius=0.5, friction=0.2, center=(0, 0, 0.3), fill=2.0)
WHEELS = [plant.Wheel(axis=axis, inertia=0.05, friction=0.01) for axis in np.eye(3)]
MODES = plant.FlexibleModes(frequencies=np.arange(1.0, 21.0), damping_ratios=0.01, rotation=np.full((3, 20), 0.01))
ARM = Arm(section=SECTION, length=2.0, elements=2, direction=(1, 0, 0), root=(0.1, 0, 0))
CRAFTS = {
    "body": plant.Spacecraft(BODY, translation=True, potentials=[plant.UniformGravity((0, 0, -9.81))]),
    "ring and wheels": plant.Spacecraft(BODY, elements=[RING, *WHEELS]),
    "modes": plant.Spacecraft(BODY, elements=[MODES]),
    "arm": plant.Spacecraft(BODY, elements=[ARM, WHEELS[0]]),
}


class Strict(np.ndarray):
    """An array that refuses negative indices."""

    def __getitem__(self, key):
        self.look(key)
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self.look(key)
        super().__setitem__(key, value)

    @staticmethod
    def look(key):
        for each in key if isinstance(key, tuple) else (key,):
            if isinstance(each, int | np.integer):
                assert each >= 0, "an index below zero"


@pytest.fixture
def strict(monkeypatch):
    def checked(kernel):
        def call(*arguments):
            *functions, b = arguments
            bundle = Rows if isinstance(b, Rows) else LoopArrays
            return kernel(*functions, bundle(*(each.view(Strict) for each in b)))

        return call

    for module, name in ((advance, "advance"), (observed, "observe")):
        monkeypatch.setattr(module, name, checked(getattr(module, name)))


def test_no_kernel_has_an_index_below_zero_in_its_text():
    found = []
    for function in KERNELS:
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
            if isinstance(node, ast.Subscript):
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                found += [function.__name__ for each in parts if isinstance(each, ast.UnaryOp)]
    assert len(KERNELS) > 200
    assert found == []


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("name", "integrator"),
    [
        (name, integrator)
        for name in CRAFTS
        for integrator in ("rk4", "dop853", "gauss4")
        if name + integrator != "armdop853"
    ],
)  # plain Python takes seven seconds for the last one, and it calls what the others call
def test_no_run_reads_before_an_array(strict, name, integrator):
    craft = CRAFTS[name]
    hub = plant.Spacecraft(BODY)
    law = controllers.lqr(hub.linearize(hub.at_rest()), attitude=1, rate=1, effort=1, sample=1e-5, delay=1.2e-5)
    pulse = plant.TorquePulse((0.1, 0.0, 0.0), start=1e-5, stop=2e-5)
    beside = blocks.low_pass(frequency=1e4, sample=1e-5, reads="rate", writes="rate")
    run = sim.simulate(  # for any number of steps: each reads the same entries
        craft, law, rate=(0.1, 0.2, 0.1), duration=5e-5, integrator=integrator, step=5e-6, torques=[pulse],
        output_step=1.3e-5, compiled=False, max_steps=20, blocks=[beside],
    )  # fmt: skip
    assert run.counters["steps"] >= 5
