"""Numbers that identify kernels in a run's arrays: position of each, and symbol of its kernel."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ....controllers import Block, Law
from ....plant import Spacecraft
from ....plant.elements.branch import in_row_order
from ....plant.errors import InputError
from ....plant.formulations.view import View
from ....plant.hub.parameters import AT_ELEMENTS, ELEMENT, VIEW, VIEW_ROW
from ....plant.loads.user_loads import function_name
from ...engine import indices as at
from ...engine.loop_arrays import LoopArrays
from ...engine.steppers.implicit_layout import CODE, META, USER_CODE
from ...engine.steppers.scheme import Scheme
from ..library import kernel_symbol


class CalledKernel(NamedTuple):
    """Position of a number that identifies a kernel (array and flat index), and the symbol of the kernel."""

    array: str
    place: int
    symbol: str


def require_symbol(kind: str, kernel: Callable[..., Any]) -> str:
    """Return a kernel's name in the engine's module. Raises InputError for a user-defined kernel."""
    found = kernel_symbol(kernel)
    if found is None:
        raise InputError(
            f"the {kind} {function_name(kernel)!r} is user-defined, and the engine of a page contains only those "
            f"of polhode; use a {kind} that polhode provides"
        )
    return found


def called_kernels(
    craft: Spacecraft,
    law: Law | None,
    blocks: Sequence[Block],
    arrays: LoopArrays,
    *,
    scheme: Scheme,
    user: str,
    view: View | None = None,
) -> Iterator[CalledKernel]:
    """Yield the position and the kernel for every number in a run's arrays that identifies a kernel.

    user: symbol of the loads; other arguments as in `polhode.sim.engine.loop.Loop`. Raises InputError if a kernel is
    user-defined.
    """
    row = int(arrays.p[AT_ELEMENTS])
    for index in in_row_order(craft.elements):
        kernel = craft.elements[index].kernel
        yield CalledKernel("p", row + ELEMENT.function, require_symbol("element", kernel))
        row += int(arrays.p[row + ELEMENT.length])
    if view is not None:
        place = int(arrays.p[VIEW]) + VIEW_ROW.function
        yield CalledKernel("p", place, require_symbol("formulation", view.kernel))
    for number, block in enumerate(blocks):
        place = number * at.BLOCK.size + at.BLOCK.code
        yield CalledKernel("blocks", place, require_symbol("block", block.kernel))
        first = int(arrays.blocks[number, at.BLOCK.q])
        for call in block.calls:
            yield CalledKernel("block_q", first + call.place, require_symbol(call.kind, call.kernel))
    for call in getattr(law, "calls", ()):
        yield CalledKernel("q", call.place, require_symbol(call.kind, call.kernel))
    if scheme.stepper.entry:
        columns = arrays.implicit.shape[1]
        yield CalledKernel("implicit", META * columns + CODE, f"polhode_{scheme.stepper.entry}")
        yield CalledKernel("implicit", META * columns + USER_CODE, user)
