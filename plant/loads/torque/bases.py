"""The Euler basis and its dual at an attitude: vectors, lengths, condition number and verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...brief import brief
from ...frozen import frozen_arrays
from .singularity import Singularity

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class TorqueBases:
    """The Euler basis and the dual Euler basis of a sequence at an attitude.

    Parameters
    ----------
    sequence : str
        The Euler sequence.
    angles : numpy.ndarray, shape (3,)
        The Euler angles, rad.
    attitude : numpy.ndarray, shape (4,)
        Euler parameters, scalar first.
    euler_body, euler_inertial : numpy.ndarray, shape (3, 3)
        Rows g1, g2, g3, in body and inertial components.
    dual_body, dual_inertial : numpy.ndarray, shape (3, 3)
        Rows g^1, g^2, g^3, in body and inertial components; at a singular pose g^1 and g^3 do not exist and are NaN.
    euler_lengths, dual_lengths : numpy.ndarray, shape (3,)
        Lengths of the vectors; g^1 and g^3 are infinite at a singular pose.
    condition : float
        Condition number of [g1 g2 g3] in the 2-norm; infinite at a singular pose.
    distance : float
        Angle between the middle angle and its nearest singular value, rad.
    singular : bool
        Whether the attitude is a singular pose to double precision.
    verdicts : mapping of str to Singularity
        Verdicts of Choi's theorems on torque components in the "inertial frame" and the "body frame", and along
        "g1, g3", "g2", "g^2" and "g^1, g^3".
    """

    sequence: str
    angles: Array
    attitude: Array
    euler_body: Array
    euler_inertial: Array
    dual_body: Array
    dual_inertial: Array
    euler_lengths: Array
    dual_lengths: Array
    condition: float
    distance: float
    singular: bool
    verdicts: Mapping[str, Singularity]

    __repr__ = brief

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain numbers, lists and strings, for JSON; the keys name the units.

        Returns
        -------
        dict
            All results; infinite and NaN entries are kept.
        """
        return {
            "sequence": self.sequence,
            "angles_deg": np.degrees(self.angles).tolist(),
            "angles_rad": self.angles.tolist(),
            "attitude": self.attitude.tolist(),
            "euler_basis": {
                "body": self.euler_body.tolist(),
                "inertial": self.euler_inertial.tolist(),
                "lengths": self.euler_lengths.tolist(),
            },
            "dual_basis": {
                "body": self.dual_body.tolist(),
                "inertial": self.dual_inertial.tolist(),
                "lengths": self.dual_lengths.tolist(),
            },
            "condition_number": self.condition,
            "distance_deg": float(np.degrees(self.distance)),
            "distance_rad": self.distance,
            "singular": self.singular,
            "theorems": [
                {
                    "components": components,
                    "theorem": verdict.theorem,
                    "behaviour": verdict.behaviour,
                    "amplification": verdict.amplification,
                }
                for components, verdict in self.verdicts.items()
            ],
        }
