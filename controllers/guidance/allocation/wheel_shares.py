# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Block that allocates the command to the wheel motors of a spacecraft, as in flight software."""

from typing import TYPE_CHECKING

import numpy as np

from ....plant.elements.wheel import Wheel
from ....plant.elements.wheel_sharing_kernel import sharing_cell, torque_in_cell
from ....plant.errors import InputError
from ....plant.kernels.fields import fields, filled
from ....plant.kernels.kernel import kernel
from ....plant.loads.torque.torque_kernels import BODY, torque_in_body
from ...contracts.block import Block
from ...contracts.clock import Clock
from ...contracts.signal import Signal

if TYPE_CHECKING:
    from ....plant import Spacecraft

HEAD = fields(basis=1, axes=3, wheels=1)
WHEEL = fields(table=1, number=1, command=3, limit=1, bias=1)
"""Layout of q: HEAD, a WHEEL row per wheel, and the tables of wheel arrays. `table` is 0 for a single wheel, whose
row of the allocation is `command`."""


@kernel
def wheel_shares_kernel(t, y, q, z, v):
    """Write each wheel's motor torque to v, computed as in the simulated wheel below its speed limit."""
    d0, d1, d2 = y[0], y[1], y[2]
    if int(q[HEAD.basis]) != BODY:
        i, j, k = int(q[HEAD.axes]), int(q[HEAD.axes + 1]), int(q[HEAD.axes + 2])
        d0, d1, d2 = torque_in_body(int(q[HEAD.basis]), i, j, k, y[3], y[4], y[5], y[6], y[0], y[1], y[2])
    table, cell = 0, 0  # all wheels of an array use the same cell
    for m in range(int(q[HEAD.wheels])):
        n = HEAD.size + WHEEL.size * m
        if q[n + WHEEL.table] == 0.0:
            c = n + WHEEL.command
            demanded = q[n + WHEEL.bias] - (q[c] * d0 + q[c + 1] * d1 + q[c + 2] * d2)
        else:
            if int(q[n + WHEEL.table]) != table:
                table = int(q[n + WHEEL.table])
                cell = sharing_cell(q, table, d0, d1, d2)
            demanded = q[n + WHEEL.bias] - torque_in_cell(q, cell, int(q[n + WHEEL.number]), d0, d1, d2)
        if demanded.real > q[n + WHEEL.limit]:
            demanded = q[n + WHEEL.limit] + 0.0 * d0
        elif demanded.real < -q[n + WHEEL.limit]:
            demanded = -q[n + WHEEL.limit] + 0.0 * d0
        v[m] = demanded


def wheel_shares(craft: "Spacecraft", *, sample: float, name: str = "allocation") -> Block:
    """Return a block that allocates the command to the wheels in the same way as the simulated spacecraft.

    The block reads the command (and the attitude, unless the torque basis is the body basis) and writes the signal
    "motor_torques": the motor torque of each commandable wheel about its axis, in the order of the spacecraft's
    elements, N m, limited to the wheel's torque limit. The torque on the spacecraft has the opposite sign. The speed
    limit is not applied. Nothing in the loop reads the signal; it is for recording, and for `polhode.sim.export_code`.

    Parameters
    ----------
    craft : Spacecraft
        The spacecraft, whose wheels produce the torque of the law: `TorqueBasis(..., internal=True)`.
    sample : float
        Sampling period of the law, s.
    name : str
        Name of the block.

    Returns
    -------
    Block
        The block.

    Raises
    ------
    InputError
        When the spacecraft has no commandable wheel, or the period is not positive.

    Examples
    --------
    >>> from polhode import plant
    >>> wheels = plant.wheel_array([(1, 0, 0), (0, 1, 0), (0, 0, 1)], inertia=0.05, torque_limit=0.1)
    >>> basis = plant.TorqueBasis("body", internal=True)
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)), elements=wheels, torques=basis)
    >>> wheel_shares(craft, sample=0.1).widths
    {'motor_torques': 3}
    """
    basis = craft.torques
    wheels = [each for each in craft.elements if isinstance(each, Wheel) and each.has_command]
    if not wheels or not basis.internal:
        raise InputError(
            "the craft has no wheels that a law can command; give it plant.wheel_array(...) and "
            'TorqueBasis("body", internal=True)'
        )
    rows, tables = [], []
    at = HEAD.size + WHEEL.size * len(wheels)
    places: dict[bytes, int] = {}
    for wheel in wheels:
        number, *table = np.asarray(wheel.sharing).tolist() or [0.0]
        held = np.asarray(table)
        if table and held.tobytes() not in places:
            places[held.tobytes()] = at
            tables += table
            at += len(table)
        limit = np.finfo(float).max if wheel.torque_limit is None else wheel.torque_limit
        rows += filled(
            WHEEL, table=places[held.tobytes()] if table else 0, number=number, command=wheel.command, limit=limit,
            bias=wheel.motor_torque,
        )  # fmt: skip
    head = filled(HEAD, basis=basis.code, axes=basis.axes, wheels=len(wheels))
    reads = "command_wheels" if len(craft.ports) > 1 else "command"
    return Block(
        wheel_shares_kernel,
        reads=reads if basis.code == BODY else (reads, "attitude"),
        writes={"motor_torques": Signal(len(wheels), "N m")},
        clock=Clock(sample),
        parameters=[*head, *rows, *tables],
        name=name,
    ).as_monitor()
