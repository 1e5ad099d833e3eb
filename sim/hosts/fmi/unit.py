"""Content of an FMU: the initial arrays of a run, the functions that advance them, and the outputs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ....controllers import Block, FixedReference, Law, Reference
from ....plant import Spacecraft, TorquePulse
from ....plant.errors import InputError
from ....plant.hub.dynamics import body_rate
from ....plant.hub.element_calls import element_functions  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from ....plant.hub.parameters import AT_ELEMENTS, ELEMENT, N_ELEMENTS
from ....plant.loads.user_loads import function_name
from ...codegen.c99.switches import Numbered, numbered
from ...engine import indices as at
from ...engine.extremes import new_tally
from ...engine.law import no_law
from ...engine.loop_arrays import LoopArrays
from ...engine.new_loop_arrays import new_loop_arrays
from ...engine.seeding import seeded
from ...engine.steppers.scheme import Scheme
from .outputs import Output, block_outputs, element_outputs
from .parameters import Parameters, of_law, parameters_of

FOR_EVER = 1e300
MOST_STEPS = 2**62


@dataclass(frozen=True, eq=False, kw_only=True)
class Unit:
    """A spacecraft in open or closed loop; or, if `law_only`, only a law with its blocks.

    arrays: initial arrays. functions: functions that are called by their numbers in the arrays. target: reference
    parameters if the law holds one attitude. poses: whether a torque basis has singular poses. signals: outputs of
    blocks. elements: outputs of elements.
    """

    craft: Spacecraft
    arrays: LoopArrays
    law: Callable[..., Any]
    reference: Callable[..., Any]
    functions: Numbered
    parameters: Parameters
    target: bool
    poses: bool
    closed: bool
    law_only: bool
    implicit: bool
    grid: float
    signals: tuple[Output, ...]
    elements: tuple[Output, ...]


def unit_of(
    craft: Spacecraft,
    x: NDArray[np.float64],
    law: Law | None,
    reference: Reference,
    *,
    pulses: Sequence[TorquePulse],
    scheme: Scheme,
    pose_limit: float,
    blocks: Sequence[Block],
    seed: int | None,
    number: int,
    law_only: bool = False,
) -> Unit:
    """Return the content of an FMU.

    law_only: whether the FMU contains the law without the craft. Other arguments as in `polhode.sim.engine.loop.Loop`.
    Raises InputError when a part is plain Python.
    """
    if scheme.stepper.exact:
        raise InputError(
            f"integrator {scheme.integrator!r} applies to a free body only, but an FMU accepts external torques; use "
            "'dop853'"
        )
    _refuse(craft, law, blocks)
    complete = seeded(blocks, seed=seed, run_index=number)
    elements = () if law_only else element_outputs(craft)

    def build(craft: Spacecraft, law: Law | None) -> LoopArrays:
        slab = new_loop_arrays(
            craft,
            x,
            law,
            reference,
            pulses=pulses,
            scheme=scheme,
            duration=FOR_EVER,
            times=np.zeros(0),
            ledger=False,
            max_steps=MOST_STEPS,
            pose_limit=pose_limit,
            rows=0,
            signals=len(elements),
            blocks=complete,
        )
        return LoopArrays(*slab.arrays)._replace(tally=new_tally(0, 0))  # an FMU records no extremes

    arrays = build(craft, law)
    parameters = parameters_of(craft, law, arrays, build)
    if law_only:
        arrays, parameters = (
            arrays._replace(w=np.array(body_rate(0.0, arrays.x, arrays.u, arrays.p, arrays.w))),
            of_law(parameters),
        )
        arrays.count[at.WATCH] = 0
    count, clock = arrays.count, arrays.clock
    count[at.LAW_MODE] = at.NO_LAW if law is None else at.COMPILED_LAW
    count[at.BUDGET] = MOST_STEPS
    functions: Numbered = {
        "element": _elements(arrays.p),
        "block": {n: block.kernel for n, block in enumerate(complete)},
    }
    numbered(tuple(getattr(law, "calls", ())), arrays.q, functions)
    for n, (row, block) in enumerate(zip(arrays.blocks, complete, strict=True)):
        row[at.BLOCK.code] = n
        numbered(block.calls, arrays.block_q[row[at.BLOCK.q] : row[at.BLOCK.q + 1]], functions)
    grid = next((float(each) for each in (clock[at.TICK], clock[at.SAMPLE], clock[at.STEP]) if each > 0.0), 0.0)
    return Unit(
        craft=craft,
        arrays=arrays,
        law=no_law if law is None else law.kernel,
        reference=reference.kernel,
        functions=functions,
        parameters=parameters,
        target=law is not None and isinstance(reference, FixedReference),
        poses=not law_only
        and any(each.sequence is not None for each in (craft.torques, *(pulse.basis for pulse in pulses))),
        closed=law is not None,
        law_only=law_only,
        implicit=scheme.stepper.implicit,
        grid=grid if np.isfinite(grid) else 0.0,
        signals=block_outputs(craft, law, blocks),
        elements=elements,
    )


def _refuse(craft: Spacecraft, law: Law | None, blocks: Sequence[Block]) -> None:
    if craft.user_functions:
        kind, name = craft.user_functions[0]
        raise InputError(f"the {kind} {name!r} is user-defined and cannot be exported to C; remove it")
    if law is not None and not getattr(law, "compiled", True):
        name = function_name(getattr(law, "function", law))
        raise InputError(
            f"the law {name!r} is plain Python, which cannot be exported; write it as a kernel, or export without a law"
        )
    for block in blocks:
        if not block.compiled:
            raise InputError(
                f"the block {block.name!r} is plain Python, which cannot be exported; write it as a kernel"
            )


def _elements(p: NDArray[np.float64]) -> dict[int, Callable[..., Any]]:
    """Return the functions of the elements, by the numbers in the elements' parameter rows."""
    row, codes = int(p[AT_ELEMENTS]), set[int]()
    for _ in range(int(p[N_ELEMENTS])):
        codes.add(int(p[row + ELEMENT.function]))
        row += int(p[row + ELEMENT.length])
    every = cast("tuple[Callable[..., Any], ...]", element_functions())
    return {code: every[code] for code in sorted(codes)}
