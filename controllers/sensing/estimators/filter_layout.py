"""Layouts of the parameters q and the memory z of an attitude and bias filter."""

from typing import Any

from ....plant.kernels.fields import fields
from ....plant.kernels.kernel import kernel
from ....plant.kernels.lanes import shared
from ...guidance.inertial_vector_kernel import VECTOR
from .mekf_kernel import ERRORS, SIGHTING, STATE

FILTER_NUMBERS = fields(
    kind=1, noise=1, walk=1, gates=2, late=1, readings=1, messages=1, sensors=1, innovations=1, restart=1, patience=1,
    bias=3, bias_variance=3,
)  # fmt: skip
"""Head of q.

noise, walk: gyro noise densities, or the attitude and bias gains of a filter with fixed gains; late: largest delay of a
sensor, s; readings, messages, innovations: capacities for gyro readings, messages in the window and normalised
innovations; restart: number of consecutive rejections before a restart, 0 for never; patience: minimum time before a
restart, s; bias and its variance: values at each start or restart."""

FLIGHT = fields(ahead=1)
"""Parameters of a block that follow the head of q and precede the SIGHT rows (one per sensor).

ahead: gyro delay, s."""

SIGHT = fields(place=1, width=1, sample=1, offset=1, delay=1, covariance=6, direction=1, vector=VECTOR.size)
"""Parameters of a sensor in a block: message index in y, width of the measurement, times, noise."""

FILTER_MEMORY = fields(
    began=1, time=1, base_time=1, valid=1, lost=1, gap=1, refused=1, restarts=1, missed=1, started=1, taken=1,
    again=1, marched=1, since=1, first=1, readings=1, messages=1, arrives=SIGHTING.size, state=STATE,
    covariance=ERRORS * ERRORS, base_state=STATE, base_covariance=ERRORS * ERRORS,
)  # fmt: skip
"""Head of z.

The base is the filter at a time before which no message is outstanding; state and covariance are the present ones.
lost: 1 until the sensors have measured the initial attitude; gap: time of the last invalid reading; missed: number of
omitted messages; started: time of the last start; taken: time of the last accepted message; again: 1 if a message
requires a repetition from the base; since: start of the oldest reading, which is in row `first`.
After the head follow the normalised innovations, one row LATEST per sensor, readings, messages and workspace, and in a
block the index of the next message of each sensor."""

LATEST = fields(age=1, seen=1, newest=1, sighting=SIGHTING.size)
"""Last message of a sensor, and the largest age for a start; newest: time of the last missed message."""

READING = fields(end=1, rate=3)
"""Gyro reading: the mean rate since the end of the previous reading."""

MESSAGE_ROW = fields(seen=1, sensor=1, tell=1, sighting=SIGHTING.size)
"""Message in the window, sorted by `seen`; tell: index of the innovation, -1 after this is written."""

SOON = 1e-9  # s: events closer than this are simultaneous
NEVER = -1e300  # s: time of an event that has not happened


@kernel(inline=True)
def latest_at(q: Any) -> int:
    """Return the index in z of the rows LATEST."""
    return FILTER_MEMORY.size + int(shared(q, FILTER_NUMBERS.innovations))


@kernel(inline=True)
def readings_at(q: Any) -> int:
    """Return the index in z of the readings."""
    return latest_at(q) + LATEST.size * int(shared(q, FILTER_NUMBERS.sensors))


@kernel(inline=True)
def messages_at(q: Any) -> int:
    """Return the index in z of the messages."""
    return readings_at(q) + READING.size * int(shared(q, FILTER_NUMBERS.readings))


@kernel(inline=True)
def work_at(q: Any) -> int:
    """Return the index in z of the workspace."""
    return messages_at(q) + MESSAGE_ROW.size * int(shared(q, FILTER_NUMBERS.messages))
