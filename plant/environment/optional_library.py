"""Import of libraries that are installed with an extra."""

from importlib import import_module
from typing import Any

from ..errors import InputError

_PACKAGES = {"erfa": "pyerfa", "sgp4.api": "sgp4", "ppigrf": "ppigrf", "pymsis": "pymsis"}


def optional_library(module: str, purpose: str, *, extra: str = "orbit") -> Any:
    """Return a module of an optional library.

    module: import name; purpose: feature that needs the library, subject of the message; extra: name of the extra that
    installs the library. Raises InputError if the library is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        name = _PACKAGES.get(module, module)
        raise InputError(f"{purpose} needs {name}, which is not installed: pip install 'polhode[{extra}]'") from None
