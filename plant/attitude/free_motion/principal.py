"""Principal axes of an inertia tensor, in ascending order, with equal moments identified."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...frozen import frozen_arrays
from ...hub.inertia import inertia_matrix

Array = NDArray[np.float64]

ROUNDING = 8.0 * np.finfo(np.float64).eps  # relative rounding error of an eigenvalue of a 3 x 3 tensor


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class PrincipalAxes:
    """Principal axes of a body.

    Parameters
    ----------
    moments : numpy.ndarray, shape (3,)
        Principal moments, ascending: minor, middle, major, kg m^2; set exactly equal if they differ by rounding.
    axes : numpy.ndarray, shape (3, 3)
        Column n is the unit vector of moment n in body components; right-handed.
    exact : bool
        Whether the tensor was diagonal, so that the axes have no rounding errors.

    Examples
    --------
    >>> principal_axes((400.0, 307.808385, 200.0)).moments
    array([200. , 307.808385, 400. ])
    """

    moments: Array
    axes: Array
    exact: bool

    @property
    def gaps(self) -> tuple[float, float, float]:
        """Differences (1/J1 - 1/J2, 1/J2 - 1/J3, 1/J1 - 1/J3) of ascending moments, 1/(kg m^2); not negative."""
        low, middle, high = (float(value) for value in self.moments)
        return (middle - low) / (low * middle), (high - middle) / (middle * high), (high - low) / (low * high)

    def rate(self, momentum: Array) -> Array:
        """Return the body rate at a given momentum.

        Parameters
        ----------
        momentum : numpy.ndarray, shape (..., 3)
            Body components, N m s.

        Returns
        -------
        numpy.ndarray, shape (..., 3)
            Body components, rad/s.
        """
        return ((momentum @ self.axes) / self.moments) @ self.axes.T

    def momentum(self, rate: Array) -> Array:
        """Return the momentum at a given body rate.

        Parameters
        ----------
        rate : numpy.ndarray, shape (..., 3)
            Body components, rad/s.

        Returns
        -------
        numpy.ndarray, shape (..., 3)
            Body components, N m s.
        """
        return ((rate @ self.axes) * self.moments) @ self.axes.T


def principal_axes(inertia: ArrayLike) -> PrincipalAxes:
    """Return the principal moments and axes of an inertia.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Principal moments or the full tensor in body axes, kg m^2.

    Returns
    -------
    PrincipalAxes
        In ascending order of the moments; a diagonal tensor keeps its axes, up to order and sign.

    Raises
    ------
    InputError
        When the inertia is not physical.
    """
    tensor = inertia_matrix(inertia)
    exact = not np.any(tensor - np.diag(np.diagonal(tensor)))
    if exact:
        order = np.argsort(np.diagonal(tensor), kind="stable")
        moments, axes = np.diagonal(tensor)[order].copy(), np.eye(3)[:, order]
    else:
        moments, axes = np.linalg.eigh(tensor)
        axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), range(3)] < 0.0, -1.0, 1.0)
        for n in (1, 2):
            if moments[n] - moments[n - 1] <= ROUNDING * moments[2]:
                moments[n] = moments[n - 1]
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    return PrincipalAxes(moments=moments, axes=axes, exact=exact)
