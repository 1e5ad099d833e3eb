"""Modules that others ask for and never use, read when somebody uses them."""

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec


def put_off(*names: str) -> None:
    """Defer the import of modules until one of their names is used.

    names: full names of modules inside packages that are there; those read already stay as they are, and what is not
    installed is left to whoever asks for it.
    """
    for name in names:
        spec = None if name in sys.modules else find_spec(name)
        if spec is None or spec.loader is None:
            continue
        spec.loader = LazyLoader(spec.loader)
        module = module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        package, _, own = name.rpartition(".")
        setattr(sys.modules[package], own, module)
