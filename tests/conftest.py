"""What all tests share."""

import os
import signal
import threading

# before numpy is loaded: threads make small matrices slower (see polhode.plant.one_thread), those of tests too
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

# a machine under load is no fault of an example, and a suite that passes today passes tomorrow
settings.register_profile(
    "any-machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("any-machine")


@pytest.fixture(autouse=True)
def default_interrupt():
    """Set Python's own handler of SIGINT. A shell starts background jobs, and nohup its program, with it ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def default_terminal(monkeypatch):
    """Forget the size of the terminal: tests that need one set their own."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("LINES", raising=False)
