"""A formulation chosen for a run, with its options."""

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

__all__ = ["RotationIn"]


@dataclass(frozen=True, eq=False)
class RotationIn:
    """The rotation of a craft, integrated in a formulation: `polhode.sim.simulate(craft, formulation=...)`.

    It describes one rigid body, held at a pivot, translating or neither. Elements are for the equations of the craft.

    Parameters
    ----------
    name : str
        A key of `polhode.plant.formulations.FORMULATIONS`.
    sequence : str, optional
        The Euler sequence, such as "3-1-3"; needed by the formulations in Euler angles, refused by the others. A run
        ends at its gimbal lock.
    project : bool
        Whether the states are put back on their constraints after each step (coordinate projection).
    load : Load
        A torque, or a force at a body point, that acts all the time besides what acts on the craft. The force is not
        taken as its moment: forms with another generalised force of it have another multiplier. Its point is from the
        mass centre also where the craft is held at a pivot. Its work and impulse are in the balances.

    Raises
    ------
    InputError
        When the name is unknown, or the sequence is unknown, missing or not used.

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
        """The names of its states, in order."""
        return formulation_of(self.name, self.sequence).states

    @property
    def units(self) -> tuple[str, ...]:
        """Their units."""
        return formulation_of(self.name, self.sequence).units

    @property
    def multiplier(self) -> str:
        """What its multiplier is equal to, in the convention of the document, N m; empty where there is none."""
        return formulation_of(self.name, self.sequence).multiplier

    @property
    def balanced(self) -> bool:
        """Whether it keeps momentum and energy: all of them do."""
        return True

    @property
    def kernel(self) -> Callable[..., Any]:
        """The function by which the engine calls it."""
        return formulation_of(self.name, self.sequence).view

    def model(self, craft: "Spacecraft") -> RotationModel:
        """Return the equations of a craft's body by themselves.

        Parameters
        ----------
        craft : Spacecraft
            The craft.

        Returns
        -------
        RotationModel
            About its pivot or mass centre.

        Raises
        ------
        InputError
            When the craft has elements.
        """
        if craft.elements:
            kinds = ", ".join(sorted({type(element).__name__ for element in craft.elements}))
            raise InputError(
                f"formulation {self.name!r} describes one rigid body, and this craft has elements ({kinds}): leave out "
                "the formulation, or the elements"
            )
        return RotationModel(self.name, craft.body.inertia, sequence=self.sequence)

    def numbers(self, craft: "Spacecraft") -> list[float]:
        """Return what its kernel reads of a craft.

        Parameters
        ----------
        craft : Spacecraft
            The craft.

        Returns
        -------
        list of float
            Its own load, then the packed body; see `polhode.plant.formulations.view`.
        """
        load, model = self.load, self.model(craft)
        if craft.body.pivot is not None:
            load = replace(load, point=load.point - craft.body.pivot)
        return [*load.pack(), *model.parameters]

    def enter(self, craft: "Spacecraft", x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return its states for a state of a craft.

        Parameters
        ----------
        craft : Spacecraft
            The craft.
        x : numpy.ndarray, shape (nx,)
            Its state.

        Returns
        -------
        numpy.ndarray, shape (k,)
            In the order of `states`; at gimbal lock there are none, and it is refused.
        """
        return self.model(craft).state(x[3:7], craft.rate(x))

    def words(self) -> str:
        """Return what a user must know of every run in it: nothing."""
        return ""
