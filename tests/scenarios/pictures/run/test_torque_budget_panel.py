"""Figure of the torque budget shows each source at its magnitude."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from polhode import plant, sim
from polhode.plant.environment import Epoch, MeanOrbit, TorqueTable
from polhode.plant.environment.fields_along_orbit import fields_along
from polhode.plant.environment.loads import EnvironmentLoads
from polhode.scenarios.pictures.run.panels import panels_of


def test_budget_panel_draws_each_source_over_time():
    orbit = MeanOrbit(epoch=Epoch("2026-03-20T12:00:00Z"), semi_major_axis=7e6, inclination=1.0, oblate=False)
    loads = EnvironmentLoads(fields=fields_along(orbit, 20.0), gravity_gradient=True)
    table = TorqueTable(t=(0.0, 30.0), torque=((3e-6, 0.0, 4e-6), (3e-6, 0.0, 4e-6)))
    craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0)), potentials=[loads, table])
    attitude = np.array((0.8, 0.4, -0.4, 0.2))
    run = sim.simulate(craft, attitude=attitude, duration=20.0, output_step=1.0)
    panel = panels_of(run)["torque_budget"]
    figure, axes = plt.subplots()
    panel.draw(axes, run, 0.1)
    lines = {line.get_label(): np.asarray(line.get_ydata()) for line in axes.get_lines()}
    plt.close(figure)
    assert list(lines) == ["gravity gradient", "torque of a table"]
    np.testing.assert_allclose(lines["torque of a table"], 5e-6, rtol=1e-12)
    down = plant.attitude.rotation_matrix(attitude).T @ (1.0, 0.0, 0.0)  # the node at t = 0
    expected = 3 * 3.986004418e14 / 7e6**3 * np.linalg.norm(np.cross(down, down * (4.0, 3.0, 2.0)))
    assert lines["gravity gradient"][0] == pytest.approx(expected, rel=1e-6)


def test_budget_panel_is_absent_without_an_environment():
    run = sim.simulate(plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.0))), duration=1.0)
    assert "torque_budget" not in panels_of(run)
