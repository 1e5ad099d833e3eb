"""Kinds that have a module each, imported when one is looked up."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar, cast

Kind = TypeVar("Kind")


class KindsByName(Mapping[str, Kind]):
    """A read-only mapping from the name of each kind to the kind.

    Names and their order are known without an import: a name is that of its module, with hyphens for underscores.

    Parameters
    ----------
    package : str
        Package of the modules.
    files : tuple of str
        Their names in it.
    constant : str
        Name of the kind in its module, such as "STEPPER".

    Raises
    ------
    KeyError
        On a lookup of any other name.
    """

    def __init__(self, package: str, files: tuple[str, ...], *, constant: str) -> None:
        self._package, self._constant = package, constant
        self._files = {file.replace("_", "-"): file for file in files}
        self._imported: dict[str, Kind] = {}

    def __getitem__(self, name: str) -> Kind:
        try:
            return self._imported[name]
        except KeyError:
            module = import_module(f".{self._files[name]}", self._package)
        return self._imported.setdefault(name, cast("Kind", getattr(module, self._constant)))

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._files)})"
