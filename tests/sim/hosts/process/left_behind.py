"""Commands that start programs and FMUs, and processes that remain after the command."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

HOG = Path(__file__).with_name("hog.py")
MARK = "POLHODE_TEST_FAMILY"
HANGS = 3  # the faults of the FMUs of the tests

CASE = """
title = "outside"
[plant]
inertia_kg_m2 = [4.0, 3.0, 2.0]
{plant}
[initial]
rate_rad_s = [0.01, 0.0, 0.0]
{body}
[run]
duration_s = 2.0
integrator = "rk4"
step_s = 0.1
"""

LAW = '[controller]\nkind = "{kind}"\nsample_s = 0.1\ntrust = true\nanswer_within_s = 30.0\n{keys}\n'
NO_LAW = '[controller]\nkind = "rate-damping"\ngain_N_m_s = 0.1\nsample_s = 0.1\ntorque_limit_N_m = 1.0\n'
OUTSIDE = 'kind = "process"\nsample_s = 0.1\ntrust = true\nanswer_within_s = 30.0\n{keys}\n'
BLOCK = f'[[blocks]]\nreads = ["rate"]\nwrites = "rate"\n{OUTSIDE}'
TORQUE = f'[[torques]]\nname = "drag"\n{OUTSIDE}'
CAMPAIGN = '[campaign]\nruns = 40\nseed = 1\n[dispersions]\n"initial.rate_rad_s" = { sigma = 0.001 }\n'


def case(kind: str, then: str, *, fmu: Path | None = None) -> str:
    """Return a case with a program in one place that starts a second program at its third sample."""
    command = f"command = {[sys.executable, '-S', str(HOG), '3', then]!r}"
    bodies = {
        "law": LAW.format(kind="process", keys=command),
        "block": NO_LAW + BLOCK.format(keys=command),
        "torque": NO_LAW + TORQUE.format(keys=command),
        "fmu": LAW.format(kind="fmu", keys=_fmu_keys(fmu, then)),
    }
    bodies["campaign"] = bodies["law"] + CAMPAIGN
    return CASE.format(plant='torque_basis = "body"', body=bodies[kind])


def _fmu_keys(fmu: Path | None, then: str) -> str:
    fault = {"hangs": HANGS, "error": 4}.get(then, 0)
    inputs = 'inputs = {{ rate = ["u1", "u2", "u3"] }}\noutputs = {{ command = ["v1", "v2", "v3"] }}'.replace(
        "{{", "{"
    ).replace("}}", "}")
    return f'file = "{fmu}"\n{inputs}\nunitless = true\nvalues = {{ fault = {fault} }}'


class Started:
    """A command with a mark that identifies all its descendants, and its own scratch folder."""

    def __init__(self, words: list[str], folder: Path, *, ignored: tuple[int, ...] = ()) -> None:
        self.mark = secrets.token_hex(8)
        self.folder = folder
        self.scratch = folder / f"scratch-{self.mark}"
        self.scratch.mkdir()
        environment = {**os.environ, MARK: self.mark, "TMPDIR": str(self.scratch)}
        usual = "signal.signal(signal.SIGHUP, signal.SIG_DFL)"  # nohup starts a test run with it ignored
        ignore = f"[signal.signal(n, signal.SIG_IGN) for n in {[int(number) for number in ignored]}]"
        program = f"import signal, os, sys; {usual}; {ignore}; os.execv(sys.argv[1], sys.argv[1:])"
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, sys.executable, *words],
            env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip

    def alive(self) -> list[int]:
        """Return the processes with the mark that have not ended."""
        return marked(self.mark)

    @staticmethod
    def words_of(number: int) -> str:
        """Return the command line of a process."""
        with suppress(OSError):
            return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return ""

    def folders(self) -> list[str]:
        """Return the existing scratch folders."""
        return sorted(path.name for path in self.scratch.iterdir() if path.name.startswith("polhode-"))

    def await_words(self, words: str, *, within: float = 60.0) -> None:
        """Wait for a process whose command line contains these words."""
        end = time.monotonic() + within
        while not any(words in self.words_of(each) for each in self.alive()):
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end, [self.words_of(each) for each in self.alive()]
            time.sleep(0.02)

    def await_files(self, pattern: str, many: int, *, within: float = 60.0) -> None:
        """Wait for a number of files in its folder."""
        end = time.monotonic() + within
        while len(list(self.folder.glob(pattern))) < many:
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end, [self.words_of(each) for each in self.alive()]
            time.sleep(0.02)

    def ended(self, *, within: float) -> int:
        """Wait for the command -> its exit status."""
        self.out, self.err = self.process.communicate(timeout=within)
        return self.process.returncode

    def left(self, *, within: float = 5.0) -> list[str]:
        """Wait until nothing remains, up to a time limit -> remaining processes and folders."""
        end = time.monotonic() + within
        while (alive := self.alive()) or self.folders():
            if time.monotonic() > end:
                break
            time.sleep(0.02)
        return [self.words_of(each) for each in alive] + self.folders()

    def end_all(self) -> None:
        """End all remaining processes."""
        for number in self.alive():
            with suppress(OSError):
                os.kill(number, signal.SIGKILL)


def marked(mark: str) -> list[int]:
    """Return the processes with a mark in their environment that have not ended."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            number = int(entry.name)
            if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes() and not _ended(entry):
                found.append(number)
    return found


def _ended(entry: Path) -> bool:
    return (entry / "stat").read_text().rpartition(")")[2].split()[0] in {"Z", "X"}
