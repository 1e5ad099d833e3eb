"""Completion of the four packages shows only the names that users call."""

from importlib import import_module
from pkgutil import iter_modules

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
def test_room_completion_lists_public_names(room, more):
    package = import_module(f"polhode.{room}")
    assert set(dir(package)) == {*package.__all__, *more}
    for name in more:
        assert getattr(package, name)
    assert all(getattr(package, name) is not None for name in package.__all__)


@pytest.mark.parametrize("room", ["controllers", "sim"])
def test_no_module_takes_the_place_of_what_is_imported_when_asked_for(room):
    """Importing polhode.sim.x sets sim.x to the module, which would hide a public name x."""
    package = import_module(f"polhode.{room}")
    assert not {each.name for each in iter_modules(package.__path__)} & set(package._HOMES)
