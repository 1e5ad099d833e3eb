"""The drift study as table and picture."""

import pytest

from polhode.plant.formulations import FORMULATIONS
from polhode.scenarios.pictures.study.drift_study import drift_study, drift_table
from polhode.scenarios.pictures.study.formulation_drift import drift_figure


@pytest.fixture(scope="module")
def drifts():
    return drift_study(duration=100.0)


@pytest.mark.slow
def test_study(drifts) -> None:
    assert [drift.name for drift in drifts] == [*FORMULATIONS, *FORMULATIONS]
    assert [drift.projected for drift in drifts] == [False] * len(FORMULATIONS) + [True] * len(FORMULATIONS)
    assert {drift.run.status for drift in drifts} == {"completed"}
    assert all(drift.run.values("inertial_momentum")[0][:2] == pytest.approx((0, 0), abs=1e-11) for drift in drifts)


def test_table(drifts) -> None:
    lines = drift_table(drifts).splitlines()
    assert len(lines) == 1 + 2 * len(FORMULATIONS)
    assert len({len(line.rstrip()) for line in lines[1:]}) == 1
    row = next(line for line in lines if line.startswith("lagrange-23") and " no " in line)
    assert "t^2.0" in row


@pytest.mark.slow
def test_figure(drifts, tmp_path) -> None:
    figure = drift_figure(drifts)
    assert len(figure.axes) == 7
    names = [label.get_text() for label in figure.axes[6].get_yticklabels()]
    assert sorted(names) == sorted(FORMULATIONS)
    # two forms that coincide share a line: fewer lines than formulations
    assert len(figure.axes[1].lines) < len(FORMULATIONS)
    target = tmp_path / "drift.png"
    figure.savefig(target)
    assert target.stat().st_size > 20_000
