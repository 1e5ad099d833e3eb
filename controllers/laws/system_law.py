"""Law defined by a nonlinear system of python-control."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.brief import brief
from ...plant.checks import choice
from ...plant.checks import numbers as numbers_of
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..contracts.attitude_law import AttitudeLaw
from ..contracts.checks import check_timing, read_only
from ..contracts.law_layout import REFERENCE, SEEN
from ..contracts.signal_labels import LABELS, labels
from ..loop.routes import REFERENCE_SIGNAL, shown_widths
from .error_attitude import error_attitude

Array = NDArray[np.float64]

ERRORS = tuple(f"attitude_error_{axis}" for axis in "xyz")
RATE_ERRORS = tuple(f"rate_error_{axis}" for axis in "xyz")


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class SystemLaw(AttitudeLaw):
    """Law defined by a discrete control.NonlinearIOSystem, whose states are the memory of the law.

    `law_from_system` returns this law for a nonlinear system.

    Parameters
    ----------
    system : control.NonlinearIOSystem
        System that is discrete with the law's sampling period, or has no states.
    others : sequence of str
        Names of the spacecraft's states other than momentum, attitude and rate.
    sample, delay : float
        Sampling period, s, and time from a sample to the moment its command takes effect, s.
    start : array_like, shape (n,)
        States of the system before the first sample.
    sign : float
        Factor on the output of the system, 1 or -1.

    Raises
    ------
    InputError
        When the inputs or outputs are not those of an attitude law, or the timebase differs from the sampling period.
    """

    compiled: ClassVar[bool] = False

    system: Any
    others: tuple[str, ...]
    sample: float
    delay: float
    start: Array
    sign: float
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[int, ...]

    __repr__ = brief

    def __init__(
        self,
        system: Any,
        *,
        others: Sequence[str],
        sample: float,
        delay: float = 0.0,
        start: ArrayLike | None = None,
        sign: float = 1.0,
    ) -> None:
        period, lag = check_timing(sample, delay)
        n = system.nstates
        if n is None or system.ninputs is None or system.noutputs is None:
            raise InputError(f"the system {system.name!r} does not give its numbers of states, inputs and outputs")
        _check_timebase(system, period)
        before = np.zeros(n) if start is None else numbers_of("start", start).ravel()
        if before.size != n:
            raise InputError(f"start must have {n} numbers, one for each state of {system.name!r}; got {before.size}")
        found = {
            "system": system, "others": tuple(others), "sample": period, "delay": lag, "start": read_only(before),
            "sign": sign, "inputs": _inputs(system, tuple(others)), "outputs": _outputs(system),
        }  # fmt: skip
        for field, value in found.items():
            object.__setattr__(self, field, value)

    @property
    def summary(self) -> str:
        """Description of the law."""
        return f"the python-control system {self.system.name!r}"

    @property
    def feedback(self) -> str:
        """Default sign of the outputs: "positive" (torque) if no input is an error, otherwise "negative".

        Raises
        ------
        InputError
            When some inputs are errors and others are not.
        """
        errors = {where in ("e", "w") for where, _ in self.inputs}
        if len(errors) > 1:
            raise InputError(
                f"the system {self.system.name!r} reads both errors and measured signals; state whether its output is "
                'the torque, feedback="positive", or is subtracted, feedback="negative"'
            )
        return "negative" if True in errors else "positive"

    def times(self, sign: float) -> SystemLaw:
        """Return the law with its output multiplied by a sign.

        Parameters
        ----------
        sign : float
            1 or -1.

        Returns
        -------
        SystemLaw
            The law.
        """
        return SystemLaw(
            self.system, others=self.others, sample=self.sample, delay=self.delay, start=self.start, sign=sign
        )

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel, a plain Python function that evaluates the system at each sample."""
        return self._call

    @property
    def parameters(self) -> Array:
        """Empty: the parameters are part of the system."""
        return np.zeros(0)

    @property
    def memory(self) -> Array:
        """States of the system before the first sample."""
        return self.start

    def _call(self, t: float, y: Array, r: Array, q: Array, z: Array, u: Array) -> None:
        if np.iscomplexobj(y) or np.iscomplexobj(z):
            raise TypeError("python-control's systems accept real numbers only")
        shown = {"y": y, "r": r}
        if any(where == "e" for where, _ in self.inputs):
            _, *e = error_attitude(y, r)
            shown["e"] = 2.0 * np.array(e)
        if any(where == "w" for where, _ in self.inputs):
            shown["w"] = y[SEEN.rate : SEEN.rate + 3] - r[REFERENCE.rate : REFERENCE.rate + 3]
        inputs = np.array([shown[where][place] for where, place in self.inputs])
        x = z.copy()
        answer = np.asarray(self.system.output(t, x, inputs), dtype=np.float64)
        after = np.asarray(self.system.dynamics(t, x, inputs), dtype=np.float64) if z.size else z
        if (answer.shape, after.shape) != ((self.system.noutputs,), z.shape):  # numpy would broadcast a single number
            raise InputError(
                f"the system {self.system.name!r} has {z.size} states and {self.system.noutputs} outputs, but returns "
                f"{after.size} and {answer.size} numbers"
            )
        z[:] = after
        u[:] = self.sign * answer[list(self.outputs)]


