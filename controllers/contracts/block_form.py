"""Linear form of a block about an operating point, derived from its kernel or given by the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.brief import brief
from ...plant.checks import numbers
from ...plant.errors import DesignError, InputError, PolhodeError
from ...plant.frozen import frozen_arrays
from .checks import read_only

if TYPE_CHECKING:
    from ..laws.shaped_noise import ShapedNoise

Array = NDArray[np.float64]

WIDE = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)  # steps of the input, large enough to reveal a dead zone or rounding
ANSWERS = 1e-3  # smallest output change per step that counts as a response, relative to the output or to 1


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class BlockForm:
    """Linear form v = C z + D y, z[k+1] = A z + B y of a block, for deviations of input y and output v.

    The vectors y and v are concatenated in the order of `reads` and `writes`; an attitude is represented by its four
    Euler parameters.

    Parameters
    ----------
    A, B, C, D : array_like
        Matrices (n, n), (n, y), (v, n), (v, y); only D for a block without memory.
    rests : array_like, shape (v,), optional
        Output at the operating point; by default the steady response of the form to the input at that point.
    words : str
        Effects that the form neglects, as reported with margins, such as "rounding is treated as unity gain".
    noise : sequence of ShapedNoise or None
        Independent sources of additive noise, used by pointing budgets. None if the noise is unknown; a pointing
        budget then rejects a random block.
    after : sequence of BlockForm
        For a block that varies periodically, the forms of the following samples in order. This form applies at
        the first multiple of the period after the offset. Shapes, `rests` and `noise` must agree.
    spins : bool
        Whether the form also holds about a constant spin. Such a form treats attitude inputs as small rotations in
        body axes away from the reference, and does not depend on the attitude itself.
    covariance : array_like, shape (3, 3), optional
        For an estimator, the covariance of the attitude error that it reports after this sample, as small rotations
        about the body axes, rad^2.
    bias_covariance : array_like, shape (3, 3), optional
        For an estimator, the covariance of the error of its gyro bias that it reports after this sample, (rad/s)^2.

    Raises
    ------
    InputError
        When shapes do not match or a value is not finite.

    Examples
    --------
    >>> BlockForm(D=np.eye(3), words="rounding is treated as unity gain").order
    0
    """

    D: ArrayLike
    A: ArrayLike = ()
    B: ArrayLike = ()
    C: ArrayLike = ()
    rests: ArrayLike | None = None
    words: str = ""
    noise: Sequence[ShapedNoise] | None = None
    after: Sequence[BlockForm] = ()
    spins: bool = False
    covariance: ArrayLike | None = None
    bias_covariance: ArrayLike | None = None

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the matrices and store read-only copies."""
        D = np.atleast_2d(numbers("D of a block's linear form", self.D))
        n = round(np.size(self.A) ** 0.5)
        shapes = {"A": (n, n), "B": (n, D.shape[1]), "C": (D.shape[0], n)}
        for name, shape in shapes.items():
            given = np.asarray(getattr(self, name), dtype=np.float64)
            if given.size != shape[0] * shape[1] or (given.size and given.shape != shape):
                raise InputError(f"{name} of a block's linear form must be {shape[0]} x {shape[1]}; got {given.shape}")
            if not np.isfinite(given).all():
                raise InputError(f"{name} of a block's linear form must be finite")
            object.__setattr__(self, name, read_only(given.reshape(shape)))
        object.__setattr__(self, "D", read_only(D))
        if self.rests is not None:
            rests = numbers("rests", self.rests).ravel()
            if rests.size != len(D):
                raise InputError(f"rests must be {len(D)} numbers, as many as the block writes; got {rests.size}")
            object.__setattr__(self, "rests", read_only(rests))
        if self.noise is not None:
            from ..laws.shaped_noise import ShapedNoise

            object.__setattr__(self, "noise", tuple(self.noise))
            for each in self.noise:
                if not isinstance(each, ShapedNoise) or len(np.asarray(each.D)) != len(D):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
                    raise InputError(
                        f"noise of a block's linear form must be ShapedNoise of {len(D)} numbers, as many as the block "
                        f"writes; got {each!r}"
                    )

        for name in ("covariance", "bias_covariance"):
            if getattr(self, name) is not None:
                covariance = numbers(name, getattr(self, name))
                if covariance.shape != (3, 3):
                    raise InputError(f"{name} of a block's linear form must be 3 x 3; got {covariance.shape}")
                object.__setattr__(self, name, read_only(covariance))
        object.__setattr__(self, "after", tuple(self.after))
        if any(np.shape(each.D) != D.shape or each.order != n or each.after for each in self.after):
            raise InputError("the forms in `after` must be BlockForms of the same shapes, in one list")

    def followed(self, after: Sequence[BlockForm]) -> BlockForm:
        """Return a periodic form: this form, followed by the forms of the next samples.

        Parameters
        ----------
        after : sequence of BlockForm
            Forms of the following samples in order, until this form applies again.

        Returns
        -------
        BlockForm
            The periodic form.
        """
        return replace(self, after=tuple(after))

    def turn(self, sample: int) -> BlockForm:
        """Return the form of one sample.

        Parameters
        ----------
        sample : int
            Index of the sample, from 0.

        Returns
        -------
        BlockForm
            This form, or one of `after`.
        """
        at = sample % (1 + len(self.after))
        return self.after[at - 1] if at else self

    @property
    def order(self) -> int:
        """Number of states."""
        return len(np.asarray(self.A))

    def at(self, y: Array) -> Array:
        """Return the output at a constant input.

        Parameters
        ----------
        y : numpy.ndarray, shape (y,)
            Input at rest.

        Returns
        -------
        numpy.ndarray, shape (v,)
            `rests`, or the steady response of the form.
        """
        if self.rests is not None:
            return np.asarray(self.rests)
        A, B, C, D = (np.asarray(each) for each in (self.A, self.B, self.C, self.D))
        z = np.linalg.lstsq(np.eye(len(A)) - A, B @ y, rcond=None)[0] if len(A) else np.zeros(0)
        return C @ z + D @ y


