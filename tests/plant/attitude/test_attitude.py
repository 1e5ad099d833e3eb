"""The attitude package: public names, doctests and import cost."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

from polhode.plant import attitude

MODULES = sorted(module.name for module in pkgutil.iter_modules(attitude.__path__) if not module.ispkg)


def test_attitude_public_names_are_sorted_and_exist():
    assert attitude.__all__ == sorted(attitude.__all__)
    for name in attitude.__all__:
        assert getattr(attitude, name).__doc__


@pytest.mark.parametrize("name", MODULES)
def test_attitude_doctests_pass(name):
    module = importlib.import_module(f"{attitude.__name__}.{name}")
    results = doctest.testmod(module)
    assert results.failed == 0
    assert results.attempted > 0 or name.startswith("_")


def test_attitude_import_needs_only_numpy():
    heavy = "{'scipy', 'control', 'matplotlib', 'xarray'}"
    code = f"import sys, polhode.plant.attitude; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
