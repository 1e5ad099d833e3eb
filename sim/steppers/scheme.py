"""How a run is integrated: method, step, tolerance."""

from dataclasses import dataclass

from ...plant.checks import choice, positive
from ...plant.errors import InputError
from .kinds import INTEGRATORS
from .stepper import Stepper

__all__ = ["Scheme"]


@dataclass(frozen=True, init=False)
class Scheme:
    """An integrator with its step or tolerance.

    Parameters
    ----------
    integrator : str
        One of `polhode.sim.INTEGRATORS` by name, each with its `words` and `order`: "dop853" (adaptive, order 8 with
        dense output of order 7), explicit ones of fixed steps, such as "rk4" and "rk8", or "midpoint", "gauss4" and
        "gauss6" (Gauss collocation, implicit: what vibrates faster than the step resolves neither grows nor limits it,
        momentum is kept to round-off and energy does not drift); or "elliptic", the exact solution of the free rigid
        body, which refuses every other.
    step : float, optional
        s; the fixed step, needed by all but dop853, of which it is the largest, and elliptic, whose error it does
        not set.
    rtol : float
        Tolerance of each step of dop853, relative to the size of momentum, Euler parameters, position and
        linear momentum, each as a vector, and of the coordinates and momenta of each element by themselves. Of a
        craft with elements the momentum is weighed against the hub's share of it, so that a fast wheel hides nothing;
        coordinates on which nothing depends take no part. The error at the end of a run is larger: about a
        thousandfold on a body that tumbles for 1000 s, and it grows with the square of the time; a run tells what it
        amounts to where that is more than 1e-3 rad.

    Raises
    ------
    InputError
        When the integrator is unknown, a fixed step is missing, or a number is out of range.
    """

    integrator: str
    step: float | None
    rtol: float

    def __init__(self, integrator: str = "dop853", *, step: float | None = None, rtol: float = 1e-10) -> None:
        choice("integrator", integrator, INTEGRATORS)
        if step is None and not (INTEGRATORS[integrator].adaptive or INTEGRATORS[integrator].exact):
            raise InputError(f"integrator {integrator!r} needs a step (s)")
        if step is not None:
            positive("step", step, "s")
        if not 2.3e-16 <= positive("rtol", rtol) <= 1e-2:
            raise InputError(f"rtol must be between 2.3e-16 and 1e-2; got {rtol:g}")
        object.__setattr__(self, "integrator", integrator)
        object.__setattr__(self, "step", step)
        object.__setattr__(self, "rtol", float(rtol))

    @property
    def stepper(self) -> Stepper:
        """The integrator itself."""
        return INTEGRATORS[self.integrator]
