"""Campaigns have the same result with single runs and with batches."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from polhode import controllers, plant, sim
from polhode.plant import InputError
from polhode.sim.runs.campaigns import BatchRunner, Choice, Componentwise, Inertia, Normal, Uniform, campaign

sys.path.insert(0, str(Path(__file__).parent))  # so that processes find it by the same name
import flights
from test_campaign import same

MODULE = import_module("polhode.sim.runs.campaigns.campaign")  # whose name in the package is that of the function
BASIS = plant.TorqueBasis("body", limit=1.0)
NOMINAL = plant.Spacecraft(plant.RigidBody((400, 307.8, 200)), torques=BASIS)
LAW = controllers.quaternion_feedback(NOMINAL, frequency=0.1, damping_ratio=0.7, sample=0.5)
SLEW = {"attitude": (0.6, 0.0, 0.8, 0.0), "duration": 30.0, "integrator": "rk4", "step": 0.5, "output_times": [30.0]}
SCATTERED = {
    "inertia": Inertia(tensor=np.diag([400, 307.8, 200]), relative_sigma=0.1),
    "rate": Componentwise((Normal(mean=0.0, sigma=1e-3),) * 3),
    "limit": Uniform(low=-0.1, high=1.0),  # which some have not
}


def craft_of(draw):
    basis = plant.TorqueBasis("body", limit=draw.values["limit"])
    return plant.Spacecraft(plant.RigidBody(draw.values["inertia"]), torques=basis)


def slew(draw):
    run = sim.simulate(craft_of(draw), LAW, rate=draw.values["rate"], **SLEW)
    return {"error": float(run.values("attitude_error")[-1]), "rate": float(run.values("rate")[-1, 0])}


def slews(draws):
    rates = [draw.values["rate"] for draw in draws]
    runs = sim.simulate_batch([craft_of(draw) for draw in draws], LAW, rate=rates, **SLEW)
    return runs.outcomes({"error": runs.values("attitude_error")[:, -1], "rate": runs.values("rate")[:, -1, 0]})


@pytest.fixture(scope="module")
def one_by_one():
    return campaign(slew, SCATTERED, runs=60, seed=3)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("batch", [7, 256])
@pytest.mark.parametrize("how", [{}, {"workers": 2, "engine": "threads"}])
def test_slews(monkeypatch, one_by_one, how, batch):
    monkeypatch.setattr(MODULE, "MOST", batch)
    assert (one_by_one.status == "refused").sum() > 2
    same(one_by_one, campaign(BatchRunner(slews), SCATTERED, runs=60, seed=3, **how))


def test_run_that_is_refused_brings_nobody_down():
    alone = campaign(flights.polynomial, flights.DISPERSIONS, runs=100, seed=4)
    same(alone, campaign(BatchRunner(flights.polynomials), flights.DISPERSIONS, runs=100, seed=4))


@pytest.mark.slow
def test_batch_runner_in_processes():
    alone = campaign(flights.polynomial, flights.DISPERSIONS, runs=600, seed=4)
    same(alone, campaign(BatchRunner(flights.polynomials), flights.DISPERSIONS, runs=600, seed=4, workers=2))


def test_journal_goes_on_with_either(tmp_path):
    alone = campaign(flights.polynomial, flights.DISPERSIONS, runs=100, seed=4)
    campaign(flights.polynomial, flights.DISPERSIONS, runs=40, seed=4, journal=tmp_path / "j")
    same(
        alone, campaign(BatchRunner(flights.polynomials), flights.DISPERSIONS, runs=100, seed=4, journal=tmp_path / "j")
    )


def test_ctrl_c_ends_it_with_what_was_kept(monkeypatch):
    monkeypatch.setattr(MODULE, "MOST", 10)

    def interrupted(draws):
        if draws[0].run >= 30:
            raise KeyboardInterrupt
        return flights.polynomials(draws)

    found = campaign(BatchRunner(interrupted), {"x": Uniform(low=0, high=1), "y": Uniform(low=0, high=1)}, runs=100)
    assert found.ended == "interrupted"
    assert found.run.tolist() == list(range(found.run.size))
    assert 30 <= found.run.size < 40


def test_runs_that_have_not_flown_are_no_flights(monkeypatch):
    def interrupt(share):
        raise KeyboardInterrupt

    monkeypatch.setattr("polhode.sim.runs.batch_run.LANES", 1)
    runs = sim.simulate_batch(NOMINAL, LAW, rate=np.zeros((3, 3)), workers=1, progress=interrupt, **SLEW)
    with pytest.raises(KeyboardInterrupt):
        runs.outcomes({"error": np.zeros(3)})
    with pytest.raises(InputError, match=r"error must be 3 numbers, one per run; got shape \(3, 1\)"):
        runs.outcomes({"error": runs.values("attitude_error")})


def test_batch_runner_needs_one_outcome_per_draw():
    with pytest.raises(InputError, match="one result for each of the 1 draws; got 2"):
        campaign(BatchRunner(lambda draws: [{"a": 1.0}, {"a": 2.0}]), {"x": Uniform(low=0, high=1)}, runs=4)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, r"what fly\(draws\) returns must be a list of the metrics of each run.*; got None"),
        ({"a": 1.0}, r"what fly\(draws\) returns must be a list"),
        ([None], r'metrics of a run must be numbers by name, such as {"error": 0.1}; got None'),
        ([3.0], "metrics of a run must be numbers by name"),
        ([{"a": [1.0, 2.0]}], r"the metric a of a run must be a number, nan if it has none; got \[1.0, 2.0\]"),
        ([{"a": "large"}], "the metric a of a run must be a number"),
        ([{"a": [1.0, [2.0]]}], "the metric a of a run must be a number"),
    ],
)
def test_nonsense_is_told(found, words):
    scattered = {"x": Uniform(low=0, high=1)}
    with pytest.raises(InputError, match=words):
        campaign(BatchRunner(lambda draws: found), scattered, runs=4)
    if isinstance(found, list):
        with pytest.raises(InputError, match=words):
            campaign(lambda draw: found[0], scattered, runs=4)
        with pytest.raises(InputError, match=words):  # of later runs than the nominal one
            campaign(
                BatchRunner(lambda draws: [{"a": 1.0}] if draws[0].run < 0 else found * len(draws)), scattered, runs=4
            )


def tilted(draws):
    """Whole arrays throughout: no object per run."""
    given = {"inertia": draws.values["inertia"], "rate": draws.values["rate"], **SLEW}
    runs = sim.simulate_batch(NOMINAL, LAW, **given)
    return runs.outcomes({"error": runs.values("attitude_error")[:, -1], "rate": runs.values("rate")[:, -1, 0]})


def test_whole_arrays(tmp_path):
    """The same as single runs, in a journal too; a run with an impossible body is refused singly."""

    def alone(draw):
        craft = plant.Spacecraft(plant.RigidBody(draw.values["inertia"]), torques=BASIS)
        run = sim.simulate(craft, LAW, rate=draw.values["rate"], **SLEW)
        return {"error": float(run.values("attitude_error")[-1]), "rate": float(run.values("rate")[-1, 0])}

    tensors = Choice(
        (np.diag([400.0, 307.8, 200.0]), np.diag([20.0, 10.0, 5.0]), np.diag([410.0, 307.8, 200.0])),
    )
    scattered = {"inertia": tensors, "rate": SCATTERED["rate"]}
    one_by_one = campaign(alone, scattered, runs=50, seed=3)
    assert (one_by_one.status == "refused").sum() > 5
    same(one_by_one, campaign(BatchRunner(tilted), scattered, runs=50, seed=3, journal=tmp_path / "j"))
    same(one_by_one, campaign(BatchRunner(tilted), scattered, runs=50, seed=3, journal=tmp_path / "j"))


def test_flights_are_a_flight_of_each_run():
    runs = sim.simulate_batch(NOMINAL, LAW, rate=np.zeros((3, 3)), **SLEW)
    found = runs.outcomes({"error": runs.values("attitude_error")[:, -1]})
    assert [flight.status for flight in found] == ["completed"] * 3
    assert found[1:][0].metrics == found[1].metrics
    assert type(found[0].metrics["error"]) is float
