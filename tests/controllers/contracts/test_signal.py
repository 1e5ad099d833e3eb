"""Signal of a block: width, unit, role, and what a torque adds."""

import pytest

from polhode.controllers import Signal
from polhode.controllers.contracts.signal import signals_of
from polhode.plant import InputError


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"width": -1}, "width of a signal must be 1 or more.*got -1"),
        ({"width": 2.5}, "got 2.5"),
        ({"width": True}, "got True"),
        ({"unit": 3}, "unit"),
        ({"role": "torqe"}, "role of a signal.*'torqe'.*'torque'"),
        ({"role": "torque", "width": 2}, "a torque has 3 components; got a width of 2"),
        ({"role": "torque", "unit": "mN m"}, "a torque is in N m; got 'mN m'"),
        ({"coordinates": "wheel_angle"}, "only a torque acts on wheel_angle"),
        ({"role": "torque", "coordinates": ("a", "a")}, "must act on different coordinates, given by name"),
        ({"role": "torque", "coordinates": 3}, "coordinates"),
        (
            {"role": "torque", "coordinates": ("a", "b"), "width": 3},
            "a torque on a, b has 2 components; got a width of 3",
        ),
    ],
)
def test_signal_rejects_bad_arguments(keys, words):
    with pytest.raises(InputError, match=words):
        Signal(**keys)


@pytest.mark.parametrize(
    ("coordinates", "width", "unit"), [((), 3, "N m"), ("wheel_angle", 1, ""), (("a", "b"), 2, "")]
)
def test_torque_signal_has_its_width_and_unit(coordinates, width, unit):
    signal = Signal(role="torque", coordinates=coordinates)
    assert (signal.width, signal.unit) == (width, unit)


@pytest.mark.parametrize("given", ["rate", ("rate",), {"rate": Signal()}])
def test_signals_are_given_by_name_or_mapping(given):
    assert signals_of("block", given) == {"rate": Signal()}


def test_integer_is_the_width_of_a_signal():
    assert signals_of("block", {"gyro": 3, "ok": Signal(1, "1")}) == {"gyro": Signal(3), "ok": Signal(1, "1")}
