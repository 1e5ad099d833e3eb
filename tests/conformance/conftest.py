"""Subjects of the house rules by name, each a parameter of the tests that use it.

modules   every module, a package at a time
publics   every function and class without a leading underscore, a room at a time
offereds  those of them which a room or another package offers to its users; kernels, which only the engine
          calls and whose arguments the compiler dictates, are not among them
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

ROOMS = ("plant", "controllers", "sim", "scenarios")


def all_modules() -> list[ModuleType]:
    found: list[ModuleType] = []
    for room in ROOMS:
        package = importlib.import_module(f"polhode.{room}")
        found.append(package)
        names = [info.name for info in pkgutil.walk_packages(package.__path__, f"polhode.{room}.")]
        found += [importlib.import_module(name) for name in names if not name.endswith(".__main__")]
    return found


def defined_in(module: ModuleType) -> list[str]:
    """Names without a leading underscore of the functions and classes that a module defines; none for a package."""
    if hasattr(module, "__path__"):
        return []
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return [name for name in own if not name.startswith("_")]


def all_public(modules: list[ModuleType]) -> dict[str, object]:
    """Every function and class in the `__all__` of a package, and those that a module defines, by shortest name."""
    found: dict[int, tuple[str, object]] = {}
    for module in modules:
        if "._" in module.__name__:
            continue
        for name in getattr(module, "__all__", None) or defined_in(module):
            value = getattr(module, name)
            if not (inspect.isroutine(value) or inspect.isclass(value)):
                continue  # a module or a constant
            if not str(getattr(value, "__module__", "")).startswith("polhode."):
                continue
            full = f"{module.__name__.removeprefix('polhode.')}.{name}"
            if id(value) not in found or len(full) < len(found[id(value)][0]):
                found[id(value)] = (full, value)
    return dict(sorted(found.values(), key=lambda pair: pair[0]))


def all_offered(modules: list[ModuleType]) -> dict[str, object]:
    from polhode.plant.kernels.kernel import KERNELS

    packages = [module for module in modules if hasattr(module, "__path__")]
    return {name: value for name, value in all_public(packages).items() if value not in KERNELS}


def of_room(named: dict[str, object], room: str) -> dict[str, object]:
    return {name: value for name, value in named.items() if name.split(".")[0] == room}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each room, or for doctests for each package: a test for each name would itself take longer."""
    wanted = {"modules", "publics", "offereds"} & set(metafunc.fixturenames)
    if not wanted:
        return
    modules = all_modules()
    if "modules" in wanted:
        packages: dict[str, dict[str, object]] = {}
        for module in modules:
            package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
            packages.setdefault(package.removeprefix("polhode."), {})[module.__name__] = module
        long = ("sim.hosts.fmi", "scenarios.case.campaigns", "scenarios.pictures.sequences",
                "controllers.loop.analysis", "plant.linear.equilibria", "sim.results", "sim.analysis")  # fmt: skip
        metafunc.parametrize(
            "modules",
            [
                pytest.param(
                    each,
                    id=name,
                    marks=[pytest.mark.slow] * (name in long and "examples" in metafunc.function.__name__),
                )
                for name, each in packages.items()
            ],
        )
    for name, choose in (("publics", all_public), ("offereds", all_offered)):
        if name in wanted:
            found = choose(modules)
            metafunc.parametrize(name, [of_room(found, room) for room in ROOMS], ids=list(ROOMS))
