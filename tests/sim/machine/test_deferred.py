"""Code made at once is the code made one by one, and numba is left as it was."""

import math

import numba
import pytest
from numba.core import codegen, cpu
from numba.extending import register_jitable

from polhode.plant.kernels.kernel import INLINED, KERNELS
from polhode.sim.machine import compiler, deferred

OPTIONS = {"error_model": "numpy", "_nrt": False}


def functions():
    """New ones each time: numba remembers what it has compiled."""

    @register_jitable(**OPTIONS)
    def inner(a):
        return math.sin(a) + 0.1 * a

    @register_jitable(**OPTIONS)
    def middle(a):
        return inner(a) * inner(2.0 * a)

    def outer(a):
        return middle(a) / inner(a + 1.0)

    return middle, outer


def internals():
    return codegen.CPUCodeLibrary.add_linking_library, codegen.CPUCodeLibrary.finalize, cpu.CPUContext.get_executable


def test_the_same_numbers_and_numba_as_before():
    before = internals()
    middle, outer = functions()
    with deferred.deferred(lambda _, name: name.endswith("inner")):
        assert internals() != before
        at_once = numba.cfunc("f8(f8)", **OPTIONS)(outer)
    assert internals() == before
    one_by_one = numba.cfunc("f8(f8)", **OPTIONS)(functions()[1])
    assert at_once.ctypes(0.7) == one_by_one.ctypes(0.7) == pytest.approx(outer(0.7), rel=1e-15)
    # what was translated only is finished when somebody else needs it
    later = numba.cfunc("f8(f8)", **OPTIONS)(lambda a: middle(a) + 1.0)
    assert later.ctypes(0.7) == pytest.approx(middle(0.7) + 1.0, rel=1e-15)


def test_numba_is_put_back_after_a_failure():
    before = internals()
    with pytest.raises(numba.TypingError), deferred.deferred(lambda *_: False):
        numba.cfunc("f8(f8)", **OPTIONS)(lambda a: a.nothing)
    assert internals() == before


def test_the_inner_functions_are_not_compiled_by_themselves(monkeypatch):
    emitted = []
    original = codegen.CPUCodeLibrary._finalize_final_module
    monkeypatch.setattr(
        codegen.CPUCodeLibrary,
        "_finalize_final_module",
        lambda self: emitted.append(self.name) or original(self),
    )
    with deferred.deferred(lambda *_: False):
        numba.cfunc("f8(f8)", **OPTIONS)(functions()[1])
    assert [name.rsplit(".", 1)[-1] for name in emitted] == ["outer"]


def test_a_numba_without_what_is_needed_compiles_one_by_one(monkeypatch):
    monkeypatch.delattr(codegen.CPUCodeLibrary, "_optimize_final_module")
    deferred.can_defer.cache_clear()
    try:
        assert not deferred.can_defer()
        with compiler._at_once():
            assert codegen.CPUCodeLibrary.finalize is not deferred._finalize_with_all
    finally:
        monkeypatch.undo()
        deferred.can_defer.cache_clear()
    assert deferred.can_defer()
    assert len(INLINED) < len(KERNELS)
