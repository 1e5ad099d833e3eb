"""A block on the clock: what stands between plant and law, or between law and plant, with its own period.

The contract of a block kernel::

    block(t, y, q, z, v)

    t   float    time of its sample, s
    y   array    the signals it reads, one after the other in the order of `reads`
    q   array    its own numbers (`parameters`), never written; of a block that draws random numbers behind the four
                 words from which `draw_normals` and `draw_uniforms` make them
    z   array    its memory (`memory` at the start), carried from sample to sample; may be empty
    v   array    out: the signals it writes, one after the other in the order of `writes`
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import choice, is_masked, non_negative, of_kind
from ...plant.checks import numbers as numbers_of
from ...plant.errors import DesignError, InputError
from ...plant.frozen import frozen_arrays
from .block_draws import draw_words
from .block_form import BlockForm, form_of_kernel
from .called import Called
from .law import check_timing, packed, read_only

__all__ = ["Block"]

Array = NDArray[np.float64]

TORQUE_UNIT = "N m"


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class Block:
    """Something that runs on the clock beside the law: a sensor, a filter, an allocation, an actuator's lag.

    A block reads signals by name and writes signals by name. The plant shows "momentum", "attitude", "rate", each
    further state under its own name (`craft.layout.names`), and "applied", the command in force; the reference is
    "reference" (attitude, rate, acceleration), the law's answer "command". A block that writes a name which is there
    already stands in series: those behind it read what it wrote, those before it what was there. So a filter reads and
    writes "rate", and the law sees the filtered one; a block that reads "command" stands behind the law. Any other name
    is a signal of the user's own, for a later block.

    Each samples at offset + k sample, holds what it wrote until its next answer, and its answer counts `delay` after
    the sample. At one instant blocks run in the order of the list, the law before the first that depends on "command".
    Until its first answer a block hands on what its name had at the start, or zero where the name is new.

    Parameters
    ----------
    function : callable
        With `compiled=True` a kernel `function(t, y, q, z, v)` that writes its answer into v, keeps its memory in
        z and only reads t, y and q. It is compiled to C at first use: numbers, arrays of floats, loops, branches,
        functions of your own, and the common functions of math and numpy. What has no C (try, dict, a source typed
        at a prompt) runs as plain Python, some 1000 times slower a call, and stderr says why. With
        `compiled=False` any Python function `function(t, y)` that returns the numbers it writes. Where it has a
        method `opened(block, *, seed, run)`, a context manager, each run enters it and asks what it gives in its
        place: so it begins anew, and ends what it holds (a process, a connection) however the run ends.
    reads : str or sequence of str
        Names of signals.
    writes : str, sequence of str or mapping of str to int
        Names of signals; of a new one its width too, such as {"gyro": 3}.
    sample : float
        Period, s.
    offset : float
        Time of the first sample, s. Periods and offsets of law and blocks must be multiples of one tick.
    delay : float
        Time from a sample to the moment its answer counts, s; any, up to 1000 samples.
    parameters : array_like
        The numbers a kernel gets as q. Only with `compiled=True`.
    memory : array_like
        A kernel's z before the first sample. Only with `compiled=True`.
    name : str, optional
        What it is called in messages; the name of the function if left out.
    compiled : bool
        Which of the two the function is.
    random : bool
        Whether it draws random numbers: q then begins with the seed and the run of `simulate(..., seed=, run=)` and the
        block's own name as words, behind which `parameters` stand, and the kernel calls
        `controllers.draw_normals(q, sample, channel)`, its samples counted in its memory. What is drawn depends on
        these and on nothing else: not on other blocks, the engine, or the process. Only with `compiled=True`.
    linear : BlockForm or callable, optional
        Its linear form, by which margins of the loop count it; or a function of what it reads at the operating point,
        (n,), that returns the form there. Left out, the form follows from the function itself: exactly where that runs
        on complex numbers, else by differences; where there is none (it rounds, jumps, draws, or goes on changing at
        rest) the margins are refused.
    units : str or mapping of str to str
        Units of the signals it writes, for results: one for all, or by name. A signal that is there already keeps its
        own.
    estimates : str
        Of what it writes, the signal that is its estimate of the attitude; empty: it estimates none.
    labels : mapping of str to sequence of str
        Of signals of one number that it writes, what each whole number from 0 on stands for.
    calls : sequence of Called
        Kernels that its own calls (`polhode.controllers.laws.called`), each with its place in `parameters`.
    torque : str
        Of what it writes, the signal of three numbers that is a torque on the craft from outside (N m, body axes), held
        until its next answer, beside whatever else acts; empty: it exerts none. Nothing need read it, and it may fly
        without a law. Margins do not count it, and say so.
    on : str or sequence of str
        Coordinates of elements that this torque acts on in place of the body, by the names they have among the states:
        ("wheel_1_angle", "wheel_2_angle"), all with one unit; the signal has a number for each, N m on an angle, N on a
        displacement. It acts between hub and element; a wheel's motor gives it, within its limits. Empty: the body.
    stamped : str
        Of what it writes, the signal whose last two numbers are whether the others are valid (1 or 0) and of when they
        are, s; empty: none.
    steady : callable, optional
        steady(y0) returns numbers and memory, (parameters, memory), with which it flies as its linear form counts it
        about what it reads at rest: without what it draws, and settled. By it margins are confirmed in flight.

    Raises
    ------
    InputError
        When something is out of range, reads or writes nothing, or names a signal twice.

    Examples
    --------
    >>> late = Block(lambda t, y: y, reads="rate", writes="rate", sample=0.1, delay=0.05, compiled=False)
    >>> late.name, late.reads, dict(late.writes)
    ('<lambda>', ('rate',), {'rate': 0})
    """

    function: Callable[..., Any]
    reads: tuple[str, ...]
    writes: Mapping[str, int]
    sample: float
    offset: float
    delay: float
    parameters: Array
    memory: Array
    name: str
    compiled: bool
    random: bool
    linear: BlockForm | Callable[[Array], BlockForm] | None
    units: Mapping[str, str]
    estimates: str
    stamped: str
    torque: str
    on: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    calls: tuple[Called, ...]
    steady: Callable[[Array], tuple[ArrayLike, ArrayLike]] | None
    recorded: bool

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        reads: str | Sequence[str],
        writes: str | Sequence[str] | Mapping[str, int],
        sample: float,
        offset: float = 0.0,
        delay: float = 0.0,
        parameters: ArrayLike = (),
        memory: ArrayLike = (),
        name: str | None = None,
        compiled: bool = True,
        random: bool = False,
        linear: BlockForm | Callable[[Array], BlockForm] | None = None,
        units: str | Mapping[str, str] = "",
        estimates: str = "",
        stamped: str = "",
        torque: str = "",
        on: str | Sequence[str] = (),
        labels: Mapping[str, Sequence[str]] | None = None,
        calls: Sequence[Called] = (),
        steady: Callable[[Array], tuple[ArrayLike, ArrayLike]] | None = None,
    ) -> None:
        of_kind("compiled", compiled, bool, such_as="True or False")
        of_kind("random", random, bool, such_as="True or False")
        if not callable(function):
            want = "function(t, y, q, z, v)" if compiled else "function(t, y)"
            raise InputError(f"block function must be callable as {want}; got {function!r}")
        called = str(getattr(function, "__name__", type(function).__name__)) if name is None else name
        of_kind("name", called, str, such_as="a word")
        period, lag = check_timing(sample, delay)
        numbers, start = packed("block parameters", parameters), packed("block memory", memory)
        if not compiled and (numbers.size or start.size):
            raise InputError(
                "parameters and memory belong to a compiled block; a plain Python block (compiled=False) is called as "
                "function(t, y): keep them in the function itself"
            )
        if calls and (random or not compiled):
            raise InputError(f"the block {called!r} calls kernels: it must be compiled, and draw no random numbers")
        if not compiled and random:
            raise InputError(
                f"the plain Python block {called!r} gets no random words; let it keep a generator of its own, such as "
                "numpy.random.default_rng(seed), or make it a kernel"
            )
        if linear is not None and not isinstance(linear, BlockForm) and not callable(linear):
            raise InputError(f"linear of the block {called!r} must be a BlockForm, or a function that returns one")
        widths = _widths(called, writes)
        of_kind("on", on, Sequence, such_as='the name of a coordinate, or several, such as ("wheel_1_angle",)')
        driven = tuple(() if not on else (on,) if isinstance(on, str) else on)
        if not all(isinstance(each, str) and each for each in driven) or len({*driven}) < len(driven):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"the block {called!r} acts on {on!r}; give names of coordinates, each once")
        if driven and not torque:
            raise InputError(
                f"the block {called!r} acts on {', '.join(driven)}: say which of its signals does, torque=..."
            )
        size = len(driven) or 3
        if torque in widths and widths[torque] not in (0, size):
            wanted = f"one on {', '.join(driven)} has {size}" if driven else "a torque has 3"
            raise InputError(f"the block {called!r} exerts {torque!r} of {widths[torque]} numbers; {wanted}")
        if torque in widths:
            widths[torque] = size
        told = _units(called, units, widths)
        if torque in widths and not driven:
            told[torque] = told[torque] or TORQUE_UNIT
            if told[torque] != TORQUE_UNIT:
                raise InputError(f"the block {called!r} exerts {torque!r} in {told[torque]!r}; a torque is in N m")
        found = {
            "function": function,
            "reads": _names(called, "reads", reads),
            "writes": widths,
            "sample": period,
            "offset": non_negative("offset", offset, "s"),
            "delay": lag,
            "parameters": numbers,
            "memory": start,
            "name": called,
            "compiled": compiled,
            "random": random,
            "linear": linear,
            "units": told,
            "estimates": choice("estimates", estimates, tuple(widths)) if estimates else "",
            "stamped": choice("stamped", stamped, tuple(widths)) if stamped else "",
            "torque": choice("torque", torque, tuple(widths)) if torque else "",
            "on": driven,
            "labels": {
                choice("labelled signal", key, tuple(widths)): tuple(each) for key, each in (labels or {}).items()
            },
            "calls": tuple(calls),
            "steady": steady,
            "recorded": False,
        }
        for field, value in found.items():
            object.__setattr__(self, field, value)

    @property
    def kernel(self) -> Callable[..., Any]:
        """The block kernel; of a plain Python block, the function behind the kernel's signature."""
        return self.function if self.compiled else self._call

    def seeded(self, *, seed: int, run: int = 0) -> "Block":
        """Return the block with the words in front of its numbers from which it draws.

        Parameters
        ----------
        seed : int
            Of all blocks of an experiment, from 0 to 2^64 - 1.
        run : int
            Which of many runs it is, from 0 to 2^32 - 1.

        Returns
        -------
        Block
            One whose numbers are complete; of a block that draws nothing itself.

        Raises
        ------
        InputError
            When seed or run is no such number.
        """
        if not self.random:
            return self
        words = draw_words(self.name, seed=seed, run=run)
        found = copy(self)
        object.__setattr__(found, "parameters", read_only(np.concatenate((words, self.parameters))))
        object.__setattr__(found, "random", False)
        return found

    def renamed(self, names: Mapping[str, str]) -> "Block":
        """Return the block with signals of other names.

        Parameters
        ----------
        names : mapping of str to str
            From each name to the one in its place; what is not named keeps its name.

        Returns
        -------
        Block
            It reads and writes the same numbers.
        """
        if not set(names) & {*self.reads, *self.writes}:
            return self
        found = copy(self)
        object.__setattr__(found, "reads", tuple(names.get(name, name) for name in self.reads))
        for field in ("writes", "units", "labels"):
            given = {names.get(name, name): value for name, value in getattr(self, field).items()}
            object.__setattr__(found, field, given)
        for field in ("estimates", "stamped", "torque"):
            name = getattr(self, field)
            object.__setattr__(found, field, names.get(name, name))
        return found

    @contextmanager
    def opened(self, *, seed: int | None = None, run: int = 0) -> "Generator[Block]":
        """Make it ready for one run, and end what that took.

        Parameters
        ----------
        seed : int or None
            Of the random numbers of the run.
        run : int
            Which of many runs with that seed it is.

        Yields
        ------
        Block
            The one that flies: itself, unless its function has something to open.
        """
        if self.compiled or not hasattr(self.function, "opened"):
            yield self
            return
        with self.function.opened(self, seed=seed, run=run) as function:  # pyright: ignore[reportFunctionMemberAccess] # asked for above
            found = copy(self)
            object.__setattr__(found, "function", function)
            yield found

    def beside(self, names: Mapping[str, str] | None = None) -> "Block":
        """Return the block as one that flies for the record: nothing need read what it writes.

        Parameters
        ----------
        names : mapping of str to str, optional
            Other names of signals that it writes, from the old to the new: an estimator with {"attitude":
            "attitude_estimate", "rate": "rate_estimate"} leaves the law its truth.

        Returns
        -------
        Block
            One that draws the same numbers. Margins leave it out where nothing of the loop reads it.

        Raises
        ------
        InputError
            When it writes no signal of such a name, or two would have one name.

        Examples
        --------
        >>> echo = Block(lambda t, y: y, reads="rate", writes={"rate": 3}, sample=0.1, compiled=False)
        >>> dict(echo.beside({"rate": "rate_copy"}).writes)
        {'rate_copy': 3}
        """
        given = dict(names or {})
        for name in given:
            choice(f"signal that the block {self.name!r} writes:", name, tuple(self.writes))
        new = [given.get(name, name) for name in self.writes]
        if len(set(new)) < len(new):
            raise InputError(f"the block {self.name!r} would write one signal twice: {', '.join(new)}")
        found = copy(self)
        told = {
            "writes": dict(zip(new, self.writes.values(), strict=True)),
            "units": {given.get(name, name): unit for name, unit in self.units.items()},
            "estimates": given.get(self.estimates, self.estimates),
            "stamped": given.get(self.stamped, self.stamped),
            "torque": given.get(self.torque, self.torque),
            "labels": {given.get(name, name): each for name, each in self.labels.items()},
            "recorded": True,
        }
        for field, value in told.items():
            object.__setattr__(found, field, value)
        return found

    def replay(
        self, t: ArrayLike, y: ArrayLike, *, seed: int | None = None, run: int = 0, compiled: bool = True
    ) -> Array:
        """Return what it writes when it is shown recorded signals, a sample for each row.

        Parameters
        ----------
        t : array_like, shape (m,)
            Times of its samples, s, ascending.
        y : array_like, shape (m, n)
            What it reads at each, one signal after the other.
        seed : int, optional
            Of its random numbers; one that draws wants it.
        run : int
            Which of many runs with that seed it is.
        compiled : bool
            False runs the same source as plain Python.

        Returns
        -------
        numpy.ndarray, shape (m, k)
            The signals it writes, one after the other. Of a signal whose width it does not give, as wide as the signal
            of that name that it reads is where it reads no other; otherwise `writes` must tell the width.

        Raises
        ------
        InputError
            When shapes do not fit, times do not ascend, it draws and there is no seed, or an answer is not finite.

        Examples
        --------
        >>> twice = Block(lambda t, y: 2 * y, reads="rate", writes={"twice": 1}, sample=0.1, compiled=False)
        >>> twice.replay([0.0, 0.1], [[1.0], [2.0]])
        array([[2.],
               [4.]])
        """
        times, rows = numbers_of("t", t, "s"), numbers_of("y", y)
        if times.ndim != 1 or not (np.diff(times) > 0.0).all():
            raise InputError("t must be ascending times, s")
        if rows.ndim != 2 or len(rows) != times.size:
            raise InputError(f"y must have a row for each of {times.size} times; got shape {rows.shape}")
        width = sum(self.writes.values())
        if not all(self.writes.values()):
            if self.reads != tuple(self.writes):
                raise InputError(
                    f"the block {self.name!r} does not tell the width of what it writes; give writes={{...}}"
                )
            width = rows.shape[1]
        if self.random and seed is None:
            raise InputError(f"no seed for the random numbers of {self.name!r}; give replay(..., seed=1)")
        # what runs blocks stands above this room, and is asked for by name
        replayed = import_module("polhode.sim.engine.replay").replayed
        return replayed(self.seeded(seed=seed or 0, run=run), times, rows, width, compiled=compiled)

    def to_nlsys(
        self,
        *,
        sees: Mapping[str, str] | None = None,
        sizes: Mapping[str, int] | None = None,
        seed: int | None = None,
        run: int = 0,
        name: str | None = None,
    ) -> Any:
        """Return the block, as it flies, as a discrete nonlinear system of python-control.

        Inputs and outputs are the numbers of the signals that it reads and writes: momentum_x, attitude_0, rate_x,
        reference_attitude_0, torque_1 (of the command), and of any other signal its own name, counted from 1 where it
        has several numbers. States are its memory, which starts at `memory`, and answers on their way, which start at
        zero.

        Parameters
        ----------
        sees : mapping of str to str, optional
            From a signal that it reads to the one that it sees in its place, such as {"rate": "rate_noisy"}.
        sizes : mapping of str to int, optional
            How many numbers signals have that are not always there, such as {"gyro": 3}.
        seed : int, optional
            Of its random numbers; one that draws wants it.
        run : int
            Which of many runs with that seed it is.
        name : str, optional
            The name of the system; that of the block if left out.

        Returns
        -------
        control.NonlinearIOSystem
            With dt = `sample`.

        Raises
        ------
        InputError
            When it writes a signal that is there already, which python-control would add to it (see `beside`), begins
            later than at zero, has a delay that is no whole number of samples, is answered from outside, or a size or
            the seed is missing.

        Examples
        --------
        >>> from polhode.controllers import blocks
        >>> smooth = blocks.low_pass(frequency=2.0, reads="rate", writes="rate_smooth", sample=0.1)
        >>> smooth.to_nlsys().output_labels
        ['rate_smooth_1', 'rate_smooth_2', 'rate_smooth_3']
        """
        from .block_system import block_system

        return block_system(self, sees or {}, sizes or {}, seed=seed, run=run, name=self.name if name is None else name)

    def small_signal(self, y0: ArrayLike, *, width: int) -> BlockForm:
        """Return its linear form about an operating point.

        Parameters
        ----------
        y0 : array_like, shape (n,)
            What it reads there, one signal after the other.
        width : int
            How many numbers it writes.

        Returns
        -------
        BlockForm
            The form.

        Raises
        ------
        DesignError
            When it has none there.
        InputError
            When what `linear` gives does not fit.
        """
        at = np.asarray(y0, dtype=np.float64).ravel()
        if self.linear is None and self.random:
            raise DesignError(
                f"the block {self.name!r} draws random numbers, so no linear form follows from it; give "
                "Block(linear=...), the form without them"
            )
        if self.linear is None:
            return form_of_kernel(
                self.kernel, at, parameters=self.parameters, memory=self.memory, width=width, times=self.sample,
                name=f"the block {self.name!r}", exact=self.compiled,
            )  # fmt: skip
        form = self.linear if isinstance(self.linear, BlockForm) else self.linear(at)
        if not isinstance(form, BlockForm) or np.shape(form.D) != (width, at.size):  # pyright: ignore[reportUnnecessaryIsInstance] # user function
            shape = f"D of shape {np.shape(form.D)}" if isinstance(form, BlockForm) else repr(form)  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(
                f"the linear form of the block {self.name!r} must be a BlockForm with D of {width} x {at.size}, what "
                f"it writes by what it reads; got {shape}"
            )
        return form

    def settled(self, y0: ArrayLike) -> "Block":
        """Return the block that flies as the linear form counts it about an operating point.

        Parameters
        ----------
        y0 : array_like, shape (n,)
            What it reads there, one signal after the other.

        Returns
        -------
        Block
            One that draws nothing: with the numbers of `steady`, or one that copies where the form is a gain of 1 that
            leaves something out; otherwise itself.

        Raises
        ------
        DesignError
            When it draws or leaves something out, and does not say how it flies without.
        """
        from ..blocks.nonlinear_blocks import copy_block

        found = copy(self)
        told: dict[str, Any] = {"random": False}
        form = self.linear
        if self.steady is not None:
            numbers, memory = self.steady(np.asarray(y0, dtype=np.float64).ravel())
            told |= {"parameters": packed("block parameters", numbers), "memory": packed("block memory", memory)}
            if self.random:
                words = draw_words(self.name, seed=0, run=0)
                told["parameters"] = read_only(np.concatenate((words, told["parameters"])))
        elif isinstance(form, BlockForm) and form.words and not form.order and _is_one(np.asarray(form.D)):
            nothing = read_only(np.zeros(0))
            told |= {"function": copy_block, "parameters": nothing, "memory": nothing, "compiled": True}
        elif self.random:
            raise DesignError(
                f"the errors that the block {self.name!r} makes never decay, so no margin shows in the simulation; "
                "give it with Block(steady=...), its numbers without noise, leave it out, or make it without noise"
            )
        elif isinstance(form, BlockForm) and form.words:
            raise DesignError(
                f"the block {self.name!r} is not flown as its margins count it ({form.words}), so no run confirms "
                "these; give a block that is its linear form"
            )
        for field, value in told.items():
            object.__setattr__(found, field, value)
        return found

    def _call(self, t: float, y: Array, q: Array, z: Array, v: Array) -> None:
        answer: Any = self.function(t, y)
        try:
            numbers = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"the block {self.name!r} returned {answer!r} at t = {t:g} s; it writes numbers") from None
        if is_masked(answer):
            raise InputError(f"the block {self.name!r} returned masked numbers at t = {t:g} s; fill them")
        if numbers.shape != (v.size,) and not (v.size == 1 and numbers.ndim == 0):
            raise InputError(
                f"the block {self.name!r} returned {_shaped(numbers)} at t = {t:g} s, and writes {v.size}: "
                f"{', '.join(self.writes)}"
            )
        v[:] = numbers


