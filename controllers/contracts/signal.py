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
        Number of components; 0 means the width of the existing signal of the same name.
    unit : str
        Unit, for results. An existing signal keeps its unit.
    role : str
        Use of the signal by the loop itself, in addition to the blocks that read it:

        - "attitude estimate": the block's estimate of the attitude.
        - "timestamped": the signal ends with a validity flag (1 or 0) and the measurement time, s.
        - "torque": an external torque of three components on the spacecraft (N m, body axes). The torque is held until
          the next output and is added to all other torques. It acts even if no block reads the signal, and requires no
          law. Margins exclude the torque and report this.
    coordinates : str or sequence of str
        For a torque on elements instead of the body: names of the coordinates on which it acts, such as
        ("wheel_1_angle", "wheel_2_angle"), all with the same unit. The signal has one component per coordinate, N m
        for an angle, N for a displacement. The torque acts between hub and element; a wheel motor applies the torque
        within the motor's limits. Empty for a torque on the body.
    labels : sequence of str
        For a scalar: meanings of the values 0, 1, ..., such as the names of the states of a state machine.

    Raises
    ------
    InputError
        When the width, the role or the coordinates are invalid, or a torque has a wrong width or unit.

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
                f"width of a signal must be 1 or more, or 0 to keep the width of an existing signal; got {self.width!r}"
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
            raise InputError(f"a torque{f' on {on}' if on else ''} has {width} components; got a width of {self.width}")
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
        raise InputError(f"a torque must act on different coordinates, given by name; got {given!r}")
    return names


def names_of(block: str, what: str, given: str | Sequence[str]) -> tuple[str, ...]:
    """Check and return the names of signals; block and what ("reads" or "writes") are for messages.

    Raises InputError when there is no name, or a name occurs twice.
    """
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names or not all(isinstance(name, str) and name for name in names):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
        raise InputError(f"the block {block!r} {what} {given!r}; give one or more names of signals")
    if len(set(names)) < len(names):
        raise InputError(f"the block {block!r} {what} a signal twice: {', '.join(names)}")
    return names


def signals_of(block: str, given: str | Sequence[str] | Mapping[str, int | Signal]) -> dict[str, Signal]:
    """Check and return the signals that a block writes, by name; an integer is the width of a signal.

    Raises InputError when there is no signal, a name occurs twice, a width is out of range, or two signals have the
    same role.
    """
    if not isinstance(given, Mapping):
        return {name: Signal() for name in names_of(block, "writes", given)}
    found: dict[str, Signal] = {}
    for name in names_of(block, "writes", tuple(given)):
        value = given[name]
        if not isinstance(value, Signal):
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:  # pyright: ignore[reportUnnecessaryIsInstance] # user input
                raise InputError(f"the block {block!r} writes {name!r} of width {value!r}; a width must be 1 or more")
            value = Signal(value)
        found[name] = value
    for role in ROLES:
        those = [name for name, signal in found.items() if signal.role == role]
        if len(those) > 1:
            raise InputError(
                f"the block {block!r} writes {' and '.join(those)} with the role {role!r}; a role is unique"
            )
    return found
