"""Ribbons of mode shapes against the shape functions of a cantilever, and the drawn figure."""

import numpy as np
import pytest

from polhode.plant import RigidBody, Spacecraft
from polhode.plant.flexible import Arm, BeamSection, flight_modes, mesh_of, modes_of
from polhode.scenarios.pictures import draw_mode_shapes
from polhode.scenarios.pictures.craft.mode_geometry import mode_ribbons

SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=9.2e-7,
    youngs_modulus=7.17e10,
    shear_modulus=2.68e10,
    density=2.8e3,
)


def craft(arms=1, elements=6):
    directions = ((1, 0, 0), (-1, 0.2, 0), (0, 0, 1))[:arms]
    return Spacecraft(
        RigidBody((1, 1, 1), mass=10.0),
        elements=[Arm(section=SECTION, length=2.0, elements=elements, direction=d) for d in directions],
    )


def test_line_is_cantilevers():
    """phi = cosh kx - cos kx - s (sinh kx - sin kx) between the nodes too; the section rotates with the slope."""
    satellite = craft()
    modes = modes_of(satellite, clamped=True, count=1)
    (ribbon,) = mode_ribbons(satellite, modes.shapes[:, 0])
    k, s = 1.875104068711961 / 2.0, 0.7340955137589128
    x = ribbon.rest[:, 0]
    exact = np.cosh(k * x) - np.cos(k * x) - s * (np.sinh(k * x) - np.sin(k * x))
    moved = (ribbon.moved - ribbon.rest)[:, 2]
    assert moved / moved[-1] == pytest.approx(exact / exact[-1], abs=3e-4)
    assert ribbon.nodes[:, 0] == pytest.approx(np.linspace(0, 2, 7), abs=1e-6)
    assert ribbon.nodes[-1] == pytest.approx(ribbon.moved[-1], abs=1e-12)


def test_rigid_turn_moves_everything_alike():
    satellite = craft(3, 2)
    turn = mesh_of(satellite, locked=True).rigid_rates((0.01, -0.02, 0.03))
    hub = turn[:3]
    for ribbon in mode_ribbons(satellite, turn):
        assert ribbon.moved - ribbon.rest == pytest.approx(hub + np.cross((0.01, -0.02, 0.03), ribbon.rest), abs=1e-9)
        assert np.linalg.norm(ribbon.across, axis=1) == pytest.approx(1.0)


def test_picture(tmp_path):
    satellite = craft(3, 2)
    modes = flight_modes(satellite, count=5)
    figure = draw_mode_shapes(
        satellite, modes.shapes, numbers=range(6, 11), titles=[f"mode {k}" for k in range(1, 6)], title="three arms"
    )
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in shown] == [f"mode {k}" for k in range(1, 6)]
    assert len({axes.get_xlim() for axes in shown}) == 1
    for axes in shown:  # nothing is cut off
        box, x, y = axes.dataLim, axes.get_xlim(), axes.get_ylim()
        assert x[0] <= box.x0 <= box.x1 <= x[1]
        assert y[0] <= box.y0 <= box.y1 <= y[1]
    figure.savefig(tmp_path / "modes.png")
    assert (tmp_path / "modes.png").stat().st_size > 10_000
