"""Arguments of a batch of runs, and the specification of each run."""

import inspect
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...controllers import Law, Reference
from ...controllers.contracts.block_draws import whole
from ...controllers.loop.routes import commands_of
from ...plant import RigidBody, Spacecraft
from ...plant.checks import choice, numbers, of_kind
from ...plant.elements.signal import element_signal_table
from ...plant.errors import InputError, PolhodeError
from ...plant.hub.inertia import inertia_matrices
from ..engine.steppers.fast_states import longest_step
from .run_spec import RunSpec, check_craft, check_torques, run_spec, start_state
from .start_rows import StartRows, inertia_of, is_bare, start_rows

START = ("state", "attitude", "rate", "momentum", "position", "velocity")
INERTIA = "inertia"
KINDS: dict[str, Any] = {"craft": Spacecraft, "law": Law, "reference": Reference}


class BatchRequest:
    """Arguments of `simulate_batch`.

    runs: number of runs, None if the other arguments imply it. parts: spacecraft, law, reference and parts of the
    initial state; each is either one value for all runs, or a sequence (rows) with one value per run. settings: other
    arguments of `simulate`, equal for all runs. first: run index of the first run for its random numbers.
    """

    def __init__(self, runs: int | None, parts: Mapping[str, Any], settings: Mapping[str, Any], *, first: int) -> None:
        known = inspect.signature(run_spec).parameters
        for name in settings:
            choice("argument of all runs", name, [each for each in known if each not in (*KINDS, *START, "run_index")])
        if "duration" not in settings:
            raise InputError("duration= is missing: the length of the runs, s")
        self._settings, self._first = dict(settings), first
        self._all: dict[str, Any] = {}
        self._each: dict[str, Any] = {}
        self._sort(parts)
        self.runs: int = self._count(runs)
        for name, kind in KINDS.items():
            for value in self._each.get(name, ()):
                of_kind(f"each {name}", value, kind, such_as=f"a {kind.__name__}")
        for number in (first, first + self.runs - 1):
            whole("run_index", number, 2**32)
        self._check_states()

    def _sort(self, parts: Mapping[str, Any]) -> None:
        """Divide the arguments into common ones and those given for each run."""
        for name, value in parts.items():
            if name == INERTIA:
                if value is not None:
                    self._each[name] = _tensors(value)
            elif name in START and value is not None:
                given = numbers(name, value)
                (self._each if given.ndim == 2 else self._all)[name] = given
            elif name in KINDS and isinstance(value, Sequence) and not isinstance(value, KINDS[name]):
                self._each[name] = tuple(value)  # pyright: ignore[reportUnknownArgumentType] # of anything
            else:
                self._all[name] = value

    def _count(self, runs: int | None) -> int:
        """Return the number of runs, on which `runs` and the arguments of each run must agree."""
        if runs is not None:
            runs = whole("runs", runs, 2**32)
        lengths = {name: len(value) for name, value in self._each.items()} | ({} if runs is None else {"runs": runs})
        if not lengths:
            raise InputError(
                "the number of runs is unknown: give runs=, several spacecraft, laws or references, or a row of "
                f"{', '.join(START[1:4])} for each"
            )
        if len(set(lengths.values())) > 1:
            words = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise InputError(f"the arguments have different numbers of runs: {words}")
        count = next(iter(lengths.values()))
        if count < 1:
            raise InputError(f"there must be at least 1 run; got {count}")
        return count

    def _check_states(self) -> None:
        """Raise InputError if the spacecraft or laws have different states, signals or commands."""
        crafts: Sequence[Spacecraft] = self._each.get("craft", ())
        for n, craft in enumerate(crafts):
            if _columns(craft) != _columns(crafts[0]):
                raise InputError(
                    "the spacecraft of a batch must have the same states and signals: craft 0 has "
                    f"{_columns(crafts[0])[1]}, craft {n} has {_columns(craft)[1]}; simulate the others in a separate "
                    "batch"
                )
        laws: Sequence[Law] = self._each.get("law", ())
        for n, law in enumerate(laws):
            if commands_of(law) != commands_of(laws[0]):
                one, other = (" and ".join(commands_of(each)) for each in (laws[0], law))
                raise InputError(
                    f"the laws of a batch must command the same torques: law 0 commands {one}, law {n} {other}; "
                    "simulate the others in a separate batch"
                )

    @property
    def alike(self) -> bool:
        """True if the runs differ only in their initial states."""
        apart = self._settings.get("formulation") is not None or bool(self._settings.get("blocks"))
        return not apart and not self._own_step and not any(name in (*KINDS, INERTIA) for name in self._each)

    @property
    def _own_step(self) -> bool:
        """True if the default step of implicit integration depends on the start of each run."""
        known = self._pattern
        return known is not None and self._settings.get("step") is None and known.scheme.stepper.implicit

    def rows(self, runs: Sequence[int]) -> StartRows | None:
        """Return the initial states of some runs; None if the runs differ in more than start and inertia."""
        if not self._in_rows:
            return None
        those, known = np.asarray(runs), self._pattern
        assert known is not None  # noqa: S101 # otherwise _in_rows is false
        parts = {name: self._all[name] for name in START if self._all.get(name) is not None}
        parts |= {name: self._each[name][those] for name in START if name in self._each}
        if INERTIA in self._each:
            return start_rows(self._each[INERTIA][those], parts, checked=False)
        if "craft" in self._each:
            inertia = inertia_of([known.craft, *(self._each["craft"][n] for n in runs)])
            return None if inertia is None else start_rows(inertia[1:], parts, checked=True)
        inertia = np.broadcast_to(known.craft.body.inertia, (those.size, 3, 3))
        return start_rows(inertia, parts, checked=True)

    @cached_property
    def _in_rows(self) -> bool:
        apart = self._settings.get("formulation") is not None or bool(self._settings.get("blocks"))
        if apart or "law" in self._each or "reference" in self._each or self._pattern is None:
            return False
        return is_bare(self._pattern.craft)

    @cached_property
    def _pattern(self) -> RunSpec | None:
        """Specification shared by all runs except for spacecraft and start; None if other parts may differ."""
        own = {name for name in (*KINDS, INERTIA) if name in self._each}
        if not own:
            return run_spec(self._all["craft"], self._all["law"], reference=self._all["reference"], **self._settings)
        craft = self._part("craft", 0)
        set_by_each = self._settings.get("step") is None and (own != {INERTIA} or getattr(craft, "elements", True))
        if own not in ({"craft"}, {INERTIA}) or set_by_each:  # the default step may depend on the spacecraft
            return None
        try:
            return run_spec(craft, self._all["law"], reference=self._all["reference"], **self._settings)
        except PolhodeError:  # the error may concern only this spacecraft or all of them, so each run reports it
            return None

    def plan(self, n: int) -> RunSpec:
        """Return the specification of run n. Raises the errors of `simulate`."""
        known = self._pattern
        if known is None or self._own_step:
            return self._whole(n)
        craft, start = self._craft(n), {name: self._part(name, n) for name in START}
        if craft is not known.craft:
            check_craft(craft, known.scheme, known.duration, longest=self._longest_step)
            check_torques(known.torques, craft, known.scheme)
        x = start_state(craft, start.pop("state"), **start)
        return known._replace(craft=craft, x=x, number=self._first + n)

    @cached_property
    def _longest_step(self) -> float:
        """Longest fixed step of the runs, s."""
        known = self._pattern
        if known is None:
            return 0.0
        return longest_step(known.scheme, known.duration, known.law, known.blocks)

    def _whole(self, n: int) -> RunSpec:
        given = {name: self._part(name, n) for name in (*START, "law", "reference")}
        law = given.pop("law")
        return run_spec(self._craft(n), law, **given, **self._settings, run_index=self._first + n)

    def _craft(self, n: int) -> Spacecraft:
        craft = self._part("craft", n)
        if INERTIA not in self._each:
            return craft
        body = RigidBody(self._each[INERTIA][n], mass=craft.body.mass, pivot=craft.body.pivot)
        return Spacecraft(
            body,
            torques=craft.torques,
            external=craft.external,
            elements=craft.elements,
            potentials=craft.potentials,
            user_forces=craft.user_forces,
            translation=craft.translation,
        )

    def _part(self, name: str, n: int) -> Any:
        return self._each[name][n] if name in self._each else self._all.get(name)


