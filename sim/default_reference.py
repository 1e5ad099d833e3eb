"""What a law follows when nobody says."""

import numpy as np

from ..controllers import FixedReference, Law, LinearFeedback, Reference, SpinReference

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
    if not isinstance(law, LinearFeedback):
        return FixedReference()
    x = law.model.operating_point
    rate = np.linalg.solve(law.model.inertia, x[:3])
    if not rate.any():
        return FixedReference(x[3:7])
    return SpinReference(attitude=x[3:7], rate=rate)
