"""Figures of arms show the full vibration amplitude, for any spacing of the rows."""

import numpy as np
import pytest

from polhode.scenarios import run_case
from polhode.scenarios.pictures.run.arm_panels import draw_arms


@pytest.fixture(scope="module")
def flights():
    found = {}
    for output in (2.5e-3, 0.02, 0.025):
        told = ["run.duration_s=2", f"run.output_s={output}", "metrics.residual_from_s=0.5"]
        found[output] = run_case("flexible-satellite-free", overrides=[*told, "require=[]"])
    return found


def test_bands_hold_every_step(flights):
    fine, coarse = flights[2.5e-3], flights[0.02]
    axes = draw_arms(coarse.run, name="free").axes
    tips = 1e6 * fine.run.values("tip_deflection")
    for axis in (1, 2):
        bands = axes[axis - 1].collections
        assert len(bands) == 2
        assert not axes[axis - 1].lines  # a line through the rows would show 9.8 Hz in place of 40.2 Hz
        for arm, band in enumerate(bands):
            points = np.concatenate([path.vertices for path in band.get_paths()])
            assert points[:, 1].max() == pytest.approx(tips[:, arm, axis].max(), rel=1e-6)
            assert points[:, 1].min() == pytest.approx(tips[:, arm, axis].min(), rel=1e-6)
    for arm, band in enumerate(axes[2].collections):
        top = np.concatenate([path.vertices for path in band.get_paths()])[:, 1].max()
        assert top == pytest.approx(fine.run.values("strain_energy")[:, arm].max(), rel=1e-6)
    assert "minimum to maximum between rows 0.02 s apart" in axes[0].figure.get_suptitle()
    legend = axes[0].get_legend()
    assert legend is not None
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels == ["arm 1", "arm 2"]


def test_rows_at_every_step_are_lines(flights):
    axes = draw_arms(flights[2.5e-3].run, name="free").axes
    assert len(axes[0].lines) == 2
    assert not axes[0].collections
    assert "rows" not in axes[0].figure.get_suptitle()


def test_metrics_do_not_depend_on_the_rows(flights):
    fine, *others = [flight.metrics for flight in flights.values()]
    for metrics in others:
        for name in ("residual_tip_deflection_m", "peak_tip_deflection_m"):
            assert metrics[name].value == pytest.approx(fine[name].value, rel=0.01)
        name = "residual_strain_energy_J"
        assert metrics[name].value == pytest.approx(fine[name].value, rel=1e-3)
