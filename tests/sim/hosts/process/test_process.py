"""A faulty process ends the run with one sentence; the rows are kept and no process remains."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from polhode import sim
from polhode.plant import InputError
from polhode.sim import ExternalLaw, Process
from polhode.sim.hosts.process.port import Port
from polhode.sim.hosts.process.terms import Terms

LIAR = str(Path(__file__).with_name("liar.py"))
FLIGHT = {"rate": (0.01, -0.02, 0.03), "duration": 1.0, "integrator": "rk4", "step": 0.1, "output_step": 0.1}


def law(craft, how, **keys):
    process = Process(
        command=[sys.executable, "-S", LIAR, how], **{"answer_within": 20.0, "start_within": 20.0, **keys}
    )
    return ExternalLaw(process, craft=craft, sample=0.1, reads=["rate"], name="outer")


WRONG = {
    "exit": "ended with exit status 3",
    "crash": "was ended by SIGSEGV",
    "short": "answered 2 numbers instead of 3",
    "nan": "answered NaN, which JSON does not have",
    "infinite": "not finite",
    "huge": "too large for double precision",
    "text": 'answered "0.0" instead of a number',
    "true": "answered true instead of a number",
    "prose": "answered text that is not JSON: 'ready when you are'",
    "latin": "answered text that is not JSON",
    "deep": "answered text that is not JSON",
    "list": "answered text that is not a JSON object",
    "empty": 'answered without a list "v"',
    "again": "answered sample 2 instead of sample 3",
    "error": "says: the sensor is unplugged",
    "debug": "answered text that is not JSON: 'rate is fine'",
    "early": "sent more than one answer",
    "flood": "sent a line of more than 1048576 bytes",
}


@pytest.mark.parametrize("how", WRONG)
def test_process_fault_is_reported_once_and_rows_are_kept(how, craft, children):
    run = sim.simulate(craft, law(craft, how), **FLIGHT)
    assert run.status == "failed"
    assert run.reason.count(WRONG[how]) == 1, run.reason
    assert "of the law 'outer'" in run.reason
    assert LIAR in run.reason
    assert "at t = 0.3 s" in run.reason
    assert len(run.reason) < 700
    np.testing.assert_allclose(run.t, [0.0, 0.1, 0.2, 0.3], atol=1e-12)
    assert len(children) == 1


def test_process_early_answer_is_reported_with_its_sample():
    port = Port("rate", 3, unit="rad/s"), Port("command", 3, unit="N m")
    process = Process(command=[sys.executable, "-S", LIAR, "late"], answer_within=20.0, start_within=20.0)
    terms = Terms(name="outer", role="law", reads=port[:1], writes=port[1:], sample=0.1)
    with process.opened(terms) as ask:
        for n in range(4):
            ask(0.1 * n, [0.0, 0.0, 0.0])
        time.sleep(0.3)
        with pytest.raises(InputError, match=r"sent more than one answer: .*, at t = 0\.3 s"):
            ask(0.4, [0.0, 0.0, 0.0])


@pytest.mark.thinned(2)
@pytest.mark.parametrize("how", ["hang", "half"])
def test_silence_has_an_end(how, craft, children):
    begun = time.monotonic()
    run = sim.simulate(craft, law(craft, how, answer_within=0.5), **FLIGHT)
    assert time.monotonic() - begun < 20.0
    assert run.status == "failed"
    assert "sent nothing for 0.5 s, at t = 0.3 s" in run.reason
    assert run.t[-1] == pytest.approx(0.3)
    assert children[0].returncode == -signal.SIGTERM


STARTS = {
    "leaves": "ended with exit status 7, at the start of the run; on stderr it wrote: no licence",
    "future": "speaks protocol version 2 instead of 1",
    "degrees": r"reads rate \(3 in 'deg/s'\), but the run has rate \(3 in 'rad/s'\)",
    "wide": r"writes command \(4 in 'N m'\), but the run has command \(3 in 'N m'\)",
    "slow": "is designed for a period of 0.2 s, but is sampled every 0.1 s",
    "unsized": "answered without a list 'reads' of signals with name, size and unit",
    "timeless": "omits sample_s",
}


@pytest.mark.parametrize("how", STARTS)
def test_another_process_than_was_asked_for_does_not_fly(how, craft, children):
    with pytest.raises(InputError, match=STARTS[how]):
        sim.simulate(craft, law(craft, how), **FLIGHT)
    assert len(children) == 1


def test_process_that_never_answers_is_ended(craft, children):
    with pytest.raises(InputError, match=r"sent nothing for 0\.3 s, at the start of the run"):
        sim.simulate(craft, law(craft, "mute", start_within=0.3), **FLIGHT)
    assert children[0].returncode == -signal.SIGTERM


def test_process_stderr_does_not_block_and_echo_is_an_answer(craft, children):
    quiet, noisy, echo = (sim.simulate(craft, law(craft, how), **FLIGHT) for how in ("honest", "noisy", "echo"))
    assert {each.status for each in (quiet, noisy, echo)} == {"completed"}
    assert np.array_equal(quiet.states, noisy.states)
    assert [child.returncode for child in children] == [0, 0, 0]


def test_process_that_does_not_end_is_ended(craft, children, monkeypatch):
    monkeypatch.setattr("polhode.sim.hosts.process.channel.GRACE", 0.2)
    run = sim.simulate(craft, law(craft, "lingers"), **FLIGHT)
    assert run.status == "completed"
    assert children[0].returncode == -signal.SIGTERM


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_process_that_ignores_signals_is_killed_with_its_children(craft, children, monkeypatch):
    monkeypatch.setattr("polhode.sim.hosts.process.channel.GRACE", 0.2)
    run = sim.simulate(craft, law(craft, "stubborn", answer_within=1.0), **FLIGHT)
    grandchild = int(run.reason.split()[-1])
    assert children[0].returncode == -signal.SIGKILL
    stat = Path(f"/proc/{grandchild}/stat")
    for _ in range(100):
        if not stat.exists() or stat.read_text().split()[2] == "Z":
            break
        time.sleep(0.02)
    else:
        pytest.fail("what it started still runs")


@pytest.mark.slow
def test_ctrl_c_stops_the_run_keeps_it_and_ends_the_process(craft, children):
    def interrupt():
        while not children:
            time.sleep(0.01)
        time.sleep(0.7)
        os.kill(os.getpid(), signal.SIGINT)

    press = threading.Thread(target=interrupt)
    press.start()
    run = sim.simulate(craft, law(craft, "hang"), **FLIGHT)
    press.join()
    assert run.status == "stopped"
    assert run.t[-1] == pytest.approx(0.3)
    assert children[0].returncode is not None


def test_program_that_is_not_there(craft):
    nowhere = ExternalLaw(Process(command=["./nobody"]), craft=craft, sample=0.1)
    with pytest.raises(InputError, match=r"process '\./nobody' of the law 'law' cannot be started in \.: No such file"):
        sim.simulate(craft, nowhere, **FLIGHT)
    with pytest.raises(InputError, match="does not answer: Connection refused"):
        sim.simulate(craft, ExternalLaw(Process(port=1), craft=craft, sample=0.1), **FLIGHT)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({}, "either a command"),
        ({"command": "./law --fast"}, "must be a list of words, since no shell reads it"),
        ({"command": ["./law", 3]}, "the name of a program and its arguments"),
        ({"command": [""]}, "the name of a program"),
        ({"command": ["./law"], "port": 5000}, "either a command"),
        ({"port": 70000}, "from 1 to 65535; got 70000"),
        ({"port": True}, "from 1 to 65535; got True"),
        ({"port": 5000, "answer_within": 0.0}, "answer_within"),
    ],
)
def test_bad_input_says_what_to_do(keys, words):
    with pytest.raises(InputError, match=words):
        Process(**keys)


def test_each_run_of_one_law_has_its_own_process(craft, children):
    one = law(craft, "honest")
    runs = [None, None]

    def fly(n):
        runs[n] = sim.simulate(craft, one, **FLIGHT)

    threads = [threading.Thread(target=fly, args=(n,)) for n in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert np.array_equal(runs[0].states, runs[1].states)
    assert len(children) == 2
    assert runs[0].law is one


def test_port_is_signal_with_its_size_and_unit():
    assert Port("rate", 3, unit="rad/s").to_dict() == {"name": "rate", "size": 3, "unit": "rad/s"}
