"""Where everything stands in what a law is shown, and in what a reference says (see `law` for the whole contract)."""

from ...plant.kernels.fields import fields

__all__ = ["REFERENCE", "SEEN"]

SEEN = fields(momentum=3, attitude=4, rate=3)
"""In y; behind these stand the other states of the plant."""

REFERENCE = fields(attitude=4, rate=3, acceleration=3)
"""In r."""
