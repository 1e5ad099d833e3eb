"""Layout of the state vector: slices, names and units of its entries."""

from dataclasses import dataclass
from functools import cached_property

AXES = ("x", "y", "z")
MOMENTUM_UNITS = {"rad": "N m s", "m": "kg m/s", "1": "J s", "kg^0.5 m": "kg^0.5 m/s"}


@dataclass(frozen=True)
class StateLayout:
    """State vector of a spacecraft.

    The order is: momentum, Euler parameters, internal coordinates and momenta, then position and linear momentum,
    then the states of elements with their own states.

    Parameters
    ----------
    translation : bool
        Whether position and linear momentum are states.
    coordinates : tuple of str
        Names of the internal coordinates.
    coordinate_units : tuple of str
        Units of the internal coordinates.
    own_names : tuple of str
        Names of the states of elements with their own states, such as the node states of an arm.
    own_units : tuple of str
        Units of these states.
    own_kinds : tuple of str
        Kinds of these states: "position", "attitude" (the first of four Euler parameters), "momentum", and "level" for
        integrals such as the impulse of a thruster, which come last.

    Examples
    --------
    >>> StateLayout(translation=False).names
    ('momentum_x', 'momentum_y', 'momentum_z', 'attitude_0', 'attitude_1', 'attitude_2', 'attitude_3')
    """

    translation: bool
    coordinates: tuple[str, ...] = ()
    coordinate_units: tuple[str, ...] = ()
    own_names: tuple[str, ...] = ()
    own_units: tuple[str, ...] = ()
    own_kinds: tuple[str, ...] = ()

    @cached_property
    def size(self) -> int:
        """Length of the state vector."""
        return 7 + 2 * len(self.coordinates) + (6 if self.translation else 0) + len(self.own_names)

    @cached_property
    def own(self) -> slice:
        """Slice of the state vector with the elements' own additional states."""
        start = 7 + 2 * len(self.coordinates) + (6 if self.translation else 0)
        return slice(start, start + len(self.own_names))

    @cached_property
    def levels(self) -> slice:
        """Slice of the levels: integrals that elements keep, such as the impulse of a thruster."""
        return slice(self.own.stop - self.own_kinds.count("level"), self.own.stop)

    @cached_property
    def own_units_at(self) -> tuple[int, ...]:
        """Start of each set of Euler parameters among the states of elements with their own states."""
        return tuple(self.own.start + n for n, kind in enumerate(self.own_kinds) if kind == "attitude")

    @cached_property
    def own_momenta_at(self) -> tuple[int, ...]:
        """Indices of the momenta among the states of elements with their own states."""
        return tuple(self.own.start + n for n, kind in enumerate(self.own_kinds) if kind == "momentum")

    @cached_property
    def internal(self) -> slice:
        """Slice of the internal coordinates."""
        return slice(7, 7 + len(self.coordinates))

    @cached_property
    def internal_momentum(self) -> slice:
        """Slice of the internal momenta."""
        return slice(7 + len(self.coordinates), 7 + 2 * len(self.coordinates))

    @cached_property
    def rates(self) -> dict[str, str]:
        """Names and units of the rates of the internal coordinates, which are not states."""
        return {f"{name}_rate": f"{unit}/s" for name, unit in zip(self.coordinates, self.coordinate_units, strict=True)}

    @cached_property
    def position(self) -> slice:
        """Slice of the position; valid only if the position is a state."""
        start = 7 + 2 * len(self.coordinates)
        return slice(start, start + 3)

    @cached_property
    def linear_momentum(self) -> slice:
        """Slice of the linear momentum; valid only if the position is a state."""
        start = 10 + 2 * len(self.coordinates)
        return slice(start, start + 3)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all entries of the state vector."""
        names = [f"momentum_{a}" for a in AXES] + [f"attitude_{n}" for n in range(4)]
        names += [*self.coordinates, *(f"{name}_momentum" for name in self.coordinates)]
        if self.translation:
            names += [f"position_{a}" for a in AXES] + [f"linear_momentum_{a}" for a in AXES]
        return (*names, *self.own_names)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Units of all entries of the state vector."""
        units = ["N m s"] * 3 + ["1"] * 4
        units += [
            *self.coordinate_units,
            *(MOMENTUM_UNITS.get(unit, f"J s/({unit})") for unit in self.coordinate_units),
        ]
        if self.translation:
            units += ["m"] * 3 + ["kg m/s"] * 3
        return (*units, *self.own_units)
