"""Arrays of a run for the engine's WebAssembly module, which simulates the run in a web page.

The module has the same kernels as the engine's library, and accepts the same arrays. A number that identifies a kernel
is 0 in these arrays, and `kernels` names the kernel's symbol; the page inserts the kernel's index in the function table
of the module.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers import Law, Reference
from ....controllers.contracts.law_layout import REFERENCE
from ....plant.errors import InputError
from ....plant.hub.dynamics import no_user_loads  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ...engine import indices as at
from ...engine.external_resources import external_resources
from ...engine.extremes import tally_size
from ...engine.law import no_law  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ...engine.loop import Loop
from ...engine.loop_arrays import LoopArrays, Rows, kinds_of
from ...engine.observe import WIDTH
from ...runs.drive import loop_of, steps_per_call
from ...runs.run_spec import RunSpec
from .called_kernels import called_kernels, require_symbol
from .encoded_arrays import encoded
from .recorded_quantities import mode_columns, recorded_quantities

FORMAT = 1

INDICES = {
    "count": {"steps": at.STEPS, "max_steps": at.MAX_STEPS, "budget": at.BUDGET, "kout": at.KOUT},
    "clock": {"t": at.T},
}

REASONS = {
    at.DONE: "",
    at.PAUSED: "it took too long",
    at.SINGULAR: "a torque, or the formulation, is at a singular pose",
    at.NOT_FINITE: "the state is no longer finite",
    at.STEP_COLLAPSE: "the steps became too short",
    at.STEP_LIMIT: "the largest number of steps was reached",
    at.BAD_COMMAND: "the law or the reference returned a number that is not finite",
    at.NOT_CONVERGED: "the equations of an implicit step have no solution",
    at.BAD_ANSWER: "a block returned a number that is not finite",
}
"""Reason for the end of a run, by the engine's return code."""


def browser_run(spec: RunSpec) -> dict[str, Any]:
    """Return a run for the engine's module in a page, as JSON values.

    spec: the run; see `polhode.sim.runs.run_spec.run_spec`.

    The result has `functions` (symbols of law, reference and loads), `arrays` (the arrays of
    `polhode.sim.engine.loop_arrays.LoopArrays` in order, by name, see `encoded_arrays`), `kernels` (array, index and
    symbol of every number that identifies a kernel), `observe` (the references for the output rows; empty if there is
    no reference), and `quantities` (quantities of the output rows, with units). Raises InputError if a law, a block or
    a load runs outside the engine or is a user-defined function.
    """
    arrays, others = numbers_of(spec)
    return {**others, "arrays": {name: encoded(array) for name, array in arrays.items()}}


def numbers_of(spec: RunSpec) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays of a run by name, with 0 for every kernel, and the other entries of `browser_run`."""
    law, blocks = spec.law, spec.blocks
    _require_engine(spec)
    with external_resources(law, blocks, seed=spec.seed, run_index=spec.number) as (law, blocks):
        loop = loop_of(spec._replace(law=law, blocks=blocks, compiled=False))
    arrays = _copied(loop)
    user = require_symbol("load", no_user_loads)
    kernels = list(called_kernels(spec.craft, law, loop.blocks, arrays, scheme=spec.scheme, user=user, view=spec.view))
    for each in kernels:
        getattr(arrays, each.array).reshape(-1)[each.place] = 0
    others = {
        "format": FORMAT,
        "functions": [
            require_symbol("law", no_law if law is None else law.kernel),
            require_symbol("reference", spec.reference.kernel),
            user,
        ],
        "kernels": [list(each) for each in kernels],
        "rows": list(kinds_of(Rows)),
        "observe": _references(spec, law, loop),
        "indices": INDICES,
        "codes": {"done": at.DONE, "paused": at.PAUSED},
        "reasons": REASONS,
        "reference_size": REFERENCE.size,
        "width": WIDTH + 3 * len(loop.signals),
        "steps_per_call": steps_per_call(spec.craft),
        "quantities": recorded_quantities(spec, loop.signals),
    }
    return arrays._asdict(), others


def _require_engine(spec: RunSpec) -> None:
    """Raise InputError if a part of the run is simulated outside the engine."""
    craft, law = spec.craft, spec.law
    if craft.user_functions:
        raise InputError(
            "the spacecraft has user-defined potentials or forces, which the engine of a page does not contain"
        )
    if law is not None and not getattr(law, "compiled", True):
        raise InputError("the law is plain Python or an external program, which a page cannot call")
    outside = [block.name for block in spec.blocks if not block.compiled]
    if outside:
        raise InputError(f"the block {outside[0]!r} is plain Python or an external program, which a page cannot call")


def _copied(loop: Loop) -> LoopArrays:
    """Return a copy of a loop's arrays, in which kernels can be replaced; rows of results are zero."""
    copies: list[Any] = [np.array(getattr(loop.arrays, name)) for name in kinds_of(LoopArrays)]
    arrays = LoopArrays(*copies)
    for rows in (arrays.out_x, arrays.out_u, arrays.out_s, arrays.tally[tally_size(len(loop.signals), 0) :]):
        rows[:] = 0.0
    return arrays


def _references(spec: RunSpec, law: Law | None, loop: Loop) -> list[dict[str, Any]]:
    """Return the references for the output rows: one for all, or one per mode of the control system."""
    if not spec.follows:
        return []
    followed: Any = getattr(law, "followed", None)
    if followed is None:
        return [_reference(spec.reference)]
    columns = mode_columns(spec)
    found: list[dict[str, Any]] = []
    for number in range(len(getattr(law, "modes"))):  # noqa: B009 # only a law with modes has them
        reference, from_entry = followed(number, spec.reference)
        found.append({"mode": number, "from_entry": from_entry, **columns, **_reference(reference)})
    return found


def _reference(reference: Reference) -> dict[str, Any]:
    return {
        "kernel": require_symbol("reference", reference.kernel),
        "rq": encoded(np.asarray(reference.parameters, dtype=np.float64)),
    }
