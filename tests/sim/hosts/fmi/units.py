"""Foreign FMUs created for the tests from `unit.c`: the archive with the requested changes."""

from __future__ import annotations

import re
import zipfile
from importlib.resources import files
from pathlib import Path

import fmpy

from polhode.sim.codegen.toolchain import build

UNITS = """
    <{u}><Unit name="N.m"><BaseUnit kg="1" m="2" s="-2"/></Unit>
    <Unit name="mN.m"><BaseUnit kg="1" m="2" s="-2" factor="0.001"/></Unit>
    <Unit name="s"><BaseUnit s="1"/></Unit></{u}>"""

QUIET = ("SetupExperiment", "EnterInitializationMode", "ExitInitializationMode")

WAYS = (("u", 1, "input", "", ' start="0"'), ("v", 11, "output", ' initial="calculated"', ""))


def description2(unit: str = "N.m") -> str:
    """Description for FMI 2: three scalars in each direction."""
    rows = [
        f'<ScalarVariable name="{name}{k + 1}" valueReference="{at + k}" causality="{way}" variability="continuous"'
        f'{more}><Real unit="{unit}"{start}/></ScalarVariable>'
        for name, at, way, more, start in WAYS
        for k in range(3)
    ]  # fmt: skip
    parameter = 'causality="parameter" variability="fixed" initial="exact"'
    rows += [
        f'<ScalarVariable name="gain" valueReference="21" {parameter}><Real start="1"/></ScalarVariable>',
        f'<ScalarVariable name="lasts" valueReference="22" {parameter}><Real unit="s" start="0.3"/></ScalarVariable>',
        f'<ScalarVariable name="fault" valueReference="23" {parameter}><Integer start="0"/></ScalarVariable>',
    ]
    unknown = "".join(f'<Unknown index="{k}"/>' for k in (4, 5, 6))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="lags" guid="somebody-else">
    <CoSimulation modelIdentifier="lags" />{UNITS.format(u="UnitDefinitions")}
    <ModelVariables>{"".join(rows)}</ModelVariables>
    <ModelStructure><Outputs>{unknown}</Outputs><InitialUnknowns>{unknown}</InitialUnknowns></ModelStructure>
</fmiModelDescription>"""


def description3(unit: str = "N.m") -> str:
    """Description for FMI 3: an array in each direction."""
    parameter = 'causality="parameter" variability="fixed" initial="exact"'
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="lags" instantiationToken="somebody-else">
    <CoSimulation modelIdentifier="lags"/>{UNITS.format(u="UnitDefinitions")}
    <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="u" valueReference="1" causality="input" start="0 0 0" unit="{unit}"><Dimension start="3"/></Float64>
    <Float64 name="v" valueReference="11" causality="output" unit="{unit}"><Dimension start="3"/></Float64>
    <Float64 name="gain" valueReference="21" {parameter} start="1"/>
    <Float64 name="lasts" valueReference="22" {parameter} start="0.3" unit="s"/>
    <Int32 name="fault" valueReference="23" {parameter} start="0"/>
    </ModelVariables>
    <ModelStructure><Output valueReference="11"/><InitialUnknown valueReference="11"/></ModelStructure>
</fmiModelDescription>"""


def libraries(folder: Path, program: str | Path = "unit.c") -> dict[int, Path]:
    """The library of each version, compiled; unsupported functions of the standard return an error.

    Functions before the first step accept every call.
    """
    found = {}
    text = (Path(__file__).parent / program).read_text()
    headers = files("polhode.sim.hosts.fmi") / "headers"
    for fmi in (2, 3):
        asked = re.findall(rf"\b(fmi{fmi}[A-Z]\w*?)TYPE\b", (headers / f"fmi{fmi}Functions.h").read_text())
        made = {f"fmi3Set{kind}" for kind in re.findall(r"^SET\((\w+)", text, re.MULTILINE)}
        missing = [name for name in dict.fromkeys(asked) if f"{name}(" not in text and name not in made]
        whole = folder / f"{Path(program).stem}{fmi}.c"
        whole.write_text(
            text + "".join(f"int {name}(void) {{ return {0 if name[4:] in QUIET else 3}; }}\n" for name in missing)
        )
        found[fmi] = whole.with_suffix(".so")
        more = ("-DFMI3",) if fmi == 3 else ()
        build([whole], found[fmi], options=("-D_DEFAULT_SOURCE", "-O1", "-shared", "-fPIC", "-Wall", *more))
    return found


def write_unit(path: Path, library: Path, description: str, *, fmi: int, name: str = "lags") -> Path:
    """Write an archive."""
    here = fmpy.platform if fmi == 2 else fmpy.platform_tuple
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(library, f"binaries/{here}/{name}{fmpy.sharedLibraryExtension}")
    return path
