"""Properties of every plant under any load and torque basis."""

import numpy as np
import pytest
from numpy.typing import NDArray

from polhode import plant
from polhode.plant.attitude import matrix_G, rotation_matrix
from polhode.plant.hub.dynamics import body_rate, derivative, energy
from polhode.plant.kernels.rotation import to_inertial

EPS = float(np.finfo(np.float64).eps)
TINY = 1e-40  # imaginary step: without a difference, no step is too small
T = 0.37  # s
U = np.array((0.6, -0.9, 0.4))  # N m
PULSES = (
    plant.TorquePulse((0.3, 0.2, -0.5), start=0, stop=1, euler_rate_damping=(0.1, 0.2, 0.3)),
    plant.TorquePulse((-0.4, 0.7, 0.1), start=0, stop=1, basis=plant.TorqueBasis("inertial")),
    plant.TorquePulse(
        (0.2, 0.1, 0.6), start=0, stop=1, basis=plant.TorqueBasis("euler", "2-3-1"), euler_rate_damping=(0.3, 0, 0.1)
    ),
    plant.TorquePulse(
        (0.5, -0.2, 0.3), start=0, stop=1, basis=plant.TorqueBasis("dual-euler", "3-1-3"), euler_rate_damping=(0, 1, 2)
    ),
)
ON = np.concatenate([U, *([1.0, *np.asarray(pulse.components)] for pulse in PULSES)])  # every gate open


def rates(craft: plant.Spacecraft, x, u, *, pulses=(), ledger: bool = False) -> NDArray:
    """The kernel itself, on any type of number."""
    p = craft.pack(pulses, ledger=ledger)
    full = np.concatenate([x, np.zeros(4 if ledger else 0)])
    dx = np.zeros(len(full), dtype=np.result_type(x, u))
    derivative(T, full, u, p, dx, craft.user_loads(), craft.work_space(dtype=dx.dtype))
    return dx


def hamiltonian(craft: plant.Spacecraft, x):
    value = energy(T, x, np.zeros(3), craft.pack(), craft.work_space(dtype=x.dtype))
    if craft.body.pivot is None:
        c = x[7:10] if craft.translation else np.zeros(3)
    else:  # from the pivot: R b
        c = np.array(to_inertial(*x[3:7], *-craft.body.pivot))
    return value + sum(potential.function(c, x[3:7]) for potential in craft.user_potentials)


def test_float64_is_the_real_part_of_complex(craft, moving):
    x = moving(craft)
    real = rates(craft, x, ON, pulses=PULSES, ledger=True)
    found = rates(craft, x + 0j, ON + 0j, pulses=PULSES, ledger=True)
    # 64 eps of the largest: complex division and square root round differently, a few times per load
    np.testing.assert_allclose(found.real, real, rtol=0, atol=64 * EPS * np.abs(real).max())
    assert not found.imag.any()


@pytest.mark.thinned(5)
def test_complex_step_is_the_central_difference(craft, moving):
    z = np.concatenate([moving(craft), ON])
    n = craft.layout.size

    def f(z):
        return rates(craft, z[:n], z[n:], pulses=PULSES)

    gates = [n + 3 + 4 * k for k in range(len(PULSES))]  # an open or shut gate cannot be differentiated
    h = 1e-3
    for column in set(range(len(z))) - set(gates):
        d = np.eye(len(z))[column]
        exact = f(z + 1j * TINY * d).imag / TINY
        near, far = f(z + h * d) - f(z - h * d), f(z + 2 * h * d) - f(z - 2 * h * d)
        # fourth order: truncation h^4 = 1e-12 times a fifth derivative of up to some hundreds (r^-5 laws and
        # the dual basis), round-off eps/h = 2e-13
        np.testing.assert_allclose((8 * near - far) / (12 * h), exact, rtol=0, atol=1e-9 * max(1, np.abs(exact).max()))


def test_potential_loads_are_gradients_of_the_energy(kind, moving):
    # at rest, without efforts and external torques, only the potentials act: damping needs velocities
    potentials = [each for each in kind.potentials if each.has_energy]
    craft = plant.Spacecraft(kind.body, potentials=potentials, translation=kind.translation)
    x = moving(craft)
    x[:3], x[10:] = 0.0, 0.0
    slope = np.array([hamiltonian(craft, x + 1j * TINY * d).imag / TINY for d in np.eye(len(x))])
    dx = rates(craft, x, np.zeros(3))
    # 100 eps: some twenty terms of the same magnitude as the slope, with cancellation
    size = 100 * EPS * max(1.0, np.abs(slope).max())
    np.testing.assert_allclose(dx[:3], -0.5 * matrix_G(x[3:7]) @ slope[3:7], rtol=0, atol=size)
    np.testing.assert_allclose(dx[10:], -slope[7:10], rtol=0, atol=size)


