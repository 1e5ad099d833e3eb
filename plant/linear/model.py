"""A linear model with named, unit-carrying signals."""

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
    B : numpy.ndarray, shape (n, 3 + k)
        Input matrix; inputs are torque components in the craft's torque basis, N m, then what acts on each of the k
        coordinates that `linearize(on=...)` was given.
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
    holding : dict
        Of each wheel that turns against friction at the operating point, by its coordinate, the constant torque of its
        motor that holds the rate, N m. A run stays at the operating point under
        `TorquePulse(torque, start=0.0, stop=..., on=coordinate)`.
    left_out : tuple of str
        A sentence for all that has no slope at the operating point, such as the motor of a wheel at its speed limit.
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

    def select(self, *, states: Sequence[str] | None = None, inputs: Sequence[str] | None = None) -> "LinearModel":
        """Return the model with only some of its states and inputs, the others held at zero.

        Parameters
        ----------
        states : sequence of str, optional
            Names of the states to keep, in the order wanted; all if left out.
        inputs : sequence of str, optional
            Names of the inputs to keep, in the order wanted; all if left out.

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


def _places(what: str, wanted: Sequence[str] | None, names: tuple[str, ...]) -> list[int]:
    """Where the names stand that are wanted; all of None."""
    if isinstance(wanted, str):
        raise InputError(f"{what}s must be a sequence of names, such as ({wanted!r},)")
    asked = names if wanted is None else wanted
    for n, name in enumerate(asked):
        choice(what, name, names)
        if name in asked[:n]:
            raise InputError(f"{what} {name!r} is asked for twice")
    return [names.index(name) for name in asked]
