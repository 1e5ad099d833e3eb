"""Euler sequence of a run shown as a gimbal: the third view, for cases that use Euler angles."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ....sim import Run
    from ...case.schema import Case


def gimbal_view(run: "Run", case: "Case | None") -> dict[str, Any] | None:
    """Return sequence and axes (0 to 2) as a JSON-serialisable table; None if the case uses no Euler angles.

    The sequence comes from the torque basis or, if there is none, from the formulation. Gimbal lock in the view is then
    a singular pose of the basis or formulation.
    """
    sequence = run.craft.torques.sequence
    if sequence is None and case is not None:
        sequence = case.run.formulation_sequence
    if sequence is None:
        return None
    return {"sequence": sequence, "axes": [int(each) - 1 for each in sequence.split("-")]}
