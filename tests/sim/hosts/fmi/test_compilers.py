"""The source of FMUs builds without a warning in gcc and clang, and FMPy finds nothing in their descriptions."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from polhode import controllers, plant
from polhode.sim.hosts.fmi.description import description
from polhode.sim.hosts.fmi.export import flown_unit
from polhode.sim.hosts.fmi.model_c import headers, model_of
from polhode.sim.hosts.fmi.variables import variables_of

from . import test_outputs as sensed
from .test_parameters import CRAFTS, FLIGHT

pytestmark = pytest.mark.slow  # compilers take some seconds
WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-ffp-contract=off")


@cache
def unit_of(name: str) -> Any:
    if name == "sensors":
        return flown_unit(sensed.CRAFT, sensed.LAW, sensed.flight())
    if name == "only law":
        return flown_unit(sensed.CRAFT, sensed.LAW, sensed.flight(), law_alone=True)
    if name == "top":
        return flown_unit(CRAFTS[name], None, FLIGHT)
    if name == "pose":
        craft = plant.Spacecraft(plant.RigidBody((4.0, 3.0, 2.5)), torques=plant.TorqueBasis("dual-euler", "3-1-3"))
        start = {"attitude": (0.9, 0.3, 0.3, 0.1)}
        return flown_unit(craft, None, {**FLIGHT, **start, "integrator": "dop853", "step": None})
    craft = CRAFTS[name]
    law = controllers.quaternion_feedback(craft, frequency=0.5, damping_ratio=0.8, sample=0.1)
    return flown_unit(craft, law, {**FLIGHT, **({"integrator": "gauss4"} if name == "company" else {})})


@pytest.mark.parametrize("name", [*CRAFTS, "sensors", "only law", "pose"])
def test_sources_of_fmus_build_without_warnings(name: str, tmp_path: Path) -> None:
    unit = unit_of(name)
    for file, text in {**headers(), "fmu.c": model_of(unit).text}.items():
        (tmp_path / file).write_text(text)
    for compiler, more in (("gcc", ("-O1",)), ("clang", ("-fsyntax-only",))):
        if shutil.which(compiler):
            line = [compiler, *WARNINGS, *more, "-c", "fmu.c"]
            done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{compiler}: {done.stderr}"


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("name", [*CRAFTS, "sensors", "only law", "pose"])
def test_descriptions_of_fmus_are_valid(name: str, fmi: int, tmp_path: Path) -> None:
    validation = pytest.importorskip("fmpy.validation", reason="FMPy is in the extra fmi")
    unit = unit_of(name)
    xml = description(
        variables_of(unit), fmi=fmi, identifier="unit", name=name, token="{0}", about=name, duration=1.0, step=0.1,
        exchange=not unit.law_only,
    )  # fmt: skip
    with zipfile.ZipFile(tmp_path / "unit.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", xml)
    assert validation.validate_fmu(str(tmp_path / "unit.fmu")) == []
