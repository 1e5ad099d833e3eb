"""Simultaneous runs of a hub with elements or blocks in vector registers.

The loop of `element_pack_loop` takes explicit steps, fixed or of dop853. With blocks (`vector_blocks`) it takes fixed
steps, and then it also simulates a free body in steps of rk4. The elements are wheels, and elements whose
kernel is marked `@kernel(lanes=True)`, such as rings and pendulums, with at most 19 coordinates in total. The control
torque is in body axes, and there are no other loads. Inertia and the parameters of the elements may differ from run to
run, in addition to the values listed in `packs`; but either all runs or none have a given motor or limit.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...controllers.contracts.law_layout import REFERENCE
from ...plant.elements.wheel import Wheel
from ...plant.elements.wheel_motor import AT, UNLIMITED
from ...plant.hub.condensation import CONDENSED_FROM
from ...plant.hub.parameters import (
    AT_ELEMENTS,
    AT_PORTS,
    CENTRE,
    CONSTANT,
    DRIVEN,
    ELEMENT,
    HUB_SHARE,
    N_DAMPERS,
    N_INTERNAL,
    N_OWN,
    N_PORTS,
    N_POTENTIALS,
    PORT,
    REDUCED,
    SHARE,
    TRANSLATION,
    USER,
    VIEW,
)
from ...plant.kernels.kernel import LANES as MARKED
from ...plant.loads.torque.torque_kernels import BODY as BODY_AXES
from ..codegen.library import simd_address
from . import indices as at
from .element_pack_adaptive import STEP_ROW
from .element_pack_blocks import PROGRESS
from .element_pack_lanes import OWN
from .element_pack_loop import DENSE_KEPT, STAGES_KEPT
from .element_pack_wheel import pack_wheel  # pyright: ignore[reportUnknownVariableType] # kernels are not typed
from .extremes import TALLY_ROW
from .loop import Loop
from .packs import BODY, KIND, Packs, has_vector_law
from .vector_blocks import block_address, common_numbers

_NONE = (N_POTENTIALS, N_DAMPERS, TRANSLATION, USER, VIEW, DRIVEN, N_OWN)
_MASSES = (REDUCED, *range(CENTRE, CENTRE + 3), HUB_SHARE, SHARE)
"""Further parameters that may differ. Whether REDUCED is zero follows from CONSTANT and the pivot, which may not."""
_CONTINUOUS = tuple(place for place in range(int(AT.size)) if place not in (AT.number, AT.follows))
_ABSENT = {
    **dict.fromkeys((AT.torque_limit, AT.power_limit, AT.speed_limit, AT.efficiency, AT.rated_power), UNLIMITED),
    AT.minimum_torque: 0.0,
}
"""Values of the parameters of a motor that mean that there is no such limit."""
_METHODS = (at.RK4, at.EXPLICIT, at.DOP853)
_BY_RUN = (at.STEPS, at.BUDGET, at.REJECTED, at.RETRY)
"""Counters that may differ between the runs of a pack."""


def vector_kernel(element: Any) -> Any:
    """Return the kernel that a pack calls for an element; None if there is no vector version."""
    if type(element) is Wheel:
        return pack_wheel
    return element.kernel if element.kernel in MARKED else None


def _address(element: Any) -> int | None:
    """Return the address of an element's vector kernel; None if there is none."""
    kernel = vector_kernel(element)
    return None if kernel is None else simd_address(kernel)


def fits_element_pack(loop: Loop) -> bool:
    """Return whether a fully compiled run can run in a pack of hubs with elements."""
    b, craft = loop.arrays, loop.craft
    method = int(b.count[at.METHOD])
    if not craft.elements and (method != at.RK4 or not loop.blocks):
        return False
    if b.p[N_INTERNAL] >= CONDENSED_FROM or (loop.blocks and method == at.DOP853):
        return False
    if any(b.p[place] != 0.0 for place in _NONE) or b.p[N_PORTS] != 1.0:
        return False
    if b.p[AT_PORTS + PORT.basis] != BODY_AXES or method not in _METHODS or b.ports.shape[0]:
        return False
    addresses = [*map(_address, craft.elements), *map(block_address, loop.blocks)]
    return has_vector_law(loop) and None not in addresses


