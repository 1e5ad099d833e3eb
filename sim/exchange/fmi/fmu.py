"""Somebody else's functional mock-up unit as what answers samples of a law or a block."""

import json
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ....plant.checks import of_kind
from ....plant.errors import InputError
from ..process.process import Process
from ..process.scratch_folder import scratch_folder
from ..process.terms import Terms
from . import host
from .unpacked import unpack
from .wiring import Named, described, wiring

__all__ = ["FMU"]


@dataclass(frozen=True, kw_only=True)
class FMU:
    """A unit of FMI 2 or 3 with co-simulation, flown as a law or a block: `ProcessLaw(FMU(...))`, `process_block`.

    It runs through FMPy in a process of its own, anew for each run, which ends with the run: what it does to its
    memory it does to itself, and where it crashes, hangs or gives what is no number the run ends with one sentence.
    It has 8 GiB to live in. That is a guard against faults and no prison: files and network are open to it, so fly
    what you trust.

    What it writes acts where a law's or a block's answer acts: through the command, within the limits of the craft's
    torque basis, or as a torque from outside, in body axes (`process_block(torque=...)`, in a case `[[torques]]`).

    At a sample it has been taken to that time with the inputs of the sample before, held; its outputs then are the
    answer, and it is told its new inputs. A law in it is a sample late, as between any two units; not so where all that
    is connected is discrete, inputs and outputs, as in a unit of ours of the law alone: that is told its inputs before
    it is taken to the sample, at which it looks at them. It is asked at the step that it names or more often, so that
    its own samples and delays are those of the run. With `ahead` a unit is told its inputs first, takes the step that
    begins at the sample at once, and what it gives at the end is the answer: for sampled controllers whose variables
    are not discrete, and whose outputs are those of the sample at which the step begins.

    Parameters
    ----------
    file : str or path
        The archive, such as "motor.fmu".
    inputs, outputs : mapping of str to str or sequence of str
        From each signal to the variable for each of its numbers, "" for one that the unit is not told, or to one array
        variable of FMI 3. Units are compared, and converted where a unit's definition says how; a number has the unit
        of its signal otherwise.
    values : mapping of str to float, bool or str
        Of parameters, of inputs that are not connected, and of what begins with a start value.
    ahead : bool
        Whether the step that begins at a sample is taken before its answer; not for what is discrete.
    unitless : bool
        Whether a variable without a unit is taken to be in that of its signal.
    answer_within : float
        How long a step may take, s of the clock on the wall.
    start_within : float
        How long loading it may take, s.

    Raises
    ------
    InputError
        When something is of another kind. What the archive holds is looked at when a run begins.

    Examples
    --------
    >>> FMU(file="motor.fmu", inputs={"command": ["u1", "u2", "u3"]}, outputs={"command": ["v1", "v2", "v3"]}).words
    'motor.fmu'
    """

    file: str | Path
    inputs: Named = field(default_factory=dict[str, str | Sequence[str]])
    outputs: Named
    values: Mapping[str, float | bool | str] = field(default_factory=dict[str, float | bool | str])
    ahead: bool = False
    unitless: bool = False
    answer_within: float = 5.0
    start_within: float = 30.0

    def __post_init__(self) -> None:
        """Check what was given."""
        of_kind("file", self.file, (str, Path), such_as='the path of a unit, "motor.fmu"')
        for name in ("inputs", "outputs", "values"):
            of_kind(name, getattr(self, name), Mapping, such_as='{"rate": ["w1", "w2", "w3"]}')
        for name in ("ahead", "unitless"):
            of_kind(name, getattr(self, name), bool, such_as="True or False")

    @property
    def words(self) -> str:
        """What it is called in messages."""
        return str(self.file)

    @contextmanager
    def opened(self, terms: Terms) -> Generator[Callable[[float, Sequence[float]], list[float]]]:
        """Begin a run with it, and end it.

        Parameters
        ----------
        terms : Terms
            What the run has. Seed and run are not used: a unit draws what it draws.

        Yields
        ------
        callable
            ask(t, y) returns what it writes at a sample, one signal after the other.

        Raises
        ------
        InputError
            When the archive is not what it should be, names or units do not fit, or it cannot be loaded; `ask` raises
            it too.
        """
        label = f"the unit {self.words!r}"
        with scratch_folder() as folder:
            unpack(Path(self.file), folder)
            found = described(folder, label)
            try:
                table = wiring(
                    found,
                    inputs=self.inputs,
                    outputs=self.outputs,
                    values=self.values,
                    reads=terms.reads,
                    writes=terms.writes,
                    unitless=self.unitless,
                )
                if self.ahead and table["sampled"]:
                    raise InputError(
                        "its inputs and outputs are discrete, so that it answers the sample at which it is told them; "
                        "leave out ahead, by which it would be asked for the next one"
                    )
                named = found.defaultExperiment and found.defaultExperiment.stepSize
                if table["sampled"] and named and terms.sample > float(named) * (1.0 + 1e-9):
                    raise InputError(
                        f"its inputs and outputs are discrete and it names a step of {float(named):g} s, and is asked "
                        f"every {terms.sample:g} s: at samples of its own in between it would look at inputs that are "
                        "yet to come; ask it at its step, or at a part of that"
                    )
            except InputError as error:
                raise InputError(f"{label}: {error}") from None
            table |= {"folder": str(folder), "sample": terms.sample, "ahead": self.ahead}
            process = Process(
                command=[sys.executable, "-P", str(host.__file__), json.dumps(table)],
                folder=str(folder),
                answer_within=self.answer_within,
                start_within=self.start_within,
                label=label,
            )
            with process.opened(terms) as ask:
                yield ask
