"""Mappings whose kinds are imported when they are looked up."""

from __future__ import annotations

import pytest

from polhode.plant.formulations import FORMULATIONS
from polhode.plant.kinds_by_name import KindsByName
from polhode.sim import INTEGRATORS


@pytest.mark.parametrize("kinds", [FORMULATIONS, INTEGRATORS])
def test_names_of_kinds_match_their_modules(kinds: KindsByName[object]) -> None:
    assert len(kinds) > 0
    assert [kind.name for kind in kinds.values()] == list(kinds)


def test_unknown_name_raises_key_error() -> None:
    with pytest.raises(KeyError, match="lagrange-24"):
        FORMULATIONS["lagrange-24"]
    assert "lagrange-24" not in FORMULATIONS
    assert FORMULATIONS.get(3) is None  # not a name at all
