"""Geometry of thruster allocation: cones in which the forces are linear in the torque, and envelopes.

Thrusters only push, so f >= 0. The forces of least sum for a torque,

    minimise sum f   with   B f = tau,  f >= 0   (and D f = 0 for no net force),

are found on the convex hull of the torques for a total force of one newton. Its points are the columns of B, or with
D f = 0 the points B r of all extreme rays r (sum r = 1) of the cone {f >= 0, D f = 0}. The ray from zero along tau
leaves the hull through a triangle. tau is a combination of the three corners with weights >= 0, and the sum of the
weights is the cost (duality of linear programming in three dimensions). Zero is inside the hull if, and only if, a
torque exists in every direction.
"""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....plant.errors import InputError

Array = NDArray[np.float64]
TINY = 1e-9


def force_free_rays(directions: Array) -> Array:
    """Return the extreme rays of {f >= 0, D f = 0}.

    directions (m, 3): unit vectors of the forces, the columns of D.
    -> (r, m): one ray per row, with sum 1 and two, three or four nonzero forces.
    """
    m = len(directions)
    rays: list[Array] = []
    for count in (2, 3, 4):
        for chosen in combinations(range(m), count):
            columns = directions[list(chosen)].T
            _, sizes, right = np.linalg.svd(columns)
            rank = int((sizes > TINY).sum())
            forces = right[-1] * np.sign(right[-1].sum())
            if rank == count - 1 and forces.min() > TINY:  # one linear dependence, with coefficients of the same sign
                ray = np.zeros(m)
                ray[list(chosen)] = forces / forces.sum()
                rays.append(ray)
    return np.array(rays).reshape(-1, m)


def cheapest_cones(rays: Array, torques: Array) -> tuple[Array, Array]:
    """Return, for each triangle of the hull, its linear form g (3,) and its force matrix F (m, 3).

    rays (r, m): forces with a sum of one newton; torques (m, 3): torque of each thruster per newton, m -> forms (k, 3)
    and force matrices (k, m, 3). The largest g . tau is the total force, and F tau, with F of the same triangle, gives
    the forces. Raises InputError when no torque exists in some direction; the message states the direction.
    """
    from scipy.spatial import ConvexHull

    points = rays @ torques
    left, sizes, _ = np.linalg.svd(points.T)
    if sizes.size < 3 or sizes[-1] <= 1e-6 * sizes[0]:
        raise InputError(_missing(len(torques), left[:, -1], "either way "))
    size = float(np.linalg.norm(points, axis=1).max())
    hull: Any = ConvexHull(np.vstack((points, np.zeros(3))))
    worst = int(np.argmax(hull.equations[:, 3]))
    if hull.equations[worst, 3] > -1e-6 * size:
        raise InputError(_missing(len(torques), hull.equations[worst, :3], ""))
    forms = -hull.equations[:, :3] / hull.equations[:, 3:]
    forces = np.array([rays[corners].T @ np.linalg.inv(points[corners].T) for corners in hull.simplices])
    return forms, forces


def _missing(count: int, direction: Array, how: str) -> str:
    axis = (direction.round(4) + 0.0).tolist()
    return (
        f"these {count} thrusters give no torque {how}about {axis} (body axes): thrusters only push; add one, or turn "
        "some, so that every direction has a torque"
    )


def reach(torques: Array, limits: Array) -> Array:
    """Return the envelope of {B f, 0 <= f <= limits}, whose facets are spanned by pairs of thrusters.

    torques (m, 3): torque of each thruster per newton, m; limits (m,): largest force of each thruster, N -> (k, 3), G
    of {tau: G tau <= 1}, 1/(N m).
    """
    normals: list[Array] = []
    size = float(np.linalg.norm(torques, axis=1).max())
    for one, other in combinations(torques, 2):
        normal = np.cross(one, other).astype(np.float64)
        length = float(np.linalg.norm(normal))
        if length < TINY * size**2 or any(np.linalg.norm(np.cross(normal / length, n)) < TINY for n in normals):
            continue
        normals.append(normal / length)
    both = np.vstack((normals, -np.array(normals)))
    heights = np.maximum(both @ torques.T, 0.0) @ limits
    return both / heights[:, None]


def reach_force_free(torques: Array, directions: Array, limits: Array) -> Array:
    """Return the envelope of {B f, 0 <= f <= limits, D f = 0}, whose hull is built corner by corner.

    Linear programming finds the farthest attainable torque along the normal of each facet of an inner hull, which is
    extended until no facet moves.

    torques (m, 3): torque of each thruster per newton, m; directions (m, 3): unit vectors of the forces; limits (m,):
    largest force of each thruster, N -> (k, 3), G of {tau: G tau <= 1}, 1/(N m).
    """
    from scipy.optimize import linprog  # pyright: ignore[reportUnknownVariableType] # scipy is untyped
    from scipy.spatial import ConvexHull

    bounds = np.column_stack((np.zeros(len(limits)), limits))

    def corner(direction: Array) -> Array:
        found: Any = linprog(-torques @ direction, A_eq=directions.T, b_eq=np.zeros(3), bounds=bounds)
        return found.x @ torques

    points = np.array([corner(sign * axis) for axis in np.eye(3) for sign in (1.0, -1.0)])
    size = float(np.linalg.norm(points, axis=1).max())
    seen: set[tuple[float, ...]] = set()
    while True:
        hull: Any = ConvexHull(np.vstack((points, np.zeros(3))))
        facets = {tuple(row.round(9)): row for row in hull.equations}
        fresh: list[Array] = []
        for key, row in facets.items():
            if key not in seen:
                seen.add(key)
                point = corner(row[:3])
                if point @ row[:3] + row[3] > TINY * size:
                    fresh.append(point)
        if not fresh:
            return np.array([-row[:3] / row[3] for row in facets.values()])
        points = np.vstack((points, fresh))
