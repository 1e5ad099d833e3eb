"""A mistyped argument is an error everywhere, and arguments after the second are keyword-only."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Iterator
from typing import Any

from polhode import sim
from polhode.plant.kernels.fields import fields, filled
from polhode.plant.kernels.kernel import KERNELS
from polhode.scenarios.report.page.markup import tag

TYPO = "no_such_argument"
MAKES_NAMES = {fields, filled, tag}  # the caller chooses the keywords: fields for `filled`, HTML attributes
PASSES_ON = {
    sim.simulate_to_accuracy,  # to `simulate`, which refuses them: tests/sim/runs/test_accuracy.py
    sim.simulate_batch,  # likewise: tests/sim/runs/test_simulate_batch.py
}


def callables_of(public: Any) -> Iterator[tuple[str, Any]]:
    """The object itself and its public methods, unbound."""
    if not inspect.isclass(public):
        if public not in KERNELS:  # arguments of a kernel are positional: the compiler requires this
            yield public.__name__, public
        return
    if issubclass(public, BaseException | enum.Enum) or getattr(public, "_is_protocol", False):
        return
    yield public.__name__, public
    for name, member in vars(public).items():
        if name.startswith("_"):
            continue
        if isinstance(member, staticmethod | classmethod):
            yield f"{public.__name__}.{name}", getattr(public, name)
        elif inspect.isfunction(member) and member not in KERNELS:
            yield f"{public.__name__}.{name}", member


def words_of_refusal(function: Any) -> str:
    try:
        function(**{TYPO: 1})
    except (TypeError, ValueError) as refusal:
        return str(refusal)
    return "taken"


def test_misspelt_argument_is_rejected(publics: dict[str, Any]) -> None:
    found = [
        f"{name} fails without naming the argument"
        for public in publics.values()
        for name, function in callables_of(public)
        # a function without arguments has none to misspell
        if function not in MAKES_NAMES | PASSES_ON
        and not (inspect.isabstract(function) or getattr(function, "__init__", None) is object.__init__)
        and TYPO not in words_of_refusal(function)
    ]
    assert not found, "\n".join(found)


def test_arguments_beyond_the_second_are_keyword_only(offereds: dict[str, Any]) -> None:
    found: list[str] = []
    for offered in offereds.values():
        for name, function in callables_of(offered):
            positional = [
                parameter.name
                for parameter in inspect.signature(function).parameters.values()
                if parameter.kind in {parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD}
                and parameter.name not in {"self", "cls"}
            ]
            if len(positional) > 2:
                found.append(f"{name}: make {', '.join(positional[2:])} keyword-only")
    assert not found, "\n".join(found)
