"""Where everything stands in what a filter of attitude and bias works on."""

from typing import Any

from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel
from ..guidance.inertial_vector_kernel import VECTOR
from .mekf_kernel import ERRORS, SIGHTING, STATE

__all__ = [
    "FILTER_MEMORY",
    "FILTER_NUMBERS",
    "FLIGHT",
    "LATEST",
    "MESSAGE_ROW",
    "NEVER",
    "READING",
    "SIGHT",
    "SOON",
    "latest_at",
    "messages_at",
    "readings_at",
    "work_at",
]

FILTER_NUMBERS = fields(
    kind=1, noise=1, walk=1, gates=2, late=1, readings=1, messages=1, sensors=1, told=1, restart=1, patience=1,
    bias=3, bias_variance=3,
)  # fmt: skip
"""At the beginning of q. Of a filter with fixed gains noise and walk are its gains of attitude and bias. late: of the
latest sensor, s; readings, messages, told: for how many there is room in the memory, of readings of the gyro, of
messages in the window and of normalised innovations; restart: after how many refusals in a row, 0 never, and patience:
for how long at least, s; bias and its variance: those of each start."""

FLIGHT = fields(ahead=1)
"""Behind it in a block, followed by a row SIGHT of each sensor. ahead: the delay of the gyro, s."""

SIGHT = fields(place=1, width=1, sample=1, offset=1, delay=1, covariance=6, direction=1, vector=VECTOR.size)
"""A sensor of a block: where its message stands in y, how wide its measurement is; times; noise."""

FILTER_MEMORY = fields(
    began=1, time=1, base_time=1, valid=1, lost=1, gap=1, refused=1, restarts=1, missed=1, started=1, taken=1,
    again=1, marched=1, since=1, first=1, readings=1, messages=1, arrives=SIGHTING.size, state=STATE,
    covariance=ERRORS * ERRORS, base_state=STATE, base_covariance=ERRORS * ERRORS,
)  # fmt: skip
"""At the beginning of z. The base is the filter at a time before which nothing is still to come; state and covariance
are those of now. lost: 1 until the sensors have told what it starts from; gap: of the last reading that was not valid;
missed: how many messages were left out; started: the time of its last start; taken: the last message that was; again:
1 where a message calls for another run from the base; since: when the oldest reading begins, which stands in row
`first`. Behind: normalised innovations, a row LATEST of each sensor, readings, messages, work space; and, of a block,
the number of the next message of each sensor."""

LATEST = fields(age=1, seen=1, newest=1, sighting=SIGHTING.size)
"""The last message of a sensor, and how old it may be to start from. newest: time of the last one counted as missed."""

READING = fields(end=1, rate=3)
"""A reading of the gyro: the mean rate from the end of the one before."""

MESSAGE_ROW = fields(seen=1, sensor=1, tell=1, sighting=SIGHTING.size)
"""A message in the window, in the order of `seen`. tell: place of its innovation, -1 once that is written."""

SOON = 1e-9  # s: what is as near as this is at the same instant
NEVER = -1e300  # s


@kernel(inline=True)
def latest_at(q: Any) -> int:
    """Place of the rows LATEST in z."""
    return FILTER_MEMORY.size + int(q[FILTER_NUMBERS.told])


@kernel(inline=True)
def readings_at(q: Any) -> int:
    """Place of the readings in z."""
    return latest_at(q) + LATEST.size * int(q[FILTER_NUMBERS.sensors])


@kernel(inline=True)
def messages_at(q: Any) -> int:
    """Place of the messages in z."""
    return readings_at(q) + READING.size * int(q[FILTER_NUMBERS.readings])


@kernel(inline=True)
def work_at(q: Any) -> int:
    """Place of the work space in z."""
    return messages_at(q) + MESSAGE_ROW.size * int(q[FILTER_NUMBERS.messages])
