"""Law kind for rate damping."""

from typing import ClassVar

from .....controllers import RateDamping
from ...schema.sampled import SampledTable
from .declared_law import declared_law


class _RateTable(SampledTable):
    """Common keys of a law that does not control the attitude."""

    needs_reference: ClassVar[bool] = False


KIND = declared_law(
    RateDamping,
    doc="Rate damping; with a field, the B-dot law of magnetic torquers. It needs no reference.",
    module=__name__,
    keys={"gain": "=gain_N_m_s", "field": "", "field_rate": ""},
    base=_RateTable,
)
