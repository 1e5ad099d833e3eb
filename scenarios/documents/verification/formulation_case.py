"""One rotating body with a load, the same for every formulation in the table."""

from typing import Any

import numpy as np

from ....plant.formulations import Load, RotationModel
from . import outside

INERTIA = np.array([[4.0, -0.5, 0.3], [-0.5, 3.1, 0.2], [0.3, 0.2, 2.0]])
E = np.array((0.7, -0.1, 0.5, 0.5))
OMEGA = np.array((0.4, -1.1, 0.8))
TORQUE = np.array((0.3, -0.2, 0.5))
FORCE = np.array((1.2, -0.7, 0.4))
POINT = np.array((0.2, -0.5, 0.3))


def load(*, force: bool = False) -> Load:
    """Return a body torque, or a force at a body point."""
    return Load(force=FORCE, point=POINT) if force else Load(body_torque=TORQUE)


def model_of(name: str) -> RotationModel:
    """Return the model of the body in a formulation.

    name: name of the formulation. Formulations in Euler angles use the sequence 3-1-3.
    """
    return RotationModel(name, INERTIA, sequence="3-1-3" if name.startswith("euler-angles") else None)


def states(name: str) -> tuple[RotationModel, Any]:
    """Return model and state vector of the body in a formulation.

    name: name of the formulation.
    """
    model = model_of(name)
    return model, model.state(E / np.linalg.norm(E), OMEGA)


def newton_euler(torque: Any) -> tuple[Any, Any]:
    """Return omega' = J^-1 (J omega x omega + torque), and e'' from quaternion products.

    torque (3,): body components, N m. Returns omega' (3,), rad/s^2, and e'' (4,), 1/s^2.
    """
    alpha: Any = np.linalg.inv(INERTIA) @ (np.cross(INERTIA @ OMEGA, OMEGA) + torque)
    e = E / np.linalg.norm(E)
    omega = np.append(0.0, OMEGA)
    rate = 0.5 * outside.product(e, omega)
    return alpha, 0.5 * outside.product(rate, omega) + 0.5 * outside.product(e, np.append(0.0, alpha))


def body_force_torque() -> Any:
    """Return the torque u x A'f of the force about the mass centre, body components (3,), N m."""
    A = outside.rotation(E / np.linalg.norm(E))
    return np.cross(POINT, A.T @ FORCE)
