"""Choice of a formulation for a run, with options."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .load import Load
from .rotation_model import RotationModel, formulation_of

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft


@dataclass(frozen=True, eq=False)
class RotationIn:
    """Rotation of a spacecraft in a selected formulation, for `simulate(craft, formulation=...)`.

    The formulation describes one rigid body: pivoted, translating or neither. Spacecraft with elements need the
    standard equations.

    Parameters
    ----------
    name : str
        A key of `polhode.plant.formulations.FORMULATIONS`.
    sequence : str, optional
        Euler sequence, such as "3-1-3"; required by the formulations in Euler angles, not allowed for the others. A
        run ends at gimbal lock.
    project : bool
        Whether the states are projected onto their constraints after each step (coordinate projection).
    load : Load
        Additional constant torque, or force at a body point. The force is not replaced by its moment, since the
        multiplier depends on the form of the generalised force. Its point is relative to the mass centre, even if the
        body is pivoted. The balances include the work and impulse of this load.

    Raises
    ------
    InputError
        When the name is unknown, or the sequence is unknown, missing or superfluous.

    Examples
    --------
    >>> RotationIn("euler-angles", sequence="3-2-1").states
    ('omega_1', 'omega_2', 'omega_3', 'angle_1', 'angle_2', 'angle_3')
    """

    name: str
    sequence: str | None = field(default=None, kw_only=True)
    project: bool = field(default=True, kw_only=True)
    load: Load = field(default_factory=Load, kw_only=True)

    def __post_init__(self) -> None:
        formulation_of(self.name, self.sequence)

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states."""
        return formulation_of(self.name, self.sequence).states

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the states."""
        return formulation_of(self.name, self.sequence).units

    @property
    def multiplier(self) -> str:
        """Expression for the multiplier in the convention of the source, N m; empty if there is none."""
        return formulation_of(self.name, self.sequence).multiplier

    @property
    def balanced(self) -> bool:
        """True: all these formulations conserve momentum and energy."""
        return True

    @property
    def kernel(self) -> Callable[..., Any]:
        """Kernel function that the engine calls."""
        return formulation_of(self.name, self.sequence).view

    def model(self, craft: "Spacecraft") -> RotationModel:
        """Return the equations of motion for the body of a spacecraft.

        Parameters
        ----------
        craft : Spacecraft
            The spacecraft.

        Returns
        -------
        RotationModel
            Model about the pivot or mass centre.

        Raises
        ------
        InputError
            When the spacecraft has elements.
        """
        if craft.elements:
            kinds = ", ".join(sorted({type(element).__name__ for element in craft.elements}))
            raise InputError(
                f"formulation {self.name!r} describes one rigid body, but this spacecraft has elements ({kinds}): "
                "remove the formulation, or the elements"
            )
        return RotationModel(self.name, craft.body.inertia, sequence=self.sequence)

    def numbers(self, craft: "Spacecraft") -> list[float]:
        """Return the parameters of the kernel for a spacecraft.

        Parameters
        ----------
        craft : Spacecraft
            The spacecraft.

        Returns
        -------
        list of float
            The additional load, then the packed body; see `polhode.plant.formulations.view`.
        """
        load, model = self.load, self.model(craft)
        if craft.body.pivot is not None:
            load = replace(load, point=load.point - craft.body.pivot)
        return [*load.pack(), *model.parameters]

    def enter(self, craft: "Spacecraft", x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the states of the formulation for a state of a spacecraft.

        Parameters
        ----------
        craft : Spacecraft
            The spacecraft.
        x : numpy.ndarray, shape (nx,)
            The state.

        Returns
        -------
        numpy.ndarray, shape (k,)
            Values in the order of `states`. A SingularBasisError is raised at gimbal lock.
        """
        return self.model(craft).state(x[3:7], craft.rate(x))

    def words(self) -> str:
        """Return the warning that applies to every run in this formulation: none, as an empty string."""
        return ""
