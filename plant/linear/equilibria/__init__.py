"""Steady spins of a spacecraft with moving parts, and their stability."""

from .damping_chart import DampingChart, damping_chart
from .energy_sink import nutation_synchronous_angle, ring_energy_sink
from .equilibrium import SpinEquilibrium
from .spin import spin_equilibria
from .steady_spin import steady_spin

__all__ = [
    "DampingChart",
    "SpinEquilibrium",
    "damping_chart",
    "nutation_synchronous_angle",
    "ring_energy_sink",
    "spin_equilibria",
    "steady_spin",
]
