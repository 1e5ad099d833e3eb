"""Result of attitude determination from directions measured at one time, and checks of the directions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.brief import brief
from ....plant.checks import numbers
from ....plant.errors import InputError
from ....plant.frozen import frozen_arrays
from .sightings import require_small

Array = NDArray[np.float64]

FEW_SIGMA = 3.0


@frozen_arrays
@dataclass(frozen=True, repr=False, kw_only=True)
class AttitudeFix:
    """An attitude, its covariance, and the inconsistency of the directions.

    Attributes
    ----------
    attitude : numpy.ndarray, shape (4,)
        Euler parameters, scalar first, scalar part >= 0.
    covariance : numpy.ndarray, shape (3, 3)
        Covariance of the error a in body axes, rad^2; true attitude = attitude o Exp(a).
    loss : float
        Half the weighted sum of squared residuals between measured and expected directions; its mean is about
        (2 n - 3) / 2 for n directions if the sigmas are correct.
    """

    attitude: Array
    covariance: Array
    loss: float

    __repr__ = brief


def directions(body: ArrayLike, inertial: ArrayLike, sigma: ArrayLike) -> tuple[Array, Array, Array]:
    """Check the arguments, and return unit vectors w (n, 3), v (n, 3) and sigmas (n,), rad."""
    w, v = numbers("body", body), numbers("inertial", inertial)
    for name, value in (("body", w), ("inertial", v)):
        if value.ndim != 2 or value.shape[1:] != (3,) or len(value) < 2:
            raise InputError(
                f"{name} must be two or more directions, shape (n, 3): one leaves a rotation undetermined; "
                f"got shape {value.shape}"
            )
        if not (np.abs(value).max(axis=1) > 0.0).all():
            raise InputError(f"{name} contains a direction of length zero; omit that measurement")
    if w.shape != v.shape:
        raise InputError(f"body and inertial must have the same number of directions; got {len(w)} and {len(v)}")
    given = numbers("sigma", sigma, "rad")
    if given.ndim > 1 or given.size not in {1, len(w)}:
        raise InputError(f"sigma must be one number or one for each of {len(w)} directions, rad; got {given.shape}")
    require_small("sigma, the noise of a direction about each axis perpendicular to it,", given)
    return _unit(w), _unit(v), np.broadcast_to(given.ravel(), len(w)).astype(np.float64)


def _unit(rows: Array) -> Array:
    scaled = rows / np.abs(rows).max(axis=1, keepdims=True)
    return np.asarray(scaled / np.linalg.norm(scaled, axis=1, keepdims=True))


def refuse_unobservable(w: Array, sigma: Array) -> None:
    """Raise if the directions (n, 3) are parallel within a few sigma, so that one angle is only noise."""
    values, axes = np.linalg.eigh(np.einsum("nij,n->ij", np.eye(3) - w[:, :, None] * w[:, None, :], sigma**-2.0))
    if values[0] * FEW_SIGMA**2 < 1.0:  # the standard deviation about that axis exceeds a third of a radian
        axis = axes[:, 0] * np.sign(axes[np.abs(axes[:, 0]).argmax(), 0])
        axis_text = ", ".join(f"{each:.3f}" for each in axis)
        raise InputError(
            f"the directions are parallel within {FEW_SIGMA:g} sigma: the rotation about body ({axis_text}) is "
            "unobservable; add a direction perpendicular to it"
        )
