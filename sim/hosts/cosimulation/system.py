"""A system of FMUs: the FMUs by name, and the connections between them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path

from ....plant.checks import finite, of_kind
from ....plant.errors import InputError


@dataclass(frozen=True)
class Connection:
    """A connection from an FMU output to an FMU input: target = factor * source + offset.

    If both have a unit, the source is first converted to the unit of the target. With `convert=False` it is not
    converted: factor and offset must include the conversion.

    Parameters
    ----------
    source, target : str
        Names such as "motor.speed" and "load.speed".
    factor : float
        Factor of the source.
    offset : float
        Offset, added after the factor.
    convert : bool
        Whether units are compared and converted.
    source_unit, target_unit : str
        Units of source and target in case their FMUs do not declare them; empty if unknown.
    """

    source: str
    target: str
    factor: float = field(default=1.0, kw_only=True)
    offset: float = field(default=0.0, kw_only=True)
    convert: bool = field(default=True, kw_only=True)
    source_unit: str = field(default="", kw_only=True)
    target_unit: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class StartValue:
    """Start value of a variable: factor * value + offset, with the value in the unit of the variable.

    Parameters
    ----------
    value : float, bool or str
        The number, truth value or string.
    unit : str
        Unit of the value, such as "deg/s"; empty if it is the unit of the variable.
    factor, offset : float
        Factor and offset after the conversion.
    variable_unit : str
        Unit of the variable in case the FMU does not declare one; empty if unknown.
    optional : bool
        Whether the value is ignored with a warning if the system has no such variable.

    Raises
    ------
    InputError
        When the value has the wrong type, or factor or offset is not finite.

    Examples
    --------
    >>> StartValue(3.0, unit="deg/s").through(2.0, 0.0).factor
    2.0
    """

    value: float | bool | str
    unit: str = field(default="", kw_only=True)
    factor: float = field(default=1.0, kw_only=True)
    offset: float = field(default=0.0, kw_only=True)
    variable_unit: str = field(default="", kw_only=True)
    optional: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        """Check the arguments."""
        of_kind("a given value", self.value, (bool, str, Real), such_as="a number, a truth value or text")
        for name in ("factor", "offset"):
            finite(name, getattr(self, name), "1")

    def through(self, factor: float, offset: float) -> "StartValue":
        """Return the start value with an additional factor and offset, applied after its own.

        Parameters
        ----------
        factor, offset : float
            The start value s becomes factor * s + offset.

        Returns
        -------
        StartValue
            The transformed value.
        """
        return replace(self, factor=factor * self.factor, offset=factor * self.offset + offset)

    @property
    def plain(self) -> "float | bool | str | StartValue":
        """The plain value if there is neither a unit nor a transformation, otherwise the StartValue."""
        return self.value if self == StartValue(self.value) else self


@dataclass(frozen=True, kw_only=True)
class System:
    """A system of functional mock-up units (FMI 2 or 3, co-simulation) and their connections.

    Parameters
    ----------
    units : mapping of str to str or path
        The archive of each FMU, by its name in the system. A name may contain dots ("body.arm") unless a leading part
        ("body") is itself the name of an FMU.
    connections : sequence of Connection or of pairs
        Connections from outputs to inputs, such as ("motor.torque", "load.torque"); an input accepts one connection.
        Arrays of FMI 3 are connected as a whole to arrays of the same shape.
    values : mapping of str to float, bool, str or StartValue
        Values of parameters and of unconnected inputs, which are held, such as {"motor.resistance": 1.5}, or with a
        unit {"motor.speed": StartValue(3.0, unit="deg/s")}.
    stated_units : mapping of str to str
        Units of inputs and outputs. A unit stated here must agree with the unit that the FMU declares, and is used if
        the FMU declares none.
    start : float
        Start time, s.
    duration : float, optional
        Default duration, s.
    step : float, optional
        Default communication step, s.
    name : str
        Name of the system.
    archive : path, optional
        System structure (.ssp) that contains the FMUs; the paths in `units` are then paths in this archive.
        `polhode.sim.read_ssp` sets it.

    Raises
    ------
    InputError
        When an argument has the wrong type. The archives are checked when the co-simulation starts.

    Examples
    --------
    >>> system = System(
    ...     units={"motor": "motor.fmu", "load": "load.fmu"},
    ...     connections=[("motor.torque", "load.torque"), ("load.speed", "motor.speed")],
    ... )
    >>> system.joins[0].target
    'load.torque'
    """

    units: Mapping[str, str | Path]
    connections: Sequence[Connection | tuple[str, str]]
    values: Mapping[str, float | bool | str | StartValue] = field(
        default_factory=dict[str, float | bool | str | StartValue]
    )
    stated_units: Mapping[str, str] = field(default_factory=dict[str, str])
    start: float = 0.0
    duration: float | None = None
    step: float | None = None
    name: str = "system"
    archive: Path | None = None

    def __post_init__(self) -> None:
        """Check the arguments."""
        of_kind("units", self.units, Mapping, such_as='{"motor": "motor.fmu"}')
        of_kind("values", self.values, Mapping, such_as='{"motor.resistance": 1.5}')
        if not self.units:
            raise InputError("units is empty: a system must contain at least one FMU")
        for name in self.units:
            if not all(name.split(".")):
                raise InputError(f"units: {name!r} is not the name of an FMU; no part between dots may be empty")
            if unit_and_variable(name, self.units) is not None:
                raise InputError(f"units: {name!r} could be a variable of another FMU; rename it")
        made: list[Connection] = []
        for each in self.connections:
            if isinstance(each, Connection):
                made.append(each)
                continue
            if isinstance(each, str) or len(each) != 2 or not all(isinstance(name, str) for name in each):  # pyright: ignore[reportUnnecessaryIsInstance] # user input
                raise InputError(
                    'connections: each must be a source and a target, such as ("motor.torque", "load.torque"), or a '
                    f"Connection; got {each!r}"
                )
            made.append(Connection(*each))
        object.__setattr__(self, "connections", tuple(made))

    @property
    def joins(self) -> tuple[Connection, ...]:
        """The connections, each as a Connection."""
        return tuple(each if isinstance(each, Connection) else Connection(*each) for each in self.connections)


def unit_and_variable(words: str, units: Collection[str]) -> tuple[str, str] | None:
    """Split a name in a system into FMU name and variable; None if it does not begin with an FMU name."""
    parts = words.split(".")
    names = (".".join(parts[:k]) for k in range(1, len(parts)))
    return next(((name, words[len(name) + 1 :]) for name in names if name in units), None)
