"""Kinds of tables: each has one module, and only those of a case are imported."""

import subprocess
import sys

import pytest

from polhode.plant import InputError
from polhode.scenarios import load_case
from polhode.scenarios.case.kinds import blocks, elements, estimators, laws, potentials, references, sensors

ROOMS = (blocks, elements, estimators, laws, potentials, references, sensors)

READ = """
import sys
from polhode.scenarios import load_case
load_case("slew-lqr")
own = [name for name in sys.modules if name.startswith("polhode.scenarios.case.kinds.")]
rooms = [name.split(".", 4)[4] for name in own]
print(*sorted(name for name in rooms if "kind" not in name and name.count(".") == 1))
print(*sorted({"control", "matplotlib", "scipy"} & set(sys.modules)))
print(*sorted(name for name in sys.modules if name.startswith("polhode.controllers.sensing.sensors.")))
"""


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__.rpartition(".")[2])
def test_word_of_kind_is_that_of_its_line(room):
    assert [kind.name for kind in room.KINDS] == list(room.KINDS.words)


def test_only_the_kinds_of_a_case_are_read():
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=True)
    kinds, heavy, devices = done.stdout.split("\n")[:3]
    assert kinds.split() == ["laws.linear_table", "laws.lqr", "references.fixed"]
    assert not heavy
    assert not devices


def test_kind_errors_equal_errors_of_the_union():
    with pytest.raises(InputError, match=r"controller\.attitude_weigth: unknown key; did you mean attitude_weight\?"):
        load_case("slew-lqr", ["controller.attitude_weigth=1.0"])
    with pytest.raises(InputError, match=r"controller: unknown kind 'lqe'; did you mean 'lqr'\?"):
        load_case("slew-lqr", ["controller.kind=lqe"])
