"""Option `--mode`: extract one mode of a case as a case without modes."""

from dataclasses import replace
from typing import TYPE_CHECKING

from ...plant.errors import InputError
from ..case.loader import LoadedCase

if TYPE_CHECKING:
    from ..case.kinds.problem import Problem


def one_mode(loaded: LoadedCase, mode: str | None) -> "tuple[LoadedCase, Problem | None]":
    """Return a case with the law of one mode only, and the objects built from it.

    A case without modes is returned unchanged, with None. Raises InputError if the case has modes and none is named, or
    if there is no mode of that name.
    """
    if not loaded.case.modes and mode is None:
        return loaded, None
    names = ", ".join(each.name for each in loaded.case.modes)
    if mode is None:
        raise InputError(f"the laws of {loaded.name} change with the mode; select one with --mode: {names}")
    from ..case.kinds.modes import case_of_mode, mode_alone
    from ..case.kinds.problem import build

    case_of_mode(loaded.case, mode)  # rejects an unknown name before building the case
    case, problem = mode_alone(loaded.case, build(loaded.case), mode)
    return replace(loaded, name=f"{loaded.name}, mode {mode}", case=case), problem
