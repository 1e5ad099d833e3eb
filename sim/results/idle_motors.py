"""Motors and gimbals that stay idle because the law commands an external torque."""

from typing import TYPE_CHECKING

import numpy as np

from ...plant.elements.signal import element_labels

if TYPE_CHECKING:
    from .run import Run


def idle_motors(run: "Run") -> list[str]:
    """Return sentences about motors and gimbals that stayed idle while the law commanded an external torque.

    Empty if the torque basis states that the torque is external, if a motor has only a constant torque, or if another
    source drove the motor.
    """
    torques = run.craft.torques
    if run.law is None or torques.internal or torques.port_stated:
        return []
    return [*_idle_wheels(run), *_idle_gimbals(run)]


def _idle_gimbals(run: "Run") -> list[str]:
    """Return a sentence if gimbals with rate loops received no rate while the law commanded an external torque."""
    idle = [
        label
        for label, element in zip(element_labels(run.craft.elements), run.craft.elements, strict=True)
        if getattr(element, "rate_commanded", ()) and run.counters.get(f"{label}_gimbal_rate_command_peak", 1.0) == 0.0
    ]
    if not idle or not np.any(run.values("command")):
        return []
    names = ", ".join(label.replace("_", " ") for label in idle)
    words = (
        f"the law commands an external torque, and the gimbals of {names} received no rate; to turn the command into "
        "gimbal rates, add the block gyro_steering (controllers.blocks.gyro_steering(craft, sample=...)); otherwise, "
        "state TorqueBasis(..., internal=False)"
    )
    return [words]


def _idle_wheels(run: "Run") -> list[str]:
    """Return a sentence if motors with signals stayed idle while the law commanded an external torque."""
    idle = [
        label
        for label, element in zip(element_labels(run.craft.elements), run.craft.elements, strict=True)
        if getattr(element, "has_motor", False) and run.counters.get(f"{label}_motor_demand_peak", 1.0) == 0.0
    ]
    if not idle or not np.any(run.values("command")):
        return []
    names = ", ".join(label.replace("_", " ") for label in idle)
    motors = f"the motor of {names}" if len(idle) == 1 else f"the motors of {names}"
    words = (
        f"the law commands an external torque, and {motors} produced no torque; to command motors, use "
        "torques=TorqueBasis(..., internal=True) and a `command` for each (plant.wheel_array); otherwise, state "
        "TorqueBasis(..., internal=False)"
    )
    return [words]
