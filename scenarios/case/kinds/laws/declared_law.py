"""Derive law kinds from law classes with declared quantities."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .....controllers.laws.torque_law import TorqueLaw
from .....plant import LinearModel, Spacecraft
from ...schema.sampled import SampledTable
from ..declared_keys import DeclaredKeys
from .kind import LawKind, Numbers, tuning_of_second_order

Array = NDArray[np.float64]


def declared_law(
    law: type[TorqueLaw],
    *,
    doc: str,
    module: str,
    keys: Mapping[str, str],
    supplied: Mapping[str, Callable[[Spacecraft], Any]] | None = None,
    base: type[SampledTable] = SampledTable,
    tuning: Callable[[Any, Array], tuple[float, float] | None] = tuning_of_second_order,
    tuned: Callable[[float, float, Array, float], Numbers] | None = None,
) -> LawKind:
    """Return the kind of a law class; its table has a key for each declared quantity.

    law: class of the law; doc: description of the table; module: name of the module of the kind; keys: see
    `DeclaredKeys`; supplied: functions that return the remaining fields of the law from the spacecraft, by field name;
    base: table with the common keys; tuning, tuned: see `LawKind`.
    """
    declared = DeclaredKeys(law, keys)

    def make(table: Any, craft: Spacecraft, model: Callable[[], LinearModel]) -> TorqueLaw:
        values = declared.values(table) | {field: supply(craft) for field, supply in (supplied or {}).items()}
        build: Any = law
        return build(**values, sample=table.sample_s, delay=table.delay_s, torques=craft.torques)

    return LawKind(
        table=declared.table(law.kind, base, noun="law", doc=doc, name=f"{law.__name__}Table", module=module),
        make=make,
        tuning=tuning,
        tuned=tuned,
    )
