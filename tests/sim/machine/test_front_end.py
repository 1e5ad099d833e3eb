"""The leaner front end: the same variables in the same order, answers as numba gives them, numba left as it was."""

import inspect
import operator

import numba
import pytest
from numba.core import postproc, types
from numba.core.compiler import run_frontend
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig

from polhode.plant.hub import composition
from polhode.sim.machine import deferred, front_end


def statements(function):
    """Every statement of a kernel as numba reads it."""
    return [each for block in run_frontend(function).blocks.values() for each in block.body]


@pytest.mark.parametrize("name", ["compose_mass", "solve_velocities"])
def test_variables_are_listed_as_numba_lists_them(name):
    every = statements(inspect.unwrap(getattr(composition, name)))
    listed, one = front_end._listed()
    assert len(every) > 30
    for each in every:
        theirs = each.list_vars()
        assert listed(each) == theirs == one(each, each)
        assert all(mine is other for mine, other in zip(listed(each), theirs, strict=True))


def test_an_answer_is_that_of_numba_and_is_asked_for_once(monkeypatch):
    context = cpu_target.typing_context
    context.refresh()
    add = context.resolve_value_type(operator.add)
    wanted = context.resolve_function_type(add, (types.int64, types.float64), {})
    asked = []
    original = types.BaseFunction.get_call_type
    monkeypatch.setattr(types.BaseFunction, "get_call_type", lambda *given: asked.append(given) or original(*given))
    with deferred.deferred(lambda *_: False):
        for _ in range(3):
            assert context.resolve_function_type(add, (types.int64, types.float64), {}) == wanted
            assert add.get_call_type(context, (types.int64, types.float64), {}) == wanted
            with pytest.raises(TypingError):
                add.get_call_type(context, (types.none, types.float64), {})
        assert len(asked) == 2
        assert context.resolve_function_type(add, (types.float64, types.float64), {}).return_type == types.float64


def test_flags_are_alike_as_they_are_to_numba():
    first, second = numba.core.compiler.Flags(), numba.core.compiler.Flags()
    second.nrt = False  # set, to what it is anyway
    third = numba.core.compiler.Flags()
    third.forceinline = True
    before = TargetConfig.__hash__
    plain = [hash(each) for each in (first, second, third)], first == second, first == third
    with deferred.deferred(lambda *_: False):
        assert TargetConfig.__hash__ is not before
        assert ([hash(each) for each in (first, second, third)], first == second, first == third) == plain
    assert TargetConfig.__hash__ is before
    assert plain[1:] == (True, False)


def test_numba_without_one_of_them_compiles_as_it_does(monkeypatch):
    monkeypatch.delattr(postproc.PostProcessor, "run")
    deferred.can_defer.cache_clear()
    try:
        assert not deferred.can_defer()
    finally:
        monkeypatch.undo()
        deferred.can_defer.cache_clear()
    assert deferred.can_defer()
