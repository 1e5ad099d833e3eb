"""Euler sequence of a run as a gimbal: the third view, where the case uses Euler angles."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ....sim import Run
    from ...case.schema import Case

__all__ = ["gimbal_view"]


def gimbal_view(run: "Run", case: "Case | None") -> dict[str, Any] | None:
    """Return the sequence and its axes (0 to 2) as a JSON-able table; None for a run without Euler angles.

    The sequence is that of the torque basis, else that of the formulation: their singular poses are its gimbal lock.
    """
    sequence = run.craft.torques.sequence
    if sequence is None and case is not None:
        sequence = case.run.formulation_sequence
    if sequence is None:
        return None
    return {"sequence": sequence, "axes": [int(each) - 1 for each in sequence.split("-")]}
