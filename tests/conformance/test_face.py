"""Completion of the four packages shows what a user calls, and nothing else."""

from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("room", "more"),
    [
        ("plant", {"flexible", "free_motion"}),
        ("controllers", {"blocks", "estimators", "sensors"}),
        ("sim", {"campaigns"}),
        ("scenarios", set()),
    ],
)
def test_what_completion_shows(room, more):
    package = import_module(f"polhode.{room}")
    assert set(dir(package)) == {*package.__all__, *more}
    for name in more:
        assert import_module(f"polhode.{room}.{name}")
    assert all(getattr(package, name) is not None for name in package.__all__)