def _check_timebase(system: Any, sample: float) -> None:
    if not system.nstates:
        return
    dt = system.dt
    if dt is None or dt == 0:
        timebase = "no timebase (dt=None)" if dt is None else "a continuous timebase"
        raise InputError(
            f"the nonlinear system {system.name!r} has states and {timebase}: a law is computed at its samples; give "
            f"its difference equation, control.nlsys(..., dt={sample:g})"
        )
    if dt is not True and abs(float(dt) - sample) > 1e-9 * sample:
        raise InputError(
            f"the system is discrete with a sampling period of {float(dt):g} s, but the law samples every "
            f"{sample:g} s; make both equal"
        )


def _inputs(system: Any, others: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the source of each input: group (measurement, reference, attitude or rate error) and index."""
    named = own_names(system.input_labels, "u")
    if not named:
        errors = [("e", n) for n in range(3)], [("w", n) for n in range(3)]
        if system.ninputs not in (3, 6):
            raise InputError(
                f"the system {system.name!r} has {system.ninputs} inputs without names: give 6 (attitude "
                "error, rate error) or 3 (attitude error), or name them after the signals available to a law"
            )
        return tuple(errors[0] + errors[1] * (system.ninputs == 6))
    known = _shown_labels(others)
    return tuple(known[choice(f"signal of the input of {system.name!r}:", each, tuple(known))] for each in named)


def _shown_labels(others: tuple[str, ...]) -> Mapping[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    sizes = {name: size for name, size in shown_widths(others).items() if name not in ("applied", REFERENCE_SIGNAL)}
    for name, size in sizes.items():
        start = len(found)
        found |= {label: ("y", start + n) for n, label in enumerate(labels(name, size))}
    found |= {label: ("r", n) for n, label in enumerate(LABELS[REFERENCE_SIGNAL])}
    found |= {label: ("e", n) for n, label in enumerate(ERRORS)}
    return found | {label: ("w", n) for n, label in enumerate(RATE_ERRORS)}


def _outputs(system: Any) -> tuple[int, ...]:
    named = own_names(system.output_labels, "y")
    if system.noutputs != 3:
        raise InputError(f"an attitude law has 3 torque outputs; {system.name!r} has {system.noutputs} outputs")
    if not named:
        return (0, 1, 2)
    names = LABELS["command"]
    for each in named:
        choice(f"output of {system.name!r}:", each, names)
    if len(set(named)) < 3:
        raise InputError(f"two outputs of {system.name!r} have the same name: {', '.join(named)}")
    return tuple(named.index(each) for each in names)


def own_names(given: Sequence[str], letter: str) -> tuple[str, ...]:
    """Return the names of signals, or an empty tuple if they are python-control's default names."""
    names = tuple(str(each) for each in given)
    return () if names == tuple(f"{letter}[{n}]" for n in range(len(names))) else names
