"""Parameters of the feed-forward of a linear law."""

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel
from ...plant.kernels.fields import filled
from ..loop.acting_model import operating_rate
from .feed_forward import FEED

NONE = (0.0, 0.0, 0.0)


def feed_forward_numbers(model: LinearModel) -> NDArray[np.float64]:
    """Return basis, axes, J, h and hold for the kernel `feed_forward`.

    h = pi0 - J omega0 is the momentum of the elements. A steady operating point requires no command, so potentials
    exert the torque hold = omega0 x (J omega0 + h) there, which the feed-forward subtracts.

    model: the design model of the law -> parameters (19,), see `polhode.controllers.laws.feed_forward`.
    """
    torques, J = model.torques, model.inertia
    momentum = np.asarray(model.operating_point[:3], dtype=np.float64)
    rate = operating_rate(model)
    if not (momentum.any() or rate.any()):
        return np.array(filled(FEED, basis=(torques.code, *torques.axes), inertia=J, carried=NONE, hold=NONE))
    carried = momentum - J @ rate
    carried[np.abs(carried) < 1e-12 * np.abs(momentum).max(initial=0.0)] = 0.0
    hold = np.cross(rate, J @ rate + carried)
    size = float(np.linalg.norm(rate) * np.linalg.norm(momentum))
    if np.abs(hold).max() < 1e-12 * size or model.residual > 1e-6 * np.abs(hold).max():
        hold = np.zeros(3)
    return np.array(filled(FEED, basis=(torques.code, *torques.axes), inertia=J, carried=carried, hold=hold))
