"""Published ring damper: its kernel against the matrix equations; its runs are in tests/sim."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import matrix_G
from polhode.plant.formulations import PublishedRing
from polhode.plant.hub.element_calls import LOCK, PROJECT, RATES, SEE
from polhode.plant.hub.packing import packed_in
from polhode.plant.hub.parameters import N_STATES, VIEW, VIEW_WORK, W_V, W_VIEW

from .published_by_hand import ByHand

RING = {"axis": (0, 0, 1), "mass": 0.05, "radius": 0.5, "friction": 0.2, "center": (0, 0, 0.3), "angle": 0.5}
G = np.array((1.0, -2.0, -9.81))
E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
BODY = plant.RigidBody((1.0, 1.2, 1.6), pivot=(0, 0, 0))


def by_hand(gravity=G, **changes) -> ByHand:
    return ByHand(body=BODY, ring=plant.RingDamper(**{**RING, "fill": 2.0, **changes}), gravity=np.asarray(gravity))


def craft_of(model: ByHand) -> plant.Spacecraft:
    potentials = [plant.UniformGravity(model.gravity)] if np.any(model.gravity) else []
    return plant.Spacecraft(BODY, elements=[model.ring], potentials=potentials)


class Called:
    """Calls the view like the engine, in plain Python."""

    def __init__(self, craft: plant.Spacecraft, x: np.ndarray) -> None:
        view = PublishedRing()
        self.p, self.w = packed_in(craft.pack(), craft, view), craft.work_space()
        self.x, self.dx, self.kernel = np.concatenate([x, view.enter(craft, x)]), np.zeros(18), view.kernel

    def __call__(self, phase: int) -> None:
        self.kernel(phase, 0.0, self.x, self.dx, self.p, int(self.p[VIEW]), self.w)


def test_published_ring_reference_terms_are_energy_gradients() -> None:
    """(63), (66) at rest: -1/2 G dV/de + dV/dbeta c on the rotor, -dV/dbeta on the ring."""
    ring = by_hand()
    x = ring.state(rate=(0, 0, 0), attitude=E)
    slope = np.array([ring.energy(x + h) - ring.energy(x - h) for h in 1e-5 * np.eye(9)]) / 2e-5  # V is quadratic in e
    rates = ring.derivative(x)
    torque = -0.5 * matrix_G(E) @ slope[3:7] + (0, 0, slope[7])
    np.testing.assert_allclose(rates[:3], torque, rtol=0, atol=1e-9)
    assert not by_hand(gravity=(0, 0, 0)).derivative(x).any()
    g, m, r, height = 2.0, 0.05, 0.5, 0.3
    arc = np.diag([0.5 * r**2 * (1 - np.sin(g) / g) + height**2, 0.5 * r**2 * (1 + np.sin(g) / g) + height**2, r**2])
    arc[0, 2] = arc[2, 0] = -r * height * np.sin(g / 2) / (g / 2)
    assert rates[8] == pytest.approx(-slope[7] * np.linalg.inv(m * arc)[2, 2], abs=1e-8)


@pytest.mark.parametrize("fill", [2.0, 2.0 * np.pi])
@pytest.mark.parametrize("rate", [(0.3, -2.0, 5.0), (0.0, 0.0, 0.0)])
def test_published_ring_rates_match_matrix_equations(fill: float, rate: tuple[float, ...]) -> None:
    """All other loads act as a torque on the rotor; at rest nothing divides by zero."""
    model = by_hand(fill=fill, relative_rate=3.0 if any(rate) else 0.0)
    craft = craft_of(model)
    x = craft.state(attitude=E, rate=rate)
    called = Called(craft, x)
    np.testing.assert_allclose(called.x[9:], model.state(rate=rate, attitude=E), rtol=0, atol=1e-14)
    torque = np.array((0.3, -0.1, 0.2))
    called.dx[:9] = craft.derivative(0.0, x, u=torque)
    craft_rates = craft.rate(x)
    called.w[int(called.p[W_V]) : int(called.p[W_V]) + 3] = craft_rates
    called(RATES)
    np.testing.assert_allclose(called.dx[9:], model.derivative(called.x[9:], torque), rtol=0, atol=1e-13)
    mu = called.w[int(called.p[W_VIEW]) + VIEW_WORK.multiplier]
    free = by_hand(gravity=(0, 0, 0), fill=fill, relative_rate=model.ring.relative_rate).derivative(called.x[9:])[2]
    if fill > 6.0:  # gravity exerts no torque about the axis of a full ring
        assert mu == pytest.approx(free - np.cross(called.x[9:12], craft_rates)[2], abs=1e-14)


def test_published_ring_image_has_total_momentum_and_energy() -> None:
    model = by_hand(relative_rate=3.0)
    craft = craft_of(model)
    x = craft.state(attitude=E, rate=(0.3, -2.0, 5.0))
    called = Called(craft, x)
    called.x[:9] = 0.0
    called(SEE)
    np.testing.assert_allclose(called.x[:9], x, rtol=0, atol=1e-14)
    np.testing.assert_allclose(craft.inertial_momentum(x), model.momentum(called.x[9:]), rtol=0, atol=1e-13)
    assert craft.energy(x) == pytest.approx(model.energy(called.x[9:]), rel=1e-14)
    called.x[12:16] *= 1.1
    called(PROJECT)
    np.testing.assert_allclose(called.x[:9], x, rtol=0, atol=1e-13)
    called(LOCK)
    assert called.w[int(called.p[W_VIEW]) + VIEW_WORK.lock] == 2.0


def test_published_ring_rejects_unsupported_crafts() -> None:
    ring = plant.RingDamper(**RING)
    skew = plant.RigidBody(((2, 0.1, 0), (0.1, 2, 0), (0, 0, 2)), pivot=(0, 0, 0))
    field = plant.Potential(lambda c, e: c[2])
    for message, body, more in (
        ("principal axes", skew, {"elements": [ring]}),
        ("give RigidBody", plant.RigidBody((2, 2, 2), mass=1.0, pivot=(0, 0, 1)), {"elements": [ring]}),
        ("give RigidBody", plant.RigidBody((2, 2, 2), mass=1.0), {"elements": [ring]}),
        ("has 1 RingDamper among 2 elements", BODY, {"elements": [ring, plant.Wheel(axis=(0, 0, 1), inertia=0.1)]}),
        ("has 0 RingDamper among 0 elements", BODY, {}),
        ("ring about body z", BODY, {"elements": [plant.RingDamper(**RING | {"axis": (1, 0, 0)})]}),
        ("ring about body z", BODY, {"elements": [plant.RingDamper(**RING | {"center": (0.1, 0, 0)})]}),
        ("no term for the force of Potential", BODY, {"elements": [ring], "potentials": [field]}),
    ):
        with pytest.raises(plant.InputError, match=message):
            PublishedRing().numbers(plant.Spacecraft(body, **more))


def test_published_ring_packing_counts_its_states() -> None:
    craft = craft_of(by_hand())
    own = PublishedRing().enter(craft, craft.at_rest()).size
    for ledger in (False, True):
        packed = craft.pack(ledger=ledger)
        assert packed_in(packed, craft, PublishedRing())[N_STATES] == packed[N_STATES] + own
