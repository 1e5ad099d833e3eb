"""Input and output signals of ready-made blocks that process each channel separately."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import vector
from ....plant.errors import InputError
from ...contracts.law_layout import REFERENCE
from ...contracts.signal import Signal
from ...loop.routes import APPLIED, ATTITUDE, COMMAND, COMMAND_SIZE, OF_PORT, REFERENCE_SIGNAL

WIDTHS = {
    "momentum": 3,
    ATTITUDE: 4,
    "rate": 3,
    APPLIED: COMMAND_SIZE,
    COMMAND: COMMAND_SIZE,
    **dict.fromkeys(OF_PORT.values(), COMMAND_SIZE),
    REFERENCE_SIGNAL: REFERENCE.size,
}


def read_write(
    reads: str | Sequence[str], writes: str | None, width: int | None, *, unit: str, smooths: bool = False
) -> tuple[tuple[str, ...], dict[str, Signal], int]:
    """Return input names, output signals by name, and number of components.

    width: width of user-defined signals; smooths: whether the block filters each component, starting at zero.

    Raises InputError when the width is unknown, when there are several inputs and `writes` is not given, or when an
    attitude would be filtered.
    """
    names: tuple[str, ...] = (reads,) if isinstance(reads, str) else tuple(reads)
    if not names:
        raise InputError("a block reads a signal; give its name in reads")
    if smooths and ATTITUDE in names:
        raise InputError(
            "Euler parameters have two signs for one attitude, so they cannot be filtered component by component from "
            "zero; filter the rate or the command, or give a custom block"
        )
    unknown = [name for name in names if name not in WIDTHS]
    if width is None and unknown:
        raise InputError(f"the width of {unknown[0]!r} is unknown; give width")
    size = sum(WIDTHS[name] for name in names) if width is None else width
    if writes is None and len(names) > 1:
        raise InputError(f"a block that reads {', '.join(names)} needs a name for its output; give writes")
    first = next(iter(names))
    return names, {first if writes is None else writes: Signal(size, unit)}, size


def per_component(name: str, value: ArrayLike, size: int) -> NDArray[np.float64]:
    """Return one value per component; a scalar applies to all. Raises InputError for a wrong length."""
    array = np.asarray(value, dtype=np.float64)
    return np.full(size, float(array)) if array.ndim == 0 else vector(name, array, size)
