# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""The kernel of a law whose commands are multiplied and held back on their way to the plant."""

from typing import Any

from ...plant.kernels.kernel import kernel

__all__ = ["HEAD", "call_law", "changed_law_kernel", "law_code"]

HEAD = 11
"""How many numbers stand before those of the law itself."""

_laws: list[Any] = []


def law_code(function: Any) -> int:
    """Return the number by which plain Python finds the kernel of a law."""
    if function not in _laws:
        _laws.append(function)
    return _laws.index(function)


def call_law(code, t, y, r, q, z, u):
    """Call the kernel of a law. Compiled code replaces this by a call of the address in `code`."""
    _laws[int(code)](t, y, r, q, z, u)


@kernel
def changed_law_kernel(t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """q = [law, m, slots, factors (3), late (3, ticks), start of z's law part, 0; numbers of the law].

    z = [tick, commands of the last samples (slots x 3), memory of the law]. It is called at every tick, m of which
    make a sample; the law itself only at the first of them.
    """
    m = int(q[1])
    slots = int(q[2])
    tick = int(z[0])
    if tick % m == 0:
        call_law(q[0], t, y, r, q[11:], z[int(q[9]) :], u)
        slot = 1 + 3 * ((tick // m) % slots)
        z[slot] = u[0]
        z[slot + 1] = u[1]
        z[slot + 2] = u[2]
    for n in range(3):
        ago = tick - int(q[6 + n])
        if ago < 0:
            u[n] = 0.0
        else:
            u[n] = q[3 + n] * z[1 + 3 * ((ago // m) % slots) + n]
    z[0] = tick + 1
