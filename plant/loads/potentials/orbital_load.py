"""Base class of the loads that depend on the spacecraft's own orbit, whose position must be a state."""

from typing import TYPE_CHECKING

from ...errors import InputError
from .any_potential import AnyPotential

if TYPE_CHECKING:
    from ...hub.rigid_body import RigidBody


class OrbitalLoad(AnyPotential):
    """Potential or force that depends on the position of a translating spacecraft."""

    def pack(self, body: "RigidBody", *, translation: bool, off_center: bool) -> list[float]:
        """Return the packed parameters, in the order in which the kernels read them.

        Parameters
        ----------
        body : RigidBody
            Body on which the load acts.
        translation : bool
            Whether position is a state.
        off_center : bool
            Whether an element has weight off the pivot.

        Returns
        -------
        list of float
            The fields of AT.

        Raises
        ------
        InputError
            When the spacecraft does not translate.
        """
        del body, off_center
        if not translation:
            raise InputError(
                f"{self.words} acts on the spacecraft's own orbit, which a spacecraft without translation does not "
                "have; let it move with Spacecraft(..., translation=True)"
            )
        return self._packed()

    if TYPE_CHECKING:

        def _packed(self) -> list[float]:
            """Return the fields of the parameters AT of the kind."""
            ...
