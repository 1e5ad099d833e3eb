"""Layout of the packed parameters of a flexible arm and of the pose table of its nodes.

Pose table: one row per node, root first. The root's row is computed from the hub's state.
States: the strain at the root and, for each further node, the fields of NODE. Velocities and momenta: the strain rate
at the root and, for each further node, the fields of MOTION, in inertial components.
"""

from ...hub.parameters import ELEMENT
from ...kernels.fields import fields

# header: number of Gauss points, then for each of up to 5: position on 0..1, weight, weight of the tangent spin
POINTS, GAUSS = 0, 1
HEADER_SIZE = 16
# parameters of the arm, after the header
ELEMENTS, LENGTH, AXIAL, TORSION, BEND_M, BEND_N, MASS, SPIN, SPIN_M, SPIN_N, DAMPING, TIP_MASS = range(12)
"""Number and length of the elements; E A, G J, E Jy (about m), E Jz (about n); rho A, rho Jx, rho Jy, rho Jz; eta; tip
mass."""
OFFSET, FRAME = 12, 15  # position and axes l, m, n of the root in the hub
ARM_SIZE = 24
# columns of the pose table: r 0..2, l 3..5, m 6..8, n 9..11, strain
STRAIN = 12
POSE = 13
NODE = fields(position=3, attitude=4, strain=1)
MOTION = fields(velocity=3, rate=3, strain=1)
ROW = fields(element=ELEMENT.size, states=1, rates=1, work=1, velocity=1)
"""Head of the row of an arm in p: the head common to all elements, the starts of states, rates and workspace, and the
index of the first velocity. Header and parameters of the arm follow."""
