"""Inputs and outputs of an FMU in a system: size, type and unit, and direct feedthrough."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from ....plant.errors import InputError
from ..fmi.si_units import BASES, SIUnit, si_unit
from ..fmi.wiring import REALS

NUMBERS = (
    *REALS,
    "Float32",
    "Boolean",
    "Integer",
    *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)),
)


@dataclass(frozen=True)
class Measure:
    """A unit: name, SI exponents and factor, exponent of rad, and offset; None if unknown."""

    name: str
    si: SIUnit | None = None
    rad: int | None = None
    offset: float = 0.0


@dataclass(frozen=True)
class Terminal:
    """An input or output variable of an FMU; it is an array if it has a shape."""

    unit: str
    name: str
    kind: str
    reference: int
    shape: tuple[int, ...]
    continuous: bool
    nominal: float
    measure: Measure

    @property
    def words(self) -> str:
        """Name of the variable in the system."""
        return f"{self.unit}.{self.name}"

    @property
    def size(self) -> int:
        """Number of entries."""
        return prod(self.shape)

    @property
    def labels(self) -> Iterator[str]:
        """Iterate over the names of the variable's entries in the system."""
        yield from (f"{self.words}[{k + 1}]" for k in range(self.size)) if self.shape else (self.words,)


@dataclass(frozen=True)
class Face:
    """Inputs, outputs and capabilities of an FMU according to its description.

    direct: for each output, the inputs on which it depends directly; None if the description does not declare them, in
    which case the output may depend on all inputs.
    """

    name: str
    label: str
    folder: Path
    found: Any
    inputs: Mapping[str, Terminal]
    outputs: Mapping[str, Terminal]
    direct: Mapping[str, tuple[str, ...] | None]

    @property
    def restores(self) -> bool:
        """True if the FMU state can be saved and restored."""
        return bool(self.found.coSimulation.canGetAndSetFMUstate)

    @property
    def interpolates(self) -> bool:
        """True if the FMU accepts derivatives of its inputs."""
        return self.found.fmiMajorVersion == 2 and bool(self.found.coSimulation.canInterpolateInputs)

    @property
    def any_step(self) -> bool:
        """True if the FMU accepts variable communication steps."""
        return bool(self.found.coSimulation.canHandleVariableCommunicationStepSize)


def face_of(name: str, label: str, folder: Path, found: Any, stated: Mapping[str, str] | None = None) -> Face:
    """Return the inputs and outputs of an FMU.

    name: name of the FMU in the system. label: name in messages. found: description, as FMPy reads it from the folder.
    stated: stated units of inputs and outputs, by their names in the system. Raises InputError when a stated unit
    differs from the declared unit.
    """
    units = {each.name: each.baseUnit for each in found.unitDefinitions}
    ways: dict[str, dict[str, Terminal]] = {"input": {}, "output": {}}
    for each in found.modelVariables:
        if each.causality in ways and each.type in NUMBERS:
            ways[each.causality][each.name] = Terminal(
                name,
                each.name,
                each.type,
                int(each.valueReference),
                tuple(each.shape or ()),
                each.type in {*REALS, "Float32"} and each.variability in {None, "continuous"},
                abs(float(getattr(each, "nominal", None) or 1.0)),
                _stated(f"{name}.{each.name}", measure_of(each, units), units, stated or {}),
            )
    direct: dict[str, tuple[str, ...] | None] = dict.fromkeys(ways["output"])
    for unknown in found.outputs:
        if unknown.variable is not None and unknown.dependencies is not None:
            acting = [each.name for each in unknown.dependencies if each.name in ways["input"]]
            direct[unknown.variable.name] = tuple(acting)
    return Face(name, label, folder, found, ways["input"], ways["output"], direct)


def _stated(words: str, mine: Measure, units: Mapping[str, Any], stated: Mapping[str, str]) -> Measure:
    """Return the unit of a variable as stated by its connector or declared by the FMU; the two must agree."""
    said = measured(stated[words], units) if words in stated else mine
    if mine.name and converted(said, mine) != (1.0, 0.0):
        raise InputError(
            f"{words}: the stated unit is {said.name!r}, but the declared unit is {mine.name!r}; make them equal"
        )
    return mine if mine.name else said


def converted(here: Measure, there: Measure) -> tuple[float, float] | None:
    """Return factor and offset from one unit to another; None if they are incompatible or one is unknown.

    Undefined units are equal if they have the same name. An angular rate is not compatible with a frequency.
    """
    if here == there or (here.name == there.name and None in (here.si, there.si)):
        return 1.0, 0.0
    if here.si is None or there.si is None or here.si.exponents != there.si.exponents:
        return None
    if None not in (here.rad, there.rad) and here.rad != there.rad:
        return None
    if any("Hz" in one.name and "rad" in other.name for one, other in ((here, there), (there, here))):
        return None  # rad/s and Hz have equal exponents, but differ by 2 pi
    return here.si.factor / there.si.factor, (here.offset - there.offset) / there.si.factor


def measure_of(variable: Any, units: Mapping[str, Any]) -> Measure:
    """Return the unit of a variable. units: units defined in the description."""
    name = str(getattr(variable, "unit", None) or getattr(variable.declaredType, "unit", None) or "")
    return measured(name, units)


def measured(name: str, units: Mapping[str, Any]) -> Measure:
    """Return the unit with a given name, as defined in the description or else parsed from the name."""
    base = units.get(name)
    if base is None:
        return Measure(name, si_unit(name) if name else None)
    si = SIUnit(tuple(int(getattr(base, each)) for each in BASES), float(base.factor))
    return Measure(name, si, int(base.rad), float(base.offset))
