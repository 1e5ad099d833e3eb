"""Chain solver of an arm against dense algebra."""

import numpy as np
import pytest

from polhode.plant.elements.arm.chain_solver import chain_backward, chain_factor, chain_forward

NODES = 3  # without the root
ROOT = np.array((0.3, -0.2, 0.5))


def chain(rng, *, imaginary):
    """Symmetric matrix of 7 x 7 blocks along a chain, with positive definite real and imaginary parts."""
    size = 7 * (NODES + 1)

    def part():
        whole = np.zeros((size, size))
        for n in range(NODES):
            rows = slice(7 * n, 7 * n + 14)
            half = rng.normal(size=(14, 14))
            whole[rows, rows] += half @ half.T
        return whole + np.eye(size)

    return part() + 1j * part() if imaginary else part()


@pytest.mark.parametrize("imaginary", [False, True])
def test_chain_solver_matches_dense_solution(imaginary):
    """The root moves with the hub, v = V + Omega x d, and has its own strain."""
    rng = np.random.default_rng(0)
    S = chain(rng, imaginary=imaginary)
    K = np.diag(rng.uniform(1.0, 2.0, 6)).astype(S.dtype)
    with_hub = np.eye(6 + 1 + 7 * NODES)
    x, y, z = ROOT
    with_hub[:3, 3:6] = ((0, z, -y), (-z, 0, x), (y, -x, 0))
    whole = with_hub.T @ S @ with_hub
    whole[:6, :6] += K
    right = rng.normal(size=6 + 1 + 7 * NODES).astype(S.dtype)
    exact = np.linalg.solve(whole, right)

    blocks = S.reshape(NODES + 1, 7, NODES + 1, 7)
    diag = np.array([blocks[n, :, n].ravel() for n in range(NODES + 1)])
    off = np.array([blocks[n, :, n + 1].ravel() if n < NODES else np.zeros(49) for n in range(NODES + 1)])
    hub, load = K.reshape(1, 36).copy(), right[6:].copy()
    chain_factor(NODES, 0, tuple(ROOT), diag, off, hub)
    left = right[:6] + np.array(chain_forward(NODES, 0, tuple(ROOT), diag, off, load, 0))
    velocity = np.linalg.solve(hub.reshape(6, 6), left)
    chain_backward(NODES, 0, tuple(ROOT), diag, off, tuple(velocity[:3]), tuple(velocity[3:]), load, 0)
    np.testing.assert_allclose(velocity, exact[:6], rtol=0, atol=1e-11 * np.abs(exact).max())
    np.testing.assert_allclose(load, exact[6:], rtol=0, atol=1e-11 * np.abs(exact).max())
