"""Indices in `clock` and `count`, the two small arrays that hold the progress of a run.

The engine can stop and resume at any step, since these arrays contain its whole state. A run therefore gives the same
results whether or not it is interrupted for a progress bar or a Python law.

These indices are constants in the compiled kernels.
"""

from ...plant.hub.parameters import PULSE, PULSES
from ...plant.kernels.fields import fields

# clock: float64
T = 0  # current time, s
T_END = 1
SAMPLE = 2  # law period, s; 0 if there is no law
DELAY = 3  # delay from sample to actuation, s
STEP = 4  # fixed step, or the largest adaptive one, s
H = 5  # next adaptive step, s
RTOL = 6
T_SEGMENT = 7  # start of the interval between two breakpoints
CLOSEST_HARD = 8  # smallest c of a port whose torque is unbounded at its singular pose
T_CLOSEST_HARD = 9
CLOSEST_SOFT = 10  # smallest c of a port whose torque direction is undefined at its singular pose
T_CLOSEST_SOFT = 11
POSE_LIMIT = 12  # value of c at which a run ends
NORM_DRIFT = 13  # largest change of |e|^2 within a step before projection
LONGEST = 14  # longest adaptive step, s
TICK = 15  # common tick of all periods and offsets, s; 0 if there are no blocks
CLOSEST_LOCK = 16  # smallest c of the Euler angles of a formulation
T_CLOSEST_LOCK = 17
SHORTEST = 18  # shortest implicit step after halving, s; 0 if none was halved
DRIFT = 19  # drift of |e|^2 in an implicit step that is computed but not accepted yet
CLOCK_SIZE = 20

# count: int64
METHOD = 0
KS = 1  # index of the next sample
KA = 2  # index of the next command to take effect
KOUT = 3  # index of the next output row
N_OUT = 4
KEDGE = 5  # index of the next edge
STEPS = 6
REJECTED = 7
MAX_STEPS = 8
BUDGET = 9  # pause when STEPS reaches this
SEGMENT_I = 10  # index of the next fixed step of the interval
SEGMENT_N = 11  # number of fixed steps in the interval; 0 at the start of an interval
LAW_MODE = 12
HAVE_COMMAND = 13  # the caller has written a command to `command`
EVENT_PORT = 14
WATCH = 15  # 1 if a port or the formulation has a singular pose
FRESH = 16  # 1 if stages[0] does not hold the derivative at x
ROW_IN = 17  # row of the queue for the next command; ROW_OUT: row of the next command to take effect
ROW_OUT = 18
TAKEN = 19  # number of output rows taken out: the next row has the index KOUT - TAKEN
RETRY = 20  # 1 after a rejected step
EVENT_KIND = 21  # kind of the pose that ended the run: HARD, SOFT or LOCK
BLOCKS = 22  # number of blocks in addition to the law
LAW_AT = 23  # index of the first block after the law
LAW_WIRES = 24  # inputs of the law: first wire and number of wires, then first input and number of inputs
LAW_COMMAND = 28  # index of the output of the law in the signals
LAST = 29  # index of the block whose output acts (the number of blocks means the law); -1: several, see PORT_OF
COMMAND = 30  # index in the signals of the output that acts
HAVE_ANSWER = 31  # the caller has written an output to `answer`
CALLED_BLOCK = 32  # index of the block to call, or of the block called last
LAW_FURTHER = 33  # number of signal components that the law reads in addition to the plant outputs
EXTERNAL = 34  # 1 if a second, external control torque precedes the scheduled torques
HALVINGS = 35  # the current implicit step is divided into 2^HALVINGS parts
PART = 36  # index of the next part
SOLVED = 37  # successive parts with a solution since the last halving
UNSOLVED = 38  # 1 if an inner implicit step (to a row or pose within a step) found no solution
TRIALS = 39  # number of parts of the current implicit step, solved or rejected
COMPUTED = 40  # 1 if the current implicit step was computed, but there was no room for its rows
COUNT_SIZE = 41

SCHEDULE = fields(start=1, stop=1, torque=3)
"""Row of `schedule`: start and end of a scheduled torque, s, and components in its basis, N m."""

# kinds of singular poses
HARD = 0  # torque unbounded
SOFT = 1  # torque direction undefined
LOCK = 2  # Euler rates of a formulation unbounded

# methods: codes of the functions that take the steps
RK4 = 0  # unrolled classical method
EXPLICIT = 1  # any explicit tableau at fixed steps
DOP853 = 2  # explicit tableau with error estimate and dense output
IMPLICIT = 3  # any implicit tableau at fixed steps
EXACT = 4  # motion in closed form; there is no tableau

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
NEED_ANSWER = 12  # the output of the block CALLED_BLOCK is needed
BAD_ANSWER = 13  # a block wrote a value that is not finite
NOT_CONVERGED = 11  # the equations of an implicit step have no solution, even for very short steps
DOUBTFUL = 14  # a run of a batch must continue as a single run, which reports the reason; state unchanged
TOO_SLOW = 10  # not returned by the engine, but by `stall_guard`

BLOCK = fields(
    code=1, caller=1, period=1, offset=1, taken=1, given=1, wires=2, inputs=2, outputs=2, held=2, q=2, z=2, acts=1
)
"""Row of `blocks`: address or code of the function, whether the caller calls the block, period and offset in ticks,
number of samples taken and of outputs applied; then start and count (for q and z start and end) of the wires, inputs,
output signals and rows of pending outputs; and whether the block exerts a torque."""

PORT_OF = fields(command=1, limits=2, at=1, numbers=1)
"""Columns of a row of `ports`: signal index of the command (control torque) or of the torque (block); start and end of
the limits; index in u; number of components, which is 1 for a port without limits on an element coordinate."""

EXTERNAL_AT = PULSES + PULSE.torque
"""Index in u of the second control torque, if any: in place of the first scheduled torque, always on."""
