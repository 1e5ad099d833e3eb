"""Simulated decay and growth of disturbed spins match the eigenvalues."""

from __future__ import annotations

import numpy as np

from polhode import plant, sim


def slope(t: np.ndarray, values: np.ndarray, period: float) -> float:
    """Slope of log(values), averaged over whole periods to remove oscillations within a period."""
    step = t[1] - t[0]
    whole = int(period / step) * step
    means = [values[(t >= start) & (t < start + whole)].mean() for start in (t[0], t[-1] - 2.0 * whole)]
    return float(np.log(means[1] / means[0]) / (t[-1] - 2.0 * whole - t[0]))


def excess(craft: plant.Spacecraft, spin: plant.SpinEquilibrium, kick: np.ndarray, duration: float):
    """Energy relative to the steady spin of the same momentum, along a disturbed run."""
    x = spin.state.copy()
    size = np.linalg.norm(x[:3])
    x[:3] += kick * size
    x[:3] *= size / np.linalg.norm(x[:3])  # keeps the momentum, hence the steady spin
    run = sim.simulate(craft, state=x, duration=duration, output_step=0.01, rtol=1e-13)
    return run.t, run.values("energy") - spin.energy


def test_spin_nutation_decays_with_the_eigenvalue() -> None:
    ring = plant.RingDamper(
        axis=(0, 0, 1), mass=0.05, radius=0.5, center=(0, 0, 0.3), fill=2 * np.pi / 3, friction=0.2, angle=0.5
    )
    craft = plant.Spacecraft(plant.RigidBody((1, 1, 1.6), pivot=(0, 0, 0)), elements=[ring])
    spin = plant.spin_equilibria(craft, rate=10.0)[0]
    t, energy = excess(craft, spin, np.array([1e-3, 0.0, 0.0]), 30.0)
    assert energy[0] > 0.0
    late = t > 3.0  # the free motion of the slug has decayed, exp(-3.9 t)
    computed = slope(t[late], energy[late], np.pi / spin.nutation.imag)
    np.testing.assert_allclose(computed, 2.0 * spin.nutation.real, rtol=0.01)
    assert abs(computed / (2.0 * spin.energy_sink) - 1.0) > 0.03  # distinguishes the estimate from the eigenvalue


def test_minor_axis_nutation_grows_with_the_eigenvalue() -> None:
    wheel = plant.Wheel(axis=(1, 0, 0), inertia=0.05, friction=0.05)
    craft = plant.Spacecraft(plant.RigidBody((1.0, 1.2, 0.6)), elements=[wheel])
    spin = plant.spin_equilibria(craft, rate=5.0)[-1]
    assert (spin.axis, spin.kind) == ("minor", "unstable")
    duration = 2.0 / spin.nutation.real
    t, energy = excess(craft, spin, np.array([0.0, 1e-4, 0.0]), duration)
    assert energy[0] < 0.0  # dissipation moves away from an energy maximum
    late = t > 0.3 * duration
    computed = slope(t[late], energy[late], np.pi / spin.nutation.imag)
    np.testing.assert_allclose(computed, 2.0 * spin.nutation.real, rtol=0.01)


def test_middle_axis_spin_diverges_with_the_eigenvalue() -> None:
    craft = plant.Spacecraft(plant.RigidBody((1.0, 1.2, 1.6)))
    spin = plant.spin_equilibria(craft, rate=1.0)[1]
    x = spin.state + 1e-9 * np.array([1.0, 0, 0, 0, 0, 0, 0])
    run = sim.simulate(craft, state=x, duration=50.0, output_step=0.5, rtol=1e-12)
    away = np.linalg.norm(run.values("momentum")[:, [0, 2]], axis=1)
    late = run.t > 35.0  # the decaying part is negligible, exp(-2 x 0.2236 t)
    rates = np.diff(np.log(away[late])) / 0.5
    np.testing.assert_allclose(rates, spin.nutation.real, rtol=1e-6)
