"""What is installed is what the folders hold, under the name polhode.* and no other."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("plant", "controllers", "sim", "scenarios")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def folders_with_init() -> set[str]:
    found: set[str] = set()
    for room in ROOMS:
        for path in (ROOT / room).rglob("__init__.py"):
            found.add("polhode." + ".".join(path.parent.relative_to(ROOT).parts))
    return found


def test_every_sub_package_is_listed() -> None:
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders_with_init()


def test_every_python_file_is_in_a_package() -> None:
    listed = folders_with_init()
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            assert "polhode." + ".".join(path.parent.relative_to(ROOT).parts) in listed, path


def test_the_four_rooms_are_mapped() -> None:
    assert PROJECT["tool"]["setuptools"]["package-dir"] == {f"polhode.{room}": room for room in ROOMS}


def test_version_is_the_installed_one() -> None:
    installed = importlib.metadata.version("polhode")
    assert installed == PROJECT["project"]["version"], "pip install -e . again: the version has changed"


def test_polhode_is_a_namespace_package() -> None:
    polhode = importlib.import_module("polhode")
    assert getattr(polhode, "__file__", None) is None


@pytest.mark.parametrize("room", ROOMS)
def test_installed_data(room: str) -> None:
    assert (files(f"polhode.{room}") / "py.typed").is_file()


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


@pytest.mark.parametrize("room", ROOMS)
def test_typing_link(room: str) -> None:
    link = ROOT / "tests" / "typing" / "polhode" / room
    if not link.is_symlink():
        pytest.skip("this checkout has no symbolic links (git config core.symlinks)")
    assert os.readlink(link) == f"../../../{room}"  # noqa: PTH115 - the text itself, with forward slashes
    assert link.resolve() == ROOT / room