def _is_one(D: Array) -> bool:
    return np.array_equal(D, np.eye(len(D)))


def _names(block: str, what: str, given: str | Sequence[str]) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names or not all(isinstance(name, str) and name for name in names):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        raise InputError(f"the block {block!r} {what} {given!r}; give the name of a signal, or several")
    if len(set(names)) < len(names):
        raise InputError(f"the block {block!r} {what} a signal twice: {', '.join(names)}")
    return names


def _units(block: str, given: str | Mapping[str, str], widths: Mapping[str, int]) -> dict[str, str]:
    """The unit of each signal written, empty where none is given."""
    if isinstance(given, str):
        return dict.fromkeys(widths, given)
    of_kind("units", given, Mapping, such_as='"rad/s", or {"gyro": "rad/s"}')
    for name in given:
        choice(f"signal that the block {block!r} gives a unit:", name, tuple(widths))
    return {name: str(given.get(name, "")) for name in widths}


def _widths(block: str, given: str | Sequence[str] | Mapping[str, int]) -> dict[str, int]:
    """The width of each signal written, 0 where none is given: it is that of the signal of that name."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(_names(block, "writes", given), 0)
    names = _names(block, "writes", tuple(given))
    for name in names:
        width = given[name]
        if not isinstance(width, int) or isinstance(width, bool) or width < 1:  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"the block {block!r} writes {name!r} of width {width!r}; a width is 1 or more")
    return dict(given)


def _shaped(numbers: Array) -> str:
    """How many numbers there are, or of which shape."""
    return f"{numbers.size} numbers" if numbers.ndim < 2 else f"an array of shape {numbers.shape}"
