"""Control law that runs in a separate process or an FMU."""

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ....controllers.contracts.attitude_law import AttitudeLaw
from ....controllers.contracts.checks import check_timing
from ....controllers.contracts.law_layout import SEEN
from ....controllers.loop.routes import APPLIED, COMMAND, REFERENCE_SIGNAL
from ....controllers.loop.small_signal import SmallSignal
from ....plant import DesignError, InputError, LinearModel, Spacecraft
from ....plant.checks import choice, of_kind
from .answers import Answers
from .port import Port, ports_of, signals_of_craft
from .terms import Terms

Array = NDArray[np.float64]
Ask = Callable[[float, Sequence[float]], list[float]]


@dataclass(frozen=True, eq=False, init=False)
class ExternalLaw(AttitudeLaw):
    """Sampled law in a process or an FMU, in lock step: the run waits for the command at each sample.

    The command is given in components of the torque basis of the craft, N m; the engine applies the limits. Numbers are
    exchanged exactly, so that bitwise identical inputs give bitwise identical outputs. The gains of the process are
    unknown, so that the loop has no margins.

    Parameters
    ----------
    program : Process or FMU
        The program or FMU.
    craft : Spacecraft
        The spacecraft that the law controls.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample until its command reaches the plant, s.
    reads : sequence of str
        Inputs at each sample, in the order of the messages: "momentum", "attitude", "rate", any further state of the
        craft by its name, or "reference" (attitude, rate, acceleration).
    name : str
        Name of the law in messages.
    pulsed : bool
        Whether the law switches a torque on and off. Metrics of the command then require a recorded row in every
        period.

    Raises
    ------
    InputError
        When a name is unknown or occurs twice, or a time is out of range.

    Examples
    --------
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> from polhode.sim import Process
    >>> law = ExternalLaw(Process(command=["./law"]), craft=craft, sample=0.1)
    >>> [port.words for port in law.inputs]
    ["attitude (4 in '1')", "rate (3 in 'rad/s')", "reference (10 in '1, rad/s, rad/s^2')"]
    """

    program: Answers
    sample: float
    delay: float
    inputs: tuple[Port, ...]
    name: str
    craft: Spacecraft
    session: "_Restarted | None"
    pulsed: bool

    compiled: ClassVar[bool] = False

    def __init__(
        self,
        program: Answers,
        *,
        craft: Spacecraft,
        sample: float,
        delay: float = 0.0,
        reads: Sequence[str] = ("attitude", "rate", "reference"),
        name: str = "law",
        pulsed: bool = False,
    ) -> None:
        of_kind("program", program, Answers, such_as='Process(command=["./law"])')
        of_kind("craft", craft, Spacecraft, such_as="a Spacecraft")
        of_kind("name", name, str, such_as="a word")
        of_kind("pulsed", pulsed, bool, such_as="True or False")
        period, lag = check_timing(sample, delay)
        known = {
            key: signal
            for key, signal in signals_of_craft(craft).items()
            if key not in (APPLIED, COMMAND, *craft.layout.rates)
        }
        if isinstance(reads, str) or not reads or len(set(reads)) < len(reads):
            raise InputError(f"reads must be a list of different signals; got {reads!r}")
        inputs = ports_of({each: known[choice("signal that the law reads:", each, tuple(known))] for each in reads})
        values = {"program": program, "sample": period, "delay": lag, "inputs": inputs, "name": name, "craft": craft}
        for field, value in {**values, "session": None, "pulsed": pulsed}.items():
            object.__setattr__(self, field, value)

    @property
    def summary(self) -> str:
        """Description of the law."""
        return f"a law in an external process: {self.program.words}"

    @property
    def no_margins(self) -> str:
        """Reason why the loop of this law has no margins."""
        return "the gains of a law in an external process are unknown, so its loop has no margins"

    @property
    def parameters(self) -> Array:
        """Empty: the external process holds the parameters."""
        return np.zeros(0)

    @property
    def memory(self) -> Array:
        """Flag that marks the first call after a start; all other memory is in the external process."""
        return np.zeros(1)

    @property
    def kernel(self) -> Callable[..., Any]:
        """Function that the run calls at each sample."""
        return self._call

    @contextmanager
    def opened(self, *, seed: int | None, run_index: int) -> "Generator[ExternalLaw]":
        """Start the process for one run, and end it.

        Parameters
        ----------
        seed : int or None
            Seed of the random numbers of the run.
        run_index : int
            Index of the run among the runs with this seed.

        Yields
        ------
        ExternalLaw
            The law of this run.

        Raises
        ------
        InputError
            When the process cannot be started or does not confirm the terms.
        """
        writes = ports_of({COMMAND: signals_of_craft(self.craft)[COMMAND]})
        terms = Terms(
            name=self.name, role="law", reads=self.inputs, writes=writes, sample=self.sample, delay=self.delay,
            seed=seed, run=run_index,
        )  # fmt: skip
        with ExitStack() as stack:
            session = _Restarted(stack, lambda: self.program.opened(terms))
            flying = ExternalLaw.__new__(ExternalLaw)
            for field, value in {**vars(self), "session": session}.items():
                object.__setattr__(flying, field, value)
            yield flying

    def small_signal(self, model: LinearModel) -> SmallSignal:
        """Raise DesignError, since a law in a separate process has no linear form.

        Parameters
        ----------
        model : LinearModel
            Model whose operating point is used.

        Returns
        -------
        SmallSignal
            Never returned.

        Raises
        ------
        DesignError
            Always.
        """
        raise DesignError(self.no_margins)

    def _call(self, t: float, y: Array, r: Array, q: Array, z: Array, u: Array) -> None:
        if self.session is None:
            raise InputError(
                f"the law {self.name!r} is in an external process and can be evaluated only in a run, as its law or as "
                "the law of a mode; it cannot be part of another law, such as a ChangedLaw"
            )
        u[:] = self.session(t, self._shown(y, r), fresh=z[0] == 0.0)
        z[0] = 1.0

    def check_craft(self, craft: Spacecraft) -> None:
        """Check that a spacecraft has the states for which the law was constructed.

        Parameters
        ----------
        craft : Spacecraft
            The spacecraft of the run.

        Raises
        ------
        InputError
            When the law reads a state by its index, and this spacecraft has different states.
        """
        known = {"momentum", "attitude", "rate", REFERENCE_SIGNAL}
        if craft.layout.names != self.craft.layout.names and any(port.name not in known for port in self.inputs):
            raise InputError(
                f"the law {self.name!r} depends on the states of its spacecraft, but this spacecraft has different "
                "states; create the law for the simulated spacecraft"
            )

    @property
    def looks_at_momentum(self) -> bool:
        """True if the law reads the momentum."""
        return any(port.name == "momentum" for port in self.inputs)

    def _shown(self, y: Array, r: Array) -> list[float]:
        """Return the inputs of the law, selected from all available signals."""
        found: list[float] = []
        at = {"momentum": SEEN.momentum, "attitude": SEEN.attitude, "rate": SEEN.rate}
        others = self.craft.layout.names[SEEN.rate :]
        for port in self.inputs:
            if port.name == REFERENCE_SIGNAL:
                found += r.tolist()
                continue
            first = at.get(port.name)
            if first is None:
                first = SEEN.size + others.index(port.name)
            found += y[first : first + port.size].tolist()
        return found


class _Restarted:
    """The process of a law in one run; it restarts with the law, for example when its mode is entered.

    stack: exit stack that ends the process. begin: function that returns a context which starts the process.
    """

    def __init__(self, stack: ExitStack, begin: Callable[[], AbstractContextManager[Ask]]) -> None:
        self._stack, self._begin = stack, begin
        self._call = stack.enter_context(begin())
        self._called = False
        self._first: tuple[float, list[float], list[float]] | None = None

    def __call__(self, t: float, y: list[float], *, fresh: bool) -> list[float]:
        """Return the command for a sample at t (s). fresh: whether the law has its initial memory."""
        if fresh and self._called:
            if self._first is not None and self._first[:2] == (t, y):  # a hand-over has already evaluated this sample
                return self._first[2]
            self._stack.close()
            self._call = self._stack.enter_context(self._begin())
        answer = self._call(t, y)
        self._called, self._first = True, (t, y, answer) if fresh else None
        return answer