def _tensors(given: Any) -> Any:
    """Return the inertia tensors of the runs as an array (runs, 3, 3), kg m^2."""
    found = numbers("inertia", given, "kg m^2")
    if found.shape[1:] == (3,):
        diagonal = found[:, :, None] * np.eye(3)
        # The rows of a tensor J are never all principal moments: then 1'J1 / 3 would be 2/3 of its trace or more, and
        # no moment of inertia exceeds half the trace.
        if not (np.array_equal(found, found.T) and inertia_matrices(diagonal)[1].any()):
            return diagonal
    if found.shape[1:] != (3, 3):
        raise InputError(
            "inertia must have one tensor or three principal moments per run, runs x 3 x 3 or runs x 3 (kg m^2); got "
            f"shape {found.shape}{', symmetric like one tensor' if found.shape == (3, 3) else ''}; for a single "
            "tensor, create a spacecraft with it"
        )
    return found


def _columns(craft: Spacecraft) -> tuple[Any, str]:
    """Return a key that identifies the output columns of a spacecraft, and a description of them."""
    torques = " and two control torques" if craft.external is not None else ""
    if not craft.elements:
        return craft.translation, f"{13 if craft.translation else 7} states and no elements"
    signals = [  # without descriptions and axes, which may differ from run to run
        (label, each.whole_name, each.unit, each.flag) for label, each in element_signal_table(craft.elements)
    ]
    words = f"{craft.layout.size} states, {len(signals)} signals of elements{torques}"
    return (craft.layout.names, signals, bool(torques)), words
