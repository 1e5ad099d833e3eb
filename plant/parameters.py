"""Where each number of a plant stands in the packed parameter array `p` of the kernels.

One float64 array holds everything a kernel needs, so that a compiled loop passes a single pointer.
A header is followed by three tables: torque ports, potentials, dampers.

These numbers are compiled into the kernels that read them.
"""

N_STATES = 0  # length of x, ledger included
N_PORTS = 1  # torque ports: the control input, then one per scheduled torque
N_POTENTIALS = 2
N_DAMPERS = 3
TRANSLATION = 4  # 1 when position and momentum are states
LEDGER = 5  # 1 when work and impulse are integrated beside the state
USER = 6  # 1 when a user's own potentials or efforts act
MASS = 7  # kg; 0 when the body has no mass given
AT_POTENTIALS = 8  # index of the first row of each table
AT_DAMPERS = 9
INERTIA = 10  # 3 x 3, row by row, about the fixed point or mass centre
INVERSE = 19  # its inverse
AT_PORTS = 28  # the port table always starts here
PORT_ROW = 8  # basis, i, j, k, damping (3), gated
FORCE_ROW = 12  # kind and up to 11 numbers: a potential or a damper

UNIFORM_GRAVITY = 1
SPRING = 2
GRAVITY_GRADIENT = 3

POSITION = 7  # where c and P stand in x when they are states
LINEAR_MOMENTUM = 10
LEDGER_SIZE = 4  # work (1) and inertial angular impulse (3), at the end of x
