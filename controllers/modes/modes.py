"""Laws that take turns: as a law, and as the block that says whose turn it is."""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant import LinearModel
from ...plant.brief import brief
from ...plant.checks import choice, of_kind
from ...plant.errors import InputError
from ...plant.kernels.fields import filled
from ..guidance.reference import Reference
from ..laws.block import Block
from ..laws.called import Called
from ..laws.law import AttitudeLaw, Law, asked, read_only
from ..loop.margins import Margins
from ..loop.routes import COMMAND, OF_PORT
from .graph import check_graph
from .mode import FREE, Mode
from .modes_block import held_block, modes_block
from .modes_kernel import LAW_HEAD, LAW_MODE, LAW_STATE, SIGNALS, modes_law_kernel

__all__ = ["Modes"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, init=False)
class Modes(AttitudeLaw):
    """Several laws of which one is in force at a time, and the transitions between them.

    It is flown as a law, with the block that says which mode is in force: ``simulate(craft, modes, blocks=[*before,
    modes.block(before)])``. At each sample the block looks at the conditions of the mode in force, takes the first of
    its transitions that holds, and shows the law what the mode is to see and to follow. A law that takes over starts
    with its memory as at the start of a run, except that

    - integrators start where the command goes on as it was: the states x = A x of a linear law that act on the
      command, as far as they reach all of it, which those of `lqi` and `pid` do;
    - the commands that a law remembers, as state feedback with a delay does, are the last one.

    Where modes command different control torques of the craft (`Mode.actuators`), a law that takes over goes on in this
    way from what the one before asked of the other; commands under way arrive where they were sent. The law then writes
    "command_wheels" and "command_external" in place of "command".

    What else a law commands on entry, as one without integrators does, differs from the command before by as much as
    the two laws differ there: it jumps, or is blended over `Mode.fade`.

    Parameters
    ----------
    modes : sequence of Mode
        A run begins in the first. All laws have one sample and one delay.

    Raises
    ------
    InputError
        When two have one name, a transition leads nowhere, one can never be reached or left, two chase each other,
        their laws are sampled differently, or one names its actuators and another does not.

    Examples
    --------
    >>> from polhode import controllers, plant, sim
    >>> craft = plant.Spacecraft(plant.RigidBody((3.0, 2.0, 1.0)))
    >>> damping = controllers.RateDamping(gain=1.0, sample=0.1)
    >>> pointing = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.7, sample=0.1)
    >>> slow = controllers.Transition("pointing", controllers.Condition("rate", below=0.01))
    >>> modes = Modes([Mode("damping", damping, until=slow), Mode("pointing", pointing, final=True)])
    >>> run = sim.simulate(craft, modes, blocks=[modes.block()], rate=(0.1, 0.0, 0.0), duration=30.0, compiled=False)
    >>> [(each.mode, round(each.start, 6), each.why) for each in sim.modes_flown(run)]
    [('damping', 0.0, 'start'), ('pointing', 6.8, 'rate below 0.572958 deg/s')]
    """

    modes: tuple[Mode, ...]
    cycles_checked: bool = field(repr=False)
    """Whether all cycles of modes were checked: the search ends after 100,000 ways round, and a run says so."""

    __repr__ = brief

    def __init__(self, modes: Sequence[Mode]) -> None:
        of_kind("modes", modes, Sequence, such_as="a list of Mode")
        found = tuple(modes)
        for mode in found:
            of_kind("each of modes", mode, Mode, such_as="a Mode")
        if not found:
            raise InputError("modes: there are none; give at least one Mode")
        object.__setattr__(self, "cycles_checked", check_graph(found))
        unsaid = [mode.name for mode in found if mode.actuators is None]
        if unsaid and len(unsaid) < len(found):
            said = next(mode for mode in found if mode.actuators is not None)
            raise InputError(
                f"mode {said.name!r} commands {said.actuators!r} and mode {unsaid[0]!r} does not say what it commands; "
                "give every mode its actuators"
            )
        for mode in found[1:]:
            for what in ("sample", "delay"):
                one, other = getattr(found[0].law, what), getattr(mode.law, what)
                if one != other:
                    raise InputError(
                        f"the law of mode {mode.name!r} has a {what} of {other:g} s and that of {found[0].name!r} "
                        f"{one:g} s; one computer runs them all: design them with the same"
                    )
        object.__setattr__(self, "modes", found)

    @property
    def opened(self) -> Callable[..., AbstractContextManager["Modes"]]:
        """How a run begins with the laws that programs outside answer; there is no such attribute without any.

        A program starts again whenever its mode is entered, so that it begins with the memory it begins with.
        """
        if not any(hasattr(mode.law, "opened") for mode in self.modes):
            raise AttributeError("opened")
        return self._opened

    @contextmanager
    def _opened(self, *, seed: int | None, run: int) -> Generator["Modes"]:
        with ExitStack() as stack:
            made: list[Mode] = []
            for mode in self.modes:
                law: Any = mode.law
                if hasattr(law, "opened"):
                    law = stack.enter_context(law.opened(seed=seed, run=run))
                made.append(mode.with_law(law))
            yield Modes(made)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the modes, in their order."""
        return tuple(mode.name for mode in self.modes)

    @property
    def sample(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride] # that of its laws
        """Sampling period, s."""
        return self.modes[0].law.sample

    @property
    def delay(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride] # that of its laws
        """From a sample to the moment its command reaches the plant, s."""
        return self.modes[0].law.delay

    @property
    def compiled(self) -> bool:
        """Whether the compiled engine can run it: not with a law in plain Python among its own."""
        return all(getattr(mode.law, "compiled", True) for mode in self.modes)

    @property
    def actuators(self) -> tuple[str, ...]:
        """The control torques that it commands; none where it does not name them: that of `craft.torques`."""
        used = {mode.actuators for mode in self.modes}
        return tuple(port for port in OF_PORT if port in used or self.unloads)

    @property
    def unloads(self) -> bool:
        """Whether wheels are unloaded in some mode."""
        return any(mode.unload is not None for mode in self.modes)

    @property
    def reads(self) -> tuple[str, ...]:
        """The signal, beside what the plant shows, by which it knows the mode."""
        return (SIGNALS[0],)

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        return modes_law_kernel

    @property
    def parameters(self) -> Array:
        """The kernel's numbers: a row of each mode, then numbers, start and change on entry of each law."""
        return self._packed[0]

    @property
    def memory(self) -> Array:
        """No mode yet, then the memories of the laws, and room for the largest."""
        size = LAW_STATE.size + sum(mode.law.memory.size for mode in self.modes)
        memory = np.zeros(size + max(mode.law.memory.size for mode in self.modes))
        memory[LAW_STATE.mode] = -1.0
        return read_only(memory)

    @property
    def calls(self) -> tuple[Called, ...]:
        """The kernels of its laws, and those that they call."""
        return self._packed[1]

    def scalars(self) -> Mapping[str, tuple[float, Callable[[float], "Modes"]]]:
        """Return the numbers of its laws, each behind the name of its mode."""
        return {
            f"{_word(mode.name)}_{name}": (value, partial(self._with, n, with_it))
            for n, mode in enumerate(self.modes)
            for name, (value, with_it) in getattr(mode.law, "scalars", dict[str, Any])().items()
        }

    def scalar_units(self) -> Mapping[str, str]:
        """Return the units of these numbers."""
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
    def _packed(self) -> tuple[Array, tuple[Called, ...]]:
        at = {port: 3 * n for n, port in enumerate(self.actuators)}
        scratch = LAW_STATE.size + sum(mode.law.memory.size for mode in self.modes)
        rows = filled(
            LAW_HEAD, modes=len(self.modes), scratch=scratch, wheels=at.get("wheels", -1),
            external=at.get("external", -1),
        )  # fmt: skip
        behind: list[float] = []
        calls: list[Called] = []
        first, z = LAW_HEAD.size + LAW_MODE.size * len(self.modes), LAW_STATE.size

        def put(numbers: ArrayLike) -> int:
            behind.extend(np.asarray(numbers, dtype=np.float64).ravel().tolist())
            return first + len(behind)

        for mode in self.modes:
            start = first + len(behind)
            calls.append(Called(len(rows) + LAW_MODE.code, "law", mode.law.kernel))
            calls += [Called(start + place, kind, kernel) for place, kind, kernel in getattr(mode.law, "calls", ())]
            end = put(mode.law.parameters)
            entering, past = asked(mode.law).entering()
            begins, entered, before = end, put(mode.law.memory), put(entering)
            put(past)
            rows += filled(
                LAW_MODE, code=0.0, numbers=(start, end), memory=(z, z + mode.law.memory.size), start=begins,
                entering=entered, past=before, limit=mode.limit, fade=mode.fade, port=at.get(mode.actuators or "", 0),
                unload=0.0 if mode.unload is None else 1.0 / mode.unload, pair=(*mode.limit, FREE, FREE, FREE),
            )  # fmt: skip
            z += mode.law.memory.size
        return read_only([*rows, *behind]), tuple(calls)

    @property
    def limited(self) -> tuple[tuple[int, str, bool], ...]:
        """Where the limits of the modes stand among its numbers, of what, and whether they are of a pair that cancels.

        A craft that takes less lowers them.
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
    def words(self) -> str:
        """What it is and what it holds, for people."""
        return f"laws that take turns: {', '.join(self.names)}"

    @property
    def parts(self) -> tuple[Law, ...]:
        """The laws of its modes."""
        return tuple(mode.law for mode in self.modes)

    @property
    def no_margins(self) -> str:
        """Why it has none of its own."""
        names = ", ".join(self.names)
        return f"laws that take turns have no margins together; take those of one mode by itself, of {names}"

    def check_reference(self, reference: Reference) -> None:
        """Raise if the law of a mode that follows the reference of the run cannot.

        Parameters
        ----------
        reference : Reference
            What the run asks to follow.

        Raises
        ------
        DesignError
            When it cannot.
        """
        for mode in self.modes:
            if mode.reference is None:
                asked(mode.law).check_reference(reference)

    def mode(self, name: str) -> Mode:
        """Return a mode.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Mode
            The mode.

        Raises
        ------
        InputError
            When there is none, with the nearest.
        """
        return self.modes[self.names.index(choice("mode", name, self.names))]

    def block(self, before: Sequence[Block] = ()) -> Block:
        """Return the block that says which mode is in force.

        Parameters
        ----------
        before : sequence of Block
            The blocks that stand before it, whose signals the modes see or go by.

        Returns
        -------
        Block
            It stands behind these and before the law. It writes "mode" (its place in the order), "mode_cause" (which
            transition led to it, 0: the start), "mode_since" (when, s), "mode_count" (how many there were), and what
            the modes show and follow: these signals, and "reference".

        Raises
        ------
        InputError
            When a signal is not as wide as what it is shown for, or has no such number.
        """
        of_kind("before", before, Sequence, such_as="a list of Block")
        for each in before:
            of_kind("each of before", each, Block, such_as="a Block")
        return modes_block(self.modes, before)

    def alone(self, name: str, blocks: Sequence[Block] = ()) -> tuple[Law, tuple[Block, ...]]:
        """Return the law of a mode by itself, and the blocks as they stand round it, for margins and responses.

        Parameters
        ----------
        name : str
            Of the mode.
        blocks : sequence of Block
            Of the whole; the one that says which mode is in force holds this one.

        Returns
        -------
        law : Law
            Of the mode. It writes "command", whatever it commands: fly it on `craft.through(mode.actuators)`.
        blocks : tuple of Block
            What runs on the clock beside it; without what handles the command to another control torque.

        Raises
        ------
        InputError
            When there is no such mode.
        """
        mode = self.mode(name)
        found: list[Block] = []
        mine = OF_PORT.get(mode.actuators or "", COMMAND)
        others = {OF_PORT[port] for port in self.actuators} - {mine}
        for n, block in enumerate(blocks):
            if not others.isdisjoint((*block.reads, *block.writes)):
                continue
            if SIGNALS[0] not in block.writes:  # what only other modes see is read by nothing here
                own = block.renamed({mine: COMMAND})
                found.append(own if own.recorded else own.beside())
            elif mode.sees:
                found.append(held_block(mode, blocks[:n], sample=self.sample))
        return mode.law, tuple(found)

    def margins_of(self, name: str, model: LinearModel | None = None, *, blocks: Sequence[Block] = ()) -> Margins:
        """Return the margins of the loop in one mode.

        Parameters
        ----------
        name : str
            Of the mode.
        model : LinearModel, optional
            Of the plant about what the mode holds; a linear law knows its own.
        blocks : sequence of Block
            All that runs on the clock, as in `sim.simulate`.

        Returns
        -------
        Margins
            As `law.margins`.

        Raises
        ------
        InputError
            When there is no such mode, or its law needs a model.
        DesignError
            When the loop is not stable there, or has no margins.
        """
        law, beside = self.alone(name, blocks)
        return asked(law).margins(model, blocks=beside)

    def followed(self, number: float, reference: Reference) -> tuple[Reference, bool]:
        """Return what is followed in a mode, and whether by the time since it was entered.

        Parameters
        ----------
        number : float
            Its place in the order, as the signal "mode" has it.
        reference : Reference
            That of the run.

        Returns
        -------
        reference : Reference
            That of the mode, or that of the run.
        from_entry : bool
            Whether its times count from the entry into the mode.
        """
        mode = self.modes[int(number)]
        return (reference, False) if mode.reference is None else (mode.reference, mode.reference_from == "entry")


def _word(name: str) -> str:
    """The name of a mode in letters, digits and underscores."""
    return re.sub(r"[^0-9A-Za-z]+", "_", name)
