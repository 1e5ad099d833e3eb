# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""From 20 coordinates on, elements are condensed onto the hub one by one; below, the whole mass matrix is factored.

Both versions of the right-hand side, compiled like the engine, for elements of 1, 2, 5 and 10 coordinates: sliders,
spherical pendulums, sets of flexible modes. Measured on two shared cores of an AMD EPYC with gcc 12.2, whole mass
matrix against condensed, in us (elements of 1 coordinate; of 10):

    coordinates    10            20            40            60           100
    of 1           1.12 / 1.61   3.11 / 2.88   12.8 / 5.9    35.1 / 8.7   300 / 13.4
    of 10          1.10 / 1.38   3.19 / 2.44    9.8 / 3.6    29.1 / 4.9   453 / 8.0

From 1 to 11 coordinates the whole matrix takes 0.56 to 1.01 of the time; at 20 it takes 1.08 to 1.69 times as long, at
60 four times and more. Sixty slosh masses or forty modes can be simulated. The rates differ by at most 5e-15 of the
largest.
"""

import ctypes
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from polhode import plant
from polhode.plant.hub.composition import _fill_near, _finish, _solve, compose_mass
from polhode.plant.hub.condensation import clear_blocks, solve_condensed
from polhode.plant.hub.dynamics import no_user_loads, rates_of
from polhode.plant.hub.parameters import AT_ELEMENTS, W_V
from polhode.plant.kernels.kernel import kernel
from polhode.sim.codegen.c99.kinds import INTEGER, REAL, Array, Pointer
from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.c99.values import Value
from polhode.sim.codegen.library_build import OPTIONS
from polhode.sim.codegen.library_text import HEAD, replaced_by_pointers
from polhode.sim.codegen.toolchain import build
from polhode.sim.engine.addresses import address_of

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


@kernel
def run_dense(n, x, u, p, w, dx, user):
    """So many right-hand sides as they are."""
    for _ in range(n):
        dense_rates(x, u, p, w, dx, user)


@kernel
def run_condensed(n, x, u, p, w, dx, user):
    """So many with the hub's own 6 x 6."""
    for _ in range(n):
        condensed_rates(x, u, p, w, dx, user)


def compiled() -> list[Any]:
    """Both as functions of C, built as the engine's library is: call(n, addresses of rows, their sizes, loads)."""
    program, row, user = Program("rates", replaced=replaced_by_pointers(), whole_records=True), Array(REAL, 1), "user"
    lines: list[str] = []
    for n, kernel_of in enumerate((run_dense, run_condensed)):
        function = program.function(kernel_of, (INTEGER, *(5 * (row,)), Pointer(user)))
        rows = [Value(row, f"rows[{k}]", extents=(lambda k=k: f"sizes[{k}]",)) for k in range(5)]
        loads = Value(Pointer(user), f"({program.type_name(Pointer(user))})loads")
        call = function.call([Value(INTEGER, "n"), *rows, loads])
        head = f"POLHODE_API void run_{n}(integer n, real **rows, const integer *sizes, integer loads)"
        lines.append(f"{head}\n{{\n    {call};\n}}")
    with TemporaryDirectory() as folder:
        source, library = Path(folder, "rates.c"), Path(folder, "rates.so")
        source.write_text("\n\n".join([HEAD, program.text(), *lines, ""]), encoding="ascii")
        build([source], library, options=OPTIONS)
        loaded = ctypes.CDLL(str(library))
    return [loaded.run_0, loaded.run_1]


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
    calls = compiled()
    user = ctypes.c_int64(address_of("user", no_user_loads))
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
                p[row] = address_of("element", element.kernel)
                row += int(p[row + 1])
            w = np.zeros(p.size + 7 * (6 + count) + craft.work_space().size)
            rates = [np.zeros(x.size), np.zeros(x.size)]
            rows = [(x, np.zeros(3), p, w, dx) for dx in rates]
            tables = [(ctypes.c_void_p * 5)(*(each.ctypes.data for each in row)) for row in rows]
            sizes = [(ctypes.c_int64 * 5)(*(each.size for each in row)) for row in rows]
            best = [np.inf, np.inf]
            for _ in range(100):
                for which in (0, 1):
                    began = time.perf_counter()
                    calls[which](ctypes.c_int64(STEPS), tables[which], sizes[which], user)
                    best[which] = min(best[which], time.perf_counter() - began)
            apart = np.abs(rates[1] - rates[0]).max() / np.abs(rates[0]).max()
            dense, condensed = (seconds / STEPS * 1e6 for seconds in best)
            print(f"{q:16d} {count:8d} {dense:10.2f} {condensed:14.2f} {dense / condensed:7.2f} {apart:20.1e}")


if __name__ == "__main__":
    main()
