"""Where each number of a plant stands in the packed parameter array `p` of the kernels.

One float64 array holds everything a kernel needs, so that a compiled loop passes a single pointer.
A header is followed by three tables: torque ports, potentials, dampers.

These numbers are compiled into the kernels that read them.
"""

from ..kernels.fields import fields

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
W_HUB = 58  # where the elements with states of their own meet the hub in the work space; its parts in `implicit_places`
OWN_SIZE = 59  # how many states of their own elements have, beside coordinates and momenta; they follow all others in x
OWN_AT = 60  # where they begin in x
W_OWN = 61  # their rates of change in the work space
AT_OWN = 62  # the first row of such an element; they stand behind the others
N_OWN = 63  # how many such elements
NEAR_MASS = 64  # kg, of the hub and the elements without states of their own
N_UNITS = 65  # Euler parameters among those states
AT_UNITS = 66  # the table of their places in x
VARIES = 67  # 1 when a field wants the inertia as it is, for elements change it
W_IMPLICIT = 68  # what an implicit step works on in the work space; its parts in `implicit_places`
AT_MOMENTA = 69  # the table of the places in x of the momenta among the states elements have of their own; behind it
# for each of N_UNITS where the two vectors of its node begin among the velocities of an implicit step
N_MOMENTA = 70  # how many they are
VIEW = 71  # the row of the formulation in whose states the craft is integrated, see `formulations.view`; 0 without one
W_VIEW = 72  # where the formulation has its part of the work space
BARE = 73  # 1 where momentum and Euler parameters are all there is: no elements, no formulation
DRIVEN = 74  # 1 where some port acts on a coordinate of an element
AT_PORTS = 75  # the port table always starts here
FORCE_ROW = 12  # kind and up to 11 numbers: a potential or a damper

ELEMENT = fields(function=1, length=1, first=1, coordinates=1)
"""How the row of an element begins: its function, the length of the row, its first coordinate and how many it has; then
its own numbers."""

VIEW_ROW = fields(function=1, states=1, at=1, project=1)
"""How the row of a formulation begins: its function, how many states it has, where they begin in x, and 1 when they are
put back on their constraints after each step; then its own numbers."""

VIEW_WORK = fields(multiplier=1, lock=1, drift=1, load=13, seen=7)
"""The work space of a formulation: its multiplier; |sin a2| or |cos a2| of its Euler angles, 2 without; what was taken
off |e|^2 last; its load; Euler parameters and rate that it shows."""

PORT = fields(basis=1, axes=3, damping=3, start=1, turning=1)
"""A row of the port table: basis and its axes i, j, k; of a scheduled torque its damping of the Euler rates, when it
starts, and 2 pi / length where it is shaped (0: constant). On a coordinate of an element i is the number of that, and
of its three components in u the first alone acts."""

PULSES = 3
PULSE = fields(gate=1, torque=3)
"""What acts, u: the control input, then from PULSES on for each scheduled torque whether it is on, and its
components."""

ROOT_VV, ROOT_VW, ROOT_P, ROOT_PI, HUB_V, HUB_A, FIELD, GRADIENT, LOCKED_NOW, HUB_SIZE = (
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
)
"""At W_HUB, body axes: what condensed elements add to the mass matrix of (v0, omega), 3 x 3 each, v0 being the velocity
of the reference point from the mass centre; what they add to the right side, linear and angular; v0; the inverse of the
block of v0; an acceleration of everything, a0 + G r at r from the reference point (3 and 3 x 3); the inertia of
everything as it is, about its mass centre."""

NEAR = 9
"""Velocities of an implicit step that are not elements' own, without those of coordinates: see `implicit_places`."""

INTERNAL = 7  # where s begins in x; p follows it
LEDGER_SIZE = 4  # work (1) and inertial angular impulse (3), at the end of x
