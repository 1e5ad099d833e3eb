"""Multivariate distributions: vectors, directions, rotations, inertia tensors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from ....plant import RigidBody
from ....plant.attitude import from_rotation_vector, quaternion_product, rotation_matrix
from ....plant.brief import brief
from ....plant.checks import each_positive, of_kind
from ....plant.errors import InputError
from ....plant.quantity import NUMBER, QUATERNION, VECTOR, Shape, check_fields, declared, quantity
from .distribution import Distribution

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Componentwise(Distribution):
    """A vector with independent entries.

    Parameters
    ----------
    parts : sequence of Distribution
        Distributions of the entries.

    Raises
    ------
    InputError
        When an entry is not a distribution of one number.
    """

    parts: tuple[Distribution, ...]

    def __post_init__(self) -> None:
        """Check the parts."""
        object.__setattr__(self, "parts", tuple(self.parts))
        for part in self.parts:
            of_kind("each entry of a vector", part, Distribution, such_as="a distribution, such as Normal(...)")
            if part.uniforms != 1:
                raise InputError(
                    "each entry of a vector must have one number; a direction or a rotation cannot be an entry"
                )

    @property
    def uniforms(self) -> int:
        """Number of uniform numbers per value: one for each entry."""
        return len(self.parts)

    @property
    def nominal(self) -> Array:
        """The nominal value: the nominal values of the entries."""
        return np.array([part.nominal for part in self.parts])

    @property
    def unbounded(self) -> bool:
        """True if any part is unbounded."""
        return any(part.unbounded for part in self.parts)

    @property
    def is_discrete(self) -> bool:
        """True if any part is discontinuous."""
        return any(part.is_discrete for part in self.parts)

    def _within(self, place: Array, sigmas: float) -> Array:
        """Return the uniform numbers of all parts at a point (n,) of the search range."""
        return np.concatenate([part.within(place[n : n + 1], sigmas) for n, part in enumerate(self.parts)])

    def _several(self, u: Array) -> Array:
        """Return the vectors for u, shape (runs, n)."""
        parts = [part.several(u[:, n : n + 1]) for n, part in enumerate(self.parts)]
        return np.array(parts).swapaxes(0, 1)

    def _value(self, u: Array) -> Array:
        """Return the vector for u, shape (n,)."""
        return self._several(u[None])[0]


def _sigma(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    return each_positive(name, value, unit=unit, zero=True)


def _tensor(name: str, value: ArrayLike, unit: str, bound: str) -> Array:
    return np.array(RigidBody(value).inertia)


SIGMA: Shape[ArrayLike, Array] = Shape(_sigma, "one or per entry")
TENSOR: Shape[ArrayLike, Array] = Shape(_tensor, "inertia")


@declared
class Direction(Distribution):
    """A vector of fixed length with a random direction, uniform on the sphere or a spherical cap.

    Parameters
    ----------
    length : float
        Length of the vector.
    about : array_like, shape (3,), optional
        Axis of the cap, of any non-zero length. By default, the direction is uniform on the whole sphere.
    half_angle : float, optional
        Half-angle of the cap, rad; required with `about`.

    Raises
    ------
    InputError
        When a parameter is out of range, or only one of `about` and `half_angle` is given.
    """

    whole: ClassVar[bool] = True
    together: ClassVar[Sequence[str]] = ("about", "half_angle")

    length: float = quantity(converter=NUMBER, positive=True, doc="length of the vector, in the unit of the key")
    about: Array | None = quantity(converter=VECTOR, optional=True, default=None, doc="centre of the cap")
    half_angle: float | None = quantity(
        "rad", converter=NUMBER, case="deg", positive=True, at_most=pi, hint="degrees?", optional=True, default=None,
        doc="half-angle of the cap",
    )  # fmt: skip

    __repr__ = brief

    @property
    def uniforms(self) -> int:
        """Number of uniform numbers per value: two, for height and azimuth."""
        return 2

    def __post_init__(self) -> None:
        """Check the parameters, and normalise the axis."""
        check_fields(self, of="a direction")
        if (self.about is None) != (self.half_angle is None):
            raise InputError("about and half_angle of a direction must be given together, or both omitted")
        if self.about is not None:
            size = float(np.linalg.norm(self.about))
            if size == 0.0:
                raise InputError("about must be 3 numbers, not all zero; got (0, 0, 0)")
            object.__setattr__(self, "about", self.about / size)

    @property
    def nominal(self) -> Array:
        """The nominal value: along the axis of the cap, or along the third axis for the whole sphere."""
        return self.length * np.asarray((0.0, 0.0, 1.0) if self.about is None else self.about)

    @property
    def unbounded(self) -> bool:
        """False: a direction is bounded."""
        return False

    def _value(self, u: Array) -> Array:
        """Return the vector (3,) for u (2,): area fraction within its cone, and azimuth."""
        top = 1.0 - cos(pi if self.half_angle is None else self.half_angle)
        height, turn = 1.0 - top * float(u[0]), 2.0 * pi * float(u[1])
        across = sqrt(max(0.0, 1.0 - height * height))
        axis = np.asarray((0.0, 0.0, 1.0) if self.about is None else self.about)
        least = np.eye(3)[int(np.argmin(np.abs(axis)))]
        one = np.cross(axis, least)
        one /= np.linalg.norm(one)
        return self.length * (height * axis + across * (cos(turn) * one + sin(turn) * np.cross(axis, one)))


@declared
class Rotation(Distribution):
    """A random attitude: uniform over all rotations, or a mean rotated by a normal rotation vector.

    Parameters
    ----------
    about : array_like, shape (4,), optional
        Euler parameters of the mean attitude, scalar first; required with `sigma`. By default uniform.
    sigma : float or array_like, shape (3,), optional
        Standard deviation of the rotation vector about the body axes, rad; required with `about`.

    Raises
    ------
    InputError
        When only one of `about` and `sigma` is given, or one is invalid.

    Notes
    -----
    Uniform rotations (Haar measure) from three uniform numbers: K. Shoemake (1992).
    """

    whole: ClassVar[bool] = True

    about: Array | None = quantity(
        converter=QUATERNION, case=None, optional=True, default=None, doc="mean attitude, Euler parameters"
    )
    sigma: Array | None = quantity(
        "rad", converter=SIGMA, case="deg", positive=True, optional=True, default=None,
        doc="1 sigma about the value in the case, body axes; by default uniform rotations",
    )  # fmt: skip

    __repr__ = brief

    @classmethod
    def _dispersed(cls, value: Any, given: Mapping[str, Any]) -> "Rotation":
        """Return the uniform distribution, or the one about the attitude in the case."""
        return cls(about=value or (1.0, 0.0, 0.0, 0.0), **given) if given else cls()

    @property
    def uniforms(self) -> int:
        """Number of uniform numbers per value: three."""
        return 3

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_fields(self, of="a rotation")
        if (self.about is None) != (self.sigma is None):
            raise InputError(
                "about and sigma of a rotation must be given together, or both omitted for uniform rotations"
            )

    @property
    def nominal(self) -> Array:
        """The nominal value: the mean attitude, or (1, 0, 0, 0) for uniform rotations."""
        return np.array((1.0, 0.0, 0.0, 0.0)) if self.about is None else np.asarray(self.about)

    @property
    def unbounded(self) -> bool:
        """True unless the rotations are uniform."""
        return self.about is not None

    def _value(self, u: Array) -> Array:
        """Return the Euler parameters (4,) for u (3,)."""
        if self.about is None:
            inner, outer = sqrt(1.0 - float(u[0])), sqrt(float(u[0]))
            a, b = 2.0 * pi * float(u[1]), 2.0 * pi * float(u[2])
            return np.array((outer * cos(b), inner * sin(a), inner * cos(a), outer * sin(b)))
        off = np.asarray(self.sigma) * ndtri(u)
        return np.asarray(quaternion_product(np.asarray(self.about), from_rotation_vector(off)))


@declared
class Inertia(Distribution):
    """A physically valid random inertia tensor: the mass distribution is dispersed instead of the moments.

    The tensor is ``J = tr(S) 1 - S`` with the second moments S of the mass, and every positive S is possible. Each
    principal second moment is multiplied by ``exp(scatter z)`` with z normal, and the principal axes are rotated by a
    normal rotation vector. Independent moments of inertia may violate the triangle inequality; moments from this
    distribution cannot.

    Parameters
    ----------
    tensor : array_like, shape (3,) or (3, 3)
        Principal moments, or the tensor, kg m^2.
    relative_sigma : float
        Root mean square of the relative standard deviations of the three principal moments, to first order. The three
        second moments have the same relative dispersion.
    axes_sigma : float
        Standard deviation of the rotation of the principal axes about each axis, rad.

    Raises
    ------
    InputError
        When the tensor is not an inertia tensor, or a parameter is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> flat = Inertia(tensor=(1.0, 1.0, 2.0), relative_sigma=0.2)  # a disk: any larger third moment is unphysical
    >>> x, y, z = np.linalg.eigvalsh(flat.value(np.array([0.9, 0.2, 0.7, 0.5, 0.5, 0.5])))
    >>> bool(x + y >= z * (1.0 - 1e-12))
    True
    """

    whole: ClassVar[bool] = True

    tensor: Array = quantity("kg m^2", converter=TENSOR, case=None, doc="undispersed inertia")
    relative_sigma: float = quantity(
        converter=NUMBER, non_negative=True, below=1.0, doc="standard deviation relative to the value in the case"
    )
    axes_sigma: float = quantity(
        "rad", converter=NUMBER, case="deg", non_negative=True, below=1.0, default=0.0,
        doc="1-sigma rotation of the principal axes",
    )  # fmt: skip

    __repr__ = brief

    @classmethod
    def _dispersed(cls, value: Any, given: Mapping[str, Any]) -> "Inertia":
        """Return the distribution about a tensor."""
        return cls(tensor=value, **given)

    @property
    def uniforms(self) -> int:
        """Uniform random numbers drawn per value: three for the second moments and three for the angles."""
        return 6

    @property
    def nominal(self) -> Array:
        """The nominal value: the undispersed tensor."""
        return np.asarray(self.tensor)

    def __post_init__(self) -> None:
        """Check the parameters, and that the tensor is a valid inertia."""
        check_fields(self)

    def _several(self, u: Array) -> Array:
        """Return the tensors (n, 3, 3), kg m^2, for u (n, 6)."""
        moments, axes = np.linalg.eigh(np.asarray(self.tensor))
        second = np.maximum(0.5 * moments.sum() - moments, 0.0)
        z = ndtri(u)
        second = second * np.exp(np.ascontiguousarray(self._scatter(moments, second) * z[:, :3]))
        principal = second[:, [1, 2, 0]] + second[:, [2, 0, 1]]
        turned = np.broadcast_to(axes, (len(u), 3, 3))
        if self.axes_sigma:
            turned = np.array([axes @ rotation_matrix(from_rotation_vector(self.axes_sigma * row)) for row in z[:, 3:]])
        # written out, so that one tensor and many have the same round-off
        parts = [turned[:, :, None, k] * turned[:, None, :, k] * principal[:, k, None, None] for k in range(3)]
        return parts[0] + parts[1] + parts[2]

    def _value(self, u: Array) -> Array:
        """Return the tensor (3, 3), kg m^2, for u (6,)."""
        return self._several(u[None])[0]

    def _scatter(self, moments: Array, second: Array) -> float:
        """Return the standard deviation of log S; to first order dJ_i = sum over j != i of S_j scatter z_j."""
        squares = [float(second @ second - s * s) / J**2 for s, J in zip(second, moments, strict=True)]
        return self.relative_sigma / sqrt(sum(squares) / 3.0)
