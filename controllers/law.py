"""What a control law is to the engine, and the checks that every law shares.

The contract of a law kernel::

    law(t, y, r, q, z, u)

    t   float           time of the sample, s
    y   array           what the law sees: pi (3, N m s, body), e (4, scalar first), omega (3, rad/s, body), then the
                        other states of the plant: internal coordinates and momenta, position, linear momentum
    r   array (10,)     reference: e_ref (4), omega_ref (3, rad/s) and its rate alpha_ref (3, rad/s^2),
                        both in components of the reference body frame
    q   array           the law's own numbers (`parameters`), never written
    z   array           the law's memory (`memory` at the start), carried from sample to sample; may be empty
    u   array (3,)      out: the command, in components of the plant's torque basis

It is called once per sample. The command reaches the plant `delay` seconds after the sample and is held
(zero-order hold) until the next command arrives; before the first arrival the command is zero. Saturation
(`TorqueBasis.limit`) is applied by the engine after the law, so a law does not saturate.

A kernel is plain Python on scalars (see `polhode.plant.kernel`): it runs as it stands, compiled, and on
complex numbers, which is how the margins of a nonlinear law get their exact small-signal gain.
"""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..plant import TorqueBasis
from ..plant.checks import non_negative, of_kind, positive
from ..plant.errors import InputError

__all__ = ["Law", "body_unless", "check_timing", "packed", "read_only"]

Array = NDArray[np.float64]

SHORTEST, LONGEST = 1e-9, 1e9  # s


@runtime_checkable
class Law(Protocol):
    """A sampled control law, as the engine sees it (see the module for the kernel's contract).

    A law may also have `check_reference(reference)`, called once before a run, which raises DesignError when
    the law cannot follow that reference, and `designed_on` (`DesignedOn`), what it counts on: a run says where that
    is not so.
    """

    @property
    def sample(self) -> float:
        """Sampling period, s."""
        ...

    @property
    def delay(self) -> float:
        """Time from a sample to the moment its command reaches the plant, s."""
        ...

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        ...

    @property
    def parameters(self) -> Array:
        """The numbers handed to the kernel as q."""
        ...

    @property
    def memory(self) -> Array:
        """The kernel's z before the first sample."""
        ...


def check_timing(sample: float, delay: float) -> tuple[float, float]:
    """Return sampling period and delay as floats, or say what is wrong with them.

    Parameters
    ----------
    sample : float
        Sampling period, s; from 1e-9 to 1e9.
    delay : float
        Computational delay, s; zero or more. It may be longer than the sampling period.

    Returns
    -------
    tuple of float
        `(sample, delay)`.

    Raises
    ------
    InputError
        When either is not a finite number in its range, or the delay is beyond 1000 samples.

    Examples
    --------
    >>> check_timing(0.1, 0)
    (0.1, 0.0)
    """
    period = positive("sample", sample, "s")
    if not SHORTEST <= period <= LONGEST:
        raise InputError(
            f"sample {period:g} s lies outside {SHORTEST:g} to {LONGEST:g} s, and no computer samples like that; it is "
            "seconds: check the units"
        )
    lag = non_negative("delay", delay, "s")
    if lag > 1000.0 * period:
        raise InputError(
            f"delay {lag:g} s is more than 1000 samples of {period:g} s; both are seconds: check the units"
        )
    return period, lag


def body_unless(torques: TorqueBasis | None) -> TorqueBasis:
    """Return the torque basis given, or the body's.

    Parameters
    ----------
    torques : TorqueBasis or None
        What was given.

    Returns
    -------
    TorqueBasis
        The basis.

    Raises
    ------
    InputError
        When it is something else.
    """
    if torques is None:
        return TorqueBasis("body")
    of_kind("torques", torques, TorqueBasis, such_as="a TorqueBasis, such as craft.torques")
    return torques


def read_only(array: ArrayLike) -> Array:
    """Return a copy that nobody can write into: a law does not change under a run.

    Parameters
    ----------
    array : array_like
        Any numbers.

    Returns
    -------
    numpy.ndarray
        The copy.
    """
    copy = np.array(array, dtype=np.float64)
    copy.flags.writeable = False
    return copy


def packed(name: str, values: ArrayLike) -> Array:
    """Return a user's parameters as a read-only flat float64 array.

    Parameters
    ----------
    name : str
        What they are called in the message.
    values : array_like
        Finite numbers of any shape.

    Returns
    -------
    numpy.ndarray, shape (n,)
        The numbers, row by row.

    Raises
    ------
    InputError
        When something is not a finite number.
    """
    try:
        flat = np.asarray(values, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers; got {values!r}") from None
    if not np.isfinite(flat).all():
        raise InputError(f"{name} must be finite; got {flat.tolist()}")
    return read_only(flat)
