"""Assignment of signal components to FMU variables, with checked units, for the host process."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

from ....controllers.contracts.law_layout import REFERENCE
from ....plant.checks import choice
from ....plant.errors import InputError
from ..process.port import Port
from .si_units import BASES, SIUnit, si_unit

Named = Mapping[str, str | Sequence[str]]

REALS = ("Real", "Float64")
KINDS = {
    "Real": float, "Float64": float, "Float32": float, "Boolean": bool, "String": str, "Integer": int,
    "Enumeration": int, **{f"{sign}Int{bits}": int for sign in ("", "U") for bits in (8, 16, 32, 64)},
}  # fmt: skip
LONGEST_DESCRIPTION = 64 << 20  # bytes


def described(folder: Path, words: str) -> Any:
    """Return the description of an unpacked FMU, as read by FMPy.

    words: name of the FMU in messages. Raises InputError when FMPy is not installed, the description is invalid, or the
    FMU does not support co-simulation or has no library for this machine.
    """
    try:
        fmpy: Any = import_module("fmpy")
    except ImportError:
        raise InputError("FMUs are simulated through FMPy; pip install 'polhode[fmi]' brings it") from None
    path = folder / "modelDescription.xml"
    if not path.is_file() or path.stat().st_size > LONGEST_DESCRIPTION:
        raise InputError(f"{words} contains no modelDescription.xml of at most {LONGEST_DESCRIPTION} bytes")
    try:
        found: Any = fmpy.read_model_description(str(folder))
    except Exception as error:  # noqa: BLE001 # FMPy's parser, schema or checks
        raise InputError(f"{words} has a modelDescription.xml that is invalid: {_first(error)}") from None
    if found.fmiMajorVersion not in {2, 3} or found.coSimulation is None:
        offers = "" if found.coSimulation else ", without co-simulation"
        raise InputError(f"{words} is of FMI {found.fmiVersion}{offers}; FMI 2 and 3 with co-simulation are supported")
    identifier = str(found.coSimulation.modelIdentifier)
    if not identifier.isidentifier():
        raise InputError(f"{words} calls its library {identifier!r}, which is not a valid name")
    here: str = fmpy.platform if found.fmiMajorVersion == 2 else fmpy.platform_tuple
    if not (folder / "binaries" / here / f"{identifier}{fmpy.sharedLibraryExtension}").is_file():
        more = "; its sources can be compiled: fmpy compile" if (folder / "sources").is_dir() else ""
        raise InputError(f"{words} contains no library for this machine ({here}){more}")
    return found


def wiring(
    found: Any,
    *,
    inputs: Named,
    outputs: Named,
    values: Mapping[str, float | bool | str],
    reads: Sequence[Port],
    writes: Sequence[Port],
    unitless: bool,
) -> dict[str, Any]:
    """Return the table for the FMU's host process.

    found: the description. reads, writes: ports of the law or block. Other arguments as in `FMU`. Raises InputError
    when names, sizes, types or units do not match, or an input is neither connected nor has a value.
    """
    known = {each.name: each for each in found.modelVariables}
    units = {each.name: each.baseUnit for each in found.unitDefinitions}
    into = _connected(known, units, inputs, reads, "input", unitless=unitless)
    out = _connected(known, units, outputs, writes, "output", unitless=unitless)
    if len(out.places) != sum(port.size for port in writes):
        raise InputError(
            f"outputs must name a variable for each component of {', '.join(port.words for port in writes)}"
        )
    twice = next((name for name in into.names if into.names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"inputs connects {twice!r} twice")
    set_first = [
        given(known, into.names, name, value, fmi=int(found.fmiMajorVersion)) for name, value in values.items()
    ]
    _check_unconnected(known, {*into.names, *values})
    ways = [known[name].variability for name in (*into.names, *out.names)]
    return {
        **library(found),
        "sampled": bool(into.names) and set(ways) == {"discrete"},
        "in": [_entry(known[name]) for name in into.names],
        "takes": into.places,
        "in_factors": into.factors,
        "out": [_entry(known[name]) for name in out.names],
        "out_factors": out.factors,
        "out_names": out.labels,
        "values": set_first,
    }


def _check_unconnected(known: Mapping[str, Any], given_names: set[str]) -> None:
    """Raise InputError if an input is neither connected nor has a value, or is a clock.

    known: variables of the FMU by name; given_names: names of connected inputs and of values.
    """
    loose = [
        each for name, each in known.items()
        if each.causality == "input" and name not in given_names
    ]  # fmt: skip
    for each in loose:
        if each.type == "Clock":
            raise InputError(f"its input {each.name!r} is a clock, which is not supported: the FMU would wait for ever")
        if each.type in KINDS and not (each.shape and KINDS[each.type] is not float):
            raise InputError(
                f"its input {each.name!r} is not connected: connect it in inputs, or set it in values"
            )  # a variable that cannot be set, such as one of type binary, keeps its start value


def library(found: Any) -> dict[str, Any]:
    """Return the entries of the host's table for the library."""
    return {
        "fmi": found.fmiMajorVersion,
        "identifier": found.coSimulation.modelIdentifier,
        "token": found.instantiationToken,
    }


def _entry(variable: Any) -> list[Any]:
    """Return a variable's entry in the host's table: type, value reference and number of values."""
    return [variable.type, variable.valueReference, prod(variable.shape or ())]


