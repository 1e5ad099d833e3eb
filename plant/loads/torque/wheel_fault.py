"""Fault of a reaction wheel between two fixed times: dead or weak motor, increased friction, or seized bearing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...checks import choice, finite, non_negative, of_kind, positive
from ...errors import InputError
from ...frozen import frozen_arrays
from .pulse import TorquePulse

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

WHEEL_FAULTS = ("dead", "stuck", "weak", "friction")
"""Kinds of wheel faults."""

ANGLE = "_angle"
SEIZING_TIME = 0.1
LAST = 1e150  # s, later than any start


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class WheelFault(TorquePulse):
    """Fault of a wheel from `start` to `stop`.

        motor torque   `share` times the torque of the healthy motor, within its limits
        friction       the friction of the wheel, plus viscous Omega + coulomb tanh(Omega / coulomb_rate of the wheel)

    "dead" means a `share` of zero, so that only friction acts on the wheel. "weak" scales the motor torque.
    "friction" adds friction. "stuck" means a dead motor with added viscous friction, whose coefficient is the wheel
    inertia over `seizing_time`: the rate relative to the hub decays with this time constant or faster, the hub takes
    up the momentum of the wheel, and total momentum is conserved throughout. Afterwards the wheel slips by at most
    seizing_time times the angular acceleration of the hub about the wheel axis. Several faults of one wheel multiply
    their shares and add their friction.

    Integration steps end at both times. A law has no information about the fault.

    Parameters
    ----------
    kind : str
        "dead", "stuck", "weak" or "friction".
    wheel : str
        Name of the wheel among the elements, "wheel" or "wheel_2".
    start : float
        Time at which the fault begins, s.
    stop : float, optional
        Time at which the fault ends, s; None: at the end of the run.
    share : float
        Remaining fraction of the motor torque; only for "weak", for which it is required. The fraction may exceed 1 or
        be negative (a motor with reversed polarity).
    viscous : float
        Added viscous friction, N m s; only for "friction".
    coulomb : float
        Added Coulomb friction, N m; only for "friction".
    seizing_time : float
        Time constant with which a seizing wheel stops, s; only for "stuck". The integrator resolves this time.

    Raises
    ------
    InputError
        When a value is out of range, missing, or belongs to a different kind of fault. The start of a run raises
        InputError if the spacecraft lacks the wheel, or the wheel lacks a motor.

    Examples
    --------
    >>> WheelFault("weak", wheel="wheel_2", start=100.0, share=0.5).fault
    'wheel 2: motor torque times 0.5 from 100 s on'
    """

    kind: str
    share: float
    viscous: float
    coulomb: float
    seizing_time: float

    def __init__(
        self,
        kind: str,
        *,
        wheel: str = "wheel",
        start: float,
        stop: float | None = None,
        share: float | None = None,
        viscous: float = 0.0,
        coulomb: float = 0.0,
        seizing_time: float = SEIZING_TIME,
    ) -> None:
        choice("kind of wheel fault", kind, WHEEL_FAULTS)
        of_kind("wheel", wheel, str, such_as='the name of a wheel, "wheel_2"')
        _only("weak", kind, share=share is not None)
        _only("friction", kind, viscous=viscous != 0.0, coulomb=coulomb != 0.0)
        _only("stuck", kind, seizing_time=seizing_time != SEIZING_TIME)
        if kind == "weak" and share is None:
            raise InputError(
                f"a weak motor of {wheel} needs the remaining fraction of its torque; give share=0.5 or so"
            )
        if kind == "friction" and viscous == coulomb == 0.0:
            raise InputError(f"increased friction of {wheel} needs the added friction; give viscous or coulomb")
        object.__setattr__(self, "kind", kind)
        factor = 0.0 if kind in ("dead", "stuck") else 1.0 if share is None else finite("share of the motor", share)
        object.__setattr__(self, "share", factor)
        object.__setattr__(self, "viscous", non_negative("added viscous friction", viscous, "N m s"))
        object.__setattr__(self, "coulomb", non_negative("added Coulomb friction", coulomb, "N m"))
        object.__setattr__(self, "seizing_time", positive("seizing time", seizing_time, "s"))
        super().__init__(0.0, start=start, stop=LAST if stop is None else stop, coordinate=wheel + ANGLE)
        if stop is None:
            object.__setattr__(self, "stop", math.inf)

    @property
    def wheel(self) -> str:
        """Name of the wheel."""
        return self.coordinate.removesuffix(ANGLE)

    @property
    def fault(self) -> str:
        """Description of the fault."""
        friction = " and ".join(
            f"{value:g} {unit}"
            for value, unit in ((self.viscous, "N m s of viscous"), (self.coulomb, "N m of Coulomb"))
            if value
        )
        what = {
            "dead": "motor dead",
            "stuck": "stuck",
            "weak": f"motor torque times {self.share:g}",
            "friction": f"{friction} friction added",
        }[self.kind]
        until = "on" if self.stop == math.inf else f"to {self.stop:g} s"
        return f"{self.wheel.replace('_', ' ')}: {what} from {self.start:g} s {until}"

    def numbers(self, craft: Spacecraft) -> tuple[float, float, float]:
        """Return share of the motor torque, added viscous (N m s) and added Coulomb friction (N m).

        Parameters
        ----------
        craft : Spacecraft
            Spacecraft with the wheel.

        Returns
        -------
        tuple of float
            Share, viscous friction and Coulomb friction.

        Raises
        ------
        InputError
            When there is no such wheel, or it has no motor that could fail.
        """
        wheels = parts_with_faults(craft)
        if not wheels:
            raise InputError(f"the fault is declared for {self.wheel!r}, but the spacecraft has no wheels; add a wheel")
        wheel = wheels[choice("wheel with a fault", self.wheel, tuple(wheels))]
        if self.kind in ("dead", "weak") and not wheel.has_motor:
            raise InputError(
                f"{self.wheel} has no motor, so its motor cannot be {self.kind}; give a friction fault, or a wheel "
                "with a motor"
            )
        viscous = wheel.inertia / self.seizing_time if self.kind == "stuck" else self.viscous
        return self.share, viscous, self.coulomb


def parts_with_faults(craft: Spacecraft) -> dict[str, Any]:
    """Return the elements that take a `WheelFault`, by name.

    Parameters
    ----------
    craft : Spacecraft
        A spacecraft.

    Returns
    -------
    dict
        Elements by wheel name, such as "wheel_2".
    """
    bearers = [element for element in craft.elements for _ in element.coordinates]
    return {
        name.removesuffix(ANGLE): element
        for name, element in zip(craft.layout.coordinates, bearers, strict=True)
        if getattr(element, "takes_faults", False)
    }


def _only(of: str, kind: str, **given: bool) -> None:
    """Raise InputError if a parameter of one kind of fault is given for another kind."""
    name = next((name for name, there in given.items() if there), None)
    if kind != of and name is not None:
        raise InputError(f"{name} belongs to the wheel fault {of!r}, but the fault is {kind!r}; omit {name}")
