"""Nothing that a command starts outlives it: neither processes nor scratch folders."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from pathlib import Path

import pytest

from polhode import sim
from polhode.sim.codegen.toolchain import c_compiler

from .left_behind import HOG, MARK, Started, case, marked

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="finds processes in /proc")

SPARE = "signal, time"  # words in the command line of the second program
CODES = {signal.SIGINT: 130, signal.SIGTERM: 130, signal.SIGHUP: 130, signal.SIGKILL: -9, "end": 0, "error": 1}


@pytest.mark.parametrize("then", ["answers", "error"])
def test_run_ends_what_its_program_started(craft, then, monkeypatch):
    """After a normal end and after an error the program has ended; its own children have not, by themselves."""
    monkeypatch.setenv(MARK, secrets.token_hex(8))
    process = sim.Process(command=[sys.executable, "-S", str(HOG), "2", then])
    law = sim.ExternalLaw(process, craft=craft, sample=0.1)
    run = sim.simulate(craft, law, duration=0.5, integrator="rk4", step=0.1, compiled=False)
    assert run.status == ("failed" if then == "error" else "completed")
    assert [each for each in marked(os.environ[MARK]) if SPARE in Started.words_of(each)] == []


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """A law and a system whose FMUs hang, fail or do neither."""
    pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")
    if c_compiler() is None:
        pytest.skip("no C compiler on this machine")
    from ..cosimulation.oscillators import Oscillators
    from ..fmi.units import description2, libraries, write_unit

    folder = tmp_path_factory.mktemp("units")
    text = description2().replace('<Real unit="N.m"', "<Real")
    write_unit(folder / "law.fmu", libraries(folder)[2], text, fmi=2)
    (folder / "pair").mkdir()
    pair = Oscillators(folder / "pair")
    for then, fault in (("hangs", 3), ("error", 4), ("end", 0)):
        sim.write_ssp(pair.pair(values={"a.fault": fault}), folder / f"{then}.ssp")
    return folder


def command(kind: str, then: str, folder: Path, request: pytest.FixtureRequest) -> list[str]:
    if kind == "cosim":
        archive = request.getfixturevalue("archives") / f"{then}.ssp"
        return ["-m", "polhode", "cosim", str(archive), "--trust", "--step", "0.1", "--duration", "2"]
    fmu = request.getfixturevalue("archives") / "law.fmu" if kind == "fmu" else None
    file = folder / f"{kind}.toml"
    file.write_text(case(kind, then, fmu=fmu))
    verb = ["campaign", str(file), "--workers", "2"] if kind == "campaign" else ["run", str(file)]
    return ["-m", "polhode", *verb]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "how"),
    [
        *(("law", how) for how in CODES),
        *((kind, how) for kind in ("block", "torque") for how in (signal.SIGKILL, "end")),
        *((kind, how) for kind in ("fmu", "cosim") for how in (signal.SIGHUP, signal.SIGKILL, "error")),
        ("campaign", signal.SIGKILL),
    ],
)
def test_command_leaves_nothing_behind(kind, how, tmp_path, request):
    then = "hangs" if isinstance(how, signal.Signals) else how
    started = Started(command(kind, then, tmp_path, request), tmp_path)
    try:
        if then == "hangs":
            started.await_words("host.py" if kind in {"fmu", "cosim"} else SPARE)
            started.process.send_signal(how)
        code = started.ended(within=60.0)
        assert started.left(within=10.0) == []
        assert code == CODES[how]
    finally:
        started.end_all()


@pytest.mark.slow
def test_ignored_signals_stay_ignored_and_sigterm_ends(tmp_path, request):
    """As nohup and a shell start a background job: SIGHUP and SIGINT are ignored."""
    ignored = (signal.SIGINT, signal.SIGHUP)
    started = Started(command("law", "hangs", tmp_path, request), tmp_path, ignored=ignored)
    try:
        started.await_words(SPARE)
        for number in ignored:
            started.process.send_signal(number)
        assert any(SPARE in started.words_of(each) for each in started.alive())
        started.process.send_signal(signal.SIGTERM)
        code = started.ended(within=60.0)
        assert started.left(within=10.0) == []
        assert code == 130
    finally:
        started.end_all()
