"""A scheduled torque: rejected input, and the meaning of its damping."""

import numpy as np
import pytest

from polhode import plant
from polhode.plant.attitude import euler_rates
from polhode.plant.hub.dynamics import port_torque

E = np.array((0.5, -0.3, 0.7, 0.4)) / np.sqrt(0.99)
OMEGA = np.array((0.8, -0.5, 1.1))
C = np.array((0.2, -0.3, 0.5))
D = np.array((0.4, 0.1, 0.7))


def torque_of(*pulses: plant.TorquePulse):
    craft = plant.Spacecraft(plant.RigidBody((4, 3, 2)))
    u = np.concatenate([np.zeros(3), *([1.0, *np.asarray(pulse.components)] for pulse in pulses)])
    return np.array(port_torque(0.0, craft.spinning(OMEGA, attitude=E), u, craft.pack(pulses), *OMEGA))


def test_pulse_damping_in_dual_basis_acts_on_euler_rates():
    # Choi (2014), (28), (36): each component is tau minus c_r times the rate of its angle
    basis = plant.TorqueBasis("dual-euler", "1-2-3")
    pulse = plant.TorquePulse(C, start=0, stop=1, basis=basis, euler_rate_damping=D)
    expected = basis.to_body(C - D * euler_rates(E, OMEGA, sequence="1-2-3"), E)
    np.testing.assert_allclose(torque_of(pulse), expected, rtol=0, atol=1e-14)  # 64 eps: two changes of basis


def test_pulse_damping_in_body_basis_acts_on_body_rates():
    pulse = plant.TorquePulse(C, start=0, stop=1, euler_rate_damping=D)  # (37)
    np.testing.assert_allclose(torque_of(pulse), C - D * OMEGA, rtol=0, atol=1e-15)


def test_pulse_damping_dissipates_energy_in_every_basis(sequence):
    for name in ("body", "inertial", "euler", "dual-euler"):
        basis = plant.TorqueBasis(name, sequence if "euler" in name else None)
        pulse = plant.TorquePulse((0, 0, 0), start=0, stop=1, basis=basis, euler_rate_damping=D)
        assert torque_of(pulse) @ OMEGA < -1e-3  # - sum d_n q_n'^2


def test_overlapping_pulses_are_summed():
    one = plant.TorquePulse(C, start=0, stop=1)
    two = plant.TorquePulse(C, start=0, stop=1, basis=plant.TorqueBasis("inertial"))
    np.testing.assert_allclose(torque_of(one, two), torque_of(one) + torque_of(two), rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"components": (1, 2)}, r"torque components must be 3 numbers \(N m\); got shape \(2,\)"),
        ({"components": (1, np.nan, 0)}, "torque components must be finite"),
        ({"start": 1.0, "stop": 1.0}, "a torque must stop after it starts; got start 1 s, stop 1 s"),
        ({"start": 2.0}, "a torque must stop after it starts; got start 2 s, stop 1 s"),
        ({"stop": np.inf}, r"torque stop must be finite \(s\)"),
        ({"start": np.nan}, r"torque start must be finite \(s\)"),
        ({"euler_rate_damping": (0, -0.1, 0)}, r"torque damping must not be negative \(N m s/rad\)"),
        ({"euler_rate_damping": 0.1}, r"torque damping must be 3 numbers"),
        ({"shape": "cosine"}, "shape 'cosine' is unknown; did you mean 'raised-cosine'"),
        ({"basis": "body"}, "the basis of a torque must be a polhode.plant.TorqueBasis; got 'body'"),
    ],
)
def test_pulse_rejects_bad_input(arguments, message):
    values = {"components": (1, 0, 0), "start": 0.0, "stop": 1.0} | arguments
    with pytest.raises(plant.InputError, match=message):
        plant.TorquePulse(values.pop("components"), **values)
