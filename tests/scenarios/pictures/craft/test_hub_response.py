"""Figure of the hub's response shows the mesh, the model and the frequency at which they diverge."""

import numpy as np
import pytest

from polhode.plant import RigidBody, Spacecraft
from polhode.plant.flexible import Arm, BeamSection, reduce_craft
from polhode.scenarios.pictures import draw_hub_response


@pytest.fixture
def satellite():
    section = BeamSection(
        area=2.5e-3,
        second_moment_m=5.2e-7,
        second_moment_n=5.2e-7,
        youngs_modulus=7.17e10,
        shear_modulus=2.68e10,
        density=2.8e3,
    )
    arms = [
        Arm(section=section, length=2.0, elements=2, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1.0, -1.0)
    ]
    return Spacecraft(RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms)


@pytest.mark.slow
def test_curves_and_bound(satellite, tmp_path):
    reduced = reduce_craft(satellite, modes=4)
    bound = reduced.valid_up_to() / (2 * np.pi)
    figure = draw_hub_response(reduced, damping=0.005, title="two arms")
    about_y, error = figure.axes[1], figure.axes[3]
    curves = {str(line.get_label()): np.array(line.get_data()) for line in about_y.lines}
    hertz, rigid = curves["rigid"]
    assert rigid * hertz * 2 * np.pi == pytest.approx(1 / 43.368157, rel=1e-6)
    mesh, model = curves["whole mesh"][1], curves["hub and 4 modes"][1]
    assert hertz[mesh.argmax()] == pytest.approx(40.19, rel=2e-3)
    assert hertz[(hertz < 20) & (mesh < 1e-5)].mean() == pytest.approx(10.21, rel=0.01)
    near = hertz < 0.9 * bound
    assert np.abs(model[near] / mesh[near] - 1).max() < 0.02
    x, y = np.array(error.lines[0].get_data())
    assert (y[x < bound] <= 0.0101).all()
    assert f"{bound:.4g} Hz" in figure.get_suptitle()
    figure.savefig(tmp_path / "response.png")


def test_whole_mesh_has_no_bound(satellite):
    figure = draw_hub_response(reduce_craft(satellite), damping=0.005, title="two arms")
    assert "the same at every frequency" in figure.get_suptitle()
