"""Reference with an input shaper, so that vibration modes are at rest when the motion ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..contracts.checks import read_only
from ..contracts.kernel_reference import KernelReference
from .eigenaxis_slew import EigenaxisSlew
from .input_shapers import convolved, shaper_impulses
from .spin_up import SpinUp
from .turn_kernels import shaped_slew_kernel, shaped_spin_up_kernel

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class ShapedReference(KernelReference):
    """Slew or spin-up convolved with an input shaper: theta(t) = sum A_i theta_0(t - t_i).

    The amplitudes are positive and sum to one, so the limits of the unshaped reference on rate, acceleration and torque
    still hold, and the final attitude or spin is the same. The duration of the motion increases by the last t_i. The
    shaper is outside the loop, so the margins of the law are unchanged. Give the modes that the reference excites: the
    vibration modes of the spacecraft if the torque is fed forward, or the closed-loop poles if the reference is tracked
    by feedback.

    Parameters
    ----------
    reference : EigenaxisSlew or SpinUp
        Unshaped motion about one axis.
    vibration_modes : sequence of (float, float)
        Natural frequency (rad/s) and damping ratio of each mode. The shapers of several modes act in series.
    kind : {"zv", "zvd", "ei", "two-hump"}
        Shaper, see `shaper_impulses`; ordered from the shortest to the one most tolerant of a frequency error.
    tolerance : float
        Largest residual vibration of "ei" and "two-hump", relative to the vibration after the unshaped command.
    sample : float, optional
        Sampling period of the law, s. If given, impulses are placed only at samples, so that the sampled reference is
        shaped without error.

    Raises
    ------
    InputError
        When the reference does not rotate about one axis, no modes are given, or `shaper_impulses` rejects a value.

    Examples
    --------
    >>> slew = EigenaxisSlew((1, 0, 0, 0), (0, 0, 0, 1), rate_limit=0.1, acceleration_limit=0.01)
    >>> shaped = ShapedReference(slew, [(2.0, 0.0)], kind="zv")
    >>> round(shaped.duration - slew.duration, 6)  # half a vibration period
    1.570796
    """

    reference: EigenaxisSlew | SpinUp
    times: Array
    amplitudes: Array

    def __init__(
        self,
        reference: EigenaxisSlew | SpinUp,
        vibration_modes: Sequence[ArrayLike],
        *,
        kind: str = "zvd",
        tolerance: float = 0.05,
        sample: float | None = None,
    ) -> None:
        if not isinstance(reference, EigenaxisSlew | SpinUp):  # pyright: ignore[reportUnnecessaryIsInstance] # a user may
            raise InputError(
                "a shaped reference needs a motion with a beginning and an end about one axis, an EigenaxisSlew or "
                f"SpinUp; got {type(reference).__name__}"
            )
        if len(vibration_modes) == 0:
            raise InputError("a shaped reference needs one vibration mode or more, (frequency in rad/s, damping ratio)")
        impulses: tuple[Array, Array] = (np.zeros(1), np.ones(1))
        for mode in vibration_modes:
            pair = np.atleast_1d(np.asarray(mode, dtype=np.float64))
            if pair.shape != (2,):
                raise InputError(
                    f"a vibration mode is two numbers, its frequency in rad/s and its damping ratio; got {mode!r}"
                )
            frequency, damping = (float(value) for value in pair)
            one = shaper_impulses(frequency, damping_ratio=damping, kind=kind, tolerance=tolerance, sample=sample)
            impulses = convolved(impulses, one)
        object.__setattr__(self, "reference", reference)
        object.__setattr__(self, "times", read_only(impulses[0]))
        object.__setattr__(self, "amplitudes", read_only(impulses[1]))

    @property
    def manoeuvre(self) -> str:
        """Kind of motion: "slew" or "spin-up"."""
        return self.reference.manoeuvre

    @property
    def begin(self) -> float:
        """Start time, s."""
        return self.reference.begin

    @property
    def duration(self) -> float:
        """Duration including the length of the shaper, s."""
        return self.reference.duration + float(self.times[-1])

    @property
    def parameters(self) -> Array:
        """The kernel's parameters: unshaped motion, number of impulses, times and amplitudes."""
        return read_only(np.concatenate((self.reference.parameters, [len(self.times)], self.times, self.amplitudes)))

    @property
    def steady(self) -> tuple[Array, Array]:
        """Final attitude and rate (rad/s)."""
        return self.reference.steady

    @property
    def kernel(self) -> Callable[..., Any]:
        """The reference kernel `reference(t, q, r)`."""
        return shaped_slew_kernel if isinstance(self.reference, EigenaxisSlew) else shaped_spin_up_kernel

    def peak_torque(self, inertia: ArrayLike) -> Array:
        """Return a bound on each body component of the torque required by the motion.

        Parameters
        ----------
        inertia : array_like, shape (3,) or (3, 3)
            Inertia J of the spacecraft, kg m^2.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Maximum of the unshaped slew, N m, which is a bound because shaped rate and acceleration are weighted means
            of the unshaped ones. Zero for a spin-up, whose peak torque is not computed.
        """
        return self.reference.peak_torque(inertia) if isinstance(self.reference, EigenaxisSlew) else np.zeros(3)
