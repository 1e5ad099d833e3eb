"""The physics: a spacecraft, its equations of motion, its torque bases and its exact linear model."""

if __name__ != "polhode.plant":
    raise ImportError(
        f"this folder is polhode.plant; install polhode and write 'import polhode.plant', not {__name__!r}"
    )

from . import attitude, formulations
from .elements import (
    Element,
    FlexibleModes,
    MassSpringDamper,
    Pendulum,
    RingDamper,
    Signal,
    Wheel,
    ring_friction,
    wheel_array,
)
from .equilibria import (
    DampingChart,
    SpinEquilibrium,
    damping_chart,
    nutation_synchronous_angle,
    ring_energy_sink,
    spin_equilibria,
    steady_spin,
)
from .errors import DesignError, EquilibriumError, InputError, PolhodeError, SaveError, SingularBasisError
from .hub.rigid_body import RigidBody
from .linear import LinearModel
from .loads.effort import Effort
from .loads.potentials import GravityGradient, GuidedSpring, Potential, Spring, UniformGravity
from .loads.torque import Singularity, TorqueBasis, TorquePulse, singularity
from .spacecraft import Spacecraft

__all__ = [
    "DampingChart",
    "DesignError",
    "Effort",
    "Element",
    "EquilibriumError",
    "FlexibleModes",
    "GravityGradient",
    "GuidedSpring",
    "InputError",
    "LinearModel",
    "MassSpringDamper",
    "Pendulum",
    "PolhodeError",
    "Potential",
    "RigidBody",
    "RingDamper",
    "SaveError",
    "Signal",
    "SingularBasisError",
    "Singularity",
    "Spacecraft",
    "SpinEquilibrium",
    "Spring",
    "TorqueBasis",
    "TorquePulse",
    "UniformGravity",
    "Wheel",
    "attitude",
    "damping_chart",
    "formulations",
    "nutation_synchronous_angle",
    "ring_energy_sink",
    "ring_friction",
    "singularity",
    "spin_equilibria",
    "steady_spin",
    "wheel_array",
]


def __dir__() -> list[str]:
    """Show what a user calls, not the modules it comes from."""
    return sorted([*__all__, "flexible", "free_motion"])
