"""Export of the plant as a python-control nonlinear system."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..checks import choice
from ..errors import InputError
from ..hub.dynamics import derivative
from ..kernels.rotation import to_inertial

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

Array = NDArray[np.float64]


def nonlinear_system(craft: "Spacecraft", *, outputs: Sequence[str], name: str) -> Any:
    """Return the plant as a control.NonlinearIOSystem.

    outputs: "attitude", "rate", "momentum", "inertial_momentum", "energy", "position", "velocity".
    name: name of the system.
    -> system with named states and signals, without parameters.
    Raises InputError if an output is unknown, or requires a position that is not a state.
    """
    import control

    p = craft.pack()
    loads = craft.user_loads()
    size = craft.layout.size
    w = craft.work_space()
    xyz = ("x", "y", "z")
    table: dict[str, tuple[list[str], Callable[[float, Array], Any]]] = {
        "attitude": ([f"attitude_{n}" for n in range(4)], lambda t, x: x[3:7]),
        "rate": ([f"rate_{a}" for a in xyz], lambda t, x: craft.rate(x)),
        "momentum": ([f"momentum_{a}" for a in xyz], lambda t, x: x[:3]),
        "inertial_momentum": (
            [f"inertial_momentum_{a}" for a in xyz],
            lambda t, x: to_inertial(*x[3:7], *x[:3]),
        ),
        "energy": (["energy"], lambda t, x: [craft.energy(x, t=t)]),
    }
    if craft.translation:
        table["position"] = ([f"position_{a}" for a in xyz], lambda t, x: x[craft.layout.position])
        table["velocity"] = (
            [f"velocity_{a}" for a in xyz],
            lambda t, x: x[craft.layout.linear_momentum] / craft.mass_at(x),
        )
    if isinstance(outputs, str):
        raise InputError(f"outputs must be a sequence of words, such as ({outputs!r},)")
    if not outputs or len(set(outputs)) != len(outputs):
        raise InputError(f"outputs must be one or more different words; got ({', '.join(outputs)})")
    chosen = [table[choice("output", word, table)] for word in outputs]

    def update(t: float, x: Any, u: Any, params: Any) -> Array:
        state = np.array(x, dtype=np.float64)
        rates = np.zeros(size)
        derivative(float(t), state, np.array(u, dtype=np.float64), p, rates, loads, w)
        return rates

    def put_out(t: float, x: Any, u: Any, params: Any) -> Array:
        state = np.array(x, dtype=np.float64)
        return np.concatenate([np.asarray(function(float(t), state)) for _, function in chosen])

    return control.nlsys(
        update,
        put_out,
        states=list(craft.layout.names),
        inputs=["torque_1", "torque_2", "torque_3"],
        outputs=[signal for names, _ in chosen for signal in names],
        name=name,
    )