def form_of_kernel(
    kernel: Callable[..., Any],
    y0: Array,
    *,
    parameters: Array,
    memory: Array,
    width: int,
    times: float,
    name: str,
    exact: bool,
) -> BlockForm:
    """Return the linear form of a block kernel about a constant input.

    y0 (n,): the constant input.
    parameters, memory: parameters and initial memory of the block.
    width: number of outputs.
    times: period of the block, s.
    name: name of the block in messages.
    exact: whether the kernel accepts complex numbers.
    Raises DesignError when no form exists: the block never settles, depends on time, is discontinuous, or responds to
    large changes but not to small ones.
    """
    try:
        with np.errstate(all="ignore"):  # values that are not finite raise an error below
            return _form(kernel, y0, parameters, memory, width, times, name, exact)
    except PolhodeError:
        raise
    except Exception as error:  # noqa: BLE001 # a user's function may raise anything
        raise DesignError(
            f"{name} raised {type(error).__name__} at the operating point ({error}), so it has no linear form there; "
            "give Block(linear=...)"
        ) from None


def _form(
    kernel: Callable[..., Any],
    y0: Array,
    parameters: Array,
    memory: Array,
    width: int,
    times: float,
    name: str,
    exact: bool,
) -> BlockForm:
    from ..loop.derivatives import at_rest

    units = np.maximum(1.0, np.abs(y0))
    n = y0.size

    def call(s: NDArray[Any], t: float = 0.0) -> NDArray[Any]:
        kind: Any = s.dtype
        z, v = np.array(s[n:], dtype=kind), np.zeros(width, dtype=kind)
        kernel(t, y0 + units * s[:n], parameters, z, v)
        return np.concatenate((v, z))

    if not np.isfinite(call(np.concatenate((np.zeros(n), memory)))).all():
        raise DesignError(f"{name} returns no finite value at the operating point, so it has no linear form there")
    z, J = at_rest(call, n, memory, answers=width, name=name, exact=exact)
    rest = np.concatenate((np.zeros(n), z))
    here = call(rest)
    if any(not np.allclose(call(rest, k * times), here, rtol=1e-12, atol=1e-300) for k in (1.0, 17.0, 1001.0)):
        raise DesignError(
            f"{name} changes its output at constant input, so it has no linear form and the loop "
            "has no margins; give Block(linear=...), or verify stability by simulation"
        )
    for k in np.flatnonzero(~J[:, :n].any(axis=0)):
        for step in WIDE:
            s = rest.copy()
            s[k] += step
            if float(np.abs(call(s) - here).max()) > ANSWERS * step * max(1.0, float(np.abs(here).max())):
                raise DesignError(
                    f"{name} does not respond to small changes of its input {k + 1}, but responds to changes of "
                    f"{step * units[k]:g}: it rounds or has a dead zone, so it has no linear gain; give the "
                    "gain to use, such as Block(linear=BlockForm(D=numpy.eye(3)))"
                )
    return BlockForm(
        A=J[width:, n:], B=J[width:, :n] / units, C=J[:width, n:], D=J[:width, :n] / units, rests=here[:width]
    )
