"""Block: a component on the clock, before or after the law, with its own sampling period.

The contract of a block kernel::

    block(t, y, q, z, v)

    t   float    time of its sample, s
    y   array    the signals it reads, concatenated in the order of `reads`
    q   array    its parameters (`parameters`), read-only; a random block has them behind the four words from which
                 `draw_normals` and `draw_uniforms` compute their numbers
    z   array    its memory (`memory` at the start), kept from sample to sample; may be empty
    v   array    out: the signals it writes, concatenated in the order of `writes`
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
    """Sampled component of the control loop: a sensor, a filter, an allocation, the lag of an actuator.

    A block reads and writes signals by name. The plant provides "momentum", "attitude", "rate", each further state
    under its name (`craft.layout.names`), and "applied", the command in force. The reference is "reference" (attitude,
    rate, acceleration), the output of the law "command". A block that writes an existing name is in series: blocks
    after it read its output, blocks before it the original. So a filter reads and writes "rate", and the law measures
    the filtered rate; a block that reads "command" follows the law. Any other name is a user-defined signal for later
    blocks.

    A block samples at offset + k sample and holds its output until the next one. The output takes effect `delay` after
    the sample. Simultaneous blocks run in the order of the list, the law before the first that depends on "command".
    Before its first output a block passes on the initial value of the signal, or zero where the name is new.

    Parameters
    ----------
    function : callable
        With `compiled=True` a kernel `function(t, y, q, z, v)` that writes its output to v, keeps its memory in z
        and only reads t, y and q. It is compiled to C at first use: numbers, arrays of floats, loops, branches,
        helper functions, and the common functions of math and numpy. A function that cannot be compiled (try, dict,
        a source typed at a prompt) runs as plain Python, some 1000 times slower per call, and stderr says why.
        With `compiled=False` any Python function `function(t, y)` that returns the numbers of its signals. If it
        has a method `opened(block, *, seed, run)`, a context manager, each run enters it and calls the function
        that it yields: resources (a process, a connection) are started per run and released however the run ends.
    reads : str or sequence of str
        Names of signals.
    writes : str, sequence of str or mapping of str to int
        Names of signals; a mapping also gives the width of new ones, such as {"gyro": 3}.
    sample : float
        Period, s.
    offset : float
        Time of the first sample, s. Periods and offsets of law and blocks must be multiples of a common tick.
    delay : float
        Time from a sample until its output takes effect, s; any value up to 1000 samples.
    parameters : array_like
        The kernel's q. Only with `compiled=True`.
    memory : array_like
        The kernel's z before the first sample. Only with `compiled=True`.
    name : str, optional
        Name in messages; by default that of the function.
    compiled : bool
        Whether the function is a kernel.
    random : bool
        Whether it draws random numbers. Then q begins with four words for seed and run of `simulate(..., seed=, run=)`
        and the name of the block, followed by `parameters`. The kernel calls
        `controllers.draw_normals(q, sample, channel)` and counts its samples in its memory. The numbers depend on these
        only: not on other blocks, the engine, or the process. Only with `compiled=True`.
    linear : BlockForm or callable, optional
        Linear form used for margins, or a function that returns it for the input (n,) at the operating point. By
        default it is derived from the function: exactly where that accepts complex numbers, else by differences. Where
        none exists (the block rounds, is discontinuous, draws, or keeps changing at rest), margins raise an error.
    units : str or mapping of str to str
        Units of the signals it writes, for results: one for all, or by name. An existing signal keeps its unit.
    estimates : str
        Output signal that is its estimate of the attitude; empty if there is none.
    labels : mapping of str to sequence of str
        Meaning of the values 0, 1, ... of scalar output signals, such as the names of states.
    calls : sequence of Called
        Kernels called by its own kernel (`polhode.controllers.laws.called`), each with its index in `parameters`.
    torque : str
        Output signal of three numbers that is an external torque on the craft (N m, body axes). It is held until the
        next output and adds to all other torques. Empty if there is none. No block need read it, and no law is needed.
        Margins do not include it, and report so.
    on : str or sequence of str
        Coordinates of elements on which this torque acts instead of the body, by the names of their states:
        ("wheel_1_angle", "wheel_2_angle"), all with the same unit. The signal has a number for each, N m on an angle, N
        on a displacement. It acts between hub and element; the motor of a wheel applies it, within its limits. Empty:
        the body.
    stamped : str
        Output signal that ends with a validity flag (1 or 0) and the measurement time, s. Empty if there is none.
    steady : callable, optional
        steady(y0) returns (parameters, memory) that make the block equal to its linear form about the input y0 at rest:
        without random numbers, and settled. Margins are verified by simulation with it.

    Raises
    ------
    InputError
        When a number is out of range, the block reads or writes nothing, or names a signal twice.

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
                "function(t, y): store them in the function itself"
            )
        if calls and (random or not compiled):
            raise InputError(f"the block {called!r} calls kernels: it must be compiled, and draw no random numbers")
        if not compiled and random:
            raise InputError(
                f"the plain Python block {called!r} receives no random numbers; use a generator of its own, such as "
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
                f"the block {called!r} acts on {', '.join(driven)} but names no torque; give the signal, torque=..."
            )
        size = len(driven) or 3
        if torque in widths and widths[torque] not in (0, size):
            expected = f"one on {', '.join(driven)} has {size}" if driven else "a torque has 3"
            raise InputError(f"the block {called!r} applies {torque!r} of {widths[torque]} numbers; {expected}")
        if torque in widths:
            widths[torque] = size
        output_units = _units(called, units, widths)
        if torque in widths and not driven:
            output_units[torque] = output_units[torque] or TORQUE_UNIT
            if output_units[torque] != TORQUE_UNIT:
                raise InputError(
                    f"the block {called!r} applies {torque!r} in {output_units[torque]!r}; a torque is in N m"
                )
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
            "units": output_units,
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
        """The block kernel; for a plain Python block, its function with the kernel's signature."""
        return self.function if self.compiled else self._call

    def seeded(self, *, seed: int, run: int = 0) -> "Block":
        """Return the block with the words for its random numbers in front of its parameters.

        Parameters
        ----------
        seed : int
            Seed of all blocks of a simulation, from 0 to 2^64 - 1.
        run : int
            Number of the run in a batch, from 0 to 2^32 - 1.

        Returns
        -------
        Block
            The block with complete parameters; the block itself if it is not random.

        Raises
        ------
        InputError
            When seed or run is out of range.
        """
        if not self.random:
            return self
        words = draw_words(self.name, seed=seed, run=run)
        found = copy(self)
        object.__setattr__(found, "parameters", read_only(np.concatenate((words, self.parameters))))
        object.__setattr__(found, "random", False)
        return found

    def renamed(self, names: Mapping[str, str]) -> "Block":
        """Return the block with renamed signals.

        Parameters
        ----------
        names : mapping of str to str
            New name for each old one; other signals keep their names.

        Returns
        -------
        Block
            The block; it reads and writes the same numbers.
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
        """Prepare the block for one run, and release its resources afterwards.

        Parameters
        ----------
        seed : int or None
            Seed of the run's random numbers.
        run : int
            Number of the run among those with this seed.

        Yields
        ------
        Block
            The block to run: itself, unless its function has a method `opened`.
        """
        if self.compiled or not hasattr(self.function, "opened"):
            yield self
            return
        with self.function.opened(self, seed=seed, run=run) as function:  # pyright: ignore[reportFunctionMemberAccess] # asked for above
            found = copy(self)
            object.__setattr__(found, "function", function)
            yield found

    def beside(self, names: Mapping[str, str] | None = None) -> "Block":
        """Return the block as a monitor: its output is recorded and need not be read.

        Parameters
        ----------
        names : mapping of str to str, optional
            New names for the signals it writes: an estimator with {"attitude": "attitude_estimate", "rate":
            "rate_estimate"} leaves the law the true values.

        Returns
        -------
        Block
            The block; it draws the same numbers. Margins omit it where nothing in the loop reads it.

        Raises
        ------
        InputError
            When it writes no signal of such a name, or two would have the same name.

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
        fields = {
            "writes": dict(zip(new, self.writes.values(), strict=True)),
            "units": {given.get(name, name): unit for name, unit in self.units.items()},
            "estimates": given.get(self.estimates, self.estimates),
            "stamped": given.get(self.stamped, self.stamped),
            "torque": given.get(self.torque, self.torque),
            "labels": {given.get(name, name): each for name, each in self.labels.items()},
            "recorded": True,
        }
        for field, value in fields.items():
            object.__setattr__(found, field, value)
        return found

    def replay(
        self, t: ArrayLike, y: ArrayLike, *, seed: int | None = None, run: int = 0, compiled: bool = True
    ) -> Array:
        """Return its output for recorded signals, one sample per row.

        Parameters
        ----------
        t : array_like, shape (m,)
            Times of its samples, s, ascending.
        y : array_like, shape (m, n)
            Signals it reads, concatenated, at each sample.
        seed : int, optional
            Seed of its random numbers; required by a random block.
        run : int
            Number of the run among those with this seed.
        compiled : bool
            False runs the kernel as plain Python.

        Returns
        -------
        numpy.ndarray, shape (m, k)
            The signals it writes, concatenated. A signal without a width takes that of the signal with the same name
            that it reads, if it reads no other; otherwise `writes` must give the width.

        Raises
        ------
        InputError
            When shapes do not fit, times do not ascend, a random block has no seed, or an output is not finite.

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
                raise InputError(f"the block {self.name!r} does not give the width of its output; give writes={{...}}")
            width = rows.shape[1]
        if self.random and seed is None:
            raise InputError(f"no seed for the random numbers of {self.name!r}; give replay(..., seed=1)")
        # the code that runs blocks is in the room above this one, hence the import by name
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
        """Return the block as a discrete nonlinear system of python-control with the same behaviour as in a run.

        Inputs and outputs are the components of the signals that it reads and writes: momentum_x, attitude_0, rate_x,
        reference_attitude_0, torque_1 (of the command). Any other signal has its own name, numbered from 1 where it has
        several components. States are its memory, which starts at `memory`, and delayed outputs, which start at zero.

        Parameters
        ----------
        sees : mapping of str to str, optional
            For a signal that it reads, the signal to use instead, such as {"rate": "rate_noisy"}.
        sizes : mapping of str to int, optional
            Widths of signals that a plant does not provide, such as {"gyro": 3}.
        seed : int, optional
            Seed of its random numbers; required by a random block.
        run : int
            Number of the run among those with this seed.
        name : str, optional
            The name of the system; by default that of the block.

        Returns
        -------
        control.NonlinearIOSystem
            With dt = `sample`.

        Raises
        ------
        InputError
            When it writes an existing signal, which python-control would add to it (see `beside`), has an offset, has a
            delay that is not a whole number of samples, runs in another process, or a size or the seed is missing.

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
            Its input there, signals concatenated.
        width : int
            Width of its output.

        Returns
        -------
        BlockForm
            The linear form.

        Raises
        ------
        DesignError
            When no linear form exists there.
        InputError
            When the value of `linear` has the wrong type or shape.
        """
        at = np.asarray(y0, dtype=np.float64).ravel()
        if self.linear is None and self.random:
            raise DesignError(
                f"the block {self.name!r} draws random numbers, so it has no derivable linear form; give "
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
                f"the linear form of the block {self.name!r} must be a BlockForm with D of {width} x {at.size}, "
                f"outputs by inputs; got {shape}"
            )
        return form

    def settled(self, y0: ArrayLike) -> "Block":
        """Return the block whose behaviour equals its linear form about an operating point.

        Parameters
        ----------
        y0 : array_like, shape (n,)
            Its input there, signals concatenated.

        Returns
        -------
        Block
            The block with the numbers of `steady`, without random numbers. If the form is a gain of 1 that neglects
            something, a block that copies its input; otherwise the block itself.

        Raises
        ------
        DesignError
            When it is random or its form neglects something, and it has no `steady`.
        """
        from ..blocks.nonlinear_blocks import copy_block

        found = copy(self)
        fields: dict[str, Any] = {"random": False}
        form = self.linear
        if self.steady is not None:
            numbers, memory = self.steady(np.asarray(y0, dtype=np.float64).ravel())
            fields |= {"parameters": packed("block parameters", numbers), "memory": packed("block memory", memory)}
            if self.random:
                words = draw_words(self.name, seed=0, run=0)
                fields["parameters"] = read_only(np.concatenate((words, fields["parameters"])))
        elif isinstance(form, BlockForm) and form.words and not form.order and _is_one(np.asarray(form.D)):
            nothing = read_only(np.zeros(0))
            fields |= {"function": copy_block, "parameters": nothing, "memory": nothing, "compiled": True}
        elif self.random:
            raise DesignError(
                f"the errors of the block {self.name!r} never decay, so no simulation can verify a margin; give "
                "Block(steady=...), its numbers without noise, omit it, or switch its noise off"
            )
        elif isinstance(form, BlockForm) and form.words:
            raise DesignError(
                f"the block {self.name!r} differs from its linear form in the margins ({form.words}), so no "
                "simulation verifies them; give a block that equals its linear form"
            )
        for field, value in fields.items():
            object.__setattr__(found, field, value)
        return found

    def _call(self, t: float, y: Array, q: Array, z: Array, v: Array) -> None:
        answer: Any = self.function(t, y)
        try:
            numbers = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"the block {self.name!r} returned {answer!r} at t = {t:g} s; return numbers") from None
        if is_masked(answer):
            raise InputError(f"the block {self.name!r} returned masked numbers at t = {t:g} s; fill them")
        if numbers.shape != (v.size,) and not (v.size == 1 and numbers.ndim == 0):
            raise InputError(
                f"the block {self.name!r} returned {_shaped(numbers)} at t = {t:g} s, but writes {v.size}: "
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
    """Return the unit of each output signal, empty by default."""
    if isinstance(given, str):
        return dict.fromkeys(widths, given)
    of_kind("units", given, Mapping, such_as='"rad/s", or {"gyro": "rad/s"}')
    for name in given:
        choice(f"signal that the block {block!r} gives a unit:", name, tuple(widths))
    return {name: str(given.get(name, "")) for name in widths}


def _widths(block: str, given: str | Sequence[str] | Mapping[str, int]) -> dict[str, int]:
    """Return the width of each output signal, 0 by default: then that of the existing signal."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(_names(block, "writes", given), 0)
    names = _names(block, "writes", tuple(given))
    for name in names:
        width = given[name]
        if not isinstance(width, int) or isinstance(width, bool) or width < 1:  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(f"the block {block!r} writes {name!r} of width {width!r}; a width is 1 or more")
    return dict(given)


def _shaped(numbers: Array) -> str:
    """Return the size or shape of an array, for messages."""
    return f"{numbers.size} numbers" if numbers.ndim < 2 else f"an array of shape {numbers.shape}"
