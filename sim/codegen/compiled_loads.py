"""The user's own potentials and efforts of a craft, for the compiled engine."""

from collections.abc import Callable
from typing import Any

from ...plant.errors import InputError
from ...plant.hub.dynamics import no_user_loads
from ...plant.loads.user_loads import function_name
from ...plant.spacecraft import Spacecraft
from .user_kernel import can_compile
from .user_loads import LoadSet, load_set

__all__ = ["compiled_user_loads"]


def compiled_user_loads(craft: Spacecraft) -> "Callable[..., Any] | LoadSet":
    """Return the loads of a craft as one function of which `polhode.sim.engine.addresses.address_of` has the address.

    It is the kernel that does nothing when the craft has none of its own. Without a C compiler it is the function of
    plain Python, which differentiates by dual numbers. Raises InputError when a potential cannot be differentiated by
    complex step.
    """
    if not craft.user_potentials and not craft.efforts:
        return no_user_loads
    if not can_compile():
        return craft.user_loads()
    for potential in craft.user_potentials:
        if potential.gradient is None and not potential.complex_step_safe:
            raise InputError(
                f"the potential {function_name(potential.function)!r} drops the imaginary part "
                "that carries its derivative in compiled code (abs, np.linalg.norm, np.arctan2 or a comparison): write "
                "a norm as np.sqrt(c @ c), give gradient=, or run with compiled=False"
            )
    return load_set(craft)
