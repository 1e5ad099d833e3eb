"""Layout of the packed parameter array `p` of the kernels.

One float64 array holds everything a kernel needs, so that a compiled loop passes a single pointer. A header comes
first, then the tables of torque ports, potentials, dampers and elements.

Kernels are compiled with these indices as constants.
"""

from ..kernels.fields import fields

N_STATES = 0  # length of x, ledger included
N_PORTS = 1  # torque ports: the control input, then one per scheduled torque
N_POTENTIALS = 2
N_DAMPERS = 3
TRANSLATION = 4  # 1 if position and linear momentum are states
LEDGER = 5  # 1 if work and impulse are integrated along with the state
USER = 6  # 1 if there are user-defined potentials or user forces
MASS = 7  # total mass, kg; 0 if not stated
AT_POTENTIALS = 8  # index of the first row of each table
AT_DAMPERS = 9
INERTIA = 10  # of the hub about the pivot or mass centre, 3 x 3, row by row
INVERSE = 19  # inverse of INERTIA
N_ELEMENTS = 28
AT_ELEMENTS = 29
N_INTERNAL = 30  # number of internal coordinates s, and of their momenta
POSITION = 31  # starts of c and P in x if they are states
LINEAR_MOMENTUM = 32
REDUCED = 33  # total mass if the mass centre is free and elements move it, else 0
CONSTANT = 34  # index of the inverse of the mass matrix if it is constant, else 0
W_B = 35  # starts of the parts of the workspace, see `composition`
W_V = 36
W_G = 37
W_LINEAR = 38
W_MOMENT = 39
W_SUMS = 40
LOCKED = 41  # initial inertia of hub and elements, 3 x 3, for the gravity gradient
THROUGH_ELEMENTS = 50  # 1 if the control torque acts through elements (wheels), not from outside
HELD = 51  # 1 if the body is held at a pivot
CENTRE = 52  # vector from the pivot to the hub's mass centre, body components (3)
HUB_SHARE = 55  # if pivoted: hub mass / total mass
SHARE = 56  # if pivoted: 1 / total mass; 0 if elements have no weight; negative if the hub mass is not stated
W_FAULT = 57  # fault record of user functions in the workspace, see `faults`
W_HUB = 58  # start in w of the coupling between the hub and elements with their own states: ROOT_VV to GRADIENT
OWN_SIZE = 59  # number of states of elements with their own states; they come last in x
OWN_AT = 60  # start of these states in x
W_OWN = 61  # start of their rates of change in the workspace
AT_OWN = 62  # first row of an element with its own states, after the rows of the other elements
N_OWN = 63  # number of elements with their own states
NEAR_MASS = 64  # mass of the hub and the elements without their own states, kg
N_UNITS = 65  # number of sets of Euler parameters among the own states of elements
AT_UNITS = 66  # table of the starts of these Euler parameters in x
VARIES = 67  # 1 if a field needs the current inertia, since elements change it
W_IMPLICIT = 68  # start of the workspace of implicit steps, see `implicit_places`
# table of the indices in x of the momenta among the own states of elements; after it, for each of the N_UNITS nodes,
# the starts of its two vectors among the velocities of an implicit step
AT_MOMENTA = 69
N_MOMENTA = 70  # number of these momenta
VIEW = 71  # row of the formulation in whose states the spacecraft is integrated, see `formulations.view`; 0: none
W_VIEW = 72  # start of the workspace of the formulation
BARE = 73  # 1 if the spacecraft has neither elements nor a formulation
DRIVEN = 74  # 1 if a port acts on a coordinate of an element
READS_MOMENTUM = 75  # 1 if a load depends on the total momentum
OUTFLOW = 76  # 1 if thrusters of the elements exert a force, or reduce the mass
W_CELL = 77  # place in the workspace of the active cell of a wheel array, from the start of its allocation table
AT_PORTS = 78  # the port table always starts here
FORCE_ROW = 12  # kind and up to 11 parameters of a potential or damper

ELEMENT = fields(function=1, length=1, first=1, coordinates=1)
"""Head of the row of an element: function, row length, index of its first coordinate and number of coordinates. The
parameters of the element follow."""

VIEW_ROW = fields(function=1, states=1, at=1, project=1)
"""Head of the row of a formulation: function, number of states, their start in x, and 1 if they are projected onto
their constraints after each step. The parameters of the formulation follow."""

VIEW_WORK = fields(multiplier=1, lock=1, drift=1, load=13, seen=7)
"""Workspace of a formulation: multiplier; |sin a2| or |cos a2| of its Euler angles (2 without Euler angles); the last
correction of |e|^2; load; Euler parameters and body rate computed from its states."""

PORT = fields(basis=1, axes=3, damping=3, start=1, turning=1)
"""Row of the port table: basis and its axes i, j, k. The row of a scheduled torque continues with the damping of Euler
rates, the start time, and 2 pi / length if shaped (0: constant). For a torque on an element, i is the index of its
coordinate, and only the first of the three components in u acts. For a wheel fault, i is the index of the wheel's
coordinate, and the entries of the damping are the remaining fraction of the motor torque, and the added viscous and
Coulomb friction."""

PULSES = 3
PULSE = fields(gate=1, torque=3)
"""Fields per scheduled torque in the inputs u, from PULSES on: whether it is active, and its components. The control
input comes before them."""

ROOT_VV, ROOT_VW, ROOT_P, ROOT_PI, HUB_V, HUB_A, FIELD, GRADIENT, LOCKED_NOW, LOST, OUT, HUB_SIZE = (
    0,
    9,
    18,
    21,
    24,
    27,
    36,
    39,
    48,
    57,
    58,
    68,
)
"""Entries at W_HUB, body axes. In this order: contributions of condensed elements to the mass matrix of (v0, omega),
3 x 3 each, where v0 is the velocity of the reference point relative to the mass centre; their contributions to the
right-hand side, linear and angular; v0; the inverse of the block of v0; an acceleration field a0 + G r at r from the
reference point (3 and 3 x 3); the current inertia of all parts about the total mass centre; the mass that has left the
spacecraft; OUT_OF."""

OUT_OF = fields(flow=1, torque=3, force=3, shift=3)
"""Entries at OUT, body axes: mass flow out of the spacecraft, kg/s; torque and force of the thrusters and of the flow,
about the reference point of the hub; sum over the tanks of flow times position from the total mass centre, kg m/s."""

NEAR = 9
"""Number of velocities in an implicit step, without those of coordinates and elements; see `implicit_places`."""

PROBED = 1e300
"""Value of the power in the workspace while a field evaluates the dependence of the inertia on the coordinates by calls
of FORCES at unit rates; see `polhode.plant.elements.assembly.is_probed`."""

INTERNAL = 7  # start of s in x; p follows
LEDGER_SIZE = 4  # work (1) and inertial angular impulse (3), at the end of x
