"""Condensation of elements onto the hub against the dense mass matrix."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.flexible import Arm, BeamSection
from polhode.plant.hub.composition import _add_own, _fill_near, _solve, compose_mass
from polhode.plant.hub.condensation import CONDENSED_FROM, clear_blocks, solve_condensed
from polhode.plant.hub.parameters import N_OWN, W_V

SECTION = BeamSection(
    area=2.5e-3,
    second_moment_m=5.2e-7,
    second_moment_n=5.2e-7,
    youngs_modulus=7.17e10,
    shear_modulus=2.68e10,
    density=2.8e3,
)
ARM = Arm(section=SECTION, length=2.0, elements=2, direction=(0.3, 1, 0.2), root=(0, 0.1, 0.4))


def craft(*, pivot=None, arms=()):
    """Spacecraft with sliders, pendulums, modes and a wheel: elements of 1, 2 and 6 coordinates."""
    rng = np.random.default_rng(3)
    elements = [
        *(
            plant.MassSpringDamper(point=rng.normal(size=3), axis=rng.normal(size=3), mass=0.5, stiffness=3.0)
            for _ in range(5)
        ),
        plant.Wheel(axis=(1, 2, 2), inertia=0.1),
        *(
            plant.Pendulum(hinge=rng.normal(size=3), length=0.4, mass=0.5, direction=rng.normal(size=3))
            for _ in range(5)
        ),
    ]
    if pivot is None:
        modes = 0.2 * rng.normal(size=(2, 3, 6))
        elements.append(
            plant.FlexibleModes(
                frequencies=np.arange(1.0, 7.0), damping_ratios=0.01, rotation=modes[0], translation=modes[1]
            )
        )
    else:
        elements += [plant.Pendulum(hinge=rng.normal(size=3), length=1.0, mass=1.0, direction=(0, 0, 1))] * 3
    body = plant.RigidBody((400.0, 307.8, 200.0), mass=500.0, pivot=pivot)
    return plant.Spacecraft(body, elements=[*elements, *arms])


@pytest.mark.parametrize(
    "given", [{}, {"pivot": (0.1, 0.2, -0.3)}, {"arms": (ARM,)}], ids=["free", "held", "with an arm"]
)
@pytest.mark.parametrize("dtype", [float, complex])
def test_condensed_velocities_match_dense_solution(given, dtype):
    made = craft(**given)
    rng = np.random.default_rng(5)
    n = len(made.layout.coordinates)
    assert n >= CONDENSED_FROM
    x = made.state(rate=(0.1, -0.2, 0.3)).astype(dtype)
    x[made.layout.internal] = 0.05 * rng.normal(size=n)
    x[made.layout.internal_momentum] = 0.1 * rng.normal(size=n)
    if dtype is complex:
        x += 1e-40j * rng.normal(size=x.size)
    p, u = made.pack(), np.zeros(3)
    whole, parts = made.work_space(dtype=dtype), made.work_space(dtype=dtype)
    compose_mass(0.0, x, u, p, whole)
    _solve(x, p, whole)
    parts[: int(p[W_V])] = 7.0  # leftovers of an earlier evaluation
    clear_blocks(p, parts)
    _fill_near(0.0, x, u, p, parts)
    if p[N_OWN]:
        _add_own(0.0, x, u, p, parts)
    solve_condensed(x, p, parts)
    v = slice(int(p[W_V]), int(p[W_V]) + 3 + n)
    for part in (np.real, np.imag) if dtype is complex else (np.real,):
        want = part(whole[v])
        # rounding of two solvers, with a condition number of several thousand
        np.testing.assert_allclose(part(parts[v]), want, rtol=0, atol=1e-12 * np.abs(want).max())


def test_condensed_state_reproduces_its_rates():
    made = craft()
    n = len(made.layout.coordinates)
    rates = np.linspace(-1.0, 1.0, n)
    x = made.state(rate=(0.1, -0.2, 0.3), internal_rate=rates)
    np.testing.assert_allclose(made.rate(x), (0.1, -0.2, 0.3), rtol=0, atol=1e-12)
    np.testing.assert_allclose(made.derivative(0.0, x)[made.layout.internal], rates, rtol=0, atol=1e-12)
