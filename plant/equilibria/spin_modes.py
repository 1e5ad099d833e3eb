"""The modes of a steady spin: eigenvalues with the directions of a family taken out, and which of them is nutation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..frozen import frozen_arrays
from .second_variation import Variation

__all__ = ["Modes", "modes"]

ZERO = 1e-10  # in units of the spin; see `second_variation`
ALIKE = 0.9  # shares of pi that differ by no more belong to one motion: a decaying and a growing root


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Modes:
    """What the linear motion and the second variation of the energy say.

    eigenvalues (m,): 1/s, by real part, then imaginary; without the zeros of the family.
    nutation: that of the mode with most of its energy in pi; of a pair, the one with positive imaginary part, of a
        decaying and a growing one the latter.
    variation (2 + k + l,): eigenvalues of the second variation.
    family: the number of directions in which other steady spins lie at the same momentum.
    """

    eigenvalues: NDArray[np.complex128]
    nutation: complex
    variation: NDArray[np.float64]
    family: int


def modes(found: Variation) -> Modes:
    """Return the modes of a steady spin.

    found: the spin to second order. The zero eigenvalues of a family are taken out by restricting the motion to the
    range of A, so that a defective zero does not scatter over the square root of rounding.
    """
    variation = np.linalg.eigvalsh(found.h).astype(np.float64)
    family = int(np.count_nonzero(np.abs(variation) < ZERO))
    left, _, _ = np.linalg.svd(found.a)
    range_of = left[:, : len(left) - family]
    values, vectors = np.linalg.eig(range_of.T @ found.a @ range_of)
    values = values.astype(np.complex128)
    share = np.linalg.norm((range_of @ vectors)[:2], axis=0)
    turning = values[share >= ALIKE * share.max(initial=0.0)]
    nutation = complex(turning[int(np.argmax(turning.real))]) if len(turning) else 0j
    return Modes(
        eigenvalues=values[np.lexsort((values.imag, values.real))],
        nutation=complex(nutation.real, abs(nutation.imag)),
        variation=variation,
        family=family,
    )
