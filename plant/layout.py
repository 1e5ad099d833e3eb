"""Where each part of the state vector stands, and what its entries are called."""

from dataclasses import dataclass

__all__ = ["StateLayout"]

AXES = ("x", "y", "z")
MOMENTUM_UNITS = {"rad": "N m s", "m": "kg m/s", "1": "J s", "kg^0.5 m": "kg^0.5 m/s"}


@dataclass(frozen=True)
class StateLayout:
    """The state vector of a craft: momentum, Euler parameters, internal coordinates and momenta, then position and
    linear momentum.

    Parameters
    ----------
    translation : bool
        Whether position and linear momentum are states.
    coordinates : tuple of str
        The names of the internal coordinates.
    coordinate_units : tuple of str
        Their units.

    Examples
    --------
    >>> StateLayout(translation=False).names
    ('momentum_x', 'momentum_y', 'momentum_z', 'attitude_0', 'attitude_1', 'attitude_2', 'attitude_3')
    """

    translation: bool
    coordinates: tuple[str, ...] = ()
    coordinate_units: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of states."""
        return 7 + 2 * len(self.coordinates) + (6 if self.translation else 0)

    @property
    def internal(self) -> slice:
        """Where the internal coordinates stand."""
        return slice(7, 7 + len(self.coordinates))

    @property
    def internal_momentum(self) -> slice:
        """Where their momenta stand."""
        return slice(7 + len(self.coordinates), 7 + 2 * len(self.coordinates))

    @property
    def position(self) -> slice:
        """Where the position stands, with translation."""
        start = 7 + 2 * len(self.coordinates)
        return slice(start, start + 3)

    @property
    def linear_momentum(self) -> slice:
        """Where the linear momentum stands, with translation."""
        start = 10 + 2 * len(self.coordinates)
        return slice(start, start + 3)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each entry."""
        names = [f"momentum_{a}" for a in AXES] + [f"attitude_{n}" for n in range(4)]
        names += [*self.coordinates, *(f"{name}_momentum" for name in self.coordinates)]
        if self.translation:
            names += [f"position_{a}" for a in AXES] + [f"linear_momentum_{a}" for a in AXES]
        return tuple(names)

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of each entry."""
        units = ["N m s"] * 3 + ["1"] * 4
        units += [
            *self.coordinate_units,
            *(MOMENTUM_UNITS.get(unit, f"J s/({unit})") for unit in self.coordinate_units),
        ]
        if self.translation:
            units += ["m"] * 3 + ["kg m/s"] * 3
        return tuple(units)
