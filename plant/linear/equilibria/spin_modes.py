"""Eigenvalues of a steady spin without the zeros of its family, and the nutation eigenvalue."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...frozen import frozen_arrays
from .second_variation import Variation

ZERO = 1e-10  # magnitude below which an eigenvalue counts as zero, scaled as in `second_variation`
ALIKE = 0.9  # modes whose pi amplitude is at least this fraction of the largest are nutation (decay and growth)


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Modes:
    """Eigenvalues of the linear motion and of the second variation of the energy.

    eigenvalues (m,): 1/s, sorted by real part, then imaginary part; without the zeros of the family.
    nutation: eigenvalue of the mode with the largest energy fraction in pi; of a conjugate pair, the eigenvalue with
        positive imaginary part; of a decaying and a growing mode, the growing one.
    variation (2 + k + l,): eigenvalues of the second variation.
    family: number of directions to neighbouring steady spins of the same momentum.
    """

    eigenvalues: NDArray[np.complex128]
    nutation: complex
    variation: NDArray[np.float64]
    family: int


def modes(found: Variation) -> Modes:
    """Return the eigenvalues of a steady spin and of its second variation.

    found: second-order expansion of the spin. Restricting the motion to the range of A removes the zero eigenvalues of
    a family. Rounding would otherwise scatter a defective zero by the square root of the rounding error.
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
