"""Block: a component on the clock, before or after the law, with its own sampling period.

The contract of a block kernel::

    block(t, y, q, z, v)

    t   float    time of the sample, s
    y   array    input signals, concatenated in the order of `reads`
    q   array    `parameters`, read-only; in a random block they follow four words, from which `draw_normals` and
                `draw_uniforms` compute random numbers
    z   array    memory of the block (`memory` at the start), kept from sample to sample; may be empty
    v   array    out: output signals, concatenated in the order of `writes`
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import choice, of_kind
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from .block_draws import draw_words
from .block_form import BlockForm
from .checks import packed, read_only
from .clock import Clock
from .kernel_call import KernelCall
from .plain_function import PlainFunction
from .signal import ATTITUDE_ESTIMATE, TIMESTAMPED, TORQUE, Signal, names_of, signals_of

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class Block:
    """Sampled component of the control loop, such as a sensor, filter, control allocation or actuator lag.

    A block reads and writes signals by name. The plant provides "momentum", "attitude", "rate", each further state
    under its name (`craft.layout.names`), and "applied", the command in force. The reference is "reference" (attitude,
    rate, acceleration); the output of the law is "command". A block that writes an existing name is in series: later
    blocks read its output, and earlier blocks read the original signal. For example, a filter reads and writes "rate",
    and the law then measures the filtered rate. A block that reads "command" runs after the law. Any other name is a
    user-defined signal for later blocks.

    A block samples at the times of its clock and holds its output until the next output. Blocks that sample at the same
    time run in the order of the list; the law runs before the first block that depends on "command". Before
    the first output of a block, its signal has the initial value of the existing signal, or zero if the name is new.

    Parameters
    ----------
    kernel : callable
        With `compiled=True`, a kernel `kernel(t, y, q, z, v)` that writes its output to v, keeps its memory in z
        and only reads t, y and q. The kernel is compiled to C at first use. A kernel may use numbers, arrays of floats,
        loops, branches, helper functions, and common functions of math and numpy. A function that cannot be compiled
        (it uses try or dict, or was typed at a prompt) runs as plain Python, some 1000 times slower per call, and
        stderr states the reason. With `compiled=False`, any Python function `function(t, y)` that returns the values of
        the output signals. If the function has a method `opened(block, *, seed, run_index)` that returns a context
        manager, each run enters the manager and calls the function that it yields. Resources (a process, a connection)
        are then started per run and released however the run ends.
    reads : str or sequence of str
        Names of the input signals.
    writes : str, sequence of str or mapping of str to Signal or int
        Names of the output signals. A mapping also gives width, unit and role, {"gyro": Signal(3, "rad/s")}, or only
        the width, {"gyro": 3}.
    clock : Clock
        Period, offset and delay.
    parameters : array_like
        Parameters q of the kernel. Only with `compiled=True`.
    memory : array_like
        Memory z of the kernel before the first sample. Only with `compiled=True`.
    name : str, optional
        Name in messages; by default the name of the kernel.
    compiled : bool
        True for a kernel `kernel(t, y, q, z, v)`, False for a Python function `function(t, y)`.
    random : bool
        Whether the block draws random numbers. If so, q begins with four words that encode the seed and run index
        passed to `simulate(..., seed=, run_index=)` and the name of the block; `parameters` follow. The kernel calls
        `controllers.draw_normals(q, sample, channel)` and counts its samples in its memory. The random numbers depend
        only on seed, run index, name, sample and channel, not on other blocks, the engine, or the process. Only with
        `compiled=True`.
    linear : BlockForm or callable, optional
        Linear form used for margins, or a function that returns it for the input (n,) at the operating point. By
        default the form is derived from the kernel: exactly if the kernel accepts complex numbers, otherwise by
        finite differences. If no linear form exists (the block rounds, is discontinuous, draws random numbers, or
        keeps changing at rest), margins raise an error.
    noise_free : callable, optional
        noise_free(y0) returns the (parameters, memory) for which the block equals its linear form about the constant
        input y0: without random numbers, and with the memory in its steady state. Margins are verified by simulating
        this block.
    calls : sequence of KernelCall
        Kernels called by the kernel of the block (see `kernel_call`), each with its index in `parameters`.
    pulsed : bool
        Whether the block switches a torque on and off. Metrics of the command then require a recorded row in every
        period.

    Raises
    ------
    InputError
        When a value is out of range, or when the block reads nothing, writes nothing, or repeats a signal or a role.

    Examples
    --------
    >>> late = Block(lambda t, y: y, reads="rate", writes="rate", clock=Clock(0.1, delay=0.05), compiled=False)
    >>> late.name, late.reads, late.writes
    ('<lambda>', ('rate',), {'rate': Signal(width=0, unit='', role='', coordinates=(), labels=())})
    """

    kernel: Callable[..., Any]
    reads: tuple[str, ...]
    writes: Mapping[str, Signal]
    clock: Clock
    parameters: Array
    memory: Array
    name: str
    compiled: bool
    random: bool
    linear: BlockForm | Callable[[Array], BlockForm] | None
    noise_free: Callable[[Array], tuple[ArrayLike, ArrayLike]] | None
    calls: tuple[KernelCall, ...]
    pulsed: bool
    recorded: bool

    def __init__(
        self,
        kernel: Callable[..., Any],
        *,
        reads: str | Sequence[str],
        writes: str | Sequence[str] | Mapping[str, int | Signal],
        clock: Clock,
        parameters: ArrayLike = (),
        memory: ArrayLike = (),
        name: str | None = None,
        compiled: bool = True,
        random: bool = False,
        linear: BlockForm | Callable[[Array], BlockForm] | None = None,
        noise_free: Callable[[Array], tuple[ArrayLike, ArrayLike]] | None = None,
        calls: Sequence[KernelCall] = (),
        pulsed: bool = False,
    ) -> None:
        of_kind("compiled", compiled, bool, such_as="True or False")
        of_kind("random", random, bool, such_as="True or False")
        of_kind("pulsed", pulsed, bool, such_as="True or False")
        if not callable(kernel):
            want = "kernel(t, y, q, z, v)" if compiled else "function(t, y)"
            raise InputError(f"block kernel must be callable as {want}; got {kernel!r}")
        called = str(getattr(kernel, "__name__", type(kernel).__name__)) if name is None else name
        of_kind("name", called, str, such_as="a word")
        of_kind("clock", clock, Clock, such_as="Clock(0.1), with the period in s")
        numbers, start = packed("block parameters", parameters), packed("block memory", memory)
        _check_kernel(called, compiled=compiled, random=random, calls=bool(calls), data=numbers.size + start.size > 0)
        if linear is not None and not isinstance(linear, BlockForm) and not callable(linear):
            raise InputError(f"linear=... of the block {called!r} must be a BlockForm, or a function that returns one")
        signals = signals_of(called, writes)
        self._set(
            kernel=kernel if compiled else PlainFunction(kernel, called, tuple(signals)),
            reads=names_of(called, "reads", reads),
            writes=signals,
            clock=clock,
            parameters=numbers,
            memory=start,
            name=called,
            compiled=compiled,
            random=random,
            linear=linear,
            noise_free=noise_free,
            calls=tuple(calls),
            pulsed=pulsed,
            recorded=False,
        )

    def _set(self, **values: Any) -> None:
        vars(self).update(values)

    def _with(self, **values: Any) -> Block:
        """Return a copy of the block with changed fields, without further checks."""
        made = object.__new__(type(self))
        made._set(**{name: vars(self)[name] for name in _FIELDS} | values)  # keeps a subclass
        return made

    @cached_property
    def widths(self) -> dict[str, int]:
        """Width of each output signal by name; 0 means the width of the existing signal."""
        return {name: signal.width for name, signal in self.writes.items()}

    @cached_property
    def torque(self) -> str:
        """Name of the output signal that is an external torque; empty if there is none."""
        return self._with_role(TORQUE)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Coordinates on which the torque of the block acts; empty if it acts on the body."""
        return tuple(self.writes[self.torque].coordinates) if self.torque else ()

    @cached_property
    def timestamped(self) -> str:
        """Name of the output signal that ends with validity and measurement time; empty if there is none."""
        return self._with_role(TIMESTAMPED)

    @cached_property
    def attitude_estimate(self) -> str:
        """Name of the output signal that is an attitude estimate; empty if there is none."""
        return self._with_role(ATTITUDE_ESTIMATE)

    def _with_role(self, role: str) -> str:
        return next((name for name, signal in self.writes.items() if signal.role == role), "")

    def seeded(self, *, seed: int, run_index: int = 0) -> Block:
        """Return the block with the words that determine its random numbers prepended to its parameters.

        Parameters
        ----------
        seed : int
            Seed shared by all blocks of a simulation, from 0 to 2^64 - 1.
        run_index : int
            Index of the run in a batch, from 0 to 2^32 - 1.

        Returns
        -------
        Block
            The block with complete parameters; the block itself if it is not random.

        Raises
        ------
        InputError
            When seed or run index is out of range.
        """
        if not self.random:
            return self
        words = draw_words(self.name, seed=seed, run_index=run_index)
        return self._with(parameters=read_only(np.concatenate((words, self.parameters))), random=False)

    def renamed(self, names: Mapping[str, str]) -> Block:
        """Return the block with renamed signals.

        Parameters
        ----------
        names : mapping of str to str
            New name for each old name; other signals keep their names.

        Returns
        -------
        Block
            The block, with unchanged behaviour.
        """
        if not set(names) & {*self.reads, *self.writes}:
            return self
        writes = {names.get(name, name): signal for name, signal in self.writes.items()}
        return self._with(reads=tuple(names.get(name, name) for name in self.reads), **self._writing(writes))

    def _writing(self, writes: Mapping[str, Signal]) -> dict[str, Any]:
        """Return the fields to replace so that the block writes these signals instead of its own."""
        kernel = self.kernel
        if isinstance(kernel, PlainFunction):
            kernel = replace(kernel, writes=tuple(writes))
        return {"writes": writes, "kernel": kernel}

    @contextmanager
    def opened(self, *, seed: int | None = None, run_index: int = 0) -> Generator[Block]:
        """Prepare the block for one run, and release its resources afterwards.

        Parameters
        ----------
        seed : int or None
            Seed of the run's random numbers.
        run_index : int
            Index of the run among the runs with this seed.

        Yields
        ------
        Block
            The block to run: the block itself, unless its function has a method `opened`.
        """
        if not self.runs_outside:
            yield self
            return
        with self.kernel.function.opened(self, seed=seed, run_index=run_index) as function:  # pyright: ignore[reportFunctionMemberAccess] # see runs_outside
            yield self._with(kernel=replace(self.kernel, function=function))  # pyright: ignore[reportArgumentType]

    @property
    def runs_outside(self) -> bool:
        """True if the block's function, such as a process or an FMU, is opened in each run."""
        return isinstance(self.kernel, PlainFunction) and hasattr(self.kernel.function, "opened")

    def as_monitor(self, names: Mapping[str, str] | None = None) -> Block:
        """Return the block as a monitor, whose output is recorded even if nothing reads it.

        Parameters
        ----------
        names : mapping of str to str, optional
            New names of the output signals. An estimator with {"attitude": "attitude_estimate", "rate":
            "rate_estimate"} leaves the true values available to the law.

        Returns
        -------
        Block
            The monitor; it draws the same random numbers. Margins omit it if nothing in the loop reads its output.

        Raises
        ------
        InputError
            When the block does not write a signal to rename, or two output signals would have the same name.

        Examples
        --------
        >>> echo = Block(lambda t, y: y, reads="rate", writes={"rate": 3}, clock=Clock(0.1), compiled=False)
        >>> list(echo.as_monitor({"rate": "rate_copy"}).writes)
        ['rate_copy']
        """
        given = dict(names or {})
        for name in given:
            choice(f"signal that the block {self.name!r} writes:", name, tuple(self.writes))
        new = [given.get(name, name) for name in self.writes]
        if len(set(new)) < len(new):
            raise InputError(f"the block {self.name!r} would write one signal twice: {', '.join(new)}")
        return self._with(recorded=True, **self._writing(dict(zip(new, self.writes.values(), strict=True))))

    def replay(
        self, t: ArrayLike, y: ArrayLike, *, seed: int | None = None, run_index: int = 0, compiled: bool = True
    ) -> Array:
        """Return the output of the block for recorded input signals, one sample per row.

        Parameters
        ----------
        t : array_like, shape (m,)
            Times of the samples, s, ascending.
        y : array_like, shape (m, n)
            Input signals, concatenated, at each sample.
        seed : int, optional
            Seed of the random numbers; required by a random block.
        run_index : int
            Index of the run among the runs with this seed.
        compiled : bool
            False runs the kernel as plain Python.

        Returns
        -------
        numpy.ndarray, shape (m, k)
            The output signals, concatenated. If the width of an output is not given, it is the width of the input of
            the same name, if that is the only input; otherwise `writes` must give the width.

        Raises
        ------
        InputError
            When shapes do not match, times do not ascend, a random block has no seed, or an output is not finite.

        Examples
        --------
        >>> twice = Block(lambda t, y: 2 * y, reads="rate", writes={"twice": 1}, clock=Clock(0.1), compiled=False)
        >>> twice.replay([0.0, 0.1], [[1.0], [2.0]])
        array([[2.],
               [4.]])
        """
        from .block_replay import replay_block

        return replay_block(self, t, y, seed=seed, run_index=run_index, compiled=compiled)

    def to_nlsys(
        self,
        *,
        remap: Mapping[str, str] | None = None,
        sizes: Mapping[str, int] | None = None,
        seed: int | None = None,
        run_index: int = 0,
        name: str | None = None,
    ) -> Any:
        """Return the block as a discrete nonlinear system of python-control that behaves as the block does in a run.

        Inputs and outputs are the components of the signals that the block reads and writes: momentum_x, attitude_0,
        rate_x, reference_attitude_0, torque_1 (of the command). Any other signal keeps its name; if it has several
        components, they are numbered from 1. The states are the memory of the block, with initial value `memory`, and
        the delayed outputs, initially zero.

        Parameters
        ----------
        remap : mapping of str to str, optional
            The signal that replaces each named input signal, such as {"rate": "rate_noisy"}.
        sizes : mapping of str to int, optional
            Widths of signals that a plant does not provide, such as {"gyro": 3}.
        seed : int, optional
            Seed of the random numbers; required by a random block.
        run_index : int
            Index of the run among the runs with this seed.
        name : str, optional
            Name of the system; by default the name of the block.

        Returns
        -------
        control.NonlinearIOSystem
            The system, with dt = `clock.period`.

        Raises
        ------
        InputError
            When the block writes an existing signal (python-control would add the two; see `as_monitor`), has an
            offset, has a delay that is not a whole number of samples, or runs in another process. When a width or the
            seed is missing.

        Examples
        --------
        >>> from polhode.controllers import blocks
        >>> smooth = blocks.low_pass(frequency=2.0, reads="rate", writes="rate_smooth", sample=0.1)
        >>> smooth.to_nlsys().output_labels
        ['rate_smooth_1', 'rate_smooth_2', 'rate_smooth_3']
        """
        from .block_system import block_system

        return block_system(
            self, remap or {}, sizes or {}, seed=seed, run_index=run_index, name=self.name if name is None else name
        )

    def small_signal(self, y0: ArrayLike, *, width: int) -> BlockForm:
        """Return the linear form of the block about an operating point.

        Parameters
        ----------
        y0 : array_like, shape (n,)
            Input at the operating point, signals concatenated.
        width : int
            Width of the output.

        Returns
        -------
        BlockForm
            The linear form.

        Raises
        ------
        DesignError
            When no linear form exists at the operating point.
        InputError
            When the value of `linear` has the wrong type or shape.
        """
        from .block_linear import small_signal

        return small_signal(self, y0, width)

    def linear_equivalent(self, y0: ArrayLike) -> Block:
        """Return the block whose behaviour equals its linear form about an operating point.

        Parameters
        ----------
        y0 : array_like, shape (n,)
            Input at the operating point, signals concatenated.

        Returns
        -------
        Block
            The block with parameters and memory of `noise_free`, without random numbers. If there is no `noise_free`: a
            block that copies its input if the form is a unity gain that neglects some effect, otherwise the block
            itself.

        Raises
        ------
        DesignError
            When the block has no `noise_free`, and is random or has a form that neglects some effect.
        """
        from .block_linear import linear_equivalent

        return self._with(**linear_equivalent(self, y0))


_FIELDS = tuple(field.name for field in fields(Block))


def _check_kernel(name: str, *, compiled: bool, random: bool, calls: bool, data: bool) -> None:
    """Raise InputError if a plain function is given arguments that only a kernel has.

    data: whether parameters or memory are given.
    """
    if not compiled and data:
        raise InputError(
            "parameters and memory belong to a compiled block; a plain Python block (compiled=False) is called as "
            "function(t, y): store them in the function itself"
        )
    if calls and (random or not compiled):
        raise InputError(f"the block {name!r} calls kernels, so it must be compiled and draw no random numbers")
    if not compiled and random:
        raise InputError(
            f"the plain Python block {name!r} receives no random numbers; use a separate generator, such as "
            "numpy.random.default_rng(seed), or make it a kernel"
        )
