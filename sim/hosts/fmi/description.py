"""The XML description of an FMU, for FMI 2.0 and 3.0."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement

from polhode import __version__

from ...codegen.escaped import xml_document
from .model_c import FIRST
from .variables import UNITS, Variable

LOGGED = {
    "logStatusError": "reason for a failed request; always logged",
    "logEvents": "the end of initialization; events of model exchange, and when the next is due",
}
"""Message categories (log categories), under the names that FMI 2.0 proposes."""

BASE = {**UNITS, "N": {"kg": 1, "m": 1, "s": -2}}


def description(
    variables: Sequence[Variable],
    *,
    fmi: int,
    identifier: str,
    name: str,
    token: str,
    about: str,
    duration: float,
    step: float,
    exchange: bool = True,
) -> bytes:
    """Return modelDescription.xml.

    fmi: version, 2 or 3. identifier: name of library and files. name, about: model name and description. token:
    instantiation token of the library. duration, step: defaults for a host, s. exchange: whether the FMU also supports
    model exchange.
    """
    root = Element("fmiModelDescription", {"fmiVersion": "3.0" if fmi == 3 else "2.0", "modelName": name})
    root.set("instantiationToken" if fmi == 3 else "guid", token)
    root.set("description", about)
    root.set("generationTool", f"polhode {__version__}")
    root.set("variableNamingConvention", "flat")
    _interfaces(root, fmi, identifier, exchange=exchange)
    _units(root, variables)
    categories = SubElement(root, "LogCategories")
    for category, words in LOGGED.items():
        SubElement(categories, "Category", name=category, description=words)
    times = {"startTime": "0.0", "stopTime": repr(duration), "tolerance": "1e-9", "stepSize": repr(step)}
    SubElement(root, "DefaultExperiment", times)
    held = SubElement(root, "ModelVariables")
    for variable in variables:
        (_variable3 if fmi == 3 else _variable2)(held, variable, variables)
    structure = SubElement(root, "ModelStructure")
    if fmi == 3:
        _structure3(structure, variables)
    else:
        root.set("numberOfEventIndicators", str(len(_indicators(variables))))
        _structure2(structure, variables)
    return xml_document(root)


def build_description(identifier: str) -> bytes:
    """Return sources/buildDescription.xml of FMI 3.0."""
    root = Element("fmiBuildDescription", fmiVersion="3.0")
    configuration = SubElement(root, "BuildConfiguration", modelIdentifier=identifier)
    configuration.set(
        "description",
        "compile with -ffp-contract=off for results bitwise identical to the engine; link the mathematical library",
    )
    SubElement(SubElement(configuration, "SourceFileSet", language="C99"), "SourceFile", name="fmu.c")
    SubElement(configuration, "Library", name="m", external="true")
    return xml_document(root)


def _interfaces(root: Element, fmi: int, identifier: str, *, exchange: bool) -> None:
    both = {"modelIdentifier": identifier}
    saving = "canGetAndSetFMUState" if fmi == 3 else "canGetAndSetFMUstate"
    serializing = "canSerializeFMUState" if fmi == 3 else "canSerializeFMUstate"
    both |= {saving: "true", serializing: "true"}
    every = [SubElement(root, name, both) for name in ("ModelExchange", "CoSimulation")[not exchange :]]
    every[-1].set("canHandleVariableCommunicationStepSize", "true")
    for each in every if exchange else ():
        each.set("providesDirectionalDerivatives" if fmi == 3 else "providesDirectionalDerivative", "true")
    if fmi == 3 and exchange:
        every[0].set("needsCompletedIntegratorStep", "true")
    if fmi == 2:
        for each in every:
            SubElement(SubElement(each, "SourceFiles"), "File", name="fmu.c")


def _units(root: Element, variables: Sequence[Variable]) -> None:
    held = SubElement(root, "UnitDefinitions")
    for name in dict.fromkeys(variable.unit for variable in variables if variable.unit):
        unit = SubElement(held, "Unit", name=name)
        base = BASE.get(name)
        if base is not None and (base or name == "1"):
            SubElement(unit, "BaseUnit", {of: str(power) for of, power in base.items()})
        if name == "rad/s":
            SubElement(unit, "DisplayUnit", name="deg/s", factor="57.29577951308232")


def _common(variable: Variable) -> dict[str, str]:
    found = {"name": variable.name, "valueReference": str(variable.reference), "description": variable.words}
    found |= {"causality": variable.causality, "variability": variable.variability}
    return found | ({"initial": variable.initial} if variable.initial else {})


def _measure(variable: Variable) -> dict[str, str]:
    """Return the attributes for a variable's unit and bounds, if it has them."""
    found = {"unit": variable.unit} if variable.unit else {}
    found |= {} if variable.low is None else {"min": repr(variable.low)}
    return found | ({} if variable.high is None else {"max": repr(variable.high)})


def _variable3(held: Element, variable: Variable, every: Sequence[Variable]) -> None:
    found = SubElement(held, "Float64", {**_common(variable), **_measure(variable)})
    if variable.start is not None:
        found.set("start", repr(variable.start))
    if variable.state is not None:
        found.set("derivative", str(_states(every)[variable.state].reference))


def _variable2(held: Element, variable: Variable, every: Sequence[Variable]) -> None:
    found = SubElement(SubElement(held, "ScalarVariable", _common(variable)), "Real", _measure(variable))
    if variable.start is not None:
        found.set("start", repr(variable.start))
    if variable.state is not None:
        found.set("derivative", str(every.index(_states(every)[variable.state]) + 1))


def _states(every: Sequence[Variable]) -> list[Variable]:
    return [each for each in every if each.initial == "exact" and each.causality == "output"]


def _indicators(every: Sequence[Variable]) -> list[Variable]:
    return [each for each in every if each.reference == FIRST["clearance"]]


def _lists(every: Sequence[Variable]) -> tuple[list[Variable], list[Variable], list[Variable]]:
    """Return the outputs, the derivatives, and the variables that are unknown before initialisation."""
    outputs = [each for each in every if each.causality == "output"]
    rates = [each for each in every if each.state is not None]
    unknown = [each for each in (*outputs, *rates) if each.initial == "calculated"]
    return outputs, rates, unknown


def _structure3(held: Element, every: Sequence[Variable]) -> None:
    outputs, rates, unknown = _lists(every)
    for name, group in (("Output", outputs), ("ContinuousStateDerivative", rates), ("InitialUnknown", unknown)):
        for each in group:
            found = SubElement(held, name, valueReference=str(each.reference))
            if name == "Output" and each.acting is not None:
                found.set(
                    "dependencies", " ".join(str(other.reference) for other in every if other.name in each.acting)
                )
    for each in _indicators(every):
        SubElement(held, "EventIndicator", valueReference=str(each.reference))


def _structure2(held: Element, every: Sequence[Variable]) -> None:
    outputs, rates, unknown = _lists(every)
    groups: Mapping[str, list[Variable]] = {"Outputs": outputs, "Derivatives": rates, "InitialUnknowns": unknown}
    for name, group in ((name, group) for name, group in groups.items() if group):
        inside = SubElement(held, name)
        indices = [every.index(each) for each in group]
        for index in sorted(indices) if name == "InitialUnknowns" else indices:
            found = SubElement(inside, "Unknown", index=str(index + 1))
            acting = every[index].acting
            if name == "Outputs" and acting is not None:
                found.set("dependencies", " ".join(str(k + 1) for k, each in enumerate(every) if each.name in acting))
