"""Contents of the files of an application, and refused requests."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from polhode import controllers, plant, sim
from polhode.plant import InputError
from polhode.sim.codegen.flight.gains import law_gains
from polhode.sim.codegen.flight.numbers import Number
from polhode.sim.codegen.wrappers.fprime import _word
from polhode.sim.codegen.wrappers.interface import _named, layout_of
from polhode.sim.codegen.wrappers.template import filled

from ..flight.test_gains import own
from .autocode import write_base_class

HERE = Path(__file__).parent
CRAFT = plant.Spacecraft(plant.RigidBody((400, 300, 200)), torques=plant.TorqueBasis("body", limit=0.5))
LAW = controllers.quaternion_feedback(CRAFT, frequency=0.5, damping_ratio=0.8, sample=0.1)
FLIGHT = {"duration": 1.0, "attitude": (0.9, 0.3, -0.3, 0.1), "integrator": "rk4", "step": 0.1, "compiled": False}


def texts(wrapper: str, folder: Path, law: Any = LAW, **more: Any) -> dict[str, str]:
    files = sim.export_wrapper(CRAFT, law, wrapper=wrapper, path=folder, flight=FLIGHT, samples=2, **more)
    return {str(file.relative_to(folder)): file.read_text(encoding="utf-8") for file in files}


def compiles(compiler: str, *words: str) -> None:
    line = [compiler, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc on this machine")
def test_cfs_application_is_c99_without_a_warning(tmp_path: Path) -> None:
    app = tmp_path / "attctl"
    texts("cfs", app)
    folders = (f"-I{HERE / 'cfe'}", f"-I{app / 'fsw/inc'}", f"-I{app / 'fsw/src'}")
    compiles("gcc", "-std=c99", *folders, str(app / "fsw/src/attctl_app.c"), str(app / "fsw/tables/attctl_tbl.c"))


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")
def test_fprime_component_is_cpp14_without_a_warning(tmp_path: Path) -> None:
    home = tmp_path / "Gnc/PointingLaw"
    texts("fprime", home)
    write_base_class(home, "PointingLaw")
    compiles("g++", "-std=c++14", f"-I{HERE / 'fprime'}", f"-I{tmp_path}", str(home / "PointingLaw.cpp"))


def test_cfs_files_hold_no_mark_and_every_name(tmp_path: Path) -> None:
    files = texts("cfs", tmp_path / "attctl")
    assert set(files) == {
        "CMakeLists.txt", "README.md", "fsw/inc/attctl_events.h", "fsw/inc/attctl_msg.h", "fsw/inc/attctl_msgids.h",
        "fsw/inc/attctl_perfids.h", "fsw/inc/attctl_table.h", "fsw/src/attctl_app.c", "fsw/src/attctl_app.h",
        "fsw/src/attctl_law.c", "fsw/src/attctl_law.h", "fsw/tables/attctl_tbl.c", "test/attctl_law.mk",
        "test/attctl_law_test.c",
    }  # fmt: skip
    assert not [name for name, text in files.items() if re.search(r"@\w+|@lines|@end", text)]
    assert "| `rate_z` | rad/s | rate of the body relative to inertial axes, body axes |" in files["README.md"]
    assert "| `inertia_1_1` | kg m&#94;2 | 400.0 | above 0 |".replace("&#94;", "^") in files["README.md"]
    assert "unit quaternions, scalar first, from body to" in files["README.md"]
    assert "add_cfe_tables(attctl fsw/tables/attctl_tbl.c)" in files["CMakeLists.txt"]
    assert "every 0.1 s" in files["README.md"]


def test_fprime_files_hold_no_mark_and_every_name(tmp_path: Path) -> None:
    files = texts("fprime", tmp_path / "PointingLaw")
    assert set(files) == {
        "CMakeLists.txt", "PointingLaw.fpp", "PointingLaw.hpp", "PointingLaw.cpp", "PointingLaw_law.h",
        "PointingLaw_law.c", "docs/sdd.md", "test/PointingLaw_law.mk", "test/PointingLaw_law_test.c",
    }  # fmt: skip
    assert not [name for name, text in files.items() if re.search(r"@(\w+@|lines|end|if)", text)]
    assert "    param inertia_1_1: F64 default 400.0 @< kg m^2, above 0\n" in files["PointingLaw.fpp"]
    assert "| `rate_z` | rad/s | rate of the body relative to inertial axes, body axes |" in files["docs/sdd.md"]


@pytest.mark.parametrize("wrapper", ["cfs", "fprime"])
def test_law_without_gains_has_neither_table_nor_parameters(wrapper: str, tmp_path: Path) -> None:
    files = texts(wrapper, tmp_path / "attctl", controllers.CustomLaw(own, sample=0.1))
    code = "\n".join(files.values())
    assert not re.search(r"TBL|_table\.h|add_cfe_tables|prmGetOut|APPLY_GAINS|m_parameters|AppData\.Parameters", code)


@pytest.mark.slow  # a compiler
@pytest.mark.skipif(not (shutil.which("make") and shutil.which("cc")), reason="no make with cc on this machine")
@pytest.mark.parametrize("wrapper", ["cfs", "fprime"])
def test_law_of_an_application_replays_its_run(wrapper: str, tmp_path: Path) -> None:
    texts(wrapper, tmp_path / "attctl")
    line = ["make", "-C", str(tmp_path / "attctl/test"), "-f", "attctl_law.mk", "test"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "attctl_law: 2 samples, bitwise identical\n" in done.stdout


def test_layout_of_a_table_follows_gains_and_plant() -> None:
    gains = law_gains(CRAFT, LAW, ())
    assert len({layout_of(gains, "a"), layout_of(gains, "b"), layout_of(gains[1:], "a")}) == 3
    assert layout_of(gains, "a") == layout_of(gains, "a")


def test_wrapper_refuses_what_is_no_application(tmp_path: Path) -> None:
    for wrapper, name, words in (
        ("nos3", "attctl", "wrapper 'nos3' is unknown; "),
        ("cfs", "attitude_law", "has at most 11 letters"),
        ("cfs", "att-ctl", "the application is named after the folder"),
        ("cfs", "int", "the application is named after the folder"),
        ("fprime", "_law", "the application is named after the folder"),
    ):
        with pytest.raises(InputError, match=re.escape(words)):
            texts(wrapper, tmp_path / name)
    plain = controllers.CustomLaw(lambda t, y, r: -y[7:10], sample=0.1, compiled=False)
    with pytest.raises(InputError, match="is plain Python, which cannot be exported"):
        texts("cfs", tmp_path / "attctl", plain)
    assert not list(tmp_path.iterdir())


def test_fields_have_names_that_no_two_share_and_no_macro_has() -> None:
    names = ["a b", "a_b", "A_B", "NULL", "Time", "int", "9", "é", "status"]
    fields = [each.name for each in _named([Number(name, "") for name in names])]
    assert fields == ["a_b", "a_b_", "a_b_signal", "null_signal", "Time_", "int_", "n9", "u00e9_", "status_"]
    assert len({each.lower() for each in fields}) == len(fields)


def test_words_of_fpp_are_escaped() -> None:
    assert [_word(name) for name in ("time", "signal", "rate_x")] == ["$time", "$signal", "rate_x"]


def test_templates_take_texts_with_marks_as_texts() -> None:
    marks = {"U": "@n@", "n": "attctl", "gains": ""}
    text = filled("cfs", "CMakeLists.txt", marks)
    assert text.startswith("project(CFE_@n@ C)")
    assert "add_cfe_tables" not in text
    assert "add_cfe_tables" in filled("cfs", "CMakeLists.txt", {**marks, "gains": "yes"})
