"""Mechanics and implicit step on spacecraft of random elements and arms."""

import numpy as np
import pytest

from polhode import sim
from polhode.plant.attitude import rotation_matrix
from polhode.plant.hub.dynamics import derivative, energy
from polhode.plant.kernels.columns import as_columns
from polhode.plant.kernels.rotation import to_inertial

EPS = float(np.finfo(np.float64).eps)
TINY = 1e-40
U = np.array((0.6, -0.9, 0.4))  # N m
SUPPORTS = ("free", "translating", "pivoted")
SIZES = {
    "arms alone": (3, 0, 0, 0, 0, 0),
    "one of each": (1, 1, 1, 1, 1, 1),
    "many of each": (3, 3, 3, 3, 3, 3),
    "no arm": (0, 3, 1, 3, 3, 1),
    "nothing": (0, 0, 0, 0, 0, 0),
}
COMPANIES = [
    *(
        pytest.param(1, support, sizes, id=f"{name}, {support}")
        for name, sizes in SIZES.items()
        for support in SUPPORTS
    ),
    *(pytest.param(seed, SUPPORTS[seed % 3], None, id=f"seed {seed}") for seed in range(2, 11)),
]
FLOWN = [  # always one of each on every hub; the other sizes are in the slow suite
    pytest.param(*each.values, id=each.id, marks=() if str(each.id).startswith("one of each") else pytest.mark.slow)
    for each in COMPANIES
]


def rates(craft, x):
    full = np.concatenate([x, np.zeros(4)])
    dx = np.zeros_like(full)
    w = craft.work_space()
    derivative(0.0, full, U, craft.pack(ledger=True), dx, craft.user_loads(), w)
    return dx


def hamiltonian(craft, x):
    return energy(0.0, x, np.zeros(3), craft.pack(), craft.work_space(dtype=x.dtype))


@pytest.mark.thinned(4)
@pytest.mark.parametrize(("seed", "support", "sizes"), COMPANIES)
def test_power_is_the_slope_of_the_energy(company, seed, support, sizes):
    """dH/dt along the flow by a complex step equals the power of torque and friction in the ledger."""
    craft, x = company(seed, support, sizes)
    dx = rates(craft, x)
    assert np.isfinite(dx).all()
    along = hamiltonian(craft, x + 1j * TINY * dx[:-4]).imag / TINY
    assert abs(dx[-4]) > 1e-3
    # strain and kinetic energy of a stretched arm are exchanged: terms of |strain force| |rate| cancel
    points, w = as_columns(x[:, None] + 1j * TINY * np.eye(len(x))), np.zeros((len(craft.work_space()), len(x)))
    slopes = np.imag(np.asarray(energy(0.0, points, np.zeros(3), craft.pack(), as_columns(w.astype(complex))))) / TINY
    assert along == pytest.approx(dx[-4], rel=0, abs=500 * EPS * np.abs(slopes * dx[:-4]).sum())


@pytest.mark.parametrize(("seed", "support", "sizes"), COMPANIES)
def test_momentum_changes_by_the_torque(company, seed, support, sizes):
    """d(R pi)/dt = R u for a free spacecraft; with the weight about the pivot for a pivoted one."""
    craft, x = company(seed, support, sizes)
    dx = rates(craft, x)
    z = x + 1j * TINY * dx[:-4]
    drift = np.imag(to_inertial(*z[3:7], *z[:3])) / TINY
    size = 100 * EPS * max(1.0, np.abs(x[:3]).max() * np.abs(craft.rate(x)).max(), np.abs(dx[:3]).max())
    np.testing.assert_allclose(drift, dx[-3:], rtol=0, atol=size)
    if support != "pivoted":
        np.testing.assert_allclose(drift, rotation_matrix(x[3:7]) @ U, rtol=0, atol=size)


@pytest.mark.thinned(3)
@pytest.mark.parametrize(("seed", "support", "sizes"), FLOWN)
def test_gauss4_is_fourth_order_and_conserves_balances(company, seed, support, sizes):
    craft, x = company(seed, support, sizes)
    given = {"state": x, "duration": 0.01, "output_times": [0.01]}
    exact = sim.simulate(craft, **given, rtol=1e-13)
    runs = [sim.simulate(craft, **given, integrator="gauss4", step=h) for h in (4e-5, 2e-5)]
    off = [float(np.abs(run.states[-1, 3:7] - exact.states[-1, 3:7]).max()) for run in runs]
    assert off[0] < 1e-9  # random displacements of the nodes put all energy into the fastest modes
    assert off[1] < off[0] / 10.0 + 1e-13  # 16, down to the step error of the explicit methods
    momentum, energy = (
        np.array([run.invariants()[name] for run in runs], dtype=np.float64)
        for name in ("momentum_balance_relative", "energy_balance_relative")
    )
    assert (momentum < 1e-12).all()
    coarse, fine = energy
    assert fine < 1e-7
    assert fine < coarse / 10.0 + 1e-11  # each of the 500 steps is iterated to 1e-12


@pytest.mark.parametrize(("seed", "support", "sizes"), FLOWN)
def test_compiled_is_plain(company, seed, support, sizes):
    craft, x = company(seed, support, sizes)
    given = {"state": x, "duration": 6e-4, "output_times": [6e-4], "integrator": "gauss4", "step": 2e-4}
    fast, plain = (sim.simulate(craft, **given, compiled=way).states[-1] for way in (True, False))
    # tolerance of the step iteration on the strains; the fastest axial modes leave this error
    np.testing.assert_allclose(fast, plain, rtol=0, atol=1e-9 * np.maximum(1e-2, np.abs(plain)).max())
