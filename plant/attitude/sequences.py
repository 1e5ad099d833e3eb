"""The twelve Euler sequences: names, axes and singular poses.

A sequence "i-j-k" means R = R_i(a1) R_j(a2) R_k(a3): a rotation about axis i, then about the rotated axis j, then about
the twice rotated axis k (Schwab & Meijaard (2006) (5), where they are "cans in series"). "3-1-3" is the classical (phi,
theta, psi), "3-2-1" yaw, pitch, roll, and "1-2-3" Choi's x-y-z.

Singular poses. The first and third axes coincide if the middle angle is 0 or pi (symmetric sequences, i = k) or
-pi/2 or pi/2 (asymmetric). There the attitude determines only one combination of a1 and a3, and a general body rate has
no Euler rates. An attitude counts as singular within `SINGULAR_ANGLE`, 16 units of round-off: singular to double
precision.
"""

from typing import Final

from numpy import finfo, pi

from ..checks import choice

SEQUENCES: Final = tuple(f"{i}-{j}-{k}" for i in (1, 2, 3) for j in (1, 2, 3) for k in (1, 2, 3) if j not in (i, k))

SINGULAR_ANGLE: Final = 16.0 * float(finfo(float).eps)  # rad; the rounding error of three products is about 4 eps


def parse_sequence(sequence: str) -> tuple[int, int, int]:
    """Return the three axes of a sequence, counted from zero.

    Parameters
    ----------
    sequence : str
        One of `SEQUENCES`, such as "3-1-3".

    Returns
    -------
    tuple of int
        The axes (i, j, k): 0, 1, 2 for 1, 2, 3.

    Raises
    ------
    InputError
        When the sequence is not one of the twelve; the message suggests the nearest sequence.

    Examples
    --------
    >>> parse_sequence("3-1-3")
    (2, 0, 2)
    """
    i, j, k = (int(axis) - 1 for axis in choice("sequence", sequence, SEQUENCES).split("-"))
    return i, j, k


def permutation_sign(i: int, j: int) -> int:
    """Return +1 if axis j follows axis i in the cycle 0, 1, 2, otherwise -1."""
    return 1 if (j - i) % 3 == 1 else -1


def singular_middle_angles(sequence: str) -> tuple[float, float]:
    """Return the two middle angles at which the first and third axes of a sequence coincide.

    Parameters
    ----------
    sequence : str
        One of `SEQUENCES`.

    Returns
    -------
    tuple of float
        (0, pi) for a symmetric sequence, (-pi/2, pi/2) for an asymmetric one, rad: the limits of the middle angle.

    Raises
    ------
    InputError
        When the sequence is not one of the twelve.

    Examples
    --------
    >>> singular_middle_angles("3-1-3")
    (0.0, 3.141592653589793)
    """
    i, _, k = parse_sequence(sequence)
    return (0.0, pi) if i == k else (-0.5 * pi, 0.5 * pi)
