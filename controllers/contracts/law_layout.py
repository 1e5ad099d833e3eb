"""Layouts of a law's measurement and of a reference; see module `law` for the full contract."""

from ...plant.kernels.fields import fields

SEEN = fields(momentum=3, attitude=4, rate=3)
"""Layout of y; the other states of the plant follow."""

REFERENCE = fields(attitude=4, rate=3, acceleration=3)
"""Layout of r."""
