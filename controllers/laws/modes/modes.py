"""A law that consists of several modes, one active at a time, and the block that selects the mode."""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant import LinearModel
from ....plant.brief import brief
from ....plant.checks import choice, of_kind
from ....plant.errors import InputError
from ....plant.kernels.fields import filled
from ...contracts.attitude_law import AttitudeLaw
from ...contracts.block import Block
from ...contracts.checks import read_only
from ...contracts.kernel_call import KernelCall
from ...contracts.law import Law
from ...contracts.law_defaults import with_defaults
from ...contracts.reference import Reference
from ...loop.margins import Margins
from ...loop.routes import COMMAND, OF_PORT
from .graph import check_graph
from .mode import FREE, Mode
from .modes_block import held_block, modes_block
from .modes_kernel import LAW_HEAD, LAW_MODE, LAW_STATE, SIGNALS, modes_law_kernel

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, init=False)
class Modes(AttitudeLaw):
    """Law that consists of several modes, one active at a time, and the transitions between them.

    Simulate it as a law, together with the block that selects the mode: ``simulate(craft, modes, blocks=[*before,
    modes.block(before)])``. At each sample the block evaluates the conditions of the active mode, takes the first
    transition that holds, and provides the law with the mode's measurements and reference. When a law takes over, its
    memory starts as at the start of a run, with two exceptions:

    - Integrators start such that the command is continuous. Integrators are the states x = A x of a linear law that act
      on the command; the command is continuous in the components that they can affect (all, for `lqi` and `pid`).
    - Stored past commands, as in state feedback with a delay, are set to the last command.

    If modes command different control torques of the spacecraft (`Mode.actuators`), the law that takes over starts in
    the same way from the last command of the previous law, although that command was for the other torque. Delayed
    commands still act as the torque for which they were computed. The law then writes "command_wheels" and
    "command_external" instead of "command".

    The remaining step from the last command to the first command of the new law is applied immediately, or blended over
    `Mode.blend_time`.

    Parameters
    ----------
    modes : sequence of Mode
        The modes; a run begins in the first mode. All laws must have the same sampling period and delay.

    Raises
    ------
    InputError
        When two modes have the same name, a transition leads to an unknown mode, a mode can never be reached or left,
        modes alternate endlessly, sampling periods or delays differ, or only some modes name their actuators.

    Examples
    --------
    >>> from polhode import controllers, plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    >>> damping = controllers.RateDamping(gain=1.0, sample=0.1)
    >>> pointing = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.1)
    >>> slow = controllers.Transition("pointing", controllers.Condition("rate", below=0.01))
    >>> modes = Modes([Mode("damping", damping, transitions=slow), Mode("pointing", pointing, final=True)])
    >>> run = sim.simulate(craft, modes, blocks=[modes.block()], rate=(0.1, 0.0, 0.0), duration=30.0, compiled=False)
    >>> [(each.mode, round(each.start, 6), each.why) for each in sim.mode_intervals(run)]
    [('damping', 0.0, 'start'), ('pointing', 6.8, 'rate below 0.572958 deg/s')]
    """

    modes: tuple[Mode, ...]
    cycles_checked: bool = field(repr=False)
    """True if all cycles of modes were checked. The search ends after 100,000 transitions, and a run reports this."""

    __repr__ = brief

    def __init__(self, modes: Sequence[Mode]) -> None:
        of_kind("modes", modes, Sequence, such_as="a list of Mode")
        found = tuple(modes)
        for mode in found:
            of_kind("each of modes", mode, Mode, such_as="a Mode")
        if not found:
            raise InputError("modes is empty; give at least one Mode")
        object.__setattr__(self, "cycles_checked", check_graph(found))
        unsaid = [mode.name for mode in found if mode.actuators is None]
        if unsaid and len(unsaid) < len(found):
            said = next(mode for mode in found if mode.actuators is not None)
            raise InputError(
                f"mode {said.name!r} commands {said.actuators!r} but mode {unsaid[0]!r} names no actuators; "
                "give every mode its actuators"
            )
        for mode in found[1:]:
            for what in ("sample", "delay"):
                one, other = getattr(found[0].law, what), getattr(mode.law, what)
                if one != other:
                    raise InputError(
                        f"the law of mode {mode.name!r} has a {what} of {other:g} s, but the law of "
                        f"{found[0].name!r} has {one:g} s; one computer runs all laws: design the laws with the same "
                        f"{what}"
                    )
        object.__setattr__(self, "modes", found)

    @property
    def opened(self) -> Callable[..., AbstractContextManager["Modes"]]:
        """Context manager that starts the processes of laws for one run.

        The attribute exists only if a law runs in another process. A process restarts whenever its mode is entered, so
        that its law begins with its initial memory.
        """
        if not any(hasattr(mode.law, "opened") for mode in self.modes):
            raise AttributeError("opened")
        return self._opened

    @contextmanager
    def _opened(self, *, seed: int | None, run_index: int) -> Generator["Modes"]:
        with ExitStack() as stack:
            made: list[Mode] = []
            for mode in self.modes:
                law: Any = mode.law
                if hasattr(law, "opened"):
                    law = stack.enter_context(law.opened(seed=seed, run_index=run_index))
                made.append(mode.with_law(law))
            yield Modes(made)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the modes, in order."""
        return tuple(mode.name for mode in self.modes)

    @property
    def sample(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride] # that of its laws
        """Sampling period, s."""
        return self.modes[0].law.sample

    @property
    def delay(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride] # that of its laws
        """Time from a sample to the moment its command reaches the plant, s."""
        return self.modes[0].law.delay

    @property
    def compiled(self) -> bool:
        """True if the compiled engine can run the law, that is if no mode has a plain Python law."""
        return all(getattr(mode.law, "compiled", True) for mode in self.modes)

    @property
    def actuators(self) -> tuple[str, ...]:
        """Control torques named by the modes; empty if all modes command `craft.torques`."""
        used = {mode.actuators for mode in self.modes}
        return tuple(port for port in OF_PORT if port in used or self.unloads)

    @property
    def unloads(self) -> bool:
        """True if any mode unloads wheels."""
        return any(mode.unload is not None for mode in self.modes)

    @property
    def reads(self) -> tuple[str, ...]:
        """Name of the signal of the active mode, read in addition to the outputs of the plant."""
        return (SIGNALS[0],)

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return modes_law_kernel

    @property
    def parameters(self) -> Array:
        """Kernel parameters: one row per mode, then parameters, initial memories and hand-over gains."""
        return self._packed[0]

    @property
    def memory(self) -> Array:
        """Initial memory: no active mode, the memories of the laws, and scratch space for the largest of them."""
        size = LAW_STATE.size + sum(mode.law.memory.size for mode in self.modes)
        memory = np.zeros(size + max(mode.law.memory.size for mode in self.modes))
        memory[LAW_STATE.mode] = -1.0
        return read_only(memory)

    @property
    def calls(self) -> tuple[KernelCall, ...]:
        """Kernels of the laws, and the kernels that these call."""
        return self._packed[1]

    def scalars(self) -> Mapping[str, tuple[float, Callable[[float], "Modes"]]]:
        """Return the variable scalars of all laws, named with the mode as prefix."""
        return {
            f"{_word(mode.name)}_{name}": (value, partial(self._with, n, with_it))
            for n, mode in enumerate(self.modes)
            for name, (value, with_it) in getattr(mode.law, "scalars", dict[str, Any])().items()
        }

    def scalar_units(self) -> Mapping[str, str]:
        """Return the units of `scalars`."""
        return {
            f"{_word(mode.name)}_{name}": unit
            for mode in self.modes
            for name, unit in getattr(mode.law, "scalar_units", dict[str, str])().items()
        }

    def _with(self, n: int, with_it: Callable[[float], Law], value: float) -> "Modes":
        modes = list(self.modes)
        modes[n] = modes[n].with_law(with_it(value))
        return Modes(modes)

    @property
    def _packed(self) -> tuple[Array, tuple[KernelCall, ...]]:
        at = {port: 3 * n for n, port in enumerate(self.actuators)}
        scratch = LAW_STATE.size + sum(mode.law.memory.size for mode in self.modes)
        rows = filled(
            LAW_HEAD, modes=len(self.modes), scratch=scratch, wheels=at.get("wheels", -1),
            external=at.get("external", -1),
        )  # fmt: skip
        behind: list[float] = []
        calls: list[KernelCall] = []
        first, z = LAW_HEAD.size + LAW_MODE.size * len(self.modes), LAW_STATE.size

        def put(numbers: ArrayLike) -> int:
            behind.extend(np.asarray(numbers, dtype=np.float64).ravel().tolist())
            return first + len(behind)

        for mode in self.modes:
            start = first + len(behind)
            calls.append(KernelCall(len(rows) + LAW_MODE.code, "law", mode.law.kernel))
            calls += [KernelCall(start + place, kind, kernel) for place, kind, kernel in getattr(mode.law, "calls", ())]
            end = put(mode.law.parameters)
            entering, past = with_defaults(mode.law).bumpless_gains()
            begins, entered, before = end, put(mode.law.memory), put(entering)
            put(past)
            rows += filled(
                LAW_MODE, code=0.0, numbers=(start, end), memory=(z, z + mode.law.memory.size),
                restarted=mode.law.memory.size - with_defaults(mode.law).kept, start=begins,
                entering=entered, past=before, limit=mode.limit, fade=mode.blend_time,
                port=at.get(mode.actuators or "", 0),
                unload=0.0 if mode.unload is None else 1.0 / mode.unload, pair=(*mode.limit, FREE, FREE, FREE),
            )  # fmt: skip
            z += mode.law.memory.size
        return read_only([*rows, *behind]), tuple(calls)

    @property
    def limited(self) -> tuple[tuple[int, str, bool], ...]:
        """Torque limits in the parameters: index, control torque, and whether the limit belongs to a pair.

        A run reduces these limits to the spacecraft's limits.
        """
        found: list[tuple[int, str, bool]] = []
        for n, mode in enumerate(self.modes):
            row, own = LAW_HEAD.size + n * LAW_MODE.size, mode.actuators or ""
            found.append((row + LAW_MODE.limit, own, False))
            if self.actuators:
                ports = (own, *(port for port in self.actuators if port != own))
                found += [(row + LAW_MODE.pair + 3 * k, port, True) for k, port in enumerate(ports)]
        return tuple(found)

    @property
    def summary(self) -> str:
        """Description of the law."""
        return f"modes, one active at a time: {', '.join(self.names)}"

    @property
    def parts(self) -> tuple[Law, ...]:
        """Laws of the modes."""
        return tuple(mode.law for mode in self.modes)

    @property
    def no_margins(self) -> str:
        """Reason why there are no margins for all modes together."""
        names = ", ".join(self.names)
        return f"modes have no common margins; use the margins of a single mode, one of {names}"

    def check_reference(self, reference: Reference) -> None:
        """Raise DesignError if a mode without its own reference cannot follow the reference of the run.

        Parameters
        ----------
        reference : Reference
            The reference of the run.

        Raises
        ------
        DesignError
            When a law cannot follow the reference.
        """
        for mode in self.modes:
            if mode.reference is None:
                with_defaults(mode.law).check_reference(reference)

    def end_warnings(self, memory: Array) -> tuple[str, ...]:
        """Return the warnings of the laws of all modes about their memories at the end of a run.

        Parameters
        ----------
        memory : numpy.ndarray
            Memory of the law at the end of the run.

        Returns
        -------
        tuple of str
            Sentences that begin with the mode.
        """
        found: list[str] = []
        at = LAW_STATE.size
        for mode in self.modes:
            own = memory[at : at + mode.law.memory.size]
            found += [f"mode {mode.name}: {each}" for each in with_defaults(mode.law).end_warnings(own)]
            at += mode.law.memory.size
        return tuple(found)

    def mode(self, name: str) -> Mode:
        """Return the mode that has a given name.

        Parameters
        ----------
        name : str
            Name of the mode.

        Returns
        -------
        Mode
            The mode.

        Raises
        ------
        InputError
            When no mode has this name; the message suggests the most similar name.
        """
        return self.modes[self.names.index(choice("mode", name, self.names))]

    def block(self, before: Sequence[Block] = ()) -> Block:
        """Return the block that selects the active mode.

        Parameters
        ----------
        before : sequence of Block
            Preceding blocks whose signals the modes use.

        Returns
        -------
        Block
            The block, to be placed after `before` and before the law. It writes "mode" (index of the mode),
            "mode_cause" (number of the transition into the mode, 0 for the start), "mode_since" (time of entry, s),
            "mode_count" (number of transitions), the signals that modes replace, and "reference".

        Raises
        ------
        InputError
            When a signal differs in width from the signal that it replaces, or lacks a component that is used.
        """
        of_kind("before", before, Sequence, such_as="a list of Block")
        for each in before:
            of_kind("each of before", each, Block, such_as="a Block")
        return modes_block(self.modes, before)

    def alone(self, name: str, blocks: Sequence[Block] = ()) -> tuple[Law, tuple[Block, ...]]:
        """Return the law of one mode and the blocks around it, for margins and responses.

        Parameters
        ----------
        name : str
            Name of the mode.
        blocks : sequence of Block
            All blocks; the block that selects the mode is replaced by a block that holds this mode.

        Returns
        -------
        law : Law
            The law, which writes "command"; use the law with `craft.through(mode.actuators)`.
        blocks : tuple of Block
            The blocks of the law's loop, except blocks that process commands to another control torque.

        Raises
        ------
        InputError
            When no mode has this name.
        """
        mode = self.mode(name)
        found: list[Block] = []
        mine = OF_PORT.get(mode.actuators or "", COMMAND)
        others = {OF_PORT[port] for port in self.actuators} - {mine}
        for n, block in enumerate(blocks):
            if not others.isdisjoint((*block.reads, *block.writes)):
                continue
            if SIGNALS[0] not in block.writes:  # signals used only by other modes have no reader here
                own = block.renamed({mine: COMMAND})
                found.append(own if own.recorded else own.as_monitor())
            elif mode.remap:
                found.append(held_block(mode, blocks[:n], sample=self.sample))
        return mode.law, tuple(found)

    def margins_of(self, name: str, model: LinearModel | None = None, *, blocks: Sequence[Block] = ()) -> Margins:
        """Return the margins of the loop in one mode.

        Parameters
        ----------
        name : str
            Name of the mode.
        model : LinearModel, optional
            Model of the plant about the mode's operating point; a linear law contains its own model.
        blocks : sequence of Block
            All blocks, as in `sim.simulate`.

        Returns
        -------
        Margins
            Margins as returned by `law.margins`.

        Raises
        ------
        InputError
            When no mode has this name, or its law needs a model.
        DesignError
            When the loop is not stable, or has no margins.
        """
        law, further = self.alone(name, blocks)
        return with_defaults(law).margins(model, blocks=further)

    def followed(self, number: float, reference: Reference) -> tuple[Reference, bool]:
        """Return the reference of a mode, and whether its time counts from the entry into the mode.

        Parameters
        ----------
        number : float
            Index of the mode, the value of the signal "mode".
        reference : Reference
            Reference of the run.

        Returns
        -------
        reference : Reference
            The reference of the mode, or the reference of the run if the mode has none.
        from_entry : bool
            Whether the time of the reference counts from the entry into the mode.
        """
        mode = self.modes[int(number)]
        return (reference, False) if mode.reference is None else (mode.reference, mode.reference_from == "entry")


def _word(name: str) -> str:
    """Convert the name of a mode to letters, digits and underscores."""
    return re.sub(r"[^0-9A-Za-z]+", "_", name)
