"""Spins with a user-defined element: a mass on a spring, moved along x by a crank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from polhode import plant
from polhode.plant.elements.assembly import (
    add_energy,
    add_force,
    add_inertia,
    add_mass,
    add_moment,
    add_moment_slope,
    add_power,
    relative_rate,
)

MASS, REACH, AT, STIFFNESS, FRICTION = 0.5, 0.4, 0.6, 5.0, 0.3
HUB = (3.0, 4.0, 5.0)


def crank(phase, t, x, u, p, row, w):
    """r = (AT + REACH sin q, 0, 0): q and pi - q are one position; at 90 degrees the coordinate is singular."""
    k = int(p[row + 2])
    q = x[7 + k]
    slide, slope = REACH * np.sin(q), REACH * np.cos(q)
    if phase == 0:
        add_inertia(p, w, MASS, AT + slide, 0.0, 0.0)
        add_mass(p, w, 3 + k, 3 + k, MASS * slope * slope)
        add_moment(p, w, MASS * (AT + slide), 0.0, 0.0)
        add_moment_slope(p, w, k, MASS * slope, 0.0, 0.0)
    elif phase == 1:
        rate, w1, w2 = relative_rate(p, w, k), relative_rate(p, w, -2), relative_rate(p, w, -1)
        friction = -FRICTION * slope * slope * rate
        force = MASS * (AT + slide) * slope * (w1 * w1 + w2 * w2) - MASS * slide * slope * rate * rate
        add_force(p, w, k, force - STIFFNESS * slide * slope + friction)
        add_power(p, w, friction * rate)
    else:
        add_energy(p, w, 0.5 * STIFFNESS * slide * slide)


@dataclass(frozen=True, eq=False, kw_only=True)
class Crank:
    """Element with the kernel above."""

    kernel: Callable[..., Any] = crank
    coordinates: tuple[str, ...] = ("crank_angle",)
    units: tuple[str, ...] = ("rad",)
    cyclic: bool = False
    constant: bool = False
    moves_mass: bool = True
    mass: float = MASS
    initial: tuple[Sequence[float], Sequence[float]] = ((0.1,), (0.0,))

    def pack(self, offset: np.ndarray) -> list[float]:
        return []


CRAFT = plant.Spacecraft(plant.RigidBody(HUB, pivot=(0, 0, 0)), elements=[Crank()])


@pytest.mark.thinned(2)
@pytest.mark.parametrize("rate", [0.3, 1.5])
def test_crank_spin_equilibria_match_closed_form(rate: float) -> None:
    spins = plant.spin_equilibria(CRAFT, rate=rate)
    assert sorted(int(np.argmax(np.abs(spin.rate))) for spin in spins) == [0, 1, 2]  # each configuration once
    for spin in spins:
        axis = int(np.argmax(np.abs(spin.rate)))
        pull = 0.0 if axis == 0 else MASS * rate**2
        slide = REACH * np.sin(spin.coordinates[0])
        # k s = m rate^2 (a + s)
        assert slide == pytest.approx(pull * AT / (STIFFNESS - pull), rel=1e-12, abs=1e-15)
        moments = np.array(HUB) + MASS * (AT + slide) ** 2 * np.array((0.0, 1.0, 1.0))
        np.testing.assert_allclose(np.sort(spin.moments), moments, rtol=1e-13)
        assert spin.axis == ("minor", "middle", "major")[axis]
        assert spin.energy == pytest.approx(0.5 * moments[axis] * rate**2 + 0.5 * STIFFNESS * slide**2, rel=1e-13)


def test_crank_spin_eigenvalues_match_closed_form() -> None:
    """About z the slide couples to the momentum only: m s'' + c s' + (k - m w^2 + 4 m^2 r^2 w^2/J) s = 0."""
    rate = 1.5
    spin = next(spin for spin in plant.spin_equilibria(CRAFT, rate=rate) if spin.axis == "major")
    r = AT + REACH * np.sin(spin.coordinates[0])
    about = HUB[2] + MASS * r * r
    expected = np.roots([MASS, FRICTION, STIFFNESS - MASS * rate**2 + 4.0 * MASS**2 * r**2 * rate**2 / about])
    for value in expected:
        assert np.abs(spin.eigenvalues - value).min() < 1e-12
    # nutation is undamped and that of the locked spacecraft
    a, b = HUB[0], HUB[1] + MASS * r * r
    assert spin.nutation == pytest.approx(1j * rate * np.sqrt((about - a) * (about - b) / (a * b)), abs=1e-12)
    assert spin.kind == "neutrally stable"
    assert spin.energy_sink == pytest.approx(0.0, abs=1e-15)
