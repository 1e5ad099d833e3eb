"""Signal of a block: its width, unit and role in the loop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...plant.checks import choice, of_kind
from ...plant.errors import InputError

ATTITUDE_ESTIMATE, TIMESTAMPED, TORQUE = "attitude estimate", "timestamped", "torque"
ROLES = (ATTITUDE_ESTIMATE, TIMESTAMPED, TORQUE)

TORQUE_UNIT = "N m"
TORQUE_WIDTH = 3


@dataclass(frozen=True)
class Signal:
    """Signal that a block writes.

    Parameters
    ----------
    width : int
        Number of components; 0 for that of the existing signal of the same name.
    unit : str
        Unit, for results. An existing signal keeps its unit.
    role : str
        What the loop uses it for, in addition to blocks that read it:

        - "attitude estimate": the block's estimate of the attitude.
        - "timestamped": it ends with a validity flag (1 or 0) and the measurement time, s.
        - "torque": an external torque of three components on the craft (N m, body axes). It is held until the next
          output and adds to all other torques. No block need read it, and no law is needed. Margins do not include it,
          and report so.
    coordinates : str or sequence of str
        For a torque: coordinates of elements on which it acts instead of the body, by the names of their states:
        ("wheel_1_angle", "wheel_2_angle"), all with the same unit. It has a component for each, N m on an angle, N on a
        displacement. It acts between hub and element; the motor of a wheel applies it, within its limits. Empty: the
        body.
    labels : sequence of str
        For a scalar: meaning of its values 0, 1, ..., such as the names of states.

    Raises
    ------
    InputError
        When the width, the role or the coordinates are invalid, or a torque has another width or unit.

    Examples
    --------
    >>> Signal(3, "rad/s").width, Signal(role="torque").unit
    (3, 'N m')
    """

    width: int = 0
    unit: str = ""
    role: str = field(default="", kw_only=True)
    coordinates: str | Sequence[str] = field(default=(), kw_only=True)
    labels: Sequence[str] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments; fill in width and unit of a torque."""
        if not isinstance(self.width, int) or isinstance(self.width, bool) or self.width < 0:  # pyright: ignore[reportUnnecessaryIsInstance] # user input
            raise InputError(
                f"width of a signal must be 1 or more, or 0 for that of the existing signal; got {self.width!r}"
            )
        of_kind("unit", self.unit, str, such_as='"rad/s"')
        if self.role:
            choice("role of a signal", self.role, ROLES)
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "coordinates", _coordinates(self.coordinates))
        if self.role == TORQUE:
            self._complete_torque()
        elif self.coordinates:
            raise InputError(
                f'only a torque acts on {", ".join(self.coordinates)}; give Signal(role="torque", coordinates=...)'
            )

    def _complete_torque(self) -> None:
        on = ", ".join(self.coordinates)
        width = len(self.coordinates) or TORQUE_WIDTH
        if self.width not in (0, width):
            raise InputError(f"a torque{f' on {on}' if on else ''} has {width} numbers; got a width of {self.width}")
        object.__setattr__(self, "width", width)
        if not on:
            if self.unit not in ("", TORQUE_UNIT):
                raise InputError(f"a torque is in {TORQUE_UNIT}; got {self.unit!r}")
            object.__setattr__(self, "unit", TORQUE_UNIT)


def _coordinates(given: str | Sequence[str]) -> tuple[str, ...]:
    such_as = 'the name of a coordinate, or several, such as ("wheel_1_angle",)'
    of_kind("coordinates", given, Sequence, such_as=such_as)
    names = () if not given else (given,) if isinstance(given, str) else tuple(given)
    if not all(isinstance(each, str) and each for each in names) or len({*names}) < len(names):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        raise InputError(f"a torque acts on {given!r}; give names of coordinates, each once")
    return names


def names_of(block: str, what: str, given: str | Sequence[str]) -> tuple[str, ...]:
    """Return names of signals; block and what ("reads" or "writes") are for messages.

    Raises InputError when there is none, or one occurs twice.
    """
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names or not all(isinstance(name, str) and name for name in names):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        raise InputError(f"the block {block!r} {what} {given!r}; give the name of a signal, or several")
    if len(set(names)) < len(names):
        raise InputError(f"the block {block!r} {what} a signal twice: {', '.join(names)}")
    return names


def signals_of(block: str, given: str | Sequence[str] | Mapping[str, int | Signal]) -> dict[str, Signal]:
    """Return the signals that a block writes, by name; an integer is the width of a signal.

    Raises InputError when there is none, one occurs twice, a width is out of range, or two have the same role.
    """
    if not isinstance(given, Mapping):
        return {name: Signal() for name in names_of(block, "writes", given)}
    found: dict[str, Signal] = {}
    for name in names_of(block, "writes", tuple(given)):
        value = given[name]
        if not isinstance(value, Signal):
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:  # pyright: ignore[reportUnnecessaryIsInstance] # user input
                raise InputError(f"the block {block!r} writes {name!r} of width {value!r}; a width is 1 or more")
            value = Signal(value)
        found[name] = value
    for role in ROLES:
        those = [name for name, signal in found.items() if signal.role == role]
        if len(those) > 1:
            raise InputError(
                f"the block {block!r} writes {' and '.join(those)} with the role {role!r}; a role is of one"
            )
    return found
