"""Steady spins against extremes of the locked moments, closed forms and published eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from polhode import plant
from polhode.plant.attitude import from_rotation_vector, rotation_matrix

PIVOT = (0.0, 0.0, 0.0)


def slug(**changes) -> plant.RingDamper:
    given = {"axis": (0, 0, 1), "mass": 0.05, "radius": 0.5, "center": (0, 0, 0.3), "fill": 2 * np.pi / 3}
    return plant.RingDamper(**(given | {"friction": 0.2, "angle": 0.5} | changes))


def viscous_wheel(r: float) -> plant.Spacecraft:
    """Example of Kasdin & Paley: It = 1, Is = r about axis 2, a wheel of 0.06 about axis 3."""
    hub = plant.RigidBody((1.0, r, 1.0 - 0.06))
    return plant.Spacecraft(hub, elements=[plant.Wheel(axis=(0, 0, 1), inertia=0.06, friction=0.5)])


def free_modes(craft: plant.Spacecraft, spin: plant.SpinEquilibrium) -> np.ndarray:
    """Eigenvalues of the full linear model without the trivial ones 0, 0 and +-i rate."""
    values = craft.linearize(spin.state).eigenvalues()
    speed = float(np.linalg.norm(spin.rate))
    for usual in (0.0, 0.0, 1j * speed, -1j * speed):
        values = np.delete(values, int(np.argmin(np.abs(values - usual))))
    return values


def test_spin_of_rigid_body_obeys_the_major_axis_rule() -> None:
    craft = plant.Spacecraft(plant.RigidBody((400.0, 307.8, 200.0)))
    major, middle, minor = plant.spin_equilibria(craft, rate=2.0)
    assert [spin.axis for spin in (major, middle, minor)] == ["major", "middle", "minor"]
    for spin, own, (a, b) in ((major, 400, (307.8, 200)), (middle, 307.8, (400, 200)), (minor, 200, (400, 307.8))):
        nutation = 2.0 * np.emath.sqrt(-(own - a) * (own - b) / (a * b))
        assert spin.nutation == pytest.approx(nutation, rel=1e-13, abs=1e-15)
        assert spin.moments[0] == pytest.approx(own, rel=1e-14)
        # the second variation of pi' J^-1 pi / 2 on the sphere
        np.testing.assert_allclose(np.sort(spin.variation), np.sort([own / a - 1, own / b - 1]), rtol=1e-13)
    assert major.kind == minor.kind == "neutrally stable"
    assert middle.kind == "unstable"
    assert "minimal" in major.words
    assert "grows with any dissipation" in minor.words
    assert f"{1 / middle.nutation.real:.6g} s" in middle.words


def test_spin_eigenvalue_of_ring_damper_matches_reference() -> None:
    craft = plant.Spacecraft(plant.RigidBody((1, 1, 1.6), pivot=PIVOT), elements=[slug()])
    spin = plant.spin_equilibria(craft, rate=10.0)[0]
    # derived independently, printed to 8 decimals: |omega| = 10 about the tilted principal axis
    assert spin.nutation.real == pytest.approx(-0.07861464, abs=5e-9)
    assert spin.nutation.imag == pytest.approx(6.07334705, abs=5e-9)
    assert spin.kind == "asymptotically stable"
    assert spin.residual < 1e-13
    assert np.linalg.norm(spin.rate) == pytest.approx(10.0, rel=1e-15)
    # the hub is symmetric about the axis of the ring, so the slug position is arbitrary
    assert spin.family == 1
    assert "family" in spin.words
    # the axis is tilted by the products of inertia of the slug, tan 2a = 2 Jm4/(J3 - J1) with its own moments
    half = np.pi / 3
    s = np.sin(2 * half) / (2 * half)
    j1, j3 = 1 + 0.05 * (0.125 * (1 - s) + 0.09), 1.6 + 0.05 * 0.25
    along = 1 + 0.05 * (0.125 * (1 + s) + 0.09)
    product = 0.05 * 0.5 * 0.3 * np.sin(half) / half
    tilt = 0.5 * np.arctan2(2 * product, j3 - j1)
    across = spin.rate[:2] / 10.0
    np.testing.assert_allclose(across, -np.sin(tilt) * np.array([np.cos(0.5), np.sin(0.5)]), atol=1e-14)
    assert along > 1  # the moment across the slug, which the tilt leaves unchanged


@pytest.mark.slow
def test_spin_eigenvalues_match_the_linear_model() -> None:
    tensor = np.array([[3.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 2.5]])
    ring = slug(axis=(0.2, -0.3, 1.0), center=(0.1, 0.2, 0.3), mass=0.4)
    wheel = plant.Wheel(axis=(1, 2, 0), inertia=0.05, friction=0.03)
    for body in (plant.RigidBody(tensor, mass=30.0), plant.RigidBody(tensor, pivot=(0.1, 0.0, -0.2), mass=30.0)):
        craft = plant.Spacecraft(body, elements=[ring, wheel])
        spins = plant.spin_equilibria(craft, momentum=4.0)
        assert {spin.axis for spin in spins} == {"major", "middle", "minor"}
        for spin in spins:
            assert spin.residual < 1e-13
            assert np.linalg.norm(spin.momentum) == pytest.approx(4.0, rel=1e-14)
            np.testing.assert_allclose(np.cross(spin.momentum, spin.rate), 0.0, atol=1e-13)
            expected = free_modes(craft, spin)
            for value in spin.eigenvalues:
                assert np.abs(expected - value).min() < 1e-10
            # with friction the signature determines stability: Kelvin, Tait and Chetaev
            assert (spin.kind == "asymptotically stable") == bool((spin.variation > 0).all())
        assert spins[0].kind == "asymptotically stable"


def test_spins_are_extremes_of_the_locked_moments() -> None:
    """At constant momentum the energy of a locked craft is |pi|^2/2J: spins are stationary points of a principal
    moment."""
    hub, ring = np.diag([1.0, 1.1, 1.6]), slug(axis=(0.3, -0.2, 1.0), center=(0.1, 0.15, 0.3), mass=0.1)

    def locked(angle: float) -> np.ndarray:
        """Inertia of hub and slug about the pivot, by Gauss-Legendre quadrature along the arc."""
        axis = np.array((0.3, -0.2, 1.0)) / np.linalg.norm((0.3, -0.2, 1.0))
        turn = np.cross((0.0, 0.0, 1.0), axis)  # shortest rotation from z
        frame = rotation_matrix(from_rotation_vector(turn / np.linalg.norm(turn) * np.arccos(axis[2])))
        nodes, weights = np.polynomial.legendre.leggauss(24)
        total = hub.copy()
        for node, weight in zip(nodes, weights, strict=True):
            a = angle + node * np.pi / 3
            r = np.array((0.1, 0.15, 0.3)) + 0.5 * frame @ (np.cos(a), np.sin(a), 0.0)
            total += 0.1 * 0.5 * weight * (r @ r * np.eye(3) - np.outer(r, r))
        return total

    craft = plant.Spacecraft(plant.RigidBody(hub, pivot=PIVOT), elements=[ring])
    spins = plant.spin_equilibria(craft, rate=1.0)
    largest = minimize_scalar(lambda a: -np.linalg.eigvalsh(locked(a))[2], bounds=(-np.pi, np.pi), method="bounded")
    top = spins[0]
    assert top.kind == "asymptotically stable"
    assert top.moments[0] == pytest.approx(-largest.fun, rel=1e-13)
    angle = np.remainder(top.coordinates[0] - largest.x + np.pi, 2 * np.pi) - np.pi
    assert abs(angle) < 1e-4  # a minimum is located to the root of rounding
    for spin in spins:  # every spin is an extreme
        rank = int(np.argmin(np.abs(np.linalg.eigvalsh(locked(spin.coordinates[0])) - spin.moments[0])))
        values = [np.linalg.eigvalsh(locked(spin.coordinates[0] + d))[rank] for d in (-1e-3, 0.0, 1e-3)]
        assert values[1] == pytest.approx(spin.moments[0], rel=1e-13)
        assert abs(values[2] - values[0]) < 1e-3 * abs(values[2] + values[0] - 2 * values[1]) + 1e-11


def test_spin_eigenvalues_of_viscous_wheel_match_reference() -> None:
    craft = viscous_wheel(1.5)
    spin = plant.spin_equilibria(craft, rate=2.0)[0]
    np.testing.assert_allclose(
        spin.eigenvalues, [-8.84386935, -0.01068944 - 1.00115089j, -0.01068944 + 1.00115089j], atol=5e-9
    )
    assert spin.kind == "asymptotically stable"
    np.testing.assert_allclose(spin.time_constants[0], 1 / 8.84386935, rtol=1e-8)
    minor = plant.spin_equilibria(viscous_wheel(0.8), rate=2.0)[-1]
    assert (minor.axis, minor.kind) == ("minor", "unstable")
    assert minor.nutation.real > 0.0


@pytest.mark.parametrize("speed", [50.0, -5.0, -30.0])
def test_dual_spin_nutation_uses_the_effective_moment(speed: float) -> None:
    """A wheel without friction changes the effective moment of its axis to J3 + h/rate."""
    a, b, c = 1.0, 1.2, 0.8
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.06, relative_rate=speed)
    craft = plant.Spacecraft(plant.RigidBody((a, b, c)), elements=[wheel])
    spins = [spin for spin in plant.spin_equilibria(craft, rate=2.0, axis=(0, 0, 1)) if spin.rate[2] > 1.999999]
    assert len(spins) == 1
    effective = c + 0.06 + 0.06 * speed / 2.0
    expected = 2.0 * np.emath.sqrt(-(effective - a) * (effective - b) / (a * b))
    assert spins[0].nutation == pytest.approx(expected, rel=1e-12, abs=1e-14)
    assert spins[0].relative_rates[0] == pytest.approx(speed, rel=1e-13)
    assert f"with its wheels effectively {effective:.6g} kg m^2" in spins[0].words
    # the momentum may also be opposite to the rate, which then is an energy extreme
    inside = a < effective < b
    assert spins[0].kind == ("unstable" if inside else "neutrally stable")


def test_spins_with_wheels_are_off_the_principal_axes() -> None:
    wheels = [plant.Wheel(axis=(0, 1, 1), inertia=0.06, relative_rate=5.0)]
    craft = plant.Spacecraft(plant.RigidBody((1, 1.2, 0.8)), elements=wheels)
    spins = plant.spin_equilibria(craft, rate=2.0)
    assert len(spins) >= 2
    for spin in spins:
        assert spin.residual < 1e-13
        whole = np.diag((1, 1.2, 0.8)) + 0.03 * np.outer((0, 1, 1), (0, 1, 1))
        momentum = whole @ spin.rate + 0.06 * 5.0 * np.array((0, 1, 1)) / np.sqrt(2)
        np.testing.assert_allclose(spin.momentum, momentum, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(np.cross(momentum, spin.rate), 0.0, atol=1e-13)


def test_spin_wheel_rate_balances_motor_and_friction() -> None:
    wheel = plant.Wheel(axis=(0, 0, 1), inertia=0.06, motor_torque=0.5, friction=0.01, coulomb=0.1)
    craft = plant.Spacecraft(plant.RigidBody((1, 1.2, 0.8)), elements=[wheel])
    for spin in plant.spin_equilibria(craft, rate=2.0):
        assert spin.relative_rates[0] == pytest.approx((0.5 - 0.1) / 0.01, rel=1e-12)
    racing = plant.Wheel(axis=(0, 0, 1), inertia=0.06, motor_torque=0.5)
    with pytest.raises(plant.EquilibriumError, match="no steady spin"):
        plant.spin_equilibria(plant.Spacecraft(plant.RigidBody((1, 1.2, 0.8)), elements=[racing]), rate=2.0)


def test_spin_families_of_symmetric_bodies_are_detected() -> None:
    full = plant.Spacecraft(plant.RigidBody((1, 1, 1.6), pivot=PIVOT), elements=[slug(fill=2 * np.pi)])
    major, *others = plant.spin_equilibria(full, rate=10.0)
    # a full ring about the axis of a symmetric hub: nutation does not excite it and is undamped
    assert major.family == 0
    assert major.kind == "neutrally stable"
    # Ja and Jt with the ring: m R^2, and m R^2/2 + m L^2
    ja, jt = 1.6 + 0.0125, 1.0 + 0.00625 + 0.0045
    # nutation exerts no torque about the ring axis, so friction is not excited
    assert major.nutation == pytest.approx(10j * (ja / jt - 1), rel=1e-12)
    assert [spin.family for spin in others] == [1] * len(others)
    assert {spin.kind for spin in others} == {"unstable"}
    sphere = plant.Spacecraft(plant.RigidBody((2, 2, 2)))
    (any_axis,) = plant.spin_equilibria(sphere, rate=1.0)
    assert (any_axis.axis, any_axis.family, any_axis.kind) == ("equal", 2, "neutrally stable")


def test_spin_equilibria_are_independent_of_translation() -> None:
    still = plant.Spacecraft(plant.RigidBody((1, 1.1, 1.6), mass=20.0), elements=[slug()])
    moving = plant.Spacecraft(plant.RigidBody((1, 1.1, 1.6), mass=20.0), elements=[slug()], translation=True)
    one, other = (plant.spin_equilibria(craft, rate=3.0) for craft in (still, moving))
    np.testing.assert_allclose(one[0].eigenvalues, other[0].eigenvalues, rtol=1e-12)
    assert len(other[0].state) == len(one[0].state) + 6
    assert moving.linearize(other[0].state).residual < 1e-12


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "either the rate"),
        ({"rate": 1.0, "momentum": 1.0}, "either the rate"),
        ({"rate": 0.0}, "greater than 0"),
        ({"momentum": -1.0}, "greater than 0"),
        ({"rate": 1.0, "axis": (0, 0, 0)}, "direction"),
    ],
)
def test_spin_equilibria_reject_bad_input(given: dict, message: str) -> None:
    with pytest.raises(plant.InputError, match=message):
        plant.spin_equilibria(plant.Spacecraft(plant.RigidBody((1, 2, 2.5))), **given)


def test_spin_equilibria_reject_external_loads() -> None:
    body = plant.RigidBody((1, 2, 2.5), mass=3.0, pivot=(0, 0, -1))
    craft = plant.Spacecraft(body, potentials=[plant.UniformGravity((0, 0, -9.81))])
    with pytest.raises(plant.InputError, match="UniformGravity"):
        plant.spin_equilibria(craft, rate=1.0)
