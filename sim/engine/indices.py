"""Indices of the numbers of a run in the two small arrays that the engine keeps between calls.

The engine can stop and resume at any step, with all of its state here. A run therefore gives the same numbers with
and without interruptions for a progress bar or a Python law.

These numbers are compiled into the kernels that read them.
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
T_SEGMENT = 7  # where the stretch between two breakpoints began
CLOSEST_HARD = 8  # smallest c met by a port whose torque is unbounded at its pose
T_CLOSEST_HARD = 9
CLOSEST_SOFT = 10  # smallest c met by a port whose torque direction is undefined there
T_CLOSEST_SOFT = 11
POSE_LIMIT = 12  # c at which a run ends
NORM_DRIFT = 13  # largest change of |e|^2 within a step before projection
LONGEST = 14  # longest adaptive step, s
TICK = 15  # of which every period and offset is a multiple, s; 0 without blocks
CLOSEST_LOCK = 16  # smallest c met of the Euler angles of a formulation
T_CLOSEST_LOCK = 17
SHORTEST = 18  # of the implicit steps that were halved, s; 0 where none was
DRIFT = 19  # of |e|^2 in the implicit step that was computed and is not taken yet
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
SEGMENT_I = 10  # next fixed step of the stretch
SEGMENT_N = 11  # fixed steps in the stretch; 0 when a new one is to begin
LAW_MODE = 12
HAVE_COMMAND = 13  # the caller has put a command into `command`
EVENT_PORT = 14
WATCH = 15  # 1 when some port, or the formulation, has a singular pose
FRESH = 16  # 1 when stages[0] does not hold the derivative at x
ROW_IN = 17  # row of the queue for the next command, and of the next to take effect
ROW_OUT = 18
TAKEN = 19  # output rows that were taken out: the next one's row is KOUT - TAKEN
RETRY = 20  # 1 after a rejected step
EVENT_KIND = 21  # of the pose that ended the run
BLOCKS = 22  # how many blocks run beside the law
LAW_AT = 23  # the first of them that runs behind it
LAW_WIRES = 24  # what the law reads: first wire and how many, then first input and how many
LAW_COMMAND = 28  # where its answer stands among the signals
LAST = 29  # the block whose answer acts; BLOCKS: the law's does; -1: several do, see PORT_OF
COMMAND = 30  # where that stands
HAVE_ANSWER = 31  # the caller has put an answer into `answer`
ASKED = 32  # the block that is asked, or was asked last
LAW_FURTHER = 33  # numbers of signals that the law reads beside what the plant shows
EXTERNAL = 34  # 1 when a second control torque, from outside, stands before the scheduled ones
HALVINGS = 35  # the implicit step under way is taken in parts of 1 / 2^HALVINGS
PART = 36  # the next of them
SOLVED = 37  # parts in a row that found their solution since it was halved last
UNSOLVED = 38  # 1 when an implicit step within another, for a row or a pose, found no solution
TRIALS = 39  # parts of the implicit step under way that were solved or refused
COMPUTED = 40  # 1 when the implicit step under way was computed, and found no room for its rows
COUNT_SIZE = 41

SCHEDULE = fields(start=1, stop=1, torque=3)
"""A row of `schedule`: from when to when a scheduled torque acts, s, and its components in its basis, N m."""

# poses
HARD = 0  # where a torque is without bound
SOFT = 1  # where a torque has no direction
LOCK = 2  # where the Euler rates of a formulation are without bound

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

# what a call returns
DONE = 1
PAUSED = 2
NEED_COMMAND = 3
SINGULAR = 4
NOT_FINITE = 5
STEP_COLLAPSE = 6
STEP_LIMIT = 7
BAD_COMMAND = 8
ROWS_FULL = 9  # no room for the next output row; the step under way is taken again
NEED_ANSWER = 12  # of the block ASKED
BAD_ANSWER = 13  # a block wrote something that is no finite number
NOT_CONVERGED = 11  # the equations of an implicit step found no solution, however short
DOUBTFUL = 14  # of one run among several: the single run has to tell; it is as it was before
TOO_SLOW = 10  # of the pace, not of the engine: see `pace`

BLOCK = fields(
    code=1, caller=1, period=1, offset=1, taken=1, given=1, wires=2, inputs=2, outputs=2, held=2, q=2, z=2, acts=1
)
"""A row of `blocks`: the function, whether the caller asks it, period and offset in ticks, samples taken and answers
given; then each as where it begins and how many there are (of q and z where they end): wires, inputs, signals it
writes, and rows of answers on their way; and whether it exerts a torque."""

PORT_OF = fields(command=1, limits=2, at=1, numbers=1)
"""A row of `ports`: where the command to a control torque, or the torque that a block exerts, stands among the signals,
where its limits begin and end, where it stands in u, and how many numbers it has: one on a coordinate of an element,
without limits."""

EXTERNAL_AT = PULSES + PULSE.torque
"""Where the second control torque of a craft that has one stands in u: as the first scheduled one would, always on."""
