"""Integration scheme of a run: method, step, tolerance."""

from dataclasses import dataclass

from ....plant.checks import choice, positive
from ....plant.errors import InputError
from .kinds import INTEGRATORS
from .stepper import Stepper


@dataclass(frozen=True, init=False)
class Scheme:
    """An integrator with its step or tolerance.

    Parameters
    ----------
    integrator : str
        One of `polhode.sim.INTEGRATORS`; each has a description `words` and an `order`. "dop853" is adaptive, of order
        8 with dense output of order 7. "rk4", "rk8" and others are explicit with fixed steps. "midpoint", "gauss4" and
        "gauss6" are implicit (Gauss collocation): unresolved vibrations neither grow nor limit the step, momentum is
        conserved to round-off, and energy does not drift. "elliptic" is the exact solution of the free rigid body, and
        rejects every other plant.
    step : float, optional
        Fixed step, s. Optional for dop853 (the longest step) and for elliptic, whose error does not depend on the step.
    rtol : float
        Tolerance of each step of dop853, relative to the norms of momentum, Euler parameters, position and linear
        momentum, and of the coordinates and momenta of each element. For a spacecraft with elements, the scale of the
        momentum is the value with locked elements, so that a fast wheel does not hide errors. Coordinates that do not
        affect the motion do not contribute. The error at the end of a run is larger: about a thousandfold for a body
        that tumbles for 1000 s, and it grows with the square of the time. A run warns if the estimated error exceeds
        1e-3 rad.

    Raises
    ------
    InputError
        When the integrator is unknown, a fixed step is missing, or a value is out of range.
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
        """Stepper of the integrator."""
        return INTEGRATORS[self.integrator]
