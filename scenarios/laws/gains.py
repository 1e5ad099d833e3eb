"""The numbers a designed law consists of, by names that carry their units."""

from ...controllers import (
    DynamicFeedback,
    EnergyShaping,
    Law,
    LinearFeedback,
    OnOffThrusters,
    QuaternionFeedback,
    RateDamping,
    SlidingMode,
)

__all__ = ["gains"]


def gains(law: Law) -> dict[str, list[list[float]]]:
    """Return the matrices of a law.

    Parameters
    ----------
    law : Law
        A designed law.

    Returns
    -------
    dict
        From name, with unit, to the rows of a matrix; empty for a law that has none of its own.
    """
    if isinstance(law, LinearFeedback):
        return {"K": law.gain.tolist()}
    if isinstance(law, DynamicFeedback):
        return {name: getattr(law.compensator, name).tolist() for name in ("A", "B", "C", "D")}
    if isinstance(law, QuaternionFeedback):
        return {"stiffness_N_m": law.stiffness.tolist(), "damping_N_m_s": law.damping.tolist()}
    if isinstance(law, EnergyShaping):
        return {"stiffness_N_m_rad": law.stiffness.tolist(), "damping_N_m_s": law.damping.tolist()}
    if isinstance(law, SlidingMode):
        rows = {"slope_1_s": law.slope, "reach_N_m": law.reach, "boundary_layer_rad_s": law.boundary_layer}
        return {name: [row.tolist()] for name, row in rows.items()}
    if isinstance(law, OnOffThrusters):
        rows = {
            "torque_N_m": law.torque,
            "deadband_rad": law.deadband,
            "lead_s": law.lead,
            "hysteresis_rad": law.hysteresis,
        }
        return {name: [row.tolist()] for name, row in rows.items()}
    if isinstance(law, RateDamping):
        return {"gain_N_m_s": law.gain.tolist()}
    return {}
