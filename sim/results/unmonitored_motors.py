"""Torques on element coordinates that have no motor signals, so that sums over motors miss them."""

from ...plant.elements.signal import Signal
from ...plant.hub.actuated_coordinates import actuated_coordinates
from ..engine.loop import Loop


def unmonitored_motors(loop: Loop) -> tuple[str, ...]:
    """Return a warning about torques that have no motor signal, if other motors have signals."""
    if not (loop.pulses or loop.blocks):
        return ()
    commanded = {pulse.coordinate for pulse in loop.pulses if not pulse.fault}.union(
        *(block.coordinates for block in loop.blocks)
    ) - {""}
    if not commanded or not any(_turns_hub(signal) for _, signal in loop.signals):
        return ()
    elements = loop.craft.elements
    bearers = [element for element in elements for _ in element.coordinates]
    unseen = [
        f"{driven.name!r}"
        for driven in actuated_coordinates(loop.craft).values()
        if driven.name in commanded
        and driven.quantity == "torque"
        and not driven.level
        and not any(map(_turns_hub, getattr(bearers[driven.number], "signals", ())))
    ]
    if not unseen:
        return ()
    words = (
        f"hub_torque, motor_torque and the motor metrics do not include the torque on {', '.join(unseen)}, whose "
        "element has no motor signals; a wheel has them with a command or a limit: use Wheel(..., torque_limit=...) "
        "with a limit that is not reached"
    )
    return (words,)


def _turns_hub(signal: Signal) -> bool:
    return any(signal.on_hub)
