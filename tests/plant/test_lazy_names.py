"""Public names of packages that are imported on first access."""

import importlib
from pathlib import Path

import polhode

PACKAGE = Path(polhode.__file__).parent


def test_lazy_names_differ_from_the_modules_that_define_them():
    """Otherwise, an import of the module puts the module in place of the name in its package."""
    found = []
    checked = 0
    for room in ("plant", "controllers", "sim", "scenarios"):
        for path in sorted((PACKAGE / room).rglob("__init__.py")):
            if "_HOMES" in path.read_text(encoding="utf-8"):
                package = ".".join(("polhode", *path.parent.relative_to(PACKAGE).parts))
                homes = importlib.import_module(package)._HOMES
                checked += len(homes)
                found += [f"{package}{home}" for name, home in homes.items() if home == f".{name}"]
    assert found == []
    assert checked > 100


def test_torque_budget_stays_a_function_once_its_module_is_imported():
    from polhode.plant import environment

    importlib.import_module("polhode.plant.environment.budget")
    assert callable(environment.torque_budget)
