"""Where each part of the state vector stands, and what its entries are called."""

from dataclasses import dataclass

__all__ = ["StateLayout"]

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class StateLayout:
    """The state vector of a craft: momentum, Euler parameters, then position and linear momentum.

    Parameters
    ----------
    translation : bool
        Whether position and linear momentum are states.

    Examples
    --------
    >>> StateLayout(translation=False).names
    ('momentum_x', 'momentum_y', 'momentum_z', 'attitude_0', 'attitude_1', 'attitude_2', 'attitude_3')
    """

    translation: bool

    @property
    def size(self) -> int:
        """The number of states."""
        return 13 if self.translation else 7

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each entry."""
        names = [f"momentum_{a}" for a in AXES] + [f"attitude_{n}" for n in range(4)]
        if self.translation:
            names += [f"position_{a}" for a in AXES] + [f"linear_momentum_{a}" for a in AXES]
        return tuple(names)

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of each entry."""
        units = ["N m s"] * 3 + ["1"] * 4
        if self.translation:
            units += ["m"] * 3 + ["kg m/s"] * 3
        return tuple(units)
