"""Mapping of kinds by name; the module of a kind is imported when the kind is looked up."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar, cast

Kind = TypeVar("Kind")


class KindsByName(Mapping[str, Kind]):
    """Read-only mapping from the name of each kind to the kind.

    Names and their order are known without an import: the name of a kind is the name of its module, with hyphens in
    place of underscores.

    Parameters
    ----------
    package : str
        Package of the modules.
    files : tuple of str
        Names of the modules in the package.
    constant : str
        Name of the constant that holds the kind in each module, such as "STEPPER".

    Raises
    ------
    KeyError
        When an unknown name is looked up.
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
