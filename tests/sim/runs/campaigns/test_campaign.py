"""Campaigns have the same result for any number of workers, any order and any interruption."""

import json
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.sim.runs.campaigns import Correlated, LogNormal, Normal, campaign

sys.path.insert(0, str(Path(__file__).parent))  # so that processes find it by the same name
import flights

DISPERSIONS = flights.DISPERSIONS


def same(a, b):
    assert np.array_equal(a.run, b.run)
    assert np.array_equal(a.status, b.status)
    assert a.reasons == b.reasons
    for one, other in ((a.metrics, b.metrics), (a.dispersed, b.dispersed)):
        assert list(one) == list(other)
        for name, column in one.items():
            assert np.array_equal(column, other[name], equal_nan=True), name


@pytest.fixture(scope="module")
def plain():
    return campaign(flights.polynomial, DISPERSIONS, runs=100, seed=4)


def test_campaign_result_holds_draws_and_outcomes(plain):
    good = plain.status == "completed"
    assert 0 < good.sum() < 100
    x, y = plain.dispersed["x"], plain.dispersed["y"]
    assert np.array_equal(plain.metrics["z"][good], (x * y)[good])
    assert (plain.status[x > 1.9] == "refused").all()
    assert np.isnan(plain.metrics["z"][x > 1.9]).all()
    assert all("is too much" in plain.reasons[run] for run in plain.run[x > 1.9])
    assert plain.nominal == {"z": 1.0, "w": 0.0}
    assert plain.ended == "complete"


@pytest.mark.parametrize("how", [{"workers": 3, "engine": "threads"}, {"workers": 2}])
def test_workers_make_no_difference(plain, how):
    same(plain, campaign(flights.polynomial, DISPERSIONS, runs=100, seed=4, **how))


@pytest.mark.slow
def test_worker_that_dies_costs_nothing(plain, tmp_path, monkeypatch):
    monkeypatch.setenv("POLHODE_TEST_MARK", str(tmp_path / "mark"))
    same(plain, campaign(flights.deadly, DISPERSIONS, runs=100, seed=4, workers=2))
    assert (tmp_path / "mark").exists()


@pytest.mark.slow
def test_run_that_always_kills_its_worker_is_named():
    with pytest.raises(InputError, match="died 4 times during runs"):
        campaign(flights.murderous, DISPERSIONS, runs=20, seed=4, workers=2)


def test_plan_may_only_grow(plain, tmp_path):
    path = tmp_path / "j"
    campaign(flights.polynomial, DISPERSIONS, runs=40, seed=4, journal=path)
    same(plain, campaign(flights.polynomial, DISPERSIONS, runs=100, seed=4, journal=path))
    with pytest.raises(InputError, match="runs was 40, but is now 30"):
        campaign(flights.polynomial, DISPERSIONS, runs=30, seed=4, journal=path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 5}, "seed was 4, but is now 5"),
        ({"plan": "latin-hypercube"}, 'plan was "random", but is now "latin-hypercube"'),
        ({"metadata": {"case": {"a": 1}}}, "case.a was 2, but is now 1"),
    ],
)
def test_another_campaign_is_refused_with_the_difference(tmp_path, change, words):
    told = {"runs": 20, "seed": 4, "metadata": {"case": {"a": 2}}, "journal": tmp_path / "j"}
    campaign(flights.polynomial, DISPERSIONS, **told)
    before = (tmp_path / "j").read_bytes()
    with pytest.raises(InputError, match=words):
        campaign(flights.polynomial, DISPERSIONS, **{**told, **change})
    assert (tmp_path / "j").read_bytes() == before


def test_campaign_with_other_dispersions_is_another_campaign(tmp_path):
    campaign(flights.polynomial, DISPERSIONS, runs=9, journal=tmp_path / "j")
    other = {**DISPERSIONS, "y": Normal(mean=1.0, sigma=0.6)}
    with pytest.raises(InputError, match=r"dispersions\.y\.sigma was 0\.5, but is now 0\.6"):
        campaign(flights.polynomial, other, runs=9, journal=tmp_path / "j")


