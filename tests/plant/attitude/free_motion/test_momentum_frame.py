"""Free motion in Euler angles, (18)-(20), against the plant in Euler parameters and the closed form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polhode.plant import RigidBody, Spacecraft
from polhode.plant.attitude import euler_rates, rotation_matrix
from polhode.plant.attitude.free_motion import FreeMotion, euler_angle_derivative, euler_angle_rates, momentum_frame
from polhode.plant.errors import InputError
from polhode.plant.kernels.kernel import KERNELS
from polhode.sim.codegen.c99.kinds import REAL, Array
from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.toolchain import c_compiler

from ....sim.codegen.c99.compiled import compiled

J = (400.0, 307.808385, 200.0)
H0 = (346.4101616, 0.0, -200.0)
E0 = (0.5, 0.5, -0.5, 0.5)


@pytest.mark.parametrize("angles", [(0.1, 0.7, -2.0), (0.0, 2.9, 0.3), (5.0, 1.2, 1.6)])
def test_momentum_frame_rates_match_the_plant(angles: tuple[float, float, float]) -> None:
    frame = momentum_frame((0.0, 0.0, 7.0))  # the inertial frame itself
    craft = Spacecraft(RigidBody(J))
    state = craft.state(attitude=frame.attitude(angles), momentum=frame.body_momentum(angles))
    np.testing.assert_allclose(craft.inertial_momentum(state), (0.0, 0.0, 7.0), rtol=0.0, atol=1e-14)
    expected = euler_rates(angles, craft.rate(state), sequence="3-1-3")
    # euler_rates divides by sin theta, 0.24 at the worst here
    np.testing.assert_allclose(euler_angle_rates(angles, 7.0, inertia=J), expected, rtol=0.0, atol=1e-16)


def test_momentum_frame_integration_matches_exact_motion() -> None:
    from scipy.integrate import solve_ivp

    frame = momentum_frame(H0, E0)
    p = np.array([frame.momentum, *J])

    def rates(t: float, x: np.ndarray) -> np.ndarray:
        dx = np.empty(3)
        euler_angle_derivative(t, x, p, dx)
        return dx

    t = np.array([0.0, 1.0, 5.0, 30.0])
    angles = solve_ivp(rates, (0.0, 30.0), frame.angles, method="DOP853", rtol=1e-13, atol=1e-13, t_eval=t).y.T
    exact = FreeMotion(J, momentum=H0, attitude=E0)
    # 30 s at about 1.5 rad/s with DOP853 at 1e-13
    np.testing.assert_allclose(frame.attitude(angles), exact.attitude(t), rtol=0.0, atol=2e-11)
    np.testing.assert_allclose(frame.body_momentum(angles), exact.momentum(t), rtol=0.0, atol=1e-8)
    assert np.linalg.norm(frame.body_momentum(angles[-1])) == pytest.approx(400.0, rel=1e-9)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_momentum_frame_equations_have_no_gimbal_lock(side: float) -> None:
    """With the momentum along z the angles are not unique, but the equations still rotate the body correctly."""
    frame = momentum_frame((0.0, 0.0, 6.0 * side), E0)
    rates = euler_angle_rates(frame.angles, 6.0, inertia=J)
    assert rates[1] == 0.0 if side > 0.0 else abs(rates[1]) < 1e-17  # sin pi is not quite 0
    assert rates[0] + side * rates[2] == pytest.approx(6.0 / 200.0, rel=1e-15)
    exact = FreeMotion(J, momentum=(0.0, 0.0, 6.0 * side), attitude=E0)
    np.testing.assert_allclose(frame.attitude(frame.angles + 20.0 * rates), exact.attitude(20.0), rtol=0.0, atol=1e-14)


def test_momentum_frame_reproduces_attitude_and_momentum() -> None:
    frame = momentum_frame(H0, E0)
    assert frame.momentum == pytest.approx(np.linalg.norm(H0), rel=1e-15)
    np.testing.assert_allclose(frame.attitude(frame.angles), E0, rtol=0.0, atol=1e-15)
    np.testing.assert_allclose(frame.body_momentum(frame.angles), H0, rtol=0.0, atol=1e-13)
    up = rotation_matrix(frame.orientation) @ (0.0, 0.0, 1.0)
    np.testing.assert_allclose(up, rotation_matrix(E0) @ H0 / frame.momentum, rtol=0.0, atol=1e-15)


@pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
def test_euler_angle_derivative_is_a_kernel(tmp_path: Path) -> None:
    assert euler_angle_derivative in KERNELS
    x, p = np.array([0.2, 0.9, -1.1]), np.array([6.0, *J])
    plain, in_c = np.empty(3), np.empty(3)
    euler_angle_derivative(0.0, x, p, plain)
    program, row = Program("angles"), Array(REAL, 1)
    (call,) = compiled(program, [program.function(euler_angle_derivative, (REAL, row, row, row))], tmp_path)
    call(0.0, x, p, in_c)
    np.testing.assert_allclose(in_c, plain, rtol=1e-15)
    for n in range(3):  # complex step against a central difference
        step, d = np.zeros(3), np.empty(3, dtype=complex)
        step[n] = 1.0
        euler_angle_derivative(0.0, x + 1e-40j * step, p, d)
        up, down = np.empty(3), np.empty(3)
        euler_angle_derivative(0.0, x + 1e-6 * step, p, up)
        euler_angle_derivative(0.0, x - 1e-6 * step, p, down)
        np.testing.assert_allclose(d.imag / 1e-40, (up - down) / 2e-6, rtol=0.0, atol=1e-10)


def test_momentum_frame_rejects_bad_input() -> None:
    with pytest.raises(InputError, match="defines no frame"):
        momentum_frame((0, 0, 0))
    with pytest.raises(InputError, match="has products"):
        euler_angle_rates((0, 1, 0), 1.0, inertia=np.array([[2.0, 0.1, 0], [0.1, 2.0, 0], [0, 0, 2.0]]))
    with pytest.raises(InputError, match="must not be negative"):
        euler_angle_rates((0, 1, 0), -1.0, inertia=J)
