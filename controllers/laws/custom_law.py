"""User-defined control law, compiled into the loop or called as plain Python at each sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import LARGEST, of_kind, vector
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..contracts.attitude_law import AttitudeLaw
from ..contracts.checks import check_timing, packed

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class CustomLaw(AttitudeLaw):
    """User-defined control law.

    The loop, poles and margins about an operating point are derived from the function by complex-step differentiation
    or, if the function does not accept complex numbers, by finite differences. The function is then called with
    measurements near the operating point.

    Parameters
    ----------
    function : callable
        With `compiled=True`, a law kernel `function(t, y, r, q, z, u)` (see `polhode.controllers.contracts.law`) that
        writes the command into u and only reads t, y, r and q. The kernel is compiled to C at first use. A kernel may
        use numbers, arrays of floats, loops, branches, user-defined functions, and common functions of math and numpy.
        A function that cannot be compiled (it uses try or dict, or was typed at a prompt) runs as plain Python, some
        1000 times slower per call, and stderr states the reason. With `compiled=False`, any Python function
        `function(t, y, r)` that returns three numbers; the engine calls it between compiled segments.
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    parameters : array_like
        Parameters q of the kernel. Only with `compiled=True`.
    memory : array_like
        Memory z of the kernel before the first sample. Only with `compiled=True`; a plain Python function stores its
        state itself.
    compiled : bool
        Whether the function is a kernel.
    pulsed : bool
        Whether the law switches a torque on and off. Metrics of the command then require a recorded row in every
        period.

    Raises
    ------
    InputError
        When the function is not callable, a value is out of range, or parameters or memory are given for a plain Python
        function, which cannot use them.

    Examples
    --------
    >>> law = CustomLaw(lambda t, x, r: (-x[0], -x[1], -x[2]), sample=0.1, compiled=False)
    >>> u = np.zeros(3)
    >>> law.kernel(0.0, np.array([1.0, 2, 3, 1, 0, 0, 0]), np.zeros(10), law.parameters, law.memory.copy(), u)
    >>> u
    array([-1., -2., -3.])
    """

    function: Callable[..., Any]
    sample: float
    delay: float
    parameters: Array
    memory: Array
    compiled: bool
    pulsed: bool

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        sample: float,
        delay: float = 0.0,
        parameters: ArrayLike = (),
        memory: ArrayLike = (),
        compiled: bool = True,
        pulsed: bool = False,
    ) -> None:
        of_kind("compiled", compiled, bool, such_as="True or False")
        of_kind("pulsed", pulsed, bool, such_as="True or False")
        if not callable(function):
            want = "function(t, y, r, q, z, u)" if compiled else "function(t, y, r)"
            raise InputError(f"law function must be callable as {want}; got {function!r}")
        period, lag = check_timing(sample, delay)
        numbers = packed("law parameters", parameters)
        start = packed("law memory", memory)
        if not compiled and (numbers.size or start.size):
            raise InputError(
                "parameters and memory belong to a compiled law; a plain Python law (compiled=False) is "
                "called as function(t, y, r): store them in the function itself"
            )
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "sample", period)
        object.__setattr__(self, "delay", lag)
        object.__setattr__(self, "parameters", numbers)
        object.__setattr__(self, "memory", start)
        object.__setattr__(self, "compiled", bool(compiled))
        object.__setattr__(self, "pulsed", pulsed)

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel; for a plain Python function, a wrapper with the signature of a kernel."""
        return self.function if self.compiled else self._call

    def _call(self, t: float, y: Array, r: Array, q: Array, z: Array, u: Array) -> None:
        answer = self.function(t, y, r)
        if type(answer) is np.ndarray and answer.shape == u.shape and answer.dtype is u.dtype:
            first, second, third = answer.tolist()
            if abs(first) + abs(second) + abs(third) <= LARGEST:  # usual case; costs a third of a full check
                u[0], u[1], u[2] = first, second, third
                return
        u[:] = vector(f"command of the law at t = {t:g} s", answer, unit="N m")
