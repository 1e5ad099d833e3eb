"""Arrays of a run: the declared type of a field is the one that compiled code reads."""

import ctypes

import numpy as np
import pytest

from polhode import controllers, plant
from polhode.plant.kernels.kernel import kernel
from polhode.sim import Scheme
from polhode.sim.codegen.c99.kinds import Record
from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.library_text import HEAD
from polhode.sim.codegen.toolchain import build, c_compiler
from polhode.sim.engine.address_table import table_of
from polhode.sim.engine.loop import Loop
from polhode.sim.engine.loop_arrays import LoopArrays, Rows, kinds_of


@pytest.fixture(scope="module")
def loop():
    craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    return Loop(
        craft, craft.state(), None, controllers.FixedReference(), pulses=(), scheme=Scheme("rk4", step=0.1),
        duration=1.0, times=np.array([0.5, 1.0]), ledger=True, compiled=False, max_steps=10, pose_limit=1e-4,
    )  # fmt: skip


def test_every_array_of_a_run_is_of_the_kind_its_field_says(loop):
    for (name, (number, dimensions)), array in zip(kinds_of(LoopArrays).items(), loop.arrays, strict=True):
        assert array.dtype == number, name
        assert array.ndim == dimensions, name


def test_table_has_address_and_extents_of_each_array_in_order(loop):
    table = table_of((7, 8, 9), loop.arrays).tolist()
    assert table[:3] == [7, 8, 9]
    for array in loop.arrays:
        entry, table = table[3 : 4 + array.ndim], [*table[:3], *table[4 + array.ndim :]]
        assert entry == [array.ctypes.data, *array.shape]
    assert len(table) == 3


@kernel
def read_rows(b):
    b.out[1, 2] = b.p[0] + 10.0 * b.x[1, 0] + 100.0 * b.dx[2] + 1000.0 * b.out.shape[1]
    return b.x.shape[0]


@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
def test_compiled_code_finds_each_field_by_its_name(tmp_path):
    program = Program("some", whole_records=True)
    name = program.function(read_rows, (Record(Rows),)).name
    record = program.record_type(Rows)
    entry = f"POLHODE_API integer entry(integer *t)\n{{\n    return {name}((const {record} *)(t + 1));\n}}\n"
    source, library = tmp_path / "rows.c", tmp_path / "rows.so"
    source.write_text(f"{HEAD}\n\n{program.text()}\n\n{entry}", encoding="ascii")
    build([source], library)

    row, table = np.arange(1.0, 5.0), np.arange(6.0).reshape(3, 2)
    rows = Rows(p=row, w=row, rq=row, r=row, t=row, since=row, x=table, u=table, dx=row, out=np.zeros((2, 3)))
    assert ctypes.CDLL(str(library)).entry(ctypes.c_void_p(table_of((0,), rows).ctypes.data)) == 3
    assert rows.out[1, 2] == 1.0 + 10.0 * 2.0 + 100.0 * 3.0 + 1000.0 * 3
