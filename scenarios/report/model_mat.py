"""A linear model as a file of MATLAB."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ...plant import LinearModel

__all__ = ["write_mat"]


def write_mat(model: "LinearModel", path: Path) -> None:
    """Write A, B, C, D, operating_point, and the names and units of states, inputs and outputs as cell arrays.

    In MATLAB: ``m = load("linear_model.mat"); sys = ss(m.A, m.B, m.C, m.D, "StateName", m.states, "InputName",
    m.inputs, "OutputName", m.outputs)``.
    """
    from scipy import io

    matrices = {"A": model.A, "B": model.B, "C": model.C, "D": model.D, "operating_point": model.operating_point}
    words = ("states", "state_units", "inputs", "input_units", "outputs", "output_units")
    cells = {name: _cell(getattr(model, name)) for name in words}
    with path.open("wb") as file:
        io.savemat(file, {**matrices, **cells}, oned_as="column")


def _cell(words: "tuple[str, ...]") -> NDArray[np.object_]:
    cell = np.empty(len(words), dtype=object)
    cell[:] = words
    return cell
