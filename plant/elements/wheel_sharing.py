"""Min-max torque allocation of wheels: the largest wheel torque is as small as possible.

    minimise max_k |v_k|   with   sum_k v_k w_k = tau,      w_k = limit_k axis_k,  u_k = limit_k v_k

The torques of wheels with |v_k| <= 1 fill a polytope whose facets are spanned by pairs of wheels. With the normal
n = w_i x w_j, a torque through that facet requires max |v| = |tau . n| / h, h = sum_k |w_k . n|. Wheels outside the
plane of the facet have exactly this |v|, with the sign of w_k . n, and the pair provides the rest. In the cone under
each facet u is therefore linear in tau, and the active facet is the one with the largest |tau . n| / h (Markley,
Reynolds, Liu & Lebsock, Maximum Torque and Momentum Envelopes for Reaction Wheel Arrays, J. Guidance 33 (5), 2010;
their facets have two wheels each).

If more than two wheels are in the plane of a facet, the solution is not unique. The same minimisation is then applied
to the rest of the torque in the plane, and again to parallel wheels. As a result, u is a continuous function of tau.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FLAT = 1e-9  # sine of the angle below which a wheel counts as lying in a plane


def facets(axes: Array, limits: Array) -> list[tuple[Array, list[tuple[Array, Array]]]]:
    """Return the facets of the torque envelope, and the torque allocation in the cone under each facet.

    axes (m, 3): unit vectors that span space.
    limits (m,): largest torque of each wheel, N m, or weights of another kind. -> for each pair of opposite facets: the
    vector g with |g . tau| = 1 on them, and the cells. A cell is a linear form
        and the matrix C of u = C tau. The cell whose form has the largest magnitude at tau is active.
    """
    return _facets(*(np.asarray(each, dtype=np.float64).tobytes() for each in (axes, limits)))


@lru_cache(maxsize=16)  # campaigns rebuild the same array for every run, with two calls each
def _facets(axes_of: bytes, limits_of: bytes) -> list[tuple[Array, list[tuple[Array, Array]]]]:
    axes, limits = np.frombuffer(axes_of).reshape(-1, 3), np.frombuffer(limits_of)
    arms = limits[:, None] * axes
    result: list[tuple[Array, list[tuple[Array, Array]]]] = []
    normals: list[Array] = []
    for i in range(len(axes)):
        for j in range(i):
            normal = np.cross(axes[i], axes[j])
            size = float(np.linalg.norm(normal))
            if size < FLAT or any(np.linalg.norm(np.cross(normal / size, n)) < FLAT for n in normals):
                continue
            normals.append(normal / size)
            form, shares, flat = _level(arms, normals[-1], np.eye(3), range(len(axes)))
            result.append((form, _cells(arms, normals[-1], shares, flat, limits)))
    return result


def _level(arms: Array, normal: Array, rest: Array, wheels: Sequence[int]) -> tuple[Array, Array, list[int]]:
    """Return the linear form, torque fractions of wheels outside the plane, and the wheels in the plane."""
    along = {k: float(arms[k] @ normal) for k in wheels}
    flat = [k for k, part in along.items() if abs(part) < FLAT * float(np.linalg.norm(arms[k]))]
    height = sum(abs(part) for k, part in along.items() if k not in flat)
    form = normal @ rest / height
    shares = np.zeros((len(arms), 3))
    for k, part in along.items():
        if k not in flat:
            shares[k] = np.sign(part) * form
    return form, shares, flat


def _cells(arms: Array, normal: Array, shares: Array, flat: list[int], limits: Array) -> list[tuple[Array, Array]]:
    """Return the cells of a facet: one per direction of wheels in its plane, but a single cell for two directions."""
    rest = np.eye(3) - arms.T @ shares
    groups: list[list[int]] = []
    for k in flat:
        for group in groups:
            if np.linalg.norm(np.cross(arms[group[0]], arms[k])) < FLAT * limits[group[0]] * limits[k]:
                group.append(k)
                break
        else:
            groups.append([k])
    cells: list[tuple[Array, Array]] = []
    for group in groups if len(groups) > 2 else groups[:1]:
        across = np.cross(normal, arms[group[0]]).astype(np.float64)
        form, more, line = _level(arms, across / float(np.linalg.norm(across)), rest, flat)
        along = arms[group[0]] / np.linalg.norm(arms[group[0]])
        reach = float(np.abs(arms[line] @ along).sum())
        left = along @ (rest - arms.T @ more)
        for k in line:
            more[k] = np.sign(arms[k] @ along) * left / reach
        cells.append((form, limits[:, None] * (shares + more)))
    return cells


def sharing_table(axes: Array, limits: Array) -> Array:
    """Return the table of facets and cells for the kernel.

    axes (m, 3): unit vectors that span space.
    limits (m,): largest torque of each wheel, N m, or weights of another kind. -> (n,): m; the number of facets; per
    facet its form, first cell and number of cells; per cell its form and C by
        rows. The first cell is the pseudo-inverse for zero demand, where u is not differentiable.
    """
    envelope = facets(axes, limits)
    rows: list[Array] = []
    inverse: Array = np.linalg.pinv(axes.T).astype(np.float64)
    cells: list[Array] = [np.concatenate((np.zeros(3), inverse.ravel()))]
    for form, parts in envelope:
        rows.append(np.concatenate((form, (float(len(cells)), float(len(parts))))))
        cells += [np.concatenate((choice, shares.ravel())) for choice, shares in parts]
    return np.concatenate(((float(len(axes)), float(len(envelope))), *rows, *cells))
