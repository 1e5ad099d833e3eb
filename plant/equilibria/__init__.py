"""Steady spins: where a craft with moving parts can turn for ever, and whether it stays there."""

from .energy_sink import nutation_synchronous_angle, ring_energy_sink
from .spin import SpinEquilibrium, spin_equilibria

__all__ = ["SpinEquilibrium", "nutation_synchronous_angle", "ring_energy_sink", "spin_equilibria"]
