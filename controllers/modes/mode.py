"""One mode, and the ways out of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import Spacecraft
from ...plant.checks import choice, each_positive, non_negative, of_kind, positive
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..guidance.reference import Reference
from ..laws.law import Law, asked, read_only
from ..loop.routes import APPLIED, COMMAND, OF_PORT, REFERENCE_SIGNAL
from .condition import Condition

__all__ = ["FREE", "Mode", "Transition"]

FREE = 1e150
"""N m: no limit."""


@dataclass(frozen=True, init=False)
class Transition:
    """A way out of a mode: where to, and what must hold, all of it.

    Parameters
    ----------
    to : str
        Name of the mode that is entered.
    when : Condition or sequence of Condition
        What must hold.

    Raises
    ------
    InputError
        When there is no condition.
    """

    to: str
    when: tuple[Condition, ...]

    def __init__(self, to: str, when: Condition | Sequence[Condition]) -> None:
        of_kind("to", to, str, such_as="the name of a mode")
        of_kind("when", when, (Condition, Sequence), such_as="a Condition, or a list of them")
        conditions = (when,) if isinstance(when, Condition) else tuple(when)
        if not conditions:
            raise InputError(
                f"the transition to {to!r} has no condition; give one, such as Condition('elapsed', above=60)"
            )
        for each in conditions:
            of_kind("each of when", each, Condition, such_as="a Condition")
        object.__setattr__(self, "to", to)
        object.__setattr__(self, "when", conditions)

    def __str__(self) -> str:
        """Return what must hold in words."""
        return " and ".join(map(str, self.when))


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class Mode:
    """A law with what it follows, sees and may ask for, and on what it is left.

    Parameters
    ----------
    name : str
        What it is called.
    law : Law
        The law in force.
    reference : Reference, optional
        What it follows; that of the run if left out.
    reference_from : str, optional
        Whether that goes by the time since the mode was entered, "entry", or by that of the run, "run". If left out a
        motion that begins and ends, a slew or a spin-up, goes from the entry, so that its `begin` counts from there,
        and any other by the run, as what depends on an orbit or the Sun must. A slew begins at its own start attitude,
        wherever the craft is.
    sees : mapping of str to str
        Which signal the law is shown under a name of the plant's, such as {"rate": "gyro"}: of a longer one, as the
        message of a sensor, its first numbers. What is not named is shown as in the other modes.
    actuators : str, optional
        Which control torque of the craft it commands: "wheels" or "external"; the other is held at zero, so that wheels
        keep their momentum but for friction. That of `craft.torques` if left out, in all modes or in none.
    unload : float, optional
        Time, s, over which total momentum falls to 1/e while the mode is in force: the wheels are asked for pi / unload
        more on the hub, and the torque from outside for as much less, pi being the total angular momentum that the law
        is shown ("momentum"). The two cancel on the hub, which goes on under its law; what the limits leave no room for
        is given on neither side. In body axes, of a craft with both control torques, which is to come to rest.
    limit : float or array_like, shape (3,), optional
        Largest magnitude of each component of the command, N m: of the thrusters that damp, say, or the wheels that
        point. Where a law remembers what the limit left of its command, design it with that limit.
    until : sequence of Transition
        The ways out; of those that hold at a sample the first is taken.
    dwell : float
        Least time in the mode, s, before it is left.
    fade : float
        Where the command of the law that takes over differs from the one before, and its memory cannot make up for it,
        the difference is added to the command and taken off evenly over this time, s; 0: the command jumps.
    final : bool
        Whether it is meant never to be left.

    Raises
    ------
    InputError
        When something is out of range, or the law sees a signal under a name that is none of the plant's, or wheels are
        to be unloaded and it is not said which control torque the law commands.
    """

    name: str
    law: Law
    reference: Reference | None
    reference_from: str
    sees: Mapping[str, str]
    actuators: str | None
    unload: float | None
    limit: NDArray[np.float64]
    until: tuple[Transition, ...]
    dwell: float
    fade: float
    final: bool

    def __init__(
        self,
        name: str,
        law: Law,
        *,
        reference: Reference | None = None,
        reference_from: str | None = None,
        sees: Mapping[str, str] | None = None,
        actuators: str | None = None,
        unload: float | None = None,
        limit: ArrayLike | None = None,
        until: Transition | Sequence[Transition] = (),
        dwell: float = 0.0,
        fade: float = 0.0,
        final: bool = False,
    ) -> None:
        of_kind("name of a mode", name, str, such_as='a word, such as "damping"')
        if not name.strip() or "\n" in name:
            raise InputError(f"a mode needs a name of one line; got {name!r}")
        of_kind(f"law of mode {name!r}", law, Law, such_as="a control law")
        of_kind("final", final, bool, such_as="True or False")
        if reference is not None:
            of_kind(
                f"reference of mode {name!r}", reference, Reference, such_as="a reference, such as FixedReference()"
            )
            asked(law).check_reference(reference)
        begins = "entry" if getattr(reference, "manoeuvre", "") else "run"
        if reference_from is not None:
            begins = choice(f"reference_from of mode {name!r}:", reference_from, ("entry", "run"))
            if reference is None:
                raise InputError(
                    f"mode {name!r} has no reference of its own; that of the run goes by the time of the run: leave "
                    "out reference_from, or give the mode a reference"
                )
        further = tuple(getattr(law, "reads", ()))
        if further:
            raise InputError(f"the law of mode {name!r} reads {further[0]!r} itself; modes do not stand in modes")
        if sees is not None:
            of_kind(f"what mode {name!r} sees", sees, Mapping, such_as="{'rate': 'gyro'}")
        shown = dict(sees or {})
        for own, signal in shown.items():
            of_kind(f"what mode {name!r} sees as {own}", signal, str, such_as="the name of a signal")
            if own in (APPLIED, COMMAND, *OF_PORT.values(), REFERENCE_SIGNAL):
                raise InputError(
                    f"mode {name!r} cannot see another {own!r}; give a reference, or blocks behind the law"
                )
        if actuators is not None:
            choice(f"actuators of mode {name!r}:", actuators, tuple(OF_PORT))
        if unload is not None:
            positive(f"unload of mode {name!r}", unload, "s")
            if actuators is None:
                raise InputError(
                    f"mode {name!r} unloads the wheels by a torque from outside; say which of the two its law "
                    "commands: actuators='wheels' or 'external'"
                )
        of_kind(f"until of mode {name!r}", until, (Transition, Sequence), such_as="a Transition, or a list of them")
        ways = (until,) if isinstance(until, Transition) else tuple(until)
        for each in ways:
            of_kind("each of until", each, Transition, such_as="a Transition")
        if limit is None:
            most = np.full(3, FREE)
        else:
            most = each_positive(f"limit of mode {name!r}", limit, unit="N m")
        found = {
            "name": name, "law": law, "reference": reference, "reference_from": begins, "sees": shown,
            "actuators": actuators, "unload": unload, "limit": read_only(most), "until": ways,
            "dwell": non_negative("dwell", dwell, "s"), "fade": non_negative("fade", fade, "s"), "final": final,
        }  # fmt: skip
        for field, value in found.items():
            object.__setattr__(self, field, value)

    def with_law(self, law: Law) -> "Mode":
        """Return the mode with another law.

        Parameters
        ----------
        law : Law
            In place of its own.

        Returns
        -------
        Mode
            Otherwise the same.
        """
        return replace(self, law=law, reference_from=None if self.reference is None else self.reference_from)

    def flown_on(self, craft: Spacecraft) -> Spacecraft:
        """Return what its law flies: for a model, margins and design of it alone.

        Parameters
        ----------
        craft : Spacecraft
            What the modes fly.

        Returns
        -------
        Spacecraft
            With the control torque alone that the mode commands.
        """
        return craft if self.actuators is None else craft.through(self.actuators)
