"""Functions of a run: addresses for the compiled engine, or Python functions and their codes."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers import Block, Law, Reference
from ...controllers.contracts.kernel_call import KernelCall, call_code
from ...plant import Spacecraft
from ...plant.elements.branch import in_row_order
from ...plant.formulations.view import View
from ...plant.hub.dynamics import no_user_loads
from ...plant.hub.parameters import AT_ELEMENTS, ELEMENT, VIEW, VIEW_ROW
from ..results.fault_words import named
from . import indices as at
from .addresses import address_of
from .law import no_law
from .loop_arrays import LoopArrays
from .trial_call import try_block


def chosen(
    craft: Spacecraft,
    law: Law | None,
    reference: Reference,
    b: LoopArrays,
    *,
    compiled: bool,
    call_law: Callable[..., Any],
    view: View | None = None,
) -> tuple[Any, Any, Any]:
    """Return law, reference and loads as the engine calls them; write the addresses of element kernels.

    call_law: function that calls a law in plain Python.
    """
    law_kernel: Callable[..., Any] = no_law if law is None else law.kernel
    loads: Any = no_user_loads
    if not compiled:
        if law is not None and not getattr(law, "compiled", True):
            law_kernel = call_law
        if craft.user_functions:
            loads = craft.user_loads()
        return named("law", law_kernel), named("reference", reference.kernel), loads
    if craft.user_functions:
        from ..codegen.user_loads import load_set  # imports the translator, which few runs need

        loads = load_set(craft)
    _address_elements(craft, b.p, view)
    kernel = no_law if b.count[at.LAW_MODE] == at.CALLER_LAW else law_kernel
    return address_of("law", kernel), address_of("reference", reference.kernel), address_of("user", loads)


def put_codes(calls: Sequence[KernelCall], numbers: NDArray[np.float64], *, compiled: bool) -> list[Callable[..., Any]]:
    """Write to the parameters of a law or block the address or code of each kernel that it calls.

    -> plain Python functions, which the caller must keep alive while they may be called.
    """
    kept: list[Callable[..., Any]] = []
    for place, kind, function in calls:
        if compiled:
            numbers[place] = address_of(kind, function)
        else:
            kept.append(named(kind, function))
            numbers[place] = call_code(kept[-1])
    return kept


def function_places(craft: Spacecraft, p: NDArray[np.float64]) -> list[int]:
    """Return the indices in the plant parameters of the kernels of the elements, in the order of their rows."""
    places: list[int] = []
    row = int(p[AT_ELEMENTS])
    for _ in craft.elements:
        places.append(row + ELEMENT.function)
        row += int(p[row + ELEMENT.length])
    return places


def _address_elements(craft: Spacecraft, p: NDArray[np.float64], view: View | None) -> None:
    """Write the addresses of the kernels of elements and formulation to the plant parameters."""
    for index, place in zip(in_row_order(craft.elements), function_places(craft, p), strict=True):
        p[place] = address_of("element", craft.elements[index].kernel)
    if view is not None:
        p[int(p[VIEW]) + VIEW_ROW.function] = address_of("element", view.kernel)


def choose_blocks(
    blocks: Sequence[Block],
    called: Sequence[Callable[..., Any]],
    table: NDArray[np.int64],
    numbers: NDArray[np.float64],
    *,
    compiled: bool,
) -> list[Callable[..., Any]]:
    """Write the address or code of each block to the table of blocks.

    called: plain Python functions of the blocks, which the caller keeps alive; numbers: parameters of all blocks.
    -> the additional plain Python functions that the caller must keep alive.
    """
    kept: list[Callable[..., Any]] = []
    for row, block, function in zip(table, blocks, called, strict=True):
        own = numbers[row[at.BLOCK.q] : row[at.BLOCK.q + 1]]
        kept += put_codes(block.calls, own, compiled=compiled and block.compiled)
        row[at.BLOCK.caller] = compiled and not block.compiled
        if not compiled or not block.compiled:
            row[at.BLOCK.code] = call_code(function)
            continue
        y, v = int(row[at.BLOCK.inputs + 1]), int(row[at.BLOCK.outputs + 1])
        try_block(block.name, block.kernel, y=y, q=block.parameters, z=block.memory, v=v)
        row[at.BLOCK.code] = address_of("block", block.kernel)
    return kept
