"""Layout of the packed parameters of a flexible arm and of the rows of its nodes.

Rows: one per node, root first; the root's row follows from the hub.
States: the root's strain and, for each further node, NODE. Velocities and momenta: the root's strain rate and, for each
further node, MOTION, in inertial components.
"""

from ...hub.parameters import ELEMENT
from ...kernels.fields import fields

# header: number of Gauss points, then up to 5 times (position on 0..1, weight, weight of the spin about the tangent)
POINTS, GAUSS = 0, 1
HEADER_SIZE = 16
# the arm's part, after the header
ELEMENTS, LENGTH, AXIAL, TORSION, BEND_M, BEND_N, MASS, SPIN, SPIN_M, SPIN_N, DAMPING, TIP_MASS = range(12)
"""Number of elements, length of each; E A, G J, E Jy (about m), E Jz (about n); rho A, rho Jx, rho Jy, rho Jz; eta."""
OFFSET, FRAME = 12, 15  # position and axes l, m, n of the root in the hub
ARM_SIZE = 24
# columns of a row of nodes: r 0..2, l 3..5, m 6..8, n 9..11, strain
STRAIN = 12
POSE = 13
NODE = fields(position=3, attitude=4, strain=1)
MOTION = fields(velocity=3, rate=3, strain=1)
ROW = fields(element=ELEMENT.size, states=1, rates=1, work=1, velocity=1)
"""Head of the row of an arm in p: that of every element, the starts of its states, rates and work space, and the index
of its first velocity; its header and parameters follow."""
