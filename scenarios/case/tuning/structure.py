"""Replacement of a designed law by its gains or matrices, whose entries can then be tuned."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....controllers.contracts.past_commands import commands_remembered
from ....plant.errors import InputError
from ..kinds.problem import build
from ..loader import LoadedCase, checked_case
from ..schema.sampled import SampledTable

Array = NDArray[np.float64]

WEIGHTS = ("attitude_weight", "rate_weight", "effort_weight")
COMMON = (*SampledTable.model_fields, "filters")
"""Keys that the new controller takes from the old one."""


def with_structure(loaded: LoadedCase) -> LoadedCase:
    """Return the case with its law in the structure of `tune.structure`; unchanged if the key is missing.

    The law is designed as in the case and replaced by its gains ("state-feedback") or matrices ("state-space"), with
    its anti-windup gain, so that its run is the same too. Its filters are kept. If the old controller has weights, they
    become those of `tune.cost`. Raises InputError when the law is not linear, reads internal states, or has states that
    state feedback does not have, or when the case has modes.
    """
    case = loaded.case
    structure = None if case.tune is None else case.tune.structure
    if structure is not None and case.modes:
        raise InputError(
            "tune.structure replaces the law of a case with one law, but this case has [[modes]]; remove structure, or "
            f'give a controller kind = "{structure}" to the mode'
        )
    if structure is None or case.controller is None or case.controller.kind == structure:
        return loaded
    old: Mapping[str, Any] = loaded.document["controller"]
    bare = dict(loaded.document) | {"controller": {key: each for key, each in old.items() if key != "filters"}}
    law: Any = build(checked_case(loaded.name, loaded.source, bare, authority=loaded.authority).case).law
    if getattr(law, "kind", "") != "linear-feedback" or law.measured:
        raise InputError(
            f'tune.structure = "{structure}" needs a linear law of attitude and rate, such as lqr or lqg; the '
            f"controller is {old['kind']!r}; remove structure, or change the controller"
        )
    keys = {"kind": structure} | {key: each for key, each in old.items() if key in COMMON}
    keys |= _gains(law, str(old["kind"])) if structure == "state-feedback" else _matrices(law)
    tune: dict[str, Any] = dict(loaded.document["tune"])
    if all(each in old for each in WEIGHTS):
        tune.setdefault("cost", {each: old[each] for each in WEIGHTS})
    document = {**loaded.document, "controller": keys, "tune": tune}
    return checked_case(loaded.name, loaded.source, document, authority=loaded.authority)


def _gains(law: Any, kind: str) -> dict[str, Any]:
    c = law.compensator
    if c.order and not commands_remembered(c):
        raise InputError(
            f'tune.structure = "state-feedback" needs a law that has no states, but {kind} has {c.order}; use '
            'structure = "state-space"'
        )
    found = {"attitude_gain_N_m_rad": _short(-c.D[:, :3]), "rate_gain_N_m_s_rad": _short(-c.D[:, 3:])}
    return found | ({"command_gain": _short(-c.C)} if c.order else {})


def _short(gain: Array) -> list[Any]:
    """Return the diagonal of a diagonal matrix (3, 3), otherwise the rows."""
    diagonal = gain.shape == (3, 3) and np.array_equal(gain, np.diag(np.diag(gain)))
    return (np.diag(gain) if diagonal else gain).tolist()


def _matrices(law: Any) -> dict[str, Any]:
    c = law.compensator
    found: dict[str, Any] = {"D": (-c.D).tolist()}
    if not c.order:
        return found
    return found | {"A": c.A.tolist(), "B": c.B.tolist(), "C": (-c.C).tolist(), "tracking": c.tracking.tolist()}