class _Connected:
    """Connected variables in order, with message index, unit factor and name of each of their values."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.places: list[int] = []
        self.factors: list[float] = []
        self.labels: list[str] = []


def _connected(
    known: Mapping[str, Any],
    units: Mapping[str, Any],
    named: Named,
    ports: Sequence[Port],
    causality: str,
    *,
    unitless: bool,
) -> _Connected:
    found = _Connected()
    what = f"{causality}s"
    for name in named:
        choice(f"signal in {what}", name, tuple(port.name for port in ports))
    start = 0
    for port in ports:
        given = named.get(port.name, ())
        whole = isinstance(given, str)
        names = (given,) if isinstance(given, str) else tuple(given)
        mine = [(start + k, unit) for k, unit in enumerate(_units(port))]
        start += port.size
        if not names:
            continue
        taken = 0
        for name in names:
            if name == "":
                taken += 1  # this component is not connected
                continue
            variable = known[choice(f"variable of {port.name} in {what}", name, tuple(known))]
            if variable.causality != causality or variable.type not in REALS:
                raise InputError(
                    f"{what} of {port.name}: {name!r} has causality {variable.causality} and type "
                    f"{variable.type}; an {causality} of type Real or Float64 is required"
                )
            shape: tuple[int, ...] = variable.shape or ()
            count = prod(shape)
            if taken + count > port.size:
                break
            found.names.append(name)
            for k, (place, unit) in enumerate(mine[taken : taken + count]):
                found.places.append(place)
                found.factors.append(_factor(variable, units, unit, port.name, unitless=unitless))
                found.labels.append(f"{name}[{k + 1}]" if shape else name)
            taken += count
        if taken != port.size or (not whole and len(names) > port.size):
            raise InputError(
                f"{what} of {port.words}: {', '.join(map(repr, names))} do not match this length; name a "
                'variable for each component ("" for one that is not connected), or one array of this length'
            )
    return found


def _units(port: Port) -> list[str]:
    """Return the unit of each component of a signal."""
    each = [unit.strip() for unit in port.unit.split(",")]
    if len(each) == 1:
        return each * port.size
    sizes = (
        REFERENCE.rate - REFERENCE.attitude,
        REFERENCE.acceleration - REFERENCE.rate,
        REFERENCE.size - REFERENCE.acceleration,
    )
    return [unit for unit, size in zip(each, sizes, strict=True) for _ in range(size)]


def _factor(variable: Any, units: Mapping[str, Any], wanted: str, signal: str, *, unitless: bool) -> float:
    """Return the conversion factor from the unit of a variable to the unit of its signal in the run."""
    name = variable.unit or getattr(variable.declaredType, "unit", None) or ""
    mine = si_unit(wanted)
    if not name:
        if unitless or wanted in {"1", "rad"}:
            return 1.0
        raise InputError(
            f"{variable.name!r} has no unit, but {signal} is in {wanted!r}; unitless = true assumes that such a "
            "variable is in the unit of its signal"
        )
    base = units.get(name)
    theirs = si_unit(name)
    if base is not None:
        if base.offset:
            raise InputError(f"{variable.name!r} is in {name!r}, which has an offset and cannot be converted")
        theirs = SIUnit(tuple(int(getattr(base, each)) for each in BASES), float(base.factor))
    if wanted == "1" and (name == "rad" if base is None else base.rad):
        raise InputError(f"{variable.name!r} is in {name!r}, an angle, but {signal} is dimensionless")
    if name == wanted and base is None:
        return 1.0
    if theirs is None or mine is None or theirs.exponents != mine.exponents:
        raise InputError(f"{variable.name!r} is in {name!r}, but {signal} is in {wanted!r}: they cannot be connected")
    return theirs.factor / mine.factor


def given(
    known: Mapping[str, Any], connected: Sequence[str], name: str, value: float | bool | str, *, fmi: int
) -> list[Any]:
    """Return the host's table entry of a value set before the start: type, value reference and value.

    known: variables by name. connected: names of connected variables. fmi: 2 or 3. Raises InputError when there is no
    such variable, or the value has the wrong type.
    """
    variable = known[choice("variable in values", name, tuple(known))]
    begins = variable.causality != "independent" and variable.initial in {"exact", "approx"}
    if not (begins or variable.causality in {"parameter", "input"}) or name in connected:
        what = "is already connected" if name in connected else f"has causality {variable.causality}"
        raise InputError(
            f"values: {name!r} {what}; parameters, unconnected inputs and variables with a start value can be set there"
        )
    wanted = KINDS.get(variable.type)
    if variable.shape or wanted is None:
        raise InputError(
            f"values: {name!r} is of type {variable.type}{list(variable.shape or ())}; only scalars can be set"
        )
    if isinstance(value, bool) != (wanted is bool) or isinstance(value, str) != (wanted is str):
        raise InputError(f"values: {name!r} is of type {variable.type}; got {value!r}")
    if wanted is int and float(value) != int(value):
        raise InputError(f"values: {name!r} is of type {variable.type}; got {value!r}")
    called = variable.type
    if called == "Enumeration":
        items = {int(each.value): each.name for each in variable.declaredType.items}
        if int(value) not in items:
            known_items = ", ".join(f"{number} ({item})" for number, item in items.items())
            raise InputError(f"values: {name!r} must be one of {known_items}; got {value!r}")
        called = "Integer" if fmi == 2 else "Int64"
    return [called, variable.valueReference, wanted(value)]


def _first(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else f"{text[:297]}..."
