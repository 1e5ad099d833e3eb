"""The installation contains the content of the folders, under the name polhode.* only."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import polhode

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("plant", "controllers", "sim", "scenarios")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def folders_with_init() -> set[str]:
    found = {"polhode"}
    for room in ROOMS:
        for path in (ROOT / room).rglob("__init__.py"):
            found.add("polhode." + ".".join(path.parent.relative_to(ROOT).parts))
    return found


def run_python(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, text=True, check=False)


def test_every_sub_package_is_listed() -> None:
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders_with_init()


def test_every_python_file_is_in_a_package() -> None:
    listed = folders_with_init()
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            assert "polhode." + ".".join(path.parent.relative_to(ROOT).parts) in listed, path


def test_package_dir_maps_all_rooms() -> None:
    mapped = {f"polhode.{room}": room for room in ROOMS} | {"polhode": "package/polhode"}
    assert PROJECT["tool"]["setuptools"]["package-dir"] == mapped


def test_version_is_the_installed_one() -> None:
    installed = importlib.metadata.version("polhode")
    assert installed == polhode.__version__, "pip install -e . again: the version has changed"


def test_package_is_no_namespace_package() -> None:
    """A namespace package loses to any folder of its name in the current directory, and type checkers pass it over."""
    assert polhode.__file__ is not None
    assert Path(polhode.__file__).name == "__init__.py"
    assert len(polhode.__path__) == 1


def test_package_is_imported_before_folder_of_same_name(tmp_path: Path) -> None:
    clone = tmp_path / "polhode" / "plant"
    clone.mkdir(parents=True)
    (clone / "__init__.py").write_text("raise ImportError('the clone was imported')\n", encoding="utf-8")
    done = run_python("-c", "import polhode.plant, os; print(os.getcwd())", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).samefile(tmp_path)


def test_package_is_importable_from_sys_path(tmp_path: Path) -> None:
    """Type checkers search sys.path and run no import hooks."""
    code = (
        "import importlib.machinery as m, sys\n"
        "spec = m.PathFinder.find_spec('polhode')\n"
        "print(m.PathFinder.find_spec('polhode.plant', spec.submodule_search_locations).origin)"
    )
    done = run_python("-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).samefile(ROOT / "plant" / "__init__.py")


@pytest.mark.parametrize("words", [["--version"], ["list"]])
def test_python_m_is_the_command(words: list[str], tmp_path: Path) -> None:
    done = run_python("-m", "polhode", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"polhode {polhode.__version__}" or "slew-lqr" in done.stdout


def test_package_ships_py_typed() -> None:
    assert (files("polhode") / "py.typed").is_file()


def test_shipped_cases_are_installed() -> None:
    shipped = {path.name for path in (ROOT / "scenarios" / "cases").glob("*.toml")}
    installed = {item.name for item in (files("polhode.scenarios") / "cases").iterdir() if item.name.endswith(".toml")}
    assert shipped
    assert installed == shipped


@pytest.mark.parametrize("room", ROOMS)
def test_bare_import_is_refused(room: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import {room}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError"), done.stderr
    assert f"polhode.{room}" in last
