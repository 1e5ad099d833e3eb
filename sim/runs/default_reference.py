"""Default reference of a law."""

from ...controllers import FixedReference, Law, Reference, SpinReference
from ...controllers.contracts.design_condition import DesignCondition

_REST = FixedReference()


def default_reference(law: Law | None) -> Reference:
    """Return the default reference of a run.

    For a linear law, this is its design point, at rest or spinning; for any other law, rest in (1, 0, 0, 0).
    """
    about: DesignCondition | None = getattr(law, "design_condition", None)
    if about is None or about.attitude is None or about.rate is None:
        return _REST
    if not about.rate.any():
        return FixedReference(about.attitude)
    return SpinReference(attitude=about.attitude, rate=about.rate)
