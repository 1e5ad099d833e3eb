"""The physics: a spacecraft, its equations of motion, its torque bases and its exact linear model."""

if __name__ != "polhode.plant":
    raise ImportError(
        f"this folder is polhode.plant; install polhode and write 'import polhode.plant', not {__name__!r}"
    )

from . import attitude, formulations
from .effort import Effort
from .errors import DesignError, EquilibriumError, InputError, PolhodeError, SaveError, SingularBasisError
from .linearization import LinearModel
from .potentials import GravityGradient, Potential, Spring, UniformGravity
from .rigid_body import RigidBody
from .spacecraft import Spacecraft
from .torque import Singularity, TorqueBasis, TorquePulse, singularity

__all__ = [
    "DesignError",
    "Effort",
    "EquilibriumError",
    "GravityGradient",
    "InputError",
    "LinearModel",
    "PolhodeError",
    "Potential",
    "RigidBody",
    "SaveError",
    "SingularBasisError",
    "Singularity",
    "Spacecraft",
    "Spring",
    "TorqueBasis",
    "TorquePulse",
    "UniformGravity",
    "attitude",
    "formulations",
    "singularity",
]
