# pyright: basic
# (compiled code: numba has no type stubs)
"""From 20 coordinates on, elements are condensed onto the hub one by one; below, the whole mass matrix is factored.

The same right-hand side either way, compiled as the engine is, for elements of 1, 2, 5 and 10 coordinates: sliders,
spherical pendulums, sets of flexible modes. Measured on two shared cores of an AMD EPYC, whole mass matrix against
condensed, in us (elements of 1 coordinate; of 10):

    coordinates    10            20            40             60             100
    of 1           1.41 / 1.53   3.41 / 2.88   10.7 / 5.6     24.6 / 8.2     92.7 / 13.9
    of 10          0.98 / 1.33   2.45 / 2.32    8.7 / 4.3     21.6 / 6.2     85.3 / 10.7

From 1 to 10 coordinates the whole matrix takes 0.74 to 1.0 of the time; at 20 it takes 1.06 to 1.34 times as long, at
60 three to four times. Sixty slosh masses or forty modes fly. The rates differ by 5e-15 of the largest at most.
"""

import ctypes
import time
from typing import Any

import numpy as np

from polhode import plant
from polhode.plant.hub.composition import _fill_near, _finish, _solve, compose_mass
from polhode.plant.hub.condensation import clear_blocks, solve_condensed
from polhode.plant.hub.dynamics import no_user_loads, rates_of
from polhode.plant.hub.parameters import AT_ELEMENTS, W_V
from polhode.plant.kernels.kernel import kernel
from polhode.sim.machine import compiler, entry

ADDRESSES = 3
STEPS = 100


@kernel
def dense_rates(x, u, p, w, dx, user):
    """A right-hand side with the whole mass matrix."""
    compose_mass(0.0, x, u, p, w)
    _solve(x, p, w)
    _finish(0.0, x, u, p, w)
    v = int(p[W_V])
    rates_of(0.0, x, u, p, dx, user, w, w[v], w[v + 1], w[v + 2])


@kernel
def condensed_rates(x, u, p, w, dx, user):
    """The same with the hub's own six equations."""
    clear_blocks(p, w)
    _fill_near(0.0, x, u, p, w)
    solve_condensed(x, p, w)
    _finish(0.0, x, u, p, w)
    v = int(p[W_V])
    rates_of(0.0, x, u, p, dx, user, w, w[v], w[v + 1], w[v + 2])


def run_dense(t: Any) -> int:
    """So many right-hand sides as they are."""
    user = entry.user_at(t[0])
    x, u, p = entry.row_at(t, ADDRESSES), entry.row_at(t, ADDRESSES + 2), entry.row_at(t, ADDRESSES + 4)
    w, dx = entry.row_at(t, ADDRESSES + 6), entry.row_at(t, ADDRESSES + 8)
    for _ in range(t[1]):
        dense_rates(x, u, p, w, dx, user)
    return 0


def run_condensed(t: Any) -> int:
    """So many with the hub's own 6 x 6."""
    user = entry.user_at(t[0])
    x, u, p = entry.row_at(t, ADDRESSES), entry.row_at(t, ADDRESSES + 2), entry.row_at(t, ADDRESSES + 4)
    w, dx = entry.row_at(t, ADDRESSES + 6), entry.row_at(t, ADDRESSES + 8)
    for _ in range(t[1]):
        condensed_rates(x, u, p, w, dx, user)
    return 0


def elements_of(q: int, n: int, rng: np.random.Generator) -> list[Any]:
    """Elements of q coordinates each, n together: sliders, spherical pendulums or sets of flexible modes."""

    def direction() -> np.ndarray:
        return rng.normal(size=3)

    found: list[Any] = []
    for _ in range(n // q):
        if q == 1:
            found.append(plant.MassSpringDamper(point=direction(), axis=direction(), mass=0.5, stiffness=3.0))
        elif q == 2:
            found.append(plant.Pendulum(hinge=direction(), length=0.4, mass=0.5, direction=direction(), stiffness=1.0))
        else:
            modes = {"frequencies": np.arange(1.0, q + 1.0), "damping_ratios": 0.01}
            rotation, translation = 0.05 * rng.normal(size=(2, 3, q))
            found.append(plant.FlexibleModes(**modes, rotation=rotation, translation=translation))
    if q > 2:  # without anything that moves, the inverse of the whole matrix is kept, and nothing is solved
        found.append(plant.MassSpringDamper(point=direction(), axis=direction(), mass=0.5, stiffness=3.0))
    return found


def main() -> None:
    """Print the times of a right-hand side, and by how much the two differ."""
    compiled = []
    with compiler._LOCK:  # a record looks inside
        compiler._register_kernels()
        for function in (run_dense, run_condensed):
            with compiler._at_once():
                compiled.append(compiler._compile("entry", function, options=compiler.OPTIONS))
    calls = [ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(each.address) for each in compiled]
    user = compiler.address_of("user", no_user_loads)
    rng = np.random.default_rng(7)
    print("coordinates each   in all   dense us   condensed us   ratio   largest difference")
    for q in (1, 2, 5, 10):
        for n in (1, 2, 5, 10, 20, 40, 60, 100):
            if n < q:
                continue
            elements = elements_of(q, n, rng)
            craft = plant.Spacecraft(plant.RigidBody((400.0, 307.8, 200.0), mass=500.0), elements=elements)
            count = len(craft.layout.coordinates)
            x = craft.state(rate=(0.1, -0.2, 0.3))
            x[craft.layout.internal] = 0.05 * rng.normal(size=count)
            x[craft.layout.internal_momentum] = 0.1 * rng.normal(size=count)
            p = craft.pack()
            row = int(p[AT_ELEMENTS])
            for element in craft.elements:
                p[row] = compiler.address_of("element", element.kernel)
                row += int(p[row + 1])
            w = np.zeros(p.size + 7 * (6 + count) + craft.work_space().size)
            rates = [np.zeros(x.size), np.zeros(x.size)]
            tables = [compiler.table_of([user, STEPS, 0], [x, np.zeros(3), p, w, dx]) for dx in rates]
            best = [np.inf, np.inf]
            for _ in range(100):
                for which in (0, 1):
                    began = time.perf_counter()
                    calls[which](tables[which].ctypes.data)
                    best[which] = min(best[which], time.perf_counter() - began)
            apart = np.abs(rates[1] - rates[0]).max() / np.abs(rates[0]).max()
            dense, condensed = (seconds / STEPS * 1e6 for seconds in best)
            print(f"{q:16d} {count:8d} {dense:10.2f} {condensed:14.2f} {dense / condensed:7.2f} {apart:20.1e}")


if __name__ == "__main__":
    main()
