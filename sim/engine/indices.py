"""Indices of the numbers of a run in the two small arrays that the engine keeps between calls.

The engine can stop and resume at any step; these arrays contain its whole state. A run therefore gives the same numbers
with and without interruptions for a progress bar or a Python law.

These indices are constants in the compiled kernels.
"""

from ...plant.hub.parameters import PULSE, PULSES
from ...plant.kernels.fields import fields

# clock: float64
T = 0  # now, s
T_END = 1
SAMPLE = 2  # law period, s; 0 without a law
DELAY = 3  # from sample to actuation, s
STEP = 4  # fixed step, or the largest adaptive one, s
H = 5  # next adaptive step, s
RTOL = 6
T_SEGMENT = 7  # start of the interval between two breakpoints
CLOSEST_HARD = 8  # smallest c reached by a port whose torque is unbounded at its pose
T_CLOSEST_HARD = 9
CLOSEST_SOFT = 10  # smallest c reached by a port whose torque direction is undefined there
T_CLOSEST_SOFT = 11
POSE_LIMIT = 12  # c at which a run ends
NORM_DRIFT = 13  # largest change of |e|^2 within a step before projection
LONGEST = 14  # longest adaptive step, s
TICK = 15  # common tick of all periods and offsets, s; 0 without blocks
CLOSEST_LOCK = 16  # smallest c reached by the Euler angles of a formulation
T_CLOSEST_LOCK = 17
SHORTEST = 18  # shortest implicit step after halving, s; 0 without halving
DRIFT = 19  # drift of |e|^2 in an implicit step that is computed but not taken yet
CLOCK_SIZE = 20

# count: int64
METHOD = 0
KS = 1  # next sample
KA = 2  # next command to take effect
KOUT = 3  # next output
N_OUT = 4
KEDGE = 5  # next edge
STEPS = 6
REJECTED = 7
MAX_STEPS = 8
BUDGET = 9  # pause when STEPS reaches this
SEGMENT_I = 10  # next fixed step of the interval
SEGMENT_N = 11  # fixed steps in the interval; 0 at the start of a new one
LAW_MODE = 12
HAVE_COMMAND = 13  # the caller has written a command to `command`
EVENT_PORT = 14
WATCH = 15  # 1 when some port, or the formulation, has a singular pose
FRESH = 16  # 1 when stages[0] does not hold the derivative at x
ROW_IN = 17  # row of the queue for the next command, and of the next one to take effect
ROW_OUT = 18
TAKEN = 19  # number of output rows taken out: the next row has the index KOUT - TAKEN
RETRY = 20  # 1 after a rejected step
EVENT_KIND = 21  # index of the pose that ended the run
BLOCKS = 22  # number of blocks in addition to the law
LAW_AT = 23  # index of the first block after the law
LAW_WIRES = 24  # inputs of the law: first wire and number of wires, then first input and number of inputs
LAW_COMMAND = 28  # index of its output among the signals
LAST = 29  # the block whose output acts; BLOCKS: that of the law; -1: several, see PORT_OF
COMMAND = 30  # where that stands
HAVE_ANSWER = 31  # the caller has written an output to `answer`
ASKED = 32  # the block that is called, or was called last
LAW_FURTHER = 33  # number of signal components that the law reads in addition to the plant outputs
EXTERNAL = 34  # 1 if a second control torque, from outside, precedes the scheduled ones
HALVINGS = 35  # the current implicit step is taken in parts of 1 / 2^HALVINGS
PART = 36  # the next of them
SOLVED = 37  # successive parts with a solution since the last halving
UNSOLVED = 38  # 1 if an implicit step within another, for a row or a pose, found no solution
TRIALS = 39  # parts of the current implicit step that were solved or rejected
COMPUTED = 40  # 1 if the current implicit step was computed, but its rows found no room
COUNT_SIZE = 41

SCHEDULE = fields(start=1, stop=1, torque=3)
"""A row of `schedule`: start and end of a scheduled torque, s, and its components in its basis, N m."""

# poses
HARD = 0  # where a torque is unbounded
SOFT = 1  # where a torque direction is undefined
LOCK = 2  # where the Euler rates of a formulation are unbounded

# methods: the code that takes the steps
RK4 = 0  # unrolled
EXPLICIT = 1  # any explicit tableau at fixed steps
DOP853 = 2  # an explicit tableau with its error and dense output
IMPLICIT = 3  # any implicit tableau at fixed steps
EXACT = 4  # no tableau: the motion in closed form

# law modes
NO_LAW = 0
COMPILED_LAW = 1
CALLER_LAW = 2

# return codes of a call
DONE = 1
PAUSED = 2
NEED_COMMAND = 3
SINGULAR = 4
NOT_FINITE = 5
STEP_COLLAPSE = 6
STEP_LIMIT = 7
BAD_COMMAND = 8
ROWS_FULL = 9  # no room for the next output row; the current step is repeated
NEED_ANSWER = 12  # of the block ASKED
BAD_ANSWER = 13  # a block wrote a value that is not finite
NOT_CONVERGED = 11  # the equations of an implicit step have no solution, however short the step
DOUBTFUL = 14  # for one run among several: the single run must report the reason; its state is unchanged
TOO_SLOW = 10  # of the stall guard, not of the engine: see `stall_guard`

BLOCK = fields(
    code=1, caller=1, period=1, offset=1, taken=1, given=1, wires=2, inputs=2, outputs=2, held=2, q=2, z=2, acts=1
)
"""A row of `blocks`: the function, whether the caller calls it, period and offset in ticks, samples taken and outputs
given; then start and count of each of (for q and z also the end): wires, inputs, signals it writes, and rows of pending
outputs; and whether it exerts a torque."""

PORT_OF = fields(command=1, limits=2, at=1, numbers=1)
"""A row of `ports`: index of the command to a control torque, or of the torque exerted by a block, among the signals;
start and end of its limits; its index in u, and its size: one on a coordinate of an element, without limits."""

EXTERNAL_AT = PULSES + PULSE.torque
"""Index in u of the second control torque of a craft, if any: that of the first scheduled torque, always on."""
