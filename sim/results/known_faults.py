"""Faults specified for a run: of wheels, signals, thrusters and magnetorquers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...plant import TorquePulse
from ..engine.loop import Loop

if TYPE_CHECKING:
    from ...plant.environment.loads import Magnetorquers

LATEST = 1e100
"""A time beyond the end of any run, s."""


def known_faults(loop: Loop, pulses: Sequence[TorquePulse]) -> list[tuple[float, str]]:
    """Return start (s) and description of each fault of a run, in the order of their starts.

    loop: the loop of the run; pulses: its scheduled torques and wheel faults.
    """
    if not (pulses or loop.blocks or loop.craft.potentials):
        return []
    found = [(pulse.start, pulse.fault) for pulse in pulses if pulse.fault]
    if loop.blocks:
        from ...controllers.laws.blocks.signal_fault import fault_of_block
        from ...controllers.laws.blocks.thruster_pulses import thruster_faults_of

        for block in loop.blocks:
            own = fault_of_block(block)
            for what, start, stop in (*thruster_faults_of(block), *(() if own is None else (own,))):
                found.append((start, f"{what} from {start:g} s {f'to {stop:g} s' if stop < LATEST else 'on'}"))
    for load in loop.craft.potentials:
        torquers: Magnetorquers | None = getattr(load, "torquers", None)
        if torquers is None:
            continue
        for axis, (factor, start) in torquers.faults.items():
            found.append((start, f"magnetorquer {axis}: dipole times {factor:g} from {start:g} s on"))
    return sorted(found)
