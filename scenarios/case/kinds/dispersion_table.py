"""Create the table of a dispersion from the declared quantities of all distributions."""

from collections import Counter
from dataclasses import MISSING, fields, replace
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import Field, create_model, model_validator

from ..schema.fields import Table, wrong
from .declared_keys import key_field, summary_of
from .distributions import DISTRIBUTIONS, Distributions, keys_of, quantities_of

if TYPE_CHECKING:
    from ....sim.runs.campaigns import Distribution


class Dispersion(Table):
    """Dispersion of one key; numbers of a list are independent, except for inertia, directions and rotations."""

    @model_validator(mode="after")
    def _consistent(self) -> "Dispersion":
        word = cast("Any", self).distribution
        given, distribution = self.model_fields_set - {"distribution"}, DISTRIBUTIONS[word]
        spare = sorted(given - {*keys_of(distribution).values()})
        if spare:
            raise wrong(f'{spare[0]} is not used by distribution = "{word}"; remove it')
        ways = _ways(distribution)
        if not any(way <= given for way in ways):
            wanted = " or ".join(" and ".join(sorted(way)) for way in ways)
            raise wrong(f'distribution = "{word}" needs {wanted}')
        twice = sorted({key for way in ways if way <= given for key in way})
        if sum(way <= given for way in ways) > 1:
            raise wrong(f"give only one of {', '.join(twice)}")
        together = {keys_of(distribution)[name] for name in distribution.together}
        if together & given and not together <= given:
            raise wrong(f"{' and '.join(sorted(together))} must be given together, or both omitted")
        return self


def _ways(distribution: "type[Distribution]") -> list[set[str]]:
    keys = keys_of(distribution)
    defaults = _defaults(distribution)
    required = [name for name in keys if defaults.get(name) is MISSING]
    return [{keys[name] for name in way} for way in distribution.ways or (required,)]


def _defaults(distribution: "type[Distribution]") -> dict[str, Any]:
    return {each.name: each.default for each in fields(cast("Any", distribution))}


def dispersion_table(distributions: Distributions) -> type[Any]:
    """Create the table with an optional key for each quantity of any distribution."""
    every = {word: distributions[word] for word in distributions}
    used = Counter(key for each in every.values() for key in keys_of(each).values())
    keys: dict[str, Any] = {}
    for word, distribution in every.items():
        for name, key in keys_of(distribution).items():
            default = _defaults(distribution).get(name, MISSING)
            declaration = quantities_of(distribution)[name]
            if used[key] == 1:
                declaration = replace(declaration, doc=f"{word}: {declaration.doc}")
            kind, field = key_field(declaration, declaration.case or "", None if default is MISSING else default)
            keys.setdefault(key, (kind | None if field.default is None else kind, field))
    words = "; ".join(f"{word}: {summary_of(every[word]).rstrip('.')}" for word in every)
    return cast("Any", create_model)(
        "DispersionTable",
        __base__=Dispersion,
        __doc__=Dispersion.__doc__,
        __module__=__name__,
        distribution=(
            cast("Any", Literal)[tuple(distributions)],
            Field(default=next(iter(distributions)), description=words),
        ),
        **keys,
    )


def __getattr__(name: str) -> type[Any]:
    """Return the table by name, so that pickled cases find it."""
    if name == "DispersionTable":
        return DISTRIBUTIONS.table
    raise AttributeError(name)
