"""What a law follows when nobody says."""

from ..controllers import FixedReference, Law, Reference, SpinReference
from ..controllers.acting_model import operating_rate
from ..plant import LinearModel

__all__ = ["default_reference"]


def default_reference(law: Law) -> Reference:
    """Return the reference of a run that names none.

    Parameters
    ----------
    law : Law
        The law.

    Returns
    -------
    Reference
        The operating point a linear law was designed about, at rest or spinning; rest in (1, 0, 0, 0) for any
        other law.
    """
    model = getattr(law, "model", None)
    if not isinstance(model, LinearModel):
        return FixedReference()
    attitude = model.operating_point[3:7]
    rate = operating_rate(model)
    if not rate.any():
        return FixedReference(attitude)
    return SpinReference(attitude=attitude, rate=rate)
