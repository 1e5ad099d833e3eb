"""The `repr` of objects that hold arrays is short and names their class."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant.brief import brief
from polhode.plant.flexible import Arm, BeamSection, modes_of, reduce_craft

SECTION = BeamSection(
    area=1e-3, second_moment_m=8e-9, second_moment_n=8e-9, youngs_modulus=2.1e11, shear_modulus=8.1e10, density=7.85e3
)


@dataclass
class Thing:
    """Dataclass with fields of every kind."""

    small: np.ndarray
    large: np.ndarray
    words: str
    inside: object
    hidden: int = field(default=3, repr=False)

    __repr__ = brief


def test_brief_shortens_long_fields():
    inner = Thing(np.array((1.0, 2.0)), np.zeros((3, 4)), "a", None)
    text = repr(Thing(np.eye(2), np.zeros(100), "b" * 500, inner))
    assert text.startswith("Thing(small=[[1., 0.], [0., 1.]], large=<100>, words='bbb")
    assert text.endswith("inside=Thing(small=[1., 2.], large=<3 x 4>, words='a', inside=None))")
    assert "hidden" not in text
    assert len(text) < 400
    assert "inside=(1, 2)" in repr(Thing(np.eye(2), np.eye(2), "", (1, 2)))
    assert "inside=<30 items>" in repr(Thing(np.eye(2), np.eye(2), "", tuple(range(30))))


@pytest.fixture(scope="module")
def satellite():
    arms = [
        Arm(section=SECTION, length=3.0, elements=4, direction=(s, 0, 0), root=(0.5 * s, 0, 0)) for s in (1.0, -1.0)
    ]
    return plant.Spacecraft(plant.RigidBody((20, 15, 18), mass=300.0), elements=arms)


def test_repr_of_flexible_models_is_one_short_line(satellite):
    reduced = reduce_craft(satellite, modes=6)
    for each in (satellite, modes_of(satellite), reduced, reduced.spacecraft(damping=0.002)):
        text = repr(each)
        assert text.startswith(type(each).__name__)
        assert len(text) < 500
        assert "\n" not in text


@pytest.mark.slow
def test_repr_of_analysis_results_is_short():
    craft = plant.Spacecraft(plant.RigidBody((400, 307.8, 200)), torques=plant.TorqueBasis("body", limit=1.0))
    model = craft.linearize(craft.at_rest())
    law = controllers.lqr(model, attitude=25.0, rate=1.0, effort=1.0, sample=0.1)
    analysis = controllers.analyse(law, model)
    laid = sim.overlay(craft, law, duration=20.0)
    for each in (analysis, analysis.step, laid):
        assert len(repr(each)) < 1200
    assert "<Run completed" in repr(laid)
    assert "400." in repr(craft)
