"""Configuration of all tests."""

import gc
import os
import signal
import threading
from collections import Counter

# before numpy is loaded: threads make small matrices slower (see polhode.plant.one_thread), also in tests
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# the size of the terminal: tests that need one set their own
os.environ.pop("COLUMNS", None)
os.environ.pop("LINES", None)

import pytest
from hypothesis import HealthCheck, settings

# load of the machine must not fail an example, and a suite that passes today passes tomorrow
settings.register_profile(
    "any-machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("any-machine")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect without the garbage collector, and let it skip later what was collected.

    The tests live as long as the process. The collector's searches of them would take 40 % of the time of the
    collection of the whole suite, and each full one during the tests half a second.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000)  # young objects: the default of 700 takes 2 % of the time of the tests


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by markers
def pytest_collection_modifyitems(items):
    """Leave every n-th combination of a test marked `thinned(n)` in the fast suite, move the others to the slow one.

    With two tables of parameters n is prime to the length of the inner one, so that no column is left out. A selected
    combination runs always.
    """
    collected = Counter()
    for item in items:
        mark = item.get_closest_marker("thinned")
        if mark is None or item.get_closest_marker("slow") is not None:
            continue
        name = item.nodeid.partition("[")[0]
        if collected[name] % mark.args[0]:
            item.add_marker(pytest.mark.slow)
        collected[name] += 1


@pytest.fixture(autouse=True)
def default_interrupt():
    """Set Python's own handler of SIGINT. A shell starts background jobs, and nohup its program, with it ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
