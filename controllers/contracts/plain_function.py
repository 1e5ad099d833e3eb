"""Plain Python function as the kernel of a block."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.checks import is_masked
from ...plant.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlainFunction:
    """Adapter that gives a Python function `function(t, y)` the signature of a block kernel.

    function: the function; block, writes: names of the block and its output signals, for messages.
    """

    function: Callable[..., Any]
    block: str
    writes: tuple[str, ...]

    def __call__(self, t: float, y: Array, q: Array, z: Array, v: Array) -> None:
        """Write the result of the function into v. Raises InputError unless the result has v.size values."""
        answer: Any = self.function(t, y)
        try:
            numbers = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"the block {self.block!r} returned {answer!r} at t = {t:g} s; return numbers") from None
        if is_masked(answer):
            raise InputError(f"the block {self.block!r} returned masked numbers at t = {t:g} s; fill them")
        if numbers.shape != (v.size,) and not (v.size == 1 and numbers.ndim == 0):
            shape = f"{numbers.size} numbers" if numbers.ndim < 2 else f"an array of shape {numbers.shape}"
            raise InputError(
                f"the block {self.block!r} returned {shape} at t = {t:g} s, but writes {v.size}: "
                f"{', '.join(self.writes)}"
            )
        v[:] = numbers
