"""What compiled functions raise is kept for the run; what others raise goes where it always went."""

import sys
import threading
from types import SimpleNamespace

from polhode.sim.machine.raised import collect_raised


def raised(error, source="numba.ccallback"):
    return SimpleNamespace(exc_type=type(error), exc_value=error, object=source)


def listening(monkeypatch):
    """Called in the test itself: some versions of pytest set a hook of their own after the fixtures."""
    found = []
    monkeypatch.setattr(sys, "unraisablehook", lambda each: found.append(str(each.exc_value)))
    return found


def test_the_last_one_is_kept_and_the_hook_put_back(monkeypatch):
    told = listening(monkeypatch)
    before = sys.unraisablehook
    with collect_raised() as texts:
        sys.unraisablehook(raised(ValueError("first")))
        sys.unraisablehook(raised(IndexError()))
    assert texts == ["IndexError"]
    assert told == []
    assert sys.unraisablehook is before


def test_what_is_not_of_compiled_code_passes(monkeypatch):
    told = listening(monkeypatch)
    with collect_raised() as texts:
        sys.unraisablehook(raised(ValueError("of a finaliser"), source=object()))
    assert texts == []
    assert told == ["of a finaliser"]


def test_runs_within_runs_and_beside_runs_keep_their_own(monkeypatch):
    told = listening(monkeypatch)
    before = sys.unraisablehook
    both_in, one_out = threading.Barrier(2, timeout=10.0), threading.Event()
    found = {}

    def other():
        with collect_raised() as texts:
            both_in.wait()
            one_out.wait(timeout=10.0)
            sys.unraisablehook(raised(ValueError("other")))
        found["other"] = texts

    thread = threading.Thread(target=other)
    with collect_raised() as outer:
        thread.start()
        both_in.wait()
        with collect_raised() as inner:
            sys.unraisablehook(raised(ValueError("inner")))
        sys.unraisablehook(raised(ValueError("outer")))
    one_out.set()
    thread.join(timeout=10.0)
    assert (inner, outer, found["other"]) == (["ValueError: inner"], ["ValueError: outer"], ["ValueError: other"])
    assert told == []
    assert sys.unraisablehook is before


def test_what_is_raised_while_paused_is_told_as_ever(monkeypatch):
    told = listening(monkeypatch)
    context = collect_raised()
    with context as texts:
        sys.unraisablehook(raised(ValueError("of the engine")))
        context.paused = True
        sys.unraisablehook(raised(ValueError("of a law asked meanwhile")))
        context.paused = False
        assert texts == ["ValueError: of the engine"]
        sys.unraisablehook(raised(ValueError("of the engine again")))
    assert texts == ["ValueError: of the engine again"]
    assert told == ["of a law asked meanwhile"]