class ElementPacks(Packs):
    """Simulator for a batch of hubs with elements, which advances the runs pack by pack, one run per lane."""

    entry = "element_packs_entry"

    @staticmethod
    def called(loop: Loop) -> list[int]:
        return [*Packs.called(loop), int(loop.functions[2])]

    @staticmethod
    def _tables(loop: Loop) -> tuple[NDArray[Any], ...]:
        elements, rows = loop.craft.elements, _rows(loop)
        addresses = [*map(_address, elements), *map(block_address, loop.blocks)]
        kernels = np.array(addresses, dtype=np.float64)
        wheels = [row for row, element in zip(rows, elements, strict=True) if type(element) is Wheel]
        return kernels, np.array(wheels, dtype=np.int64)

    @staticmethod
    def _own_of_plant(loop: Loop) -> Sequence[int]:
        p = loop.arrays.p
        found = [*BODY, *_MASSES]
        if p[CONSTANT]:
            found += range(int(p[CONSTANT]), p.size)
        for row, element in zip(_rows(loop), loop.craft.elements, strict=True):
            n = row + ELEMENT.size
            if type(element) is not Wheel:
                found += range(n, row + int(p[row + ELEMENT.length]))
                continue
            places = [n + place for place in _CONTINUOUS]
            absent = [n + place for place, none in _ABSENT.items() if p[n + place] == none]
            found += [place for place in places if place not in absent]
        return found

    @staticmethod
    def _more_codes(loop: Loop) -> dict[str, NDArray[np.int64]]:
        b = loop.arrays
        groups = np.arange(3, b.floors.size, 4)
        blocks = _codes_of_blocks(loop) if loop.blocks else {}
        return {
            "floors": np.concatenate([groups, groups + 1, groups + 2]),
            "count": np.array((*KIND, at.SEGMENT_N)),  # a pack begins at the start of an interval
            **blocks,
        }

    @staticmethod
    def _instant() -> dict[str, NDArray[np.int64]]:
        clock = np.setdiff1d(np.arange(at.CLOCK_SIZE), (at.H, at.NORM_DRIFT, at.LONGEST, at.T_SEGMENT))
        return {"clock": clock, "count": np.setdiff1d(np.arange(at.COUNT_SIZE), _BY_RUN)}

    @staticmethod
    def _vectors(loop: Loop) -> int:
        b = loop.arrays
        plant = (5 + DENSE_KEPT + STAGES_KEPT) * b.x.size + b.u.size + b.p.size + b.floors.size + b.w.size
        law = b.q.size + b.z.size + b.limits.size + b.queue.size + b.seen.size + REFERENCE.size + 3
        blocks = b.signals.size + b.inputs.size + b.held.size + b.answer.size + b.block_q.size + b.block_z.size
        counters = STEP_ROW + OWN + PROGRESS * len(loop.blocks)
        return plant + law + TALLY_ROW * len(loop.signals) + blocks + counters


def _codes_of_blocks(loop: Loop) -> dict[str, NDArray[np.int64]]:
    """Return, by array, the indices of the block values that must be equal in a pack.

    Since the memory of the blocks is among them, a pack begins at t = 0.
    """
    b = loop.arrays
    parameters, memory = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for row, block in zip(b.blocks, loop.blocks, strict=True):
        (first, end), (start, last) = row[at.BLOCK.q : at.BLOCK.q + 2], row[at.BLOCK.z : at.BLOCK.z + 2]
        own, kept = common_numbers(block, int(end - first), int(last - start))
        parameters.append(first + own)
        memory.append(start + kept)
    every: dict[str, NDArray[np.int64]] = {
        name: np.arange(getattr(b, name).size) for name in ("blocks", "wires", "delays")
    }
    return {**every, "block_q": np.concatenate(parameters), "block_z": np.concatenate(memory)}


def _rows(loop: Loop) -> list[int]:
    """Return the start of the row of each element in the parameters of the plant."""
    p = loop.arrays.p
    rows = [int(p[AT_ELEMENTS])]
    for _ in loop.craft.elements:
        rows.append(rows[-1] + int(p[rows[-1] + ELEMENT.length]))
    return rows[:-1]
