"""A mode of the control system, and its transitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant import Spacecraft
from ....plant.checks import choice, each_positive, non_negative, of_kind, positive
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from ...contracts.checks import read_only
from ...contracts.law import Law
from ...contracts.law_defaults import with_defaults
from ...contracts.reference import Reference
from ...loop.routes import APPLIED, COMMAND, OF_PORT, REFERENCE_SIGNAL
from .condition import Condition

FREE = 1e150
"""Limit of a mode without a limit, N m."""


@dataclass(frozen=True, init=False)
class Transition:
    """Transition to another mode, taken when all its conditions hold.

    Parameters
    ----------
    to : str
        Name of the next mode.
    when : Condition or sequence of Condition
        The conditions, all of which must hold.

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
        """Return the conditions as text."""
        return " and ".join(map(str, self.when))


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class Mode:
    """A mode of the control system: law, reference, measurements, actuators, limits and transitions.

    Parameters
    ----------
    name : str
        Name of the mode.
    law : Law
        The law in force.
    reference : Reference, optional
        Reference of the law; by default the reference of the run.
    reference_from : str, optional
        Origin of the reference's time: "entry" for the entry into the mode, "run" for the start of the run. By default,
        the time of a manoeuvre with a beginning and an end (a slew or a spin-up), including its `begin`, counts from
        the entry. The time of any other reference, such as an orbit or the Sun, counts from the start of the run. A
        slew begins at its own start attitude, regardless of the attitude of the spacecraft.
    remap : mapping of str to str
        Signal to use in place of a signal of the plant, such as {"rate": "gyro"}. From a longer signal, such as a
        sensor message, the law uses the first components. A signal that is not remapped is the same in all modes.
    actuators : str, optional
        Control torque of the spacecraft that the mode commands: "wheels" or "external". The other control torque is
        zero, so that wheels keep their momentum except for friction. The default is `craft.torques`; give the argument
        for all modes or for none.
    unload : float, optional
        Time constant, s, of the decay of the total momentum in this mode. The wheels exert an additional torque pi /
        unload on the hub, and the same torque is subtracted from the external torque, where pi is the total angular
        momentum measured by the law ("momentum"). The two torques cancel on the hub, so its control continues; both are
        reduced to respect the limits. Valid in body axes, for a spacecraft that has both control torques and must come
        to rest.
    limit : float or array_like, shape (3,), optional
        Largest magnitude of each component of the command, N m, such as the thrusters' limit in a damping mode or the
        wheels' limit in a pointing mode. A law that stores its saturated command should be designed with this limit.
    transitions : sequence of Transition
        Transitions from the mode; if several hold at a sample, the first is taken.
    dwell : float
        Minimum time in the mode, s.
    blend_time : float
        Blend time, s. The step from the last command to the command of the new law, except for the part that the new
        law's memory compensates, is cancelled by an offset that decreases linearly to zero over this time. If it is 0,
        the command steps.
    final : bool
        Whether the mode is intended never to be left.

    Raises
    ------
    InputError
        When a value is out of range, `remap` replaces a signal that the plant does not have, or `unload` is given
        without `actuators`.
    """

    name: str
    law: Law
    reference: Reference | None
    reference_from: str
    remap: Mapping[str, str]
    actuators: str | None
    unload: float | None
    limit: NDArray[np.float64]
    transitions: tuple[Transition, ...]
    dwell: float
    blend_time: float
    final: bool

    def __init__(
        self,
        name: str,
        law: Law,
        *,
        reference: Reference | None = None,
        reference_from: str | None = None,
        remap: Mapping[str, str] | None = None,
        actuators: str | None = None,
        unload: float | None = None,
        limit: ArrayLike | None = None,
        transitions: Transition | Sequence[Transition] = (),
        dwell: float = 0.0,
        blend_time: float = 0.0,
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
            with_defaults(law).check_reference(reference)
        begins = "entry" if getattr(reference, "manoeuvre", "") else "run"
        if reference_from is not None:
            begins = choice(f"reference_from of mode {name!r}:", reference_from, ("entry", "run"))
            if reference is None:
                raise InputError(
                    f"mode {name!r} has no reference; the reference of the run uses the time of the run: omit "
                    "reference_from, or give the mode a reference"
                )
        further = tuple(getattr(law, "reads", ()))
        if further:
            raise InputError(f"the law of mode {name!r} reads {further[0]!r} itself; modes cannot contain modes")
        if remap is not None:
            of_kind(f"remap of mode {name!r}", remap, Mapping, such_as="{'rate': 'gyro'}")
        shown = dict(remap or {})
        for own, signal in shown.items():
            of_kind(f"signal for {own} in mode {name!r}", signal, str, such_as="the name of a signal")
            if own in (APPLIED, COMMAND, *OF_PORT.values(), REFERENCE_SIGNAL):
                raise InputError(f"mode {name!r} cannot replace {own!r}; give a reference, or blocks after the law")
        if actuators is not None:
            choice(f"actuators of mode {name!r}:", actuators, tuple(OF_PORT))
        if unload is not None:
            positive(f"unload of mode {name!r}", unload, "s")
            if actuators is None:
                raise InputError(
                    f"mode {name!r} unloads the wheels by an external torque; state which of the two its law "
                    "commands: actuators='wheels' or 'external'"
                )
        of_kind(
            f"transitions of mode {name!r}",
            transitions,
            (Transition, Sequence),
            such_as="a Transition, or a list of them",
        )
        ways = (transitions,) if isinstance(transitions, Transition) else tuple(transitions)
        for each in ways:
            of_kind("each of until", each, Transition, such_as="a Transition")
        if limit is None:
            most = np.full(3, FREE)
        else:
            most = each_positive(f"limit of mode {name!r}", limit, unit="N m")
        found = {
            "name": name, "law": law, "reference": reference, "reference_from": begins, "remap": shown,
            "actuators": actuators, "unload": unload, "limit": read_only(most), "transitions": ways,
            "dwell": non_negative("dwell", dwell, "s"), "blend_time": non_negative("blend_time", blend_time, "s"),
            "final": final,
        }  # fmt: skip
        for field, value in found.items():
            object.__setattr__(self, field, value)

    def with_law(self, law: Law) -> Mode:
        """Return the mode with a different law.

        Parameters
        ----------
        law : Law
            The new law.

        Returns
        -------
        Mode
            The mode, otherwise unchanged.
        """
        return replace(self, law=law, reference_from=None if self.reference is None else self.reference_from)

    def flown_on(self, craft: Spacecraft) -> Spacecraft:
        """Return the spacecraft to use for the mode's linear model, margins and design.

        Parameters
        ----------
        craft : Spacecraft
            The spacecraft shared by all modes.

        Returns
        -------
        Spacecraft
            The spacecraft with only the control torque that the mode commands.
        """
        return craft if self.actuators is None else craft.through(self.actuators)
