"""A linear model with named, unit-carrying signals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import choice
from ..errors import InputError
from ..frozen import frozen_arrays
from ..loads.torque import TorqueBasis
from ..one_thread import one_thread

__all__ = ["LinearModel"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class LinearModel:
    """z' = A z + B u, y = C z + D u about a steady state, in minimal coordinates.

    z holds the attitude error delta = 2 vec(conj(e_ref) o e) (rad, body components), the deviation of the
    angular momentum (N m s, body components), and with translation those of position and linear momentum.

    Parameters
    ----------
    A : numpy.ndarray, shape (n, n)
        State matrix.
    B : numpy.ndarray, shape (n, 3)
        Input matrix; inputs are torque components in the craft's torque basis, N m.
    C : numpy.ndarray, shape (m, n)
        Output matrix.
    D : numpy.ndarray, shape (m, 3)
        Feed-through.
    states : tuple of str
        State names.
    inputs : tuple of str
        Input names.
    outputs : tuple of str
        Output names.
    state_units : tuple of str
        Their units.
    input_units : tuple of str
        Their units.
    output_units : tuple of str
        Their units.
    operating_point : numpy.ndarray
        The plant's state the model is about.
    residual : float
        The largest rate of change at that state beyond the steady motion: N m, N or m/s; zero when steady.
    inertia : numpy.ndarray, shape (3, 3)
        Inertia of the craft, kg m^2.
    torques : TorqueBasis
        The basis of the inputs.
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

    def __repr__(self) -> str:
        """Return one line: the names, and whether it is about a steady state."""
        words = ", ".join(self.states), ", ".join(self.inputs)
        count = len(self.outputs)
        return f"<LinearModel of {words[0]} under {words[1]}; {count} outputs, residual {self.residual:.2g}>"

    @one_thread
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Return the eigenvalues of A, by real then imaginary part.

        Returns
        -------
        numpy.ndarray, shape (n,)
            1/s.
        """
        values = np.linalg.eigvals(self.A).astype(np.complex128)
        return values[np.lexsort((values.imag, values.real))]

    def select(self, *, states: Sequence[str]) -> "LinearModel":
        """Return the model with only some of its states, the others held at zero.

        Parameters
        ----------
        states : sequence of str
            Names of the states to keep, in the order wanted.

        Returns
        -------
        LinearModel
            The smaller model.

        Raises
        ------
        InputError
            When a name is unknown or given twice, or a state kept is driven by one left out: such a model would be
            wrong.
        """
        if isinstance(states, str):
            raise InputError(f"states must be a sequence of names, such as ({states!r},)")
        for n, name in enumerate(states):
            choice("state", name, self.states)
            if name in states[:n]:
                raise InputError(f"state {name!r} is asked for twice")
        keep = [self.states.index(name) for name in states]
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
            B=self.B[keep],
            C=self.C[:, keep],
            states=tuple(self.states[n] for n in keep),
            state_units=tuple(self.state_units[n] for n in keep),
        )

    def to_control(self) -> Any:
        """Return the model as a python-control system.

        Returns
        -------
        control.StateSpace
            With the signal names of this model.
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
