"""Eigenvalues of a steady spin without the zeros of its family, and the nutation eigenvalue."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...frozen import frozen_arrays
from .second_variation import Variation

ZERO = 1e-10  # scaled as in `second_variation`
ALIKE = 0.9  # modes with at least this relative share of pi belong to nutation: a decaying and a growing root


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Modes:
    """Eigenvalues of the linear motion and of the second variation of the energy.

    eigenvalues (m,): 1/s, by real part, then imaginary; without the zeros of the family.
    nutation: eigenvalue of the mode with most of its energy in pi; of a conjugate pair the one with positive imaginary
        part, of a decaying and a growing one the latter.
    variation (2 + k + l,): eigenvalues of the second variation.
    family: number of directions towards other steady spins of the same momentum.
    """

    eigenvalues: NDArray[np.complex128]
    nutation: complex
    variation: NDArray[np.float64]
    family: int


def modes(found: Variation) -> Modes:
    """Return the eigenvalues of a steady spin.

    found: second-order expansion of the spin. Restricting the motion to the range of A removes the zero eigenvalues of
    a family. A defective zero would otherwise scatter over the square root of rounding.
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
