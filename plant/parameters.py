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
MASS = 7  # kg, of everything that translates; 0 when none is given
AT_POTENTIALS = 8  # index of the first row of each table
AT_DAMPERS = 9
INERTIA = 10  # 3 x 3, row by row, about the fixed point or mass centre: the hub
INVERSE = 19  # its inverse
N_ELEMENTS = 28
AT_ELEMENTS = 29
N_INTERNAL = 30  # internal coordinates s, and as many momenta
POSITION = 31  # where c and P stand in x when they are states
LINEAR_MOMENTUM = 32
REDUCED = 33  # total mass when the mass centre is free and elements move it, else 0
CONSTANT = 34  # index of the inverse of the whole mass matrix where that is constant, else 0
W_B = 35  # where the parts of the work space begin, see `composition`
W_V = 36
W_G = 37
W_LINEAR = 38
W_MOMENT = 39
W_SUMS = 40
LOCKED = 41  # 3 x 3: inertia of hub and elements together at the start, for the gravity gradient
THROUGH_ELEMENTS = 50  # 1 when the control input is demanded of the elements (wheels), not applied from outside
HELD = 51  # 1 when the body is held at a pivot
CENTRE = 52  # from the pivot to the hub's own mass centre, body components (3)
HUB_SHARE = 55  # of a held craft: the hub's share of the whole mass, and 1 / whole mass where elements have weight
SHARE = 56  # (0 where they have none, less than 0 where the hub's mass is not given and the mass centre not known)
W_FAULT = 57  # where the work space notes what a user's own function did wrong, see `faults`
AT_PORTS = 58  # the port table always starts here
PORT_ROW = 8  # basis, i, j, k, damping (3), gated
FORCE_ROW = 12  # kind and up to 11 numbers: a potential or a damper
ELEMENT_HEAD = 4  # function, length of the row, first coordinate, number of coordinates; then the element's own

UNIFORM_GRAVITY = 1
SPRING = 2
GRAVITY_GRADIENT = 3
GUIDED_SPRING = 4

INTERNAL = 7  # where s begins in x; p follows it
LEDGER_SIZE = 4  # work (1) and inertial angular impulse (3), at the end of x
