# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""What a functional mock-up unit asks of a craft beside what the engine asks."""

from ....plant.hub.dynamics import body_rate, derivative, energy_of
from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel

__all__ = ["SHOWN", "rates", "shown"]

SHOWN = fields(rate=3, energy=1)
"""What is worked out of a state: body rate, rad/s, and energy, J."""


@kernel
def shown(t, x, u, p, w, y):
    """Fill y, as in SHOWN."""
    y[SHOWN.rate], y[SHOWN.rate + 1], y[SHOWN.rate + 2] = body_rate(t, x, u, p, w)
    y[SHOWN.energy] = energy_of(t, x, u, p, w)


@kernel
def rates(t, x, u, p, dx, user, w):
    """The rates of change of a state."""
    derivative(t, x, u, p, dx, user, w)
