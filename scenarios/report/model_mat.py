"""A linear model or system as a file of MATLAB."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

__all__ = ["write_mat"]


def write_mat(content: Mapping[str, Any], path: Path) -> None:
    """Write what a summary tells of a linear system: numbers as arrays, names and units as cell arrays.

    content: A, B, C, D, dt, the names of states, inputs and outputs, and whatever is of that kind beside them.
    In MATLAB: ``m = load("linear_model.mat"); sys = ss(m.A, m.B, m.C, m.D, m.dt, "StateName", m.states, "InputName",
    m.inputs, "OutputName", m.outputs)``.
    """
    from scipy import io

    told = {name: _cell(value) for name, value in content.items()}
    with path.open("wb") as file:
        io.savemat(file, told, oned_as="column")


def _cell(value: Any) -> NDArray[np.generic]:
    """Words as a cell array; anything else as the array it is."""
    given = cast("object", value)
    words = cast("list[Any]", given) if isinstance(given, list) else []
    if not words or not all(isinstance(each, str) for each in words):
        return np.asarray(given)
    cell = np.empty(len(words), dtype=object)
    cell[:] = words
    return cell
