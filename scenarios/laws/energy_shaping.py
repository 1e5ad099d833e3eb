"""The energy-shaping law of a case."""

from collections.abc import Callable

from ...controllers import EnergyShaping
from ...plant import LinearModel, Spacecraft
from ..schema.controller import EnergyShapingTable

__all__ = ["make_energy_shaping"]


def make_energy_shaping(
    table: EnergyShapingTable, craft: Spacecraft, model: Callable[[], LinearModel]
) -> EnergyShaping:
    """Tune energy shaping by natural frequency and damping ratio: K = wn^2 J, Kd = 2 zeta wn J.

    Parameters
    ----------
    table : EnergyShapingTable
        The tuning.
    craft : Spacecraft
        The plant.
    model : callable
        Returns the linear model about the reference; not used.

    Returns
    -------
    EnergyShaping
        The law.
    """
    inertia = craft.locked_inertia(craft.at_rest())
    return EnergyShaping(
        stiffness=table.frequency_rad_s**2 * inertia,
        damping=2.0 * table.damping_ratio * table.frequency_rad_s * inertia,
        inertia=inertia,
        sample=table.sample_s,
        delay=table.delay_s,
        torques=craft.torques,
    )
