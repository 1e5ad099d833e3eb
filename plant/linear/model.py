"""Linear model with named signals and units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import choice
from ..errors import InputError
from ..frozen import frozen_arrays
from ..loads.torque import TorqueBasis
from ..one_thread import one_thread

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class LinearModel:
    """z' = A z + B u, y = C z + D u about a steady state, in minimal coordinates.

    z holds the attitude error delta = 2 vec(conj(e_ref) o e) (rad, body components), and the deviations of the angular
    momentum (N m s, body components), of internal coordinates and momenta, and, if the position is a state, of position
    and linear momentum.

    Parameters
    ----------
    A : numpy.ndarray, shape (n, n)
        State matrix.
    B : numpy.ndarray, shape (n, 3 + k)
        Input matrix. Inputs are the torque components in the torque basis, N m, then the torque or force on each of the
        k coordinates of `linearize(coordinates=...)`.
    C : numpy.ndarray, shape (m, n)
        Output matrix.
    D : numpy.ndarray, shape (m, 3 + k)
        Feed-through.
    states : tuple of str
        State names.
    inputs : tuple of str
        Input names.
    outputs : tuple of str
        Output names.
    state_units : tuple of str
        Units of the states.
    input_units : tuple of str
        Units of the inputs.
    output_units : tuple of str
        Units of the outputs.
    operating_point : numpy.ndarray
        State of the plant about which the model is linearised.
    residual : float
        Largest rate of change at the operating point beyond the steady motion: N m, N or m/s; zero if steady.
    inertia : numpy.ndarray, shape (3, 3)
        Inertia of the spacecraft, kg m^2.
    torques : TorqueBasis
        Torque basis of the inputs.
    holding : dict
        Constant motor torque that holds the rate of each wheel against friction at the operating point, N m, by
        coordinate name. With `TorquePulse(torque, start=0.0, stop=..., coordinate=...)`, a run stays at the
        operating point.
    left_out : tuple of str
        One sentence per effect without a derivative at the operating point, such as a motor at its speed limit.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state_units: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]
    operating_point: Array
    residual: float
    inertia: Array
    torques: TorqueBasis
    holding: Mapping[str, float] = field(default_factory=dict[str, float])
    left_out: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return one line with the names of states and inputs, the number of outputs and the residual."""
        words = ", ".join(self.states), ", ".join(self.inputs)
        count = len(self.outputs)
        return f"<LinearModel of {words[0]} under {words[1]}; {count} outputs, residual {self.residual:.2g}>"

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from ..notebook_views import model_html

        return model_html(self)

    @one_thread
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Return the eigenvalues of A, sorted by real, then imaginary part.

        Returns
        -------
        numpy.ndarray, shape (n,)
            Eigenvalues, 1/s.
        """
        values = np.linalg.eigvals(self.A).astype(np.complex128)
        return values[np.lexsort((values.imag, values.real))]

    def select(self, *, states: Sequence[str] | None = None, inputs: Sequence[str] | None = None) -> "LinearModel":
        """Return the model with a selection of its states and inputs; all others are zero.

        Parameters
        ----------
        states : sequence of str, optional
            Names of the states to keep, in the new order. Default: all.
        inputs : sequence of str, optional
            Names of the inputs to keep, in the new order. Default: all.

        Returns
        -------
        LinearModel
            The reduced model.

        Raises
        ------
        InputError
            When a name is unknown or repeated, or when an omitted state drives a retained one: the reduced model
            would then be wrong.
        """
        keep = _places("state", states, self.states)
        acting = _places("input", inputs, self.inputs)
        drop = [n for n in range(len(self.states)) if n not in keep]
        coupling = self.A[np.ix_(keep, drop)]
        if coupling.any():
            i, j = np.argwhere(coupling)[0]
            raise InputError(
                f"state {self.states[keep[i]]!r} is driven by {self.states[drop[j]]!r} "
                f"(A entry {coupling[i, j]:.3g}); keep both"
            )
        return replace(
            self,
            A=self.A[np.ix_(keep, keep)],
            B=self.B[np.ix_(keep, acting)],
            C=self.C[:, keep],
            D=self.D[:, acting],
            states=tuple(self.states[n] for n in keep),
            state_units=tuple(self.state_units[n] for n in keep),
            inputs=tuple(self.inputs[n] for n in acting),
            input_units=tuple(self.input_units[n] for n in acting),
        )

    def to_control(self) -> Any:
        """Return the model as a python-control system.

        Returns
        -------
        control.StateSpace
            System with the signal names of this model.
        """
        import control

        return control.ss(
            self.A,
            self.B,
            self.C,
            self.D,
            states=list(self.states),
            inputs=list(self.inputs),
            outputs=list(self.outputs),
            name="linear_model",
        )


def _places(what: str, selection: Sequence[str] | None, names: tuple[str, ...]) -> list[int]:
    """Return the indices of the selected names, or all indices for None."""
    if isinstance(selection, str):
        raise InputError(f"{what}s must be a sequence of names, such as ({selection!r},)")
    chosen = names if selection is None else selection
    for n, name in enumerate(chosen):
        choice(what, name, names)
        if name in chosen[:n]:
            raise InputError(f"{what} {name!r} is given twice")
    return [names.index(name) for name in chosen]