def test_torn_journal_goes_on_at_every_byte(plain, tmp_path):
    path = tmp_path / "j"
    campaign(flights.polynomial, DISPERSIONS, runs=100, seed=4, journal=path)
    whole = path.read_bytes()
    for keep in (0, 1, 20, *range(len(whole) // 2, len(whole) // 2 + 60, 7), len(whole) - 1):
        path.write_bytes(whole[:keep])
        same(plain, campaign(flights.polynomial, DISPERSIONS, runs=100, seed=4, journal=path))
        assert path.read_bytes() == whole  # one process runs in order


def test_spoilt_record_is_flown_again(plain, tmp_path):
    path = tmp_path / "j"
    campaign(flights.polynomial, DISPERSIONS, runs=100, seed=4, journal=path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x40
    path.write_bytes(data)
    same(plain, campaign(flights.polynomial, DISPERSIONS, runs=100, seed=4, journal=path))


def test_other_peoples_files_are_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary\n")
    with pytest.raises(InputError, match="is not the journal of a campaign"):
        campaign(flights.polynomial, DISPERSIONS, runs=9, journal=path)
    assert path.read_text() == "dear diary\n"


KILLED = """
    import sys
    sys.path.insert(0, {folder!r})
    import flights  # noqa: E402
    from polhode.sim.runs.campaigns import campaign
    if __name__ == "__main__":
        campaign(flights.slow, flights.DISPERSIONS, runs=1500, seed=4, journal={path!r})
"""


@pytest.mark.slow
def test_killed_at_fifty_random_moments_it_comes_to_the_same(tmp_path):
    path = tmp_path / "j"
    script = tmp_path / "fly.py"
    script.write_text(textwrap.dedent(KILLED.format(folder=str(Path(flights.__file__).parent), path=str(path))))
    rng = np.random.default_rng(0)
    killed = 0
    for _ in range(50):
        process = subprocess.Popen([sys.executable, str(script)])
        while not path.exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(float(rng.uniform(0.0, 0.15)))
        killed += process.poll() is None
        process.kill()
        process.wait()
    assert killed > 40  # the runs that finished first remain
    told = {"runs": 1500, "seed": 4}
    same(
        campaign(flights.polynomial, DISPERSIONS, **told),
        campaign(flights.polynomial, DISPERSIONS, **told, journal=path),
    )


def test_campaign_stops_at_the_same_run_for_any_worker_count():
    def enough(so_far):
        return so_far.run.size >= 60

    one = campaign(flights.polynomial, DISPERSIONS, runs=100, enough=enough, each=30)
    two = campaign(flights.polynomial, DISPERSIONS, runs=100, enough=enough, each=30, workers=2, engine="threads")
    assert one.run.tolist() == list(range(60))
    assert one.ended == "enough"
    same(one, two)


def test_correlated_quantities_go_together_with_their_own_distributions():
    names = ("a", "b")
    dispersions = {"a": Normal(mean=0.0, sigma=1.0), "b": LogNormal(median=2.0, sigma=0.3)}
    group = Correlated(names, [[1.0, 0.8], [0.8, 1.0]])
    found = campaign(lambda d: {"a": d.values["a"]}, dispersions, runs=2000, correlated=[group])
    a, b = found.dispersed["a"], np.log(found.dispersed["b"] / 2.0) / 0.3
    assert np.corrcoef(a, b)[0, 1] == pytest.approx(0.8, abs=5 * 0.36 / np.sqrt(2000))
    assert b.std() == pytest.approx(1.0, abs=5 / np.sqrt(4000))
    with pytest.raises(InputError, match="positive definite"):
        Correlated(names, [[1.0, 1.2], [1.2, 1.0]])
    with pytest.raises(InputError, match="c is not a dispersion"):
        campaign(lambda d: {}, dispersions, runs=2, correlated=[Correlated(("a", "c"), np.eye(2))])


def test_pass_rate_worst_and_sensitivities(plain):
    share, low, high = plain.pass_rate("z", high=1.0)
    assert low < share < high
    assert share == plain.passed("z", high=1.0).mean()
    worst = plain.worst("z", 100)
    refused = plain.run[plain.status == "refused"]
    assert set(worst[: refused.size]) == set(refused.tolist())
    values = plain.metrics["z"][worst[refused.size :]]
    assert (np.diff(values) <= 0.0).all()
    assert plain.sensitivities("w")["x"] > 0.3
    with pytest.raises(InputError, match="zz"):
        plain.passed("zz")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"runs": 0}, "runs must be from 1"),
        ({"runs": None}, "runs must be from 1"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"plan": "sobol"}, "power of 2"),
        ({"engine": "gpus"}, "engine"),
        ({"dispersions": {}}, "at least one dispersion"),
        ({"dispersions": {"x": 3.0}}, "dispersion of x"),
    ],
)
def test_bad_input(change, words):
    told = {"dispersions": DISPERSIONS, "runs": 10, **change}
    dispersions = told.pop("dispersions")
    with pytest.raises(InputError, match=words):
        campaign(flights.polynomial, dispersions, **told)


def test_metrics_must_be_the_same_in_every_run():
    with pytest.raises(InputError, match=r"run 0 has different metrics from the nominal run \(b\)"):
        campaign(lambda d: {"a": 1.0} if d.run < 0 else {"a": 1.0, "b": 2.0}, DISPERSIONS, runs=3)


def test_journal_says_what_it_is(tmp_path):
    campaign(flights.polynomial, DISPERSIONS, runs=3, journal=tmp_path / "j")
    head = json.loads((tmp_path / "j").read_bytes().split(b"\n")[0])
    assert head["metadata"]["dispersions"]["x"] == {"distribution": "Uniform", "low": 0.0, "high": 2.0}
    assert head["columns"] == ["x", "y", "z", "w"]
