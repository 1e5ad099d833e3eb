"""An FMU from another tool, used as a law or a block."""

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


@dataclass(frozen=True, kw_only=True)
class FMU:
    """A co-simulation FMU (FMI 2 or 3), used in an `ExternalLaw` or an `ExternalBlock`.

    The FMU runs through FMPy in a separate process, which starts and ends with each run, so that the FMU cannot damage
    the memory of the simulation. If the FMU crashes, hangs or returns an invalid number, the run ends with a
    one-sentence message. The memory of the process is limited to 8 GiB. The process is a guard against faults, not a
    sandbox: files and network are accessible, so use only FMUs that you trust.

    The outputs act like those of a law or block: as the command, within the limits of the craft's torque basis, or as
    an external torque in body axes (the output of an `ExternalBlock` with the role "torque"; in a case file
    `[[torques]]`).

    The FMU advances to each sample with the inputs held since the previous sample. Its outputs at the sample are the
    result; then the new inputs are set. A law in an FMU therefore has a delay of one sample, like any connection
    between two FMUs. The exception is an FMU whose connected inputs and outputs are all discrete, such as an exported
    law: the FMU receives its inputs before it advances to the sample at which it reads them. The FMU is called at its
    declared step or more often, so that its own samples and delays coincide with those of the run. With `ahead`, the
    inputs are set first, the step that begins at the sample is taken immediately, and the outputs at the end of this
    step are the result. This suits sampled controllers whose variables are not declared discrete, and whose outputs
    belong to the sample at which the step begins.

    Parameters
    ----------
    file : str or path
        The archive, such as "motor.fmu".
    inputs, outputs : mapping of str to str or sequence of str
        The FMU variables of each signal: one per component, "" for a component that is not connected, or one array
        variable of FMI 3. Units are compared and, if they differ by a factor, converted.
    values : mapping of str to float, bool or str
        Values of parameters, of unconnected inputs, and of variables with a start value.
    ahead : bool
        Whether the FMU takes the step that begins at a sample before its outputs are read; not allowed if all variables
        are discrete.
    unitless : bool
        Whether a variable that has no unit is assumed to have the unit of its signal.
    answer_within : float
        Time limit for a step, s of wall-clock time.
    start_within : float
        Time limit for loading the FMU, s of wall-clock time.

    Raises
    ------
    InputError
        When an argument has the wrong type. The archive is checked at the start of a run.

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
        """Check the arguments."""
        of_kind("file", self.file, (str, Path), such_as='the path of an FMU, "motor.fmu"')
        for name in ("inputs", "outputs", "values"):
            of_kind(name, getattr(self, name), Mapping, such_as='{"rate": ["w1", "w2", "w3"]}')
        for name in ("ahead", "unitless"):
            of_kind(name, getattr(self, name), bool, such_as="True or False")

    @property
    def words(self) -> str:
        """Name of the FMU in messages."""
        return str(self.file)

    @contextmanager
    def opened(self, terms: Terms) -> Generator[Callable[[float, Sequence[float]], list[float]]]:
        """Load the FMU for a run, and unload it at the end.

        Parameters
        ----------
        terms : Terms
            Terms of the run. Seed and run index are not used, since the FMU draws its own random numbers.

        Yields
        ------
        callable
            Function respond(t, y), which returns the FMU's outputs at a sample, one signal after the other.

        Raises
        ------
        InputError
            When the archive is invalid, names or units do not match, or the FMU cannot be loaded. `respond` also raises
            InputError if the FMU fails.
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
                        "its inputs and outputs are discrete, so its outputs belong to the sample of its inputs; "
                        "omit ahead, which would use the outputs of the next sample"
                    )
                named = found.defaultExperiment and found.defaultExperiment.stepSize
                if table["sampled"] and named and terms.sample > float(named) * (1.0 + 1e-9):
                    raise InputError(
                        f"its inputs and outputs are discrete and it declares a step of {float(named):g} s, but is "
                        f"called every {terms.sample:g} s: between two calls it would use inputs that are not "
                        "available yet; call it at its step, or at a fraction of it"
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
            with process.opened(terms) as respond:
                yield respond
