"""Public names of a package that are imported on first access, to keep start-up fast."""

import sys
from collections.abc import Mapping
from importlib import import_module


def lazy_name(package: str, homes: Mapping[str, str], name: str) -> object:
    """Import a public name of a package, and store it in the package.

    package: `__name__` of the package; homes: relative module of each name. Raises AttributeError for unknown names.
    """
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    value: object = getattr(import_module(homes[name], package), name)
    setattr(sys.modules[package], name, value)
    return value
