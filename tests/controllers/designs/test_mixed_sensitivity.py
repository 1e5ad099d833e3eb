"""Mixed sensitivity: python-control's synthesis of the same problem, the shift, and the message without slycot."""

import sys
import warnings

import control
import numpy as np
import pytest

from polhode import controllers, plant


def sphere(J=8.0):
    craft = plant.Spacecraft(plant.RigidBody((J, J, J)))
    return craft.linearize(craft.at_rest())


def test_mixed_sensitivity_without_slycot_names_the_remedy(rigid, monkeypatch):
    monkeypatch.setitem(sys.modules, "slycot", None)  # as if it were not installed
    with pytest.raises(plant.DesignError, match=r"need slycot, .* pip install 'polhode\[robust\]'"):
        controllers.mixed_sensitivity(rigid.linearize(rigid.at_rest()), bandwidth=0.2, sample=0.1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bandwidth": 0.0}, "bandwidth must be greater than 0"),
        ({"peak": -1.0}, "peak must be greater than 0"),
        ({"norm": "h3"}, "norm 'h3' is unknown"),
        ({"internal": "measured"}, "internal 'measured' is unknown"),
    ],
)
def test_mixed_sensitivity_rejects_bad_input(rigid, change, message):
    with pytest.raises(plant.InputError, match=message):
        controllers.mixed_sensitivity(rigid.linearize(rigid.at_rest()), **{"bandwidth": 0.2, "sample": 0.1, **change})


class TestWithSlycot:
    """These run where slycot is installed."""

    @pytest.fixture(autouse=True)
    def _slycot(self):
        pytest.importorskip("slycot")

    def test_mixed_sensitivity_norm_matches_python_control(self):
        """One axis, shifted by hand: control.mixsyn with the same weights reaches the same norm."""
        wb, h, shift = 0.3, 0.1, 0.1
        law = controllers.mixed_sensitivity(sphere(), bandwidth=wb, sample=h, shift=shift)
        lag = wb * 0.5 * h
        axis = control.ss([[0, 1], [0, 0]], [[0], [1]], [[1, 0]], [[0]]) * control.ss(control.tf(*control.pade(lag, 2)))
        moved = control.ss(axis.A + shift * np.eye(axis.nstates), axis.B, axis.C, axis.D)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # python-control calls its own deprecated connect()
            _, _, (gamma, _) = control.mixsyn(
                moved,
                control.ss(control.tf([0.5, 1.0], [1.0, 0.01])),
                control.ss([], [], [], [[1 / 30.0]]),
                control.ss(control.tf([1.0, 5.0], [0.01, 10.0])),
            )
        # three equal axes at once: the bisection for the norm ends at a relative 1e-4 or so
        assert law.design["norm_reached"] == pytest.approx(float(np.squeeze(gamma)), rel=1e-3)

    @pytest.mark.parametrize("norm", ["hinf", "h2"])
    @pytest.mark.parametrize("name", ["rigid", "geared"])
    def test_mixed_sensitivity_sampled_loop_is_stable_with_margin(self, norm, name, request):
        craft = request.getfixturevalue(name)
        law = controllers.mixed_sensitivity(
            craft.linearize(craft.at_rest()), bandwidth=0.15, sample=0.1, delay=0.1, norm=norm
        )
        margins = law.margins()
        assert all(axis.phase_deg > 30.0 and axis.gain_up_dB > 6.0 for axis in margins.axes)
        assert not law.compensator.D[:, 3:].any()  # no rate sensor

    def test_mixed_sensitivity_poles_decay_faster_than_shift(self):
        """The continuous design puts all poles left of -shift wb; fast sampling keeps them there."""
        wb, shift = 0.3, 0.1
        law = controllers.mixed_sensitivity(sphere(), bandwidth=wb, sample=0.02, shift=shift)
        slowest = np.log(np.abs(law.closed_loop_poles()[0])) / 0.02
        assert slowest < -shift * wb * 0.99  # 1 % for the Pade approximation and Tustin's rule
