"""Damping chart: closed-form optima of a light slug, and errors where there is no optimum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from polhode import plant

AXIAL, TRANSVERSE, RATE = 1.6, 1.0, 10.0
NUTATION = (AXIAL / TRANSVERSE - 1.0) * RATE


def craft(inertia=(TRANSVERSE, TRANSVERSE, AXIAL), **changes) -> plant.Spacecraft:
    given = {"axis": (0, 0, 1), "mass": 1e-5, "radius": 0.5, "center": (0, 0, 0.3), "fill": 2.0, "friction": 1e-4}
    ring = plant.RingDamper(**(given | changes))
    return plant.Spacecraft(plant.RigidBody(inertia, pivot=(0, 0, 0)), elements=[ring])


@pytest.mark.slow
def test_damping_chart_optimum_of_light_slug_matches_closed_form() -> None:
    """sigma ~ c Jm4^2 / (c^2 + (Jm3 lambda)^2): c = Jm3 lambda; at constant fluid per length, sin^2(g/2)/g is
    maximal."""
    chart = plant.damping_chart(
        craft(), {"friction": np.geomspace(1e-5, 1e-3, 5), "fill": np.linspace(0.5, 5.5, 5)}, rate=RATE
    )
    fill = float(np.asarray(brentq(lambda g: np.tan(g / 2) - g, 2.0, 2.6)))
    mass = 1e-5 * fill / 2.0
    assert chart.optimum[1] == pytest.approx(fill, rel=1e-3)  # flat: the time constant is equal to 1e-6 there
    assert chart.optimum[0] == pytest.approx(mass * NUTATION, rel=1e-3)
    best = plant.RingDamper(
        axis=(0, 0, 1), mass=mass, radius=0.5, center=(0, 0, 0.3), fill=fill, friction=mass * NUTATION
    )
    closed = -1.0 / plant.ring_energy_sink(best, axial=AXIAL, transverse=TRANSVERSE, rate=RATE)
    assert chart.best_time_constant == pytest.approx(closed, rel=1e-4)  # the slug has 1e-5 of the inertia
    assert chart.at_limit == ()
    assert chart.best_time_constant <= chart.time_constant.min()
    assert chart.time_constant.shape == chart.energy_sink.shape == (5, 5)
    np.testing.assert_allclose(chart.time_constant, chart.energy_sink, rtol=1e-3)


def test_damping_chart_at_constant_mass_prefers_less_fill() -> None:
    chart = plant.damping_chart(craft(), {"fill": [1.0, 2.0, 3.0]}, rate=RATE, fluid="mass")
    assert chart.at_limit == ("fill",)
    assert chart.optimum == pytest.approx((1.0,))
    # Jm4 is proportional to sin(g/2)/(g/2)
    share = np.array([np.sin(g / 2) / g for g in (1.0, 2.0, 3.0)])
    np.testing.assert_allclose(chart.time_constant * share**2, chart.time_constant[0] * share[0] ** 2, rtol=1e-4)


@pytest.mark.slow
def test_damping_chart_points_match_spin_equilibria() -> None:
    body = craft((1.0, 1.1, 1.6), mass=0.05, friction=0.2)
    chart = plant.damping_chart(
        body, {"radius": [0.4, 0.5], "fill": [1.0, 2.0, 2 * np.pi], "friction": [0.1, 0.2]}, rate=RATE
    )
    spin = plant.spin_equilibria(body, rate=RATE)[0]
    assert chart.time_constant[1, 1, 1] == pytest.approx(-1.0 / spin.nutation.real, rel=1e-10)
    assert chart.energy_sink[1, 1, 1] == pytest.approx(-1.0 / spin.energy_sink, rel=1e-10)
    assert chart.given == (0.5, 2.0, 0.2)
    assert chart.given_time_constant == pytest.approx(-1.0 / spin.nutation.real, rel=1e-10)
    assert np.isinf(chart.time_constant[:, 2, :]).all()  # nutation does not excite a full ring
    # each section contains the optimum
    for n, section in enumerate(chart.sections):
        along = chart.section_values[n]
        assert section.shape == (2, len(along))
        assert (np.diff(along) > 0.0).all()
        assert {*chart.values[n].tolist(), chart.optimum[n]} <= set(along.tolist())
        assert section[0][along == chart.optimum[n]] == pytest.approx(chart.best_time_constant, rel=1e-12)
        assert section[0].min() >= chart.best_time_constant * (1 - 1e-12)


def test_damping_chart_of_unstable_axis_is_rejected() -> None:
    with pytest.raises(plant.EquilibriumError, match="undamped everywhere"):
        plant.damping_chart(craft((1.0, 1.2, 0.6)), {"friction": [1e-5, 1e-4]}, rate=RATE, axis=(0, 0, 1))


@pytest.mark.parametrize(
    ("parameters", "given", "message"),
    [
        ({}, {}, "one to three"),
        ({"friction": [2.0, 1.0]}, {}, "ascending"),
        ({"friction": [0.0, 1.0]}, {}, "greater than 0"),
        ({"friction": [1.0, np.inf]}, {}, "finite"),
        ({"frictoin": [1.0, 2.0]}, {}, "no element"),
        ({"frictoin": [1.0, 2.0]}, {"element": 0}, "did you mean 'friction'"),
        ({"friction": [1.0, 2.0]}, {"element": 3}, "no element 3"),
        ({"friction": [1.0, 2.0]}, {"fluid": "volume"}, "unknown"),
    ],
)
def test_damping_chart_rejects_bad_input(parameters: dict, given: dict, message: str) -> None:
    with pytest.raises(plant.InputError, match=message):
        plant.damping_chart(craft(), parameters, rate=1.0, **given)
