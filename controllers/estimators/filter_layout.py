"""Where everything stands in what the block of a filter works on."""

from ...plant.kernels.fields import fields
from ..guidance.inertial_vector_kernel import VECTOR
from .filter_kernels import FILTER_NUMBERS
from .mekf_kernel import SIGHTING

__all__ = ["FILTER", "FILTER_MEMORY", "SIGHT", "SOON"]

FILTER = fields(filter=FILTER_NUMBERS.size, ahead=1, sensors=1, drift=1)
"""In q; a row SIGHT of each sensor behind. ahead: the delay of the gyro, s; drift: the square of its noise, rad^2/s."""

SIGHT = fields(
    place=1, width=1, sample=1, offset=1, delay=1, slot=1, slots=1, covariance=6, direction=1, vector=VECTOR.size
)
"""A sensor: where its message stands in y, how wide its measurement is; times; first slot, how many; noise."""

FILTER_MEMORY = fields(began=1, time=1, valid=1, lost=1, arrives=SIGHTING.size)
"""In z, `lost` 1 until the sensors have told the attitude it starts from; behind, of each sensor how many were kept and
arrived and its last innovation; then state, covariance, work."""

SOON = 1e-9  # s: what is as near as this is at the same instant
