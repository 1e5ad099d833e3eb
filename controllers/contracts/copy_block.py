"""Kernel of a block that copies its input."""

from typing import Any

from ...plant.kernels.kernel import kernel


@kernel
def copy_block(t: Any, y: Any, q: Any, z: Any, v: Any) -> None:
    """Copy the input to the output: v = y."""
    for n in range(v.size):
        v[n] = y[n]
