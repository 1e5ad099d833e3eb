"""Deferred import of modules that dependencies import but rarely use."""

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec


def put_off(*names: str) -> None:
    """Defer the execution of modules until one of their attributes is used.

    names: full names of modules inside installed packages. Modules that are already imported stay unchanged, and
    modules that are not installed are ignored.
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
