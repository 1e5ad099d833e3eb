"""MATLAB files of linear models."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray


def write_mat(content: Mapping[str, Any], path: Path) -> None:
    """Write a linear system to a MAT file: numbers as arrays, names and units as cell arrays.

    content: A, B, C, D, dt, the names of states, inputs and outputs, and other entries of these types.
    In MATLAB: ``m = load("linear_model.mat"); sys = ss(m.A, m.B, m.C, m.D, m.dt, "StateName", m.states, "InputName",
    m.inputs, "OutputName", m.outputs)``.
    """
    from scipy import io

    cells = {name: _cell(value) for name, value in content.items()}
    with path.open("wb") as file:
        io.savemat(file, cells, oned_as="column")


def _cell(value: Any) -> NDArray[np.generic]:
    """Return text as a cell array, and other values as arrays."""
    given = cast("object", value)
    words = cast("list[Any]", given) if isinstance(given, list) else []
    if not words or not all(isinstance(each, str) for each in words):
        return np.asarray(given)
    cell = np.empty(len(words), dtype=object)
    cell[:] = words
    return cell
