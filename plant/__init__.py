"""The physics: a spacecraft, its equations of motion, its torque bases and its exact linear model."""

if __name__ != "polhode.plant":
    raise ImportError(
        f"this folder is polhode.plant; install polhode and write 'import polhode.plant', not {__name__!r}"
    )

from . import attitude, formulations
from .effort import Effort
from .elements import Element, RingDamper, Wheel
from .equilibria import (
    DampingChart,
    SpinEquilibrium,
    damping_chart,
    nutation_synchronous_angle,
    ring_energy_sink,
    spin_equilibria,
)
from .errors import DesignError, EquilibriumError, InputError, PolhodeError, SaveError, SingularBasisError
from .linearization import LinearModel
from .potentials import GravityGradient, Potential, Spring, UniformGravity
from .rigid_body import RigidBody
from .spacecraft import Spacecraft
from .torque import Singularity, TorqueBasis, TorquePulse, singularity

__all__ = [
    "DampingChart",
    "DesignError",
    "Effort",
    "Element",
    "EquilibriumError",
    "GravityGradient",
    "InputError",
    "LinearModel",
    "PolhodeError",
    "Potential",
    "RigidBody",
    "RingDamper",
    "SaveError",
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
    "singularity",
    "spin_equilibria",
]
