# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of a law whose commands are scaled and delayed before they reach the plant."""

from typing import Any

from ...controllers.contracts.kernel_call import call_law
from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel

HEAD = fields(law=1, ticks=1, slots=1, factors=3, late=3, memory=1)
"""Kernel parameters that precede those of the original law; `memory` is the index in z at which the law's memory
starts."""


@kernel
def changed_law_kernel(t: Any, y: Any, r: Any, q: Any, z: Any, u: Any) -> None:
    """Call the law at every m-th tick; scale and delay its commands. q = [HEAD, parameters of the law].

    z = [tick, commands of the last samples (slots x 3), memory of the law]. HEAD contains m, the number of ticks per
    sample, and the delay of each command in ticks. The kernel is called at every tick, and calls the law's kernel at
    the first of the m ticks of a sample.
    """
    m = int(q[HEAD.ticks])
    slots = int(q[HEAD.slots])
    tick = int(z[0])
    if tick % m == 0:
        call_law(q[HEAD.law], t, y, r, q[HEAD.size :], z[int(q[HEAD.memory]) :], u)
        slot = 1 + 3 * ((tick // m) % slots)
        z[slot] = u[0]
        z[slot + 1] = u[1]
        z[slot + 2] = u[2]
    for n in range(3):
        ago = tick - int(q[HEAD.late + n])
        if ago < 0:
            u[n] = 0.0
        else:
            u[n] = q[HEAD.factors + n] * z[1 + 3 * ((ago // m) % slots) + n]
    z[0] = tick + 1
