"""What the house rules are checked on, each a parameter of the tests that name it.

module   every module
public   every function and class in the `__all__` of a module
offered  those of them which a room or another package offers to its users; kernels, which only the engine
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


def all_public(modules: list[ModuleType]) -> dict[str, object]:
    """Every function and class of ours that stands in an `__all__`, under its shortest public name."""
    found: dict[int, tuple[str, object]] = {}
    for module in modules:
        if "._" in module.__name__:
            continue
        for name in getattr(module, "__all__", ()):
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
    from polhode.plant.kernel import KERNELS

    packages = [module for module in modules if hasattr(module, "__path__")]
    return {name: value for name, value in all_public(packages).items() if value not in KERNELS}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    wanted = {"module", "public", "offered"} & set(metafunc.fixturenames)
    if not wanted:
        return
    modules = all_modules()
    if "module" in wanted:
        metafunc.parametrize("module", modules, ids=[m.__name__ for m in modules])
    for name, choose in (("public", all_public), ("offered", all_offered)):
        if name in wanted:
            objects = choose(modules)
            metafunc.parametrize(name, list(objects.values()), ids=list(objects))
