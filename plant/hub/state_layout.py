"""Layout of the state vector: places, names and units of its entries."""

from dataclasses import dataclass

AXES = ("x", "y", "z")
MOMENTUM_UNITS = {"rad": "N m s", "m": "kg m/s", "1": "J s", "kg^0.5 m": "kg^0.5 m/s"}


@dataclass(frozen=True)
class StateLayout:
    """State vector of a spacecraft.

    Its parts are momentum, Euler parameters, internal coordinates and momenta, then position and linear momentum, then
    the states of elements with their own states.

    Parameters
    ----------
    translation : bool
        Whether position and linear momentum are states.
    coordinates : tuple of str
        Names of the internal coordinates.
    coordinate_units : tuple of str
        Units of the internal coordinates.
    own_names : tuple of str
        Names of the states of elements with their own states, such as the nodes of an arm.
    own_units : tuple of str
        Units of these states.
    own_kinds : tuple of str
        Kinds of these states: "position", "attitude" (the first of four Euler parameters), "momentum".

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

    @property
    def size(self) -> int:
        """Number of states."""
        return 7 + 2 * len(self.coordinates) + (6 if self.translation else 0) + len(self.own_names)

    @property
    def own(self) -> slice:
        """Place of the states of elements with their own states."""
        start = 7 + 2 * len(self.coordinates) + (6 if self.translation else 0)
        return slice(start, start + len(self.own_names))

    @property
    def own_units_at(self) -> tuple[int, ...]:
        """Starts of the sets of Euler parameters among them."""
        return tuple(self.own.start + n for n, kind in enumerate(self.own_kinds) if kind == "attitude")

    @property
    def own_momenta_at(self) -> tuple[int, ...]:
        """Indices of the momenta among them."""
        return tuple(self.own.start + n for n, kind in enumerate(self.own_kinds) if kind == "momentum")

    @property
    def internal(self) -> slice:
        """Place of the internal coordinates."""
        return slice(7, 7 + len(self.coordinates))

    @property
    def internal_momentum(self) -> slice:
        """Place of the internal momenta."""
        return slice(7 + len(self.coordinates), 7 + 2 * len(self.coordinates))

    @property
    def rates(self) -> dict[str, str]:
        """Names and units of the rates of the internal coordinates, which are not states."""
        return {f"{name}_rate": f"{unit}/s" for name, unit in zip(self.coordinates, self.coordinate_units, strict=True)}

    @property
    def position(self) -> slice:
        """Place of the position, with translation."""
        start = 7 + 2 * len(self.coordinates)
        return slice(start, start + 3)

    @property
    def linear_momentum(self) -> slice:
        """Place of the linear momentum, with translation."""
        start = 10 + 2 * len(self.coordinates)
        return slice(start, start + 3)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all entries."""
        names = [f"momentum_{a}" for a in AXES] + [f"attitude_{n}" for n in range(4)]
        names += [*self.coordinates, *(f"{name}_momentum" for name in self.coordinates)]
        if self.translation:
            names += [f"position_{a}" for a in AXES] + [f"linear_momentum_{a}" for a in AXES]
        return (*names, *self.own_names)

    @property
    def units(self) -> tuple[str, ...]:
        """Units of all entries."""
        units = ["N m s"] * 3 + ["1"] * 4
        units += [
            *self.coordinate_units,
            *(MOMENTUM_UNITS.get(unit, f"J s/({unit})") for unit in self.coordinate_units),
        ]
        if self.translation:
            units += ["m"] * 3 + ["kg m/s"] * 3
        return (*units, *self.own_units)
