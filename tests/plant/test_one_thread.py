"""Single-threaded linear algebra applies inside designs and analyses only and is restored afterwards."""

import inspect
import os
import subprocess
import sys
import threading

import pytest

from polhode import controllers, plant, sim
from polhode.controllers.loop.analysis.opened_loop import OpenedLoop
from polhode.controllers.loop.delay_margin import delay_margin
from polhode.controllers.loop.margin_search import find_margins
from polhode.controllers.loop.sampled_loop import SampledLoop
from polhode.plant import flexible, one_thread
from polhode.plant.linear import tangent
from polhode.plant.linear.vibration import mesh_modes, reduce


class Library:
    """Linear algebra library with a settable number of threads."""

    def __init__(self, count):
        self.count = count
        self.calls = 0

    def put(self, count):
        self.count = count
        self.calls += 1


@pytest.fixture
def libraries(monkeypatch):
    """Two libraries; the second is loaded when the module "late" is added."""
    computed = {"early": Library(8), "late": Library(4)}
    monkeypatch.setattr(one_thread, "_HOSTS", tuple(computed))
    monkeypatch.setattr(one_thread, "_controls", lambda host: [(lambda: computed[host].count, computed[host].put)])
    monkeypatch.setitem(sys.modules, "early", sys)
    monkeypatch.delitem(sys.modules, "late", raising=False)
    return computed


def test_one_thread_sets_one_thread_and_restores_the_count(libraries):
    one = one_thread.OneThread()
    with one:
        assert libraries["early"].count == 1
        with one:
            assert libraries["early"].count == 1
        assert libraries["early"].count == 1
    assert libraries["early"].count == 8
    assert libraries["early"].calls == 2  # set once and restored once
    assert libraries["late"].calls == 0


def test_one_thread_includes_libraries_loaded_meanwhile(libraries, monkeypatch):
    one = one_thread.OneThread()
    with one:
        monkeypatch.setitem(sys.modules, "late", sys)
        with one:
            assert libraries["late"].count == 1
        assert libraries["late"].count == 1
    assert (libraries["early"].count, libraries["late"].count) == (8, 4)


def test_one_thread_leaves_single_threaded_libraries_unchanged(libraries):
    libraries["early"].count = 1
    with one_thread.OneThread():
        pass
    assert libraries["early"].calls == 0


def test_one_thread_restores_the_count_after_an_error(libraries):
    one = one_thread.OneThread()

    @one
    def fails():
        assert libraries["early"].count == 1
        raise ValueError

    for _ in range(2):
        with pytest.raises(ValueError, match=r"^$"):
            fails()
        assert libraries["early"].count == 8


def test_one_thread_restores_the_count_when_the_last_thread_leaves(libraries):
    one = one_thread.OneThread()
    entered, leave = threading.Barrier(3), [threading.Event(), threading.Event()]

    def work(n):
        with one:
            entered.wait()
            leave[n].wait()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    entered.wait()
    seen = []
    for thread, event in zip(threads, leave, strict=True):
        seen.append(libraries["early"].count)
        event.set()
        thread.join()
    assert [*seen, libraries["early"].count] == [1, 1, 8]


REAL = """
import numpy as np
from polhode import controllers, plant
from polhode.plant.one_thread import _HOSTS, _controls

def counts():
    import scipy.linalg
    return sorted({get() for host in _HOSTS for get, _ in _controls(host)})

before = counts()
if before == [1] or not before:
    print("skip")
    raise SystemExit
seen = []
inner, solved = np.linalg.eigvals, np.linalg.solve
np.linalg.eigvals = lambda a: seen.append(counts()) or inner(a)
np.linalg.solve = lambda a, b: seen.append(counts()) or solved(a, b)
craft = plant.Spacecraft(plant.RigidBody((8, 7, 6)))
law = controllers.lqr(craft.linearize(craft.at_rest()), attitude=4, rate=1, effort=1, sample=0.1)
law.margins()
law.closed_loop_poles()
controllers.analyse(law)
assert len(seen) > 20, len(seen)
print(all(found == [1] for found in seen), before == counts() == [2])
"""


@pytest.mark.slow
def test_design_and_margins_run_on_one_thread():
    """Uses the libraries of this numpy and scipy, in a separate process, since tests have one thread."""
    env = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", REAL], capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stderr
    if done.stdout.strip() == "skip":
        pytest.skip("no linear algebra library whose threads can be counted, or one with a single thread")
    assert done.stdout.split() == ["True", "True"]


@pytest.mark.parametrize(
    "function",
    [
        controllers.lqr, controllers.lqi, controllers.pid, controllers.lqg, controllers.pole_placement,
        controllers.mixed_sensitivity, controllers.law_from_system, controllers.filtered,
        controllers.quaternion_feedback,
        controllers.analyse, controllers.disk_margins, controllers.sensitivity_peaks, controllers.open_loop,
        controllers.step_response, controllers.disturbance_response, OpenedLoop.response, OpenedLoop.sensitivity,
        OpenedLoop.closed_poles, find_margins, delay_margin, SampledLoop.poles, SampledLoop.radius,
        plant.spin_equilibria, plant.damping_chart, tangent.linearize, mesh_modes.modes_of, reduce.reduce_craft,
        flexible.static_shape, flexible.hub_response, plant.steady_spin, sim.linear_response, sim.lyapunov_function,
    ],
    ids=lambda function: function.__qualname__,
)  # fmt: skip
def test_designs_and_analyses_are_decorated_with_one_thread(function):
    assert any(cell.cell_contents is one_thread.one_thread for cell in function.__closure__ or ())
    assert inspect.signature(function) == inspect.signature(function.__wrapped__)