def test_energy_changes_by_the_power_of_what_is_no_potential(craft, moving):
    x = moving(craft)
    dx = rates(craft, x, ON, pulses=PULSES, ledger=True)
    flow, power = dx[:-4], dx[-4]
    # dH/dt along the flow at a fixed instant; a prescribed orbit also moves the field, which is not a load
    along = hamiltonian(craft, x + 1j * TINY * flow).imag / TINY
    # 200 eps of the terms that cancel: the power of each potential is in both halves of H
    assert along == pytest.approx(power, rel=0, abs=200 * EPS * np.abs(flow).max() * np.abs(x).max() * 10)
    assert abs(power) > 1e-3  # the loads did work


def test_power_of_the_ports_is_torque_times_rate(craft, moving):
    bare = plant.Spacecraft(craft.body, torques=craft.torques)
    x = moving(bare)
    torque = craft.torques.to_body(U, x[3:7])
    assert rates(bare, x, U, ledger=True)[-4] == pytest.approx(torque @ bare.rate(x), rel=1e-14)


def test_inertial_momentum_changes_by_the_torque(craft, moving):
    x = moving(craft)
    dx = rates(craft, x, ON, pulses=PULSES, ledger=True)
    omega = np.array(body_rate(T, x, ON, craft.pack(), craft.work_space()))
    R = rotation_matrix(x[3:7])
    torque = R @ (dx[:3] - np.cross(x[:3], omega))
    z = x + 1j * TINY * dx[:-4]
    e = z[3:7]
    E = np.array([[-e[1], e[0], -e[3], e[2]], [-e[2], e[3], e[0], -e[1]], [-e[3], -e[2], e[1], e[0]]])
    G = np.array([[-e[1], e[0], e[3], -e[2]], [-e[2], -e[3], e[0], e[1]], [-e[3], e[2], -e[1], e[0]]])
    drift = (E @ G.T @ z[:3]).imag / TINY  # d/dt of R pi, R = E G' (Shivarama & Fahrenthold 2004, (6))
    size = 100 * EPS * max(1.0, np.abs(torque).max(), np.abs(x[:3]).max() ** 2)  # pi x omega cancels in between
    np.testing.assert_allclose(drift, torque, rtol=0, atol=size)
    np.testing.assert_allclose(dx[-3:], torque, rtol=0, atol=size)


def test_euler_parameters_keep_their_norm(craft, moving):
    x = moving(craft)
    dx = rates(craft, x, ON, pulses=PULSES)
    assert abs(x[3:7] @ dx[3:7]) < 8 * EPS  # twelve products, each below one


def test_closed_gate_removes_torque(kind, moving):
    x = moving(kind)
    shut = ON.copy()
    shut[3::4] = 0.0
    np.testing.assert_array_equal(rates(kind, x, shut, pulses=PULSES), rates(kind, x, U))


def test_public_methods_match_kernels(craft, moving):
    x = moving(craft)
    np.testing.assert_array_equal(craft.derivative(T, x, u=U), rates(craft, x, U))
    assert craft.energy(x, t=T) == pytest.approx(hamiltonian(craft, x), rel=4 * EPS)
    np.testing.assert_allclose(craft.rate(x), (0.8, -0.5, 1.1), rtol=0, atol=8 * EPS)
    np.testing.assert_allclose(craft.inertial_momentum(x), rotation_matrix(x[3:7]) @ x[:3], rtol=0, atol=8 * EPS)


def test_wrong_states_and_torques_are_refused(kind, moving):
    x = moving(kind)
    n = len(x)
    for method in (kind.rate, kind.energy, kind.inertial_momentum, kind.linearize, lambda x: kind.derivative(0, x)):
        with pytest.raises(plant.InputError, match=rf"state must be {n} numbers; got shape \({n - 1},\)"):
            method(x[:-1])
        with pytest.raises(plant.InputError, match="state must be finite; got"):
            method(np.where(np.arange(n) == 4, np.nan, x))
        with pytest.raises(plant.InputError, match="state must be numbers"):
            method(["a"] * n)
    with pytest.raises(plant.InputError, match=r"u must be 3 numbers \(N m\); got shape \(2,\)"):
        kind.derivative(0, x, u=(1, 2))
    with pytest.raises(plant.InputError, match=r"u must be finite"):
        kind.derivative(0, x, u=(1, 2, np.inf))
    with pytest.raises(plant.InputError, match="attitude must be unit Euler parameters"):
        kind.linearize(np.concatenate([x[:3], 1.1 * x[3:7], x[7:]]))
