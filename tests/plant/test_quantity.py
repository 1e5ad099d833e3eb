"""Quantities declared at a field: check, message, default, key."""

import dataclasses

import numpy as np
import pytest

from polhode import controllers
from polhode.controllers.laws.torque_law import TorqueLaw
from polhode.controllers.sensing.sensors import FineSunSensor
from polhode.plant import InputError
from polhode.plant.quantity import (
    INERTIA,
    NUMBER,
    OPTIONAL_VECTOR,
    PER_AXIS,
    POSITIVE_DEFINITE,
    argument,
    check_fields,
    declared,
    in_code_units,
    key_of,
    quantities,
    quantity,
)


@declared
class Thing:
    """A model with a quantity of every shape."""

    mass: float = quantity("kg", converter=NUMBER, positive=True, doc="m")
    limit_torque: np.ndarray = quantity("N m", converter=PER_AXIS, positive=True, default=1.0, doc="largest torque")
    lag: np.ndarray = quantity("s", converter=PER_AXIS, non_negative=True, default=0.0, doc="lag")
    shift: np.ndarray = quantity("m", converter=PER_AXIS, default=0.0, doc="shift")
    field: np.ndarray | None = quantity(converter=OPTIONAL_VECTOR, optional=True, default=None, doc="field")
    gain: np.ndarray = quantity("N m s/rad", converter=POSITIVE_DEFINITE, default=2.0, doc="K")
    inertia: np.ndarray = quantity("kg m^2", converter=INERTIA, default=(3.0, 2.0, 2.0), doc="J")
    on: bool = argument(converter=bool, default=1)

    def __post_init__(self):
        check_fields(self)


def test_quantities_are_converted_to_their_shapes():
    thing = Thing(mass=2, shift=(1, -2, 3))
    assert thing.mass == 2.0
    assert isinstance(thing.mass, float)
    np.testing.assert_array_equal(thing.limit_torque, [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(thing.shift, [1.0, -2.0, 3.0])
    np.testing.assert_array_equal(thing.gain, 2.0 * np.eye(3))
    np.testing.assert_array_equal(thing.inertia, np.diag([3.0, 2.0, 2.0]))
    assert thing.field is None
    assert thing.on is True


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mass": 0.0}, "mass must be greater than 0 (kg); got 0"),
        ({"mass": "2"}, "mass must be numbers (kg); got '2'"),
        ({"mass": [1.0, 2.0]}, "mass must be one number (kg); got shape (2,)"),
        ({"mass": None}, "mass must be numbers (kg); got None"),
        ({"limit_torque": (1, 0, 1)}, "limit torque must be greater than 0 (N m) on every axis; got [1.0, 0.0, 1.0]"),
        ({"lag": -1.0}, "lag must not be negative (s); got -1"),
        ({"shift": (1.0, np.nan, 0.0)}, "shift must be finite (m); got [1.0, nan, 0.0]"),
        ({"shift": (1.0, 2.0)}, "shift must be 3 numbers (m); got shape (2,)"),
        ({"field": (1.0, 2.0)}, "field must be 3 numbers; got shape (2,)"),
        ({"gain": (1.0, 0.0, 1.0)}, "gain must be positive definite; its smallest eigenvalue is 0"),
        ({"inertia": (3.0, 1.0, 1.0)}, "inertia"),
    ],
)
def test_quantity_out_of_bounds_is_refused_by_name(values, message):
    with pytest.raises(InputError) as refused:
        Thing(**{"mass": 1.0, **values})
    assert str(refused.value).startswith(message)


def test_declared_model_is_frozen_and_replaced_with_checks():
    thing = Thing(mass=1.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        thing.mass = 2.0
    with pytest.raises(ValueError, match="read-only"):
        thing.shift[0] = 1.0
    assert dataclasses.replace(thing, mass=3.0).mass == 3.0
    with pytest.raises(InputError, match="mass"):
        dataclasses.replace(thing, mass=-3.0)
    with pytest.raises(TypeError):
        Thing(2.0)


def test_key_of_quantity_ends_with_its_unit():
    assert key_of("torque_limit", "N m") == "torque_limit_N_m"
    assert key_of("inertia", "kg m^2") == "inertia_kg_m2"
    assert key_of("damping_ratio", "") == "damping_ratio"


LAWS = [
    each
    for name in controllers.__all__
    if isinstance(each := getattr(controllers, name), type) and issubclass(each, TorqueLaw) and each is not TorqueLaw
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_docstring_of_law_states_the_unit_of_each_quantity(law):
    lines = [line.strip() for line in law.__doc__.splitlines()]
    for name, declaration in quantities(law).items():
        start = next(n for n, line in enumerate(lines) if line.startswith(f"{name} : "))
        words = " ".join(lines[start + 1 : start + 4])
        assert declaration.unit in words, (name, words)


def test_values_in_other_units_become_arguments():
    assert in_code_units(Thing, {"mass": 2.0, "on": False}) == {"mass": 2.0, "on": False}
    sensor = FineSunSensor.from_data_sheet(sun=(0, 0, 1), noise_arcsec=7.2, half_angle_deg=60, step_rad=1e-6)
    assert sensor.noise == 7.2 * np.pi / 180.0 / 3600.0
    assert sensor.half_angle == pytest.approx(np.pi / 3.0, rel=1e-15)
    assert sensor.step == 1e-6


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"noise_mm": 1.0}, "argument of FineSunSensor 'noise_mm' is unknown; did you mean 'noise'"),
        ({"noise": 1e-3, "noise_deg": 1.0}, "noise of FineSunSensor has two values; give it in one unit"),
        ({"noise_deg": "1"}, "noise_deg must be numbers (deg); got '1'"),
        ({"noise_deg": 60.0}, "noise of sun_sensor must be below 0.1 rad; got 1.0472 rad (degrees or arcsec?"),
        ({"noise_deg": 0.1, "half_angle_deg": 91.0}, "half angle of sun_sensor must be below 1.571 rad; got 1.58825"),
    ],
)
def test_bad_value_of_a_data_sheet_is_refused_by_name(values, message):
    with pytest.raises(InputError) as refused:
        FineSunSensor.from_data_sheet(**{"sun": (0, 0, 1), "half_angle_deg": 60.0, **values})
    assert str(refused.value).startswith(message)
