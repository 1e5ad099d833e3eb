"""What the tables of all potentials have in common, and what a case asks of any of them."""

from typing import ClassVar

from .fields import Table, wrong

__all__ = ["Orbit", "PotentialTable"]

Orbit = tuple[float, tuple[float, float, float] | None, tuple[float, float, float] | None]
"""mu (m^3/s^2), and where a craft is (m) and how fast (m/s) at t = 0, None where that is in [initial]."""


class PotentialTable(Table):
    """One of `[[plant.potentials]]`."""

    needs_place: ClassVar[bool] = True
    """Whether it depends on where the mass centre is, see `polhode.plant.loads.load_rule`."""

    @property
    def orbit(self) -> Orbit | None:
        """The orbit it is about; None where it is about none."""
        return None

    def check(self, *, key: str, kind: str, placed: bool, translation: bool) -> None:
        """Raise unless the plant follows what it depends on.

        key: its key path; kind: its kind; placed: whether the plant has a pivot, translates, or is held by what moves.
        """
        del translation
        if self.needs_place and not placed:
            raise wrong(
                f"{key}: {kind} depends on where the mass centre is, and a craft with neither pivot_m nor "
                "translation = true does not follow that: hold it with pivot_m, where [0, 0, 0] is the mass centre "
                "itself, or let it move with translation = true"
            )
