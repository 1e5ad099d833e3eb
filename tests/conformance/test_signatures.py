"""Signatures in help() name types; they do not expand numpy's ArrayLike to its union."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest
from pydantic import BaseModel

PACKAGES = ("plant", "controllers", "controllers.laws.blocks", "controllers.sensing.estimators",
            "controllers.sensing.sensors", "sim",
            "sim.runs.campaigns", "scenarios")  # fmt: skip
LONGEST = 1500
"""Characters; `simulate`, with its 27 arguments, has 911."""


def signatures(package: str) -> dict[str, str]:
    """Every public function, class and method of a package, with its signature."""
    found: dict[str, str] = {}
    module = import_module(f"polhode.{package}")
    for name in module.__all__:
        value = getattr(module, name)
        methods = vars(value).items() if inspect.isclass(value) and value.__module__.startswith("polhode") else ()
        called = {name: value} | {f"{name}.{key}": each for key, each in methods if inspect.isfunction(each)}
        for key, each in called.items():
            if callable(each) and not (inspect.isclass(each) and issubclass(each, Exception | BaseModel)):
                found[key] = str(inspect.signature(each))
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_public_signatures_are_readable(package: str) -> None:
    public = {name: text for name, text in signatures(package).items() if "._" not in name}
    assert public
    assert not {name for name, text in public.items() if "Union[" in text or "numpy._typing" in text}
    assert not {name for name, text in public.items() if len(text) > LONGEST}
