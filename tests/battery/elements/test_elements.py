"""Elements, single and combined, have the mechanics of their point masses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polhode import plant
from polhode.plant.attitude import rotation_matrix
from polhode.plant.hub.actuated_coordinates import actuated_coordinates
from polhode.plant.hub.dynamics import derivative, energy
from polhode.plant.hub.packing import mass_matrix
from polhode.plant.kernels.rotation import compose, to_inertial

EPS = float(np.finfo(np.float64).eps)
TINY = 1e-40
U = np.array((0.6, -0.9, 0.4))  # N m
KINDS = (
    "ring", "full ring", "wheel", "imbalanced wheel", "control moment gyro", "planar pendulum", "spherical pendulum",
    "panel", "latched panel", "wing", "slider", "modes", "antisymmetric modes", "own kind",
)  # fmt: skip
ANY = st.tuples(
    st.lists(st.sampled_from(KINDS), min_size=2, max_size=5),
    st.sampled_from(("free", "translating", "pivoted")),
    st.integers(0, 10_000),
)


def rates(craft, x, *, u=U, ledger=False, pulses=()):
    full = np.concatenate([x, np.zeros(4 if ledger else 0)])
    dx = np.zeros_like(full)
    w = craft.work_space(dtype=dx.dtype)
    derivative(0.0, full, u + 0 * full[0], craft.pack(pulses, ledger=ledger), dx, craft.user_loads(), w)
    return dx


def hamiltonian(craft, x):
    return energy(0.0, x, np.zeros(3), craft.pack(), craft.work_space(dtype=x.dtype))


def velocities(kit):
    """omega and sdot from which the state was computed."""
    return np.concatenate([kit.rate, kit.craft.initial_rates])


def check_mass_matrix(kit):
    s = kit.craft.initial_coordinates
    found, expected = mass_matrix(kit.craft, kit.craft.pack(), s), kit.mass_matrix(s)
    # 200 eps of the largest energy that cancels in the polarisation
    np.testing.assert_allclose(found, expected, rtol=0, atol=200 * EPS * np.abs(expected).max())
    v, layout = velocities(kit), kit.craft.layout
    x = kit.x
    momenta = np.concatenate([x[:3], x[layout.internal_momentum]])
    np.testing.assert_allclose(momenta, expected @ v, rtol=0, atol=1e-12 * np.abs(momenta).max())


def check_lagrange(kit):
    """p' = dT/ds - dV/ds - dF/dsdot, and pi' = pi x omega + u + torque of the potential."""
    layout, s, v = kit.craft.layout, kit.craft.initial_coordinates, velocities(kit)
    n, dx, e = len(s), rates(kit.craft, kit.x), kit.attitude
    kinetic = kit.kinetic(v, kit.recoil(kit.squares(s)) if not kit.pivoted else None)
    for k, step in enumerate(1j * TINY * np.eye(n)):
        slope = np.imag(kinetic(s + step) - kit.potential(s + step, e)) / TINY
        friction = np.imag(kit.rayleigh(s, v[3:] + step)) / TINY
        # 1000 eps: the mass matrix by polarisation, squared velocities of the wheels' momenta
        size = 1000 * EPS * max(1.0, np.abs(v).max(), np.abs(kit.x).max()) ** 2
        assert dx[layout.internal_momentum][k] == pytest.approx(slope - friction, rel=0, abs=size)
    np.testing.assert_allclose(dx[layout.internal], v[3:], rtol=0, atol=1e-12 * np.abs(v).max())
    torque = dx[:3] - np.cross(kit.x[:3], kit.rate) - U
    h = 0.02
    for axis in range(3):
        # -dV for a rotation about each body axis: differences of eighth order, h^8 = 3e-14, round-off 1e-14 h^-1
        def turned(angle, axis=axis):
            twist = np.eye(4)[0] * np.cos(angle / 2) + np.eye(4)[1 + axis] * np.sin(angle / 2)
            return kit.potential(s, np.array(compose(*e, *twist)))

        weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
        slope = sum(c * (turned(j * h) - turned(-j * h)) for j, c in weights.items()) / h
        assert torque[axis] == pytest.approx(-slope, rel=0, abs=1e-10 * max(1.0, np.abs(kit.x).max()))


def check_power_balance(kit):
    """dH/dt = u . omega + power of friction, by complex step along the flow."""
    craft, x, v = kit.craft, kit.x, velocities(kit)
    dx = rates(craft, x, ledger=True)
    along = hamiltonian(craft, x + 1j * TINY * dx[:-4]).imag / TINY
    s = craft.initial_coordinates
    steps = 1j * TINY * np.eye(len(s))
    friction = sum(v[3 + k] * np.imag(kit.rayleigh(s, v[3:] + step)) / TINY for k, step in enumerate(steps))
    size = 500 * EPS * np.abs(dx).max() * max(1.0, np.abs(v).max())
    assert along == pytest.approx(dx[-4], rel=0, abs=size)
    assert dx[-4] == pytest.approx(U @ kit.rate - friction, rel=0, abs=size)
    assert hamiltonian(craft, x) == pytest.approx(craft.energy(x), rel=4 * EPS)


def check_energy(kit):
    """H of the plant against the point masses."""
    s, v, x = kit.craft.initial_coordinates, velocities(kit), kit.x
    expected = 0.5 * v @ kit.mass_matrix(s) @ v + kit.potential(s, kit.attitude)
    if kit.craft.translation:
        layout, mass = kit.craft.layout, 7.0 + sum(case.mass for case in kit.cases)
        linear = x[layout.linear_momentum]
        expected += linear @ linear / (2 * mass) - mass * np.array((0.4, -0.2, -9.81)) @ x[layout.position]
    assert kit.craft.energy(x) == pytest.approx(expected, rel=1e-12)


def check_momentum(kit):
    """The inertial momentum of a free spacecraft changes by the torque only."""
    if kit.pivoted:
        return
    dx = rates(kit.craft, kit.x)
    z = kit.x + 1j * TINY * dx
    drift = np.imag(to_inertial(*z[3:7], *z[:3])) / TINY
    size = 100 * EPS * max(1.0, np.abs(kit.x[:3]).max() * np.abs(kit.rate).max())
    np.testing.assert_allclose(drift, rotation_matrix(kit.attitude) @ U, rtol=0, atol=size)


def check_complex(kit):
    real = rates(kit.craft, kit.x, ledger=True)
    found = rates(kit.craft, kit.x + 0j, ledger=True)
    np.testing.assert_allclose(found.real, real, rtol=0, atol=64 * EPS * np.abs(real).max())
    assert not found.imag.any()


def check_linearisation(kit):
    """The error of the linear model is of second order: one hundredth at one tenth of the deviation."""
    craft, x = kit.craft, kit.x
    model = craft.linearize(x, outputs=("rate", "internal"), allow_nonequilibrium=True)
    layout = craft.layout
    names = (*(f"attitude_error_{a}" for a in "xyz"), *layout.names[:3], *layout.names[7:])
    keep = [names.index(name) for name in model.states]
    z = np.zeros(len(names))
    z[keep] = np.random.default_rng(5).normal(size=len(keep))
    z /= np.abs(z).max()
    back = np.array((1.0, -1.0, -1.0, -1.0))
    reference_rate = rates(craft, x)[3:7]

    def f(h):
        d = h * z
        turn = np.concatenate([[np.sqrt(1 - d[:3] @ d[:3] / 4)], d[:3] / 2])
        state = np.concatenate([x[:3] + d[3:6], compose(*x[3:7], *turn), x[7:] + d[6:]])
        dx = rates(craft, state)
        e = state[3:7] / np.linalg.norm(state[3:7])
        attitude = product(back * reference_rate, e) + product(back * x[3:7], dx[3:7])
        return np.concatenate([2 * attitude[1:], dx[:3], dx[7:]])[keep]

    start = f(0.0)
    apart = [np.abs(f(h) - start - h * model.A @ z[keep]).max() for h in (1e-2, 1e-3)]
    floor = 1e-12 * max(1.0, np.abs(start).max())
    assert apart[1] < 0.02 * apart[0] + floor
    assert apart[0] < 1e-2 * max(1.0, np.abs(model.A @ z[keep]).max())


def check_driven(kit):
    """A force on a coordinate appears in its p' and in the power of the ledger only: not in pi', c' or P'."""
    craft, x = kit.craft, kit.x
    names = craft.layout.coordinates
    assert tuple(actuated_coordinates(craft)) == names  # every kind accepts a force on each of its coordinates
    before = rates(craft, x, ledger=True)
    for k, name in enumerate(names):
        pulse = plant.TorquePulse(0.7, start=0.0, stop=1.0, coordinate=name)
        dx = rates(craft, x, u=(*U, 1.0, 0.7, 0.0, 0.0), ledger=True, pulses=[pulse])
        expected = before.copy()
        expected[craft.layout.internal_momentum.start + k] += 0.7
        expected[-4] += 0.7 * craft.initial_rates[k]
        size = np.abs(before).max() + 0.7 * np.abs(craft.initial_rates).max()
        np.testing.assert_allclose(dx, expected, rtol=0, atol=8 * EPS * size)
        off = rates(craft, x, u=(*U, 0.0, 0.7, 0.0, 0.0), ledger=True, pulses=[pulse])  # the gate is closed
        np.testing.assert_array_equal(off, before)


def check_driven_columns(kit):
    """Its column of B, by complex step, is one in the momentum of its coordinate."""
    names = kit.craft.layout.coordinates
    model = kit.craft.linearize(kit.x, coordinates=names, allow_nonequilibrium=True)
    one = np.array([[float(state == f"{name}_momentum") for name in names] for state in model.states])
    np.testing.assert_allclose(model.B[:, 3:], one, rtol=0, atol=8 * EPS)
    assert not model.D[:, 3:].any()
    free = kit.craft.linearize(kit.x, allow_nonequilibrium=True)
    for name in "ABCD":
        np.testing.assert_array_equal(getattr(model.select(inputs=model.inputs[:3]), name), getattr(free, name))


def product(a, b):
    """For quaternions of any norm."""
    return np.array([
        a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))
    ])  # fmt: skip


CHECKS = (
    check_mass_matrix,
    check_lagrange,
    check_power_balance,
    check_energy,
    check_momentum,
    check_complex,
    check_linearisation,
    check_driven,
    check_driven_columns,
)


@pytest.mark.parametrize("check", CHECKS)
def test_each_kind(kit, check):
    check(kit)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("check", CHECKS)
def test_several_of_every_kind(make_kit, check):
    for support in ("free", "translating", "pivoted"):
        check(make_kit(2 * KINDS, support, seed=3))


@pytest.mark.slow
@given(what=ANY)
@settings(max_examples=15)
def test_random_company(make_kit, what):
    kit = make_kit(*what)
    for check in CHECKS:
        check(kit)


def test_every_kind_is_here(kinds):
    assert tuple(kinds) == KINDS
