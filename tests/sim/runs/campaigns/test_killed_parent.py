"""Worker processes of a campaign whose parent is killed."""

import signal
from pathlib import Path

import pytest

from ...hosts.process.left_behind import Started

SCRIPT = """
import multiprocessing, os, sys, time
sys.path.insert(0, {folder!r})
import flights

def never(draw):
    if multiprocessing.parent_process() is None:
        return flights.polynomial(draw)  # the first, by which the others are dealt out
    open(f"begun-{{os.getpid()}}", "w").close()
    time.sleep(60.0)

if __name__ == "__main__":
    from polhode.sim.runs.campaigns import campaign
    campaign(never, flights.DISPERSIONS, runs=8, seed=1, workers=2, engine="processes")
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="finds processes in /proc")
def test_workers_end_when_their_parent_is_killed(tmp_path):
    """In the middle of a run of a minute, not at its end."""
    script = tmp_path / "never.py"
    script.write_text(SCRIPT.format(folder=str(Path(__file__).parent)))
    started = Started([str(script)], tmp_path)
    try:
        started.await_files("begun-*", 2)
        started.process.send_signal(signal.SIGKILL)
        assert started.ended(within=10.0) == -signal.SIGKILL
        assert started.left(within=20.0) == []
    finally:
        started.end_all()
