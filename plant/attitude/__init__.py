"""Attitude of a rigid body: Euler parameters and all other attitude representations.

Conventions, the same throughout polhode:

- Euler parameters e = (e0, e1, e2, e3), scalar first, |e| = 1; e and -e are the same attitude.
- ``a_inertial = R(e) a_body``; the body rate is in body components, rad/s. Angles are in radians.
- Euler sequences are strings such as "3-1-3"; each rotation is about an axis of the rotated frame,
  R = R_i(a1) R_j(a2) R_k(a3).
- Leading axes are batch axes: a function of Euler parameters accepts any array of shape (..., 4), and two arguments
  broadcast against each other.
- Euler parameters whose norm is within 1e-6 of one are normalised; any other norm raises InputError.

Modules: `quaternion` (products, error attitude, angle), `rotation_matrix` (E, G, R and back), `sequences`
(the twelve Euler sequences and their singular poses), `euler_angles` (both conversions), `euler_rates` (Euler rates and
body rate), `rotation_vector`, `mrp` (modified Rodrigues parameters).
"""

from .euler_angles import from_euler_angles, to_euler_angles
from .euler_rates import euler_rate_matrix_body, euler_rate_matrix_inertial, euler_rates
from .mrp import from_mrp, shadow_mrp, to_mrp
from .quaternion import attitude_error, conjugate, quaternion_matrices, quaternion_product, rotation_angle
from .rotation_matrix import from_rotation_matrix, matrix_E, matrix_G, rotation_matrix
from .rotation_vector import from_rotation_vector, to_rotation_vector
from .sequences import SEQUENCES, parse_sequence, singular_middle_angles

__all__ = [
    "SEQUENCES",
    "attitude_error",
    "conjugate",
    "euler_rate_matrix_body",
    "euler_rate_matrix_inertial",
    "euler_rates",
    "from_euler_angles",
    "from_mrp",
    "from_rotation_matrix",
    "from_rotation_vector",
    "matrix_E",
    "matrix_G",
    "parse_sequence",
    "quaternion_matrices",
    "quaternion_product",
    "rotation_angle",
    "rotation_matrix",
    "shadow_mrp",
    "singular_middle_angles",
    "to_euler_angles",
    "to_mrp",
    "to_rotation_vector",
]
