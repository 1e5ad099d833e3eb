"""Flat faces of a spacecraft, on which sunlight and the atmosphere act."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite, positive, vector
from ..errors import InputError
from ..frozen import frozen_arrays
from ..kernels.fields import fields

Array = NDArray[np.float64]

FACE = fields(
    normal=3, centre=3, moment=3, specular=1, diffuse=1, absorbed=1, pressure=1, emission=1, friction=1, paired=1
)
"""Parameters of a face in the packed array. moment: centre x normal. Areas (m^2) to which the forces are proportional:
2 rs A, 2/3 rd A and (1 - rs) A for sunlight; (2 - sn) A, sn/2 sqrt(Tw/T) A and st A/sqrt(pi) for the gas. paired: 1 if
the next face has the opposite normal, so that both share the terms of sunlight and gas."""

CLOSED = 1e-6
"""Largest accepted magnitude of the sum of the area vectors of a closed body, relative to the total area."""


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Face:
    """One side of a flat face. A thin panel consists of two faces with opposite normals.

    Parameters
    ----------
    area : float
        Area, m^2.
    normal : array_like, shape (3,)
        Outward normal, body axes, of any non-zero length.
    centre : array_like, shape (3,)
        Centre of area, from the mass centre of the hub, body axes, m.
    specular, diffuse : float
        Reflected fractions of sunlight; the rest is absorbed. Their sum is at most 1.
    normal_accommodation, tangential_accommodation : float
        Accommodation of molecular momentum, 0 (specular) to 1 (diffuse).

    Raises
    ------
    InputError
        When a value is out of range, or specular + diffuse > 1.
    """

    area: float
    normal: Array
    centre: Array
    specular: float = 0.0
    diffuse: float = 0.0
    normal_accommodation: float = 1.0
    tangential_accommodation: float = 1.0

    def __post_init__(self) -> None:
        positive("area of a face", self.area, "m^2")
        normal = vector("normal of a face", self.normal)
        length = float(np.linalg.norm(normal))
        if length == 0.0:
            raise InputError("the normal of a face must not be zero")
        object.__setattr__(self, "normal", normal / length)
        object.__setattr__(self, "centre", vector("centre of a face", self.centre, unit="m"))
        for name in ("specular", "diffuse", "normal_accommodation", "tangential_accommodation"):
            value = finite(name.replace("_", " "), getattr(self, name))
            if not 0.0 <= value <= 1.0:
                raise InputError(f"{name.replace('_', ' ')} of a face must be 0 to 1; got {value:g}")
        if self.specular + self.diffuse > 1.0 + 1e-12:
            raise InputError(
                f"a face reflects {self.specular:g} specularly and {self.diffuse:g} diffusely, "
                f"{self.specular + self.diffuse:g} of the sunlight: the sum must be at most 1"
            )

    def row(self, wall: float = 1.0) -> Array:
        """Return the parameters of the face for the kernels.

        Parameters
        ----------
        wall : float
            Ratio of the face temperature to the gas temperature.

        Returns
        -------
        numpy.ndarray, shape (16,)
            Parameters in the order of `FACE`.
        """
        light = 2.0 * self.specular, 2.0 / 3.0 * self.diffuse, 1.0 - self.specular
        gas = (
            2.0 - self.normal_accommodation,
            0.5 * self.normal_accommodation * np.sqrt(wall),
            self.tangential_accommodation / np.sqrt(np.pi),
        )
        areas = self.area * np.array([*light, *gas])
        return np.concatenate([self.normal, self.centre, np.cross(self.centre, self.normal), areas, [0.0]])


def packed_faces(faces: Sequence[Face], *, wall: float = 1.0) -> Array:
    """Return the rows of faces for the kernels, (n, 16).

    Faces with equal normals and coefficients are merged into one face at their centre of area, with the same total
    force and torque. Faces with opposite normals are placed next to each other.
    wall: ratio of the face temperature to the gas temperature.
    """
    alike: dict[tuple[float, ...], list[Face]] = {}
    for face in faces:
        coefficients = (face.specular, face.diffuse, face.normal_accommodation, face.tangential_accommodation)
        alike.setdefault((*(face.normal + 0.0).tolist(), *coefficients), []).append(face)
    rest = [_merged(group) for group in alike.values()]
    rows: list[Array] = []
    while rest:
        face = rest.pop(0)
        rows.append(face.row(wall))
        behind = next((k for k, each in enumerate(rest) if np.array_equal(each.normal, -face.normal)), -1)
        if behind >= 0:
            rows[-1][FACE.paired] = 1.0
            rows.append(rest.pop(behind).row(wall))
    return np.array(rows, dtype=np.float64).reshape(-1, FACE.size)


def _merged(faces: Sequence[Face]) -> Face:
    area = sum(face.area for face in faces)
    centre = sum((face.area * face.centre for face in faces), np.zeros(3)) / area
    return faces[0] if len(faces) == 1 else replace(faces[0], area=area, centre=centre)


def box_faces(
    size: ArrayLike,
    *,
    centre: ArrayLike = (0.0, 0.0, 0.0),
    specular: float = 0.0,
    diffuse: float = 0.0,
    normal_accommodation: float = 1.0,
    tangential_accommodation: float = 1.0,
) -> tuple[Face, ...]:
    """Return the six faces of a box.

    Parameters
    ----------
    size : array_like, shape (3,)
        Edge lengths along the body axes, m.
    centre : array_like, shape (3,)
        Centre of the box, from the mass centre, m.
    specular, diffuse : float
        Reflected fractions of sunlight.
    normal_accommodation, tangential_accommodation : float
        Accommodation of molecular momentum.

    Returns
    -------
    tuple of Face
        Faces +x, -x, +y, -y, +z, -z.

    Raises
    ------
    InputError
        When an edge is not positive, or a coefficient is out of range.
    """
    edges, middle = vector("edges of a box", size, unit="m"), vector("centre of a box", centre, unit="m")
    found: list[Face] = []
    for axis in range(3):
        area = positive("edge of a box", edges[(axis + 1) % 3], "m") * positive(
            "edge of a box", edges[(axis + 2) % 3], "m"
        )
        for sign in (1.0, -1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            face = Face(
                area=area, normal=normal, centre=middle + 0.5 * edges * normal, specular=specular, diffuse=diffuse,
                normal_accommodation=normal_accommodation, tangential_accommodation=tangential_accommodation,
            )  # fmt: skip
            found.append(face)
    return tuple(found)


def require_closed(faces: Sequence[Face]) -> None:
    """Raise InputError unless the area vectors of the faces add up to zero, as for a closed body."""
    total = np.sum([face.area * face.normal for face in faces], axis=0)
    area = sum(face.area for face in faces)
    if float(np.linalg.norm(total)) > CLOSED * area:
        text = ", ".join(f"{each:.6g}" for each in total)
        raise InputError(
            f"the faces do not close: their area vectors add up to ({text}) m^2, of {area:.6g} m^2 in total; "
            "add the missing faces (a thin panel has two, one per side), or declare the body open"
        )
