"""Physics: spacecraft, equations of motion, torque bases and exact linear models."""

if __name__ != "polhode.plant":
    raise ImportError(
        f"this folder is polhode.plant; install polhode and write 'import polhode.plant', not {__name__!r}"
    )

from importlib import import_module
from typing import TYPE_CHECKING

from .lazy_names import lazy_name

if TYPE_CHECKING:
    from . import attitude as attitude
    from . import environment as environment
    from . import flexible as flexible
    from . import formulations as formulations
    from .attitude import free_motion as free_motion
    from .elements import (
        ControlMomentGyro,
        Element,
        FlexibleModes,
        HingedPanel,
        HysteresisRod,
        ImbalancedWheel,
        MassSpringDamper,
        PanelChain,
        Pendulum,
        Propulsion,
        RingDamper,
        Signal,
        Wheel,
        gyro_array,
        pyramid_axes,
        ring_friction,
        wheel_array,
    )
    from .errors import DesignError, EquilibriumError, InputError, PolhodeError, SaveError, SingularBasisError
    from .hub.rigid_body import RigidBody
    from .linear import LinearModel
    from .linear.equilibria import (
        DampingChart,
        SpinEquilibrium,
        damping_chart,
        nutation_synchronous_angle,
        ring_energy_sink,
        spin_equilibria,
        steady_spin,
    )
    from .loads.potentials import (
        Drag,
        GravityGradient,
        GuidedSpring,
        Leak,
        Oblateness,
        PointGravity,
        Potential,
        Spring,
        Thrust,
        UniformGravity,
    )
    from .loads.torque import Singularity, TorqueBasis, TorquePulse, WheelFault, singularity
    from .loads.user_force import UserForce
    from .spacecraft import Spacecraft

__all__ = [
    "ControlMomentGyro",
    "DampingChart",
    "DesignError",
    "Drag",
    "Element",
    "EquilibriumError",
    "FlexibleModes",
    "GravityGradient",
    "GuidedSpring",
    "HingedPanel",
    "HysteresisRod",
    "ImbalancedWheel",
    "InputError",
    "Leak",
    "LinearModel",
    "MassSpringDamper",
    "Oblateness",
    "PanelChain",
    "Pendulum",
    "PointGravity",
    "PolhodeError",
    "Potential",
    "Propulsion",
    "RigidBody",
    "RingDamper",
    "SaveError",
    "Signal",
    "SingularBasisError",
    "Singularity",
    "Spacecraft",
    "SpinEquilibrium",
    "Spring",
    "Thrust",
    "TorqueBasis",
    "TorquePulse",
    "UniformGravity",
    "UserForce",
    "Wheel",
    "WheelFault",
    "attitude",
    "damping_chart",
    "environment",
    "formulations",
    "gyro_array",
    "nutation_synchronous_angle",
    "pyramid_axes",
    "ring_energy_sink",
    "ring_friction",
    "singularity",
    "spin_equilibria",
    "steady_spin",
    "wheel_array",
]

_HOMES = {
    "ControlMomentGyro": ".elements",
    "DampingChart": ".linear.equilibria",
    "DesignError": ".errors",
    "UserForce": ".loads.user_force",
    "Drag": ".loads.potentials",
    "Element": ".elements",
    "EquilibriumError": ".errors",
    "FlexibleModes": ".elements",
    "GravityGradient": ".loads.potentials",
    "GuidedSpring": ".loads.potentials",
    "InputError": ".errors",
    "LinearModel": ".linear",
    "Leak": ".loads.potentials",
    "MassSpringDamper": ".elements",
    "Oblateness": ".loads.potentials",
    "HingedPanel": ".elements",
    "HysteresisRod": ".elements",
    "ImbalancedWheel": ".elements",
    "PanelChain": ".elements",
    "Pendulum": ".elements",
    "Propulsion": ".elements",
    "PointGravity": ".loads.potentials",
    "PolhodeError": ".errors",
    "Potential": ".loads.potentials",
    "RigidBody": ".hub.rigid_body",
    "RingDamper": ".elements",
    "SaveError": ".errors",
    "Signal": ".elements",
    "SingularBasisError": ".errors",
    "Singularity": ".loads.torque",
    "Spacecraft": ".spacecraft",
    "SpinEquilibrium": ".linear.equilibria",
    "Spring": ".loads.potentials",
    "Thrust": ".loads.potentials",
    "TorqueBasis": ".loads.torque",
    "TorquePulse": ".loads.torque",
    "UniformGravity": ".loads.potentials",
    "Wheel": ".elements",
    "gyro_array": ".elements",
    "pyramid_axes": ".elements",
    "damping_chart": ".linear.equilibria",
    "nutation_synchronous_angle": ".linear.equilibria",
    "ring_energy_sink": ".linear.equilibria",
    "ring_friction": ".elements",
    "WheelFault": ".loads.torque",
    "singularity": ".loads.torque",
    "spin_equilibria": ".linear.equilibria",
    "steady_spin": ".linear.equilibria",
    "wheel_array": ".elements",
}
"""Module of each lazily imported public name, which keeps the start-up short."""

_ROOMS = {
    "attitude": ".attitude",
    "environment": ".environment",
    "flexible": ".flexible",
    "formulations": ".formulations",
    "free_motion": ".attitude.free_motion",
}
"""Modules that are accessed by name, such as `plant.attitude.quaternion`."""


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(_ROOMS[name], __name__)
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """List the public names, not the modules that define them."""
    return sorted([*__all__, "flexible", "free_motion"])
