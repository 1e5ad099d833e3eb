"""Additive noise of a block from one source: white noise shaped by a linear filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, expm1, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.brief import brief
from ...plant.checks import numbers
from ...plant.errors import InputError
from ...plant.frozen import frozen_arrays
from ..contracts.checks import read_only

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class ShapedNoise:
    """Noise n = C x + D w, x[k+1] = A x + B w added to the output of a block.

    w is white noise of unit variance, drawn at each sample of the block and independent of all other noise.

    Parameters
    ----------
    source : str
        Name of the source, such as "angle random walk".
    D : array_like, shape (v, w)
        Direct gain from w to the v outputs of the block.
    A, B, C : array_like
        Matrices (n, n), (n, w), (v, n) of the filter; omitted for white noise.
    constant : bool
        Whether w is drawn once at the start and then constant, as a bias. Then A, B and C must be omitted.
    bias : array_like, shape (v, n), optional
        Map from the state x after a sample to the bias of the output at that time; from w (v, w) for constant noise. It
        is the quantity that an estimator of the bias estimates. Omitted for noise that is no bias.

    Raises
    ------
    InputError
        When shapes do not match or a value is not finite.

    Examples
    --------
    >>> ShapedNoise(source="noise", D=1e-3 * np.eye(3)).order
    0
    """

    source: str
    D: ArrayLike
    A: ArrayLike = ()
    B: ArrayLike = ()
    C: ArrayLike = ()
    constant: bool = False
    bias: ArrayLike | None = None

    __repr__ = brief

    def __post_init__(self) -> None:
        """Check the matrices and store read-only copies."""
        D = np.atleast_2d(numbers("D of a noise", self.D))
        n = round(np.size(self.A) ** 0.5)
        for name, shape in {"A": (n, n), "B": (n, D.shape[1]), "C": (D.shape[0], n)}.items():
            given = np.asarray(getattr(self, name), dtype=np.float64)
            if given.size != shape[0] * shape[1] or (given.size and given.shape != shape):
                raise InputError(f"{name} of the noise {self.source!r} must be {shape[0]} x {shape[1]}: {given.shape}")
            if not np.isfinite(given).all():
                raise InputError(f"{name} of the noise {self.source!r} must be finite")
            object.__setattr__(self, name, read_only(given.reshape(shape)))
        object.__setattr__(self, "D", read_only(D))
        if self.bias is not None:
            bias, shape = numbers("bias of a noise", self.bias), (D.shape[0], D.shape[1] if self.constant else n)
            if bias.shape != shape:
                raise InputError(f"bias of the noise {self.source!r} must be {shape[0]} x {shape[1]}: {bias.shape}")
            object.__setattr__(self, "bias", read_only(bias))
        if self.constant and n:
            raise InputError(f"the noise {self.source!r} is constant, so it has no A, B and C; omit them")

    @property
    def order(self) -> int:
        """Number of states of the filter."""
        return len(np.asarray(self.A))

    def through(self, rows: Array) -> ShapedNoise:
        """Return the noise multiplied by a matrix.

        Parameters
        ----------
        rows : numpy.ndarray, shape (u, v)
            Gain from the v outputs of the block to u other signals.

        Returns
        -------
        ShapedNoise
            Noise of the u signals.
        """
        C, D = rows @ np.asarray(self.C), rows @ np.asarray(self.D)
        bias = None if self.bias is None else rows @ np.asarray(self.bias)
        return ShapedNoise(source=self.source, A=self.A, B=self.B, C=C, D=D, constant=self.constant, bias=bias)


def rounding(source: str, step: ArrayLike, *, size: int) -> ShapedNoise:
    """Return quantisation error as white noise of variance step^2/12.

    The model is valid if the signal changes by several steps from sample to sample.
    """
    return ShapedNoise(source=source, D=np.diag(np.broadcast_to(np.asarray(step, dtype=float) / sqrt(12.0), size)))


def coming_and_going(source: str, sigma: Sequence[float], *, samples: float, rows: Array) -> ShapedNoise:
    """Return sampled first-order Gauss-Markov errors as shaped noise.

    sigma (n,): standard deviations; samples: correlation time divided by the block's period; rows (v, n): gain from the
    errors to the outputs of the block.
    """
    kept = exp(-1.0 / samples)
    one = np.eye(len(sigma))
    fresh = sqrt(-expm1(-2.0 / samples)) * np.diag(sigma)
    return ShapedNoise(source=source, A=kept * one, B=fresh, C=kept * rows, D=rows @ fresh)
