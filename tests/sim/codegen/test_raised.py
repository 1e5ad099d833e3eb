"""Exceptions of compiled functions are kept for the run that called them."""

import threading

from polhode.sim.codegen.raised import collect_raised, note_raised


def test_last_exception_is_kept():
    with collect_raised() as texts:
        note_raised("ValueError: first")
        note_raised("IndexError")
    assert texts == ["IndexError"]


def test_exception_outside_a_run_is_reported(capsys):
    note_raised("ValueError: nobody listens")
    assert capsys.readouterr().err == "polhode: a compiled function raised ValueError: nobody listens\n"


def test_nested_and_parallel_runs_keep_their_own(capsys):
    both_in, one_out = threading.Barrier(2, timeout=10.0), threading.Event()
    found = {}

    def other():
        with collect_raised() as texts:
            both_in.wait()
            one_out.wait(timeout=10.0)
            note_raised("ValueError: other")
        found["other"] = texts

    thread = threading.Thread(target=other)
    with collect_raised() as outer:
        thread.start()
        both_in.wait()
        with collect_raised() as inner:
            note_raised("ValueError: inner")
        note_raised("ValueError: outer")
    one_out.set()
    thread.join(timeout=10.0)
    assert (inner, outer, found["other"]) == (["ValueError: inner"], ["ValueError: outer"], ["ValueError: other"])
    assert capsys.readouterr().err == ""


def test_exception_while_paused_belongs_to_the_context_around(capsys):
    context = collect_raised()
    with context as texts:
        note_raised("ValueError: of the engine")
        context.paused = True
        note_raised("ValueError: of a law called meanwhile")
        context.paused = False
        assert texts == ["ValueError: of the engine"]
        note_raised("ValueError: of the engine again")
    assert texts == ["ValueError: of the engine again"]
    assert capsys.readouterr().err == "polhode: a compiled function raised ValueError: of a law called meanwhile\n"
