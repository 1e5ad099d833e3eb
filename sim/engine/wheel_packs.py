"""Simultaneous runs of a hub with wheels in vector registers.

The loop of `wheel_pack_loop` takes explicit steps, fixed or of dop853. The spacecraft has only wheels as elements, and
the control torque is in body axes. Inertia and the parameters of the wheels may differ from run to run, in addition to
the values listed in `packs`; the existence of a motor or a limit may not.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...controllers.contracts.law_layout import REFERENCE
from ...plant.elements.wheel import Wheel
from ...plant.elements.wheel_motor import AT, UNLIMITED
from ...plant.hub.parameters import (
    AT_ELEMENTS,
    AT_PORTS,
    CONSTANT,
    DRIVEN,
    ELEMENT,
    N_DAMPERS,
    N_INTERNAL,
    N_PORTS,
    N_POTENTIALS,
    PORT,
    TRANSLATION,
    USER,
    VIEW,
)
from ...plant.loads.torque.torque_kernels import BODY as BODY_AXES
from . import indices as at
from .extremes import TALLY_ROW
from .loop import Loop
from .packs import BODY, KIND, Packs, fits_a_pack
from .wheel_pack_loop import OWN, STAGES_KEPT

_NONE = (N_POTENTIALS, N_DAMPERS, TRANSLATION, USER, VIEW, DRIVEN)
_CONTINUOUS = tuple(place for place in range(int(AT.size)) if place != AT.number)
_LIMITS = (AT.torque_limit, AT.speed_limit)
_METHODS = (at.RK4, at.EXPLICIT, at.DOP853)
_BY_RUN = (at.STEPS, at.BUDGET, at.REJECTED, at.RETRY)
"""Counters that may differ between the runs of a pack."""


def may_fly_in_wheel_packs(loop: Loop) -> bool:
    """Return whether a fully compiled run can run in a pack of hubs with wheels."""
    b, craft = loop.arrays, loop.craft
    if not craft.elements or any(type(element) is not Wheel for element in craft.elements):
        return False
    if any(b.p[place] != 0.0 for place in _NONE) or not b.p[CONSTANT] or b.p[N_PORTS] != 1.0:
        return False
    basis = b.p[AT_PORTS + PORT.basis]
    return basis == BODY_AXES and int(b.count[at.METHOD]) in _METHODS and b.x.size > 7 and fits_a_pack(loop)


class WheelPacks(Packs):
    """Simulator of the lanes of a batch of hubs with wheels in packs."""

    entry = "wheel_packs_entry"

    @staticmethod
    def called(loop: Loop) -> list[int]:
        return [*Packs.called(loop), int(loop.functions[2])]

    @staticmethod
    def _own_of_plant(loop: Loop) -> Sequence[int]:
        p = loop.arrays.p
        found = [*BODY, *range(int(p[CONSTANT]), p.size)]
        row = int(p[AT_ELEMENTS])
        for _ in loop.craft.elements:
            n = row + ELEMENT.size
            places = [n + place for place in _CONTINUOUS]
            unlimited = [n + place for place in _LIMITS if p[n + place] == UNLIMITED]
            found += [place for place in places if place not in unlimited]
            row += int(p[row + ELEMENT.length])
        return found

    @staticmethod
    def _more_codes(loop: Loop) -> dict[str, NDArray[np.int64]]:
        b = loop.arrays
        groups = np.arange(3, b.floors.size, 4)
        return {
            "floors": np.concatenate([groups, groups + 1, groups + 2]),
            "count": np.array((*KIND, at.SEGMENT_N)),  # a pack begins at the start of an interval
        }

    @staticmethod
    def _instant() -> dict[str, NDArray[np.int64]]:
        clock = np.setdiff1d(np.arange(at.CLOCK_SIZE), (at.H, at.NORM_DRIFT, at.LONGEST, at.T_SEGMENT))
        return {"clock": clock, "count": np.setdiff1d(np.arange(at.COUNT_SIZE), _BY_RUN)}

    @staticmethod
    def _vectors(loop: Loop) -> int:
        b, wheels = loop.arrays, int(loop.arrays.p[N_INTERNAL])
        plant = (3 + STAGES_KEPT) * b.x.size + b.u.size + b.p.size + b.floors.size + 3 + 2 * wheels
        law = b.q.size + b.z.size + b.limits.size + b.queue.size + b.seen.size + REFERENCE.size + 3
        return plant + law + TALLY_ROW * len(loop.signals) + 1 + OWN
