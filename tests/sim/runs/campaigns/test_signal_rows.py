"""Quantiles of signals over the runs equal those of numpy over all of them, from a file or memory, extended or not."""

import errno
from types import SimpleNamespace

import numpy as np
import pytest

from polhode.plant import InputError, SaveError
from polhode.sim.runs.campaigns import Outcome, Uniform, campaign, signal_rows

T = np.linspace(0.0, 1.0, 11)
X = {"x": Uniform(low=0.0, high=2.0)}


def wave(draw):
    x = draw.values["x"]
    end = 6 if x > 1.5 else T.size
    return Outcome(metrics={"x": x}, t=T, signals={"a": (x * T)[:end], "b": np.cos(x + T)[:end]})


def expected(found, of, shares):
    rows = np.array([np.where((x > 1.5) & (T > 0.55), np.nan, of(x)) for x in found.dispersed["x"]])
    return np.nanquantile(rows.astype(np.float32).astype(float), shares, axis=0)


@pytest.mark.parametrize("kept", [True, False])
def test_bands_are_the_quantiles_of_all_runs_that_got_so_far(kept, tmp_path, monkeypatch):
    monkeypatch.setattr(signal_rows, "MOST", 100)  # some columns at a time
    told = {"journal": tmp_path / "j"} if kept else {}
    found = campaign(wave, X, runs=60, **told)
    shares = (0.0, 0.25, 0.5, 1.0)
    assert np.array_equal(found.t, T)
    assert np.allclose(found.bands("a", shares), expected(found, lambda x: x * T, shares), rtol=1e-12)
    assert np.allclose(found.bands("b", shares), expected(found, lambda x: np.cos(x + T), shares), rtol=1e-12)
    with pytest.raises(InputError, match="c"):
        found.bands("c")
    with pytest.raises(InputError, match="shares must lie within"):
        found.bands("a", (5.0,))


def test_signal_rows_resume_with_the_journal(tmp_path):
    campaign(wave, X, runs=25, journal=tmp_path / "j")
    grown = campaign(wave, X, runs=60, journal=tmp_path / "j", workers=2, engine="threads")
    assert np.array_equal(grown.bands("b"), campaign(wave, X, runs=60).bands("b"))
    (tmp_path / "j.signals").unlink()
    with pytest.raises(InputError, match="is missing, but the journal next to it"):
        campaign(wave, X, runs=60, journal=tmp_path / "j")


def test_signals_must_be_those_of_the_nominal_run():
    def other(draw):
        return Outcome(metrics={}, t=T, signals={"a" if draw.run < 0 else "b": T})

    with pytest.raises(InputError, match="run 0 has no signal a"):
        campaign(other, X, runs=2)
    with pytest.raises(InputError, match="a number at each time"):
        campaign(lambda d: Outcome(metrics={}, t=T, signals={"a": T[1:]}), X, runs=2)


def test_full_disk_ends_it_with_one_sentence_and_it_goes_on_from_there(tmp_path, monkeypatch):
    """The file is never written through mapped memory: a full disk would end the process without a message."""

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    campaign(wave, X, runs=25, journal=tmp_path / "j")
    with monkeypatch.context() as patch:
        patch.setattr(signal_rows, "os", SimpleNamespace(fsync=full))
        with pytest.raises(SaveError, match=r"No space left on device.*it resumes there"):
            campaign(wave, X, runs=60, journal=tmp_path / "j")
    found = campaign(wave, X, runs=60, journal=tmp_path / "j")
    assert np.array_equal(found.bands("b"), campaign(wave, X, runs=60).bands("b"))
    rows = signal_rows.SignalRows(tmp_path / "j.signals", 60, 2 * T.size, resumed=True)
    assert not rows._rows.flags.writeable
