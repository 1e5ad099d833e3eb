"""Directive `api`: every public name of a package, from its docstring."""

import inspect
from importlib import import_module
from typing import Any

from markdown_directive import MarkdownDirective

SHARED = "polhode.controllers.guidance.allocation.envelope"
"""Module of the base whose methods are on the page of each class that inherits it."""


def entry(package: str, name: str, value: Any) -> str:
    """Return the directive of one name."""
    path = f"{package}.{name}"
    if inspect.ismodule(value):
        return f".. automodule:: {value.__name__}\n   :members:\n"
    if inspect.isclass(value):
        bases = value.__mro__[1:-1]
        shared = bool(bases) and all(base.__module__ == SHARED for base in bases)
        return f".. autoclass:: {path}\n   :members:\n" + ("   :inherited-members:\n" if shared else "")
    if callable(value):
        return f".. autofunction:: {path}\n"
    return f".. autodata:: {path}\n   :no-value:\n"


class Api(MarkdownDirective):
    """Names of `__all__` of a package, in their order."""

    def markdown(self) -> str:
        """Return the directives."""
        package = self.arguments[0]
        module = import_module(package)
        parts = package.split(".")
        parents = [import_module(".".join(parts[:n])) for n in range(2, len(parts))]
        above = [
            getattr(each, name) for each in parents for name in getattr(each, "__all__", ())
        ]  # on the page already
        values = {name: getattr(module, name) for name in module.__all__}
        entries = [
            entry(package, name, value) for name, value in values.items() if not any(value is each for each in above)
        ]
        return "````{eval-rst}\n" + "\n".join(entries) + "````\n"


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("api", Api)
    return {"parallel_read_safe": True}
