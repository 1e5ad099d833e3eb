"""Common keys and properties of all potentials."""

from typing import ClassVar

from .fields import Table, wrong

Orbit = tuple[float, tuple[float, float, float] | None, tuple[float, float, float] | None]
"""mu (m^3/s^2), position (m) and velocity (m/s) at t = 0; position and velocity are None if [initial] states them."""


class PotentialTable(Table):
    """One of `[[plant.potentials]]`."""

    needs_place: ClassVar[bool] = True
    """True if the potential depends on the position of the mass centre; see `polhode.plant.loads.load_rule`."""

    @property
    def orbit(self) -> Orbit | None:
        """Orbit of the potential; None if it has none."""
        return None

    def check(self, *, key: str, kind: str, placed: bool, translation: bool) -> None:
        """Raise an error if the plant lacks the position on which the potential depends.

        key: key path of the potential; kind: kind of the potential; placed: whether the plant has a pivot, translates,
        or is held at its mass centre by a moving element; translation: whether the spacecraft translates.
        """
        del translation
        if self.needs_place and not placed:
            raise wrong(
                f"{key}: {kind} depends on the position of the mass centre, which the plant has only with "
                "pivot_m or translation = true; give pivot_m, where [0, 0, 0] is the mass centre itself, or "
                "translation = true"
            )
