"""Restrictions on a law with constant gains in a torque basis that is not fixed to the body."""

import numpy as np

from ...plant import LinearModel
from ...plant.attitude import attitude_error, rotation_angle
from ...plant.errors import DesignError
from ..contracts.reference import FixedReference, Reference, SpinReference
from ..loop.acting_model import operating_rate
from ..loop.attitude_model import check_model


def check_spin_basis(model: LinearModel) -> None:
    """Raise DesignError if a model spins and its torque basis rotates relative to the body.

    model: the model of a design. No constant gain can hold such a spin.
    """
    check_model(model)
    if model.torques.name != "body" and operating_rate(model).any():
        raise DesignError(
            f"a constant gain cannot hold a spin with torque in the {model.torques.name!r} basis, which "
            "rotates relative to the body: use TorqueBasis('body'), or quaternion_feedback"
        )


def check_reference_basis(model: LinearModel, reference: Reference) -> None:
    """Raise DesignError if a constant gain cannot follow a reference in the torque basis of its model.

    In the inertial, Euler and dual Euler bases the input matrix depends on the attitude, so a constant gain is valid
    at one attitude.

    model: the model of the design; reference: the reference of the run. Raises DesignError if the torque basis is not
    the body basis, and the reference moves or is at rest at an attitude other than the design attitude.
    """
    basis = model.torques.name
    if basis == "body":
        return
    still = isinstance(reference, FixedReference) or (
        isinstance(reference, SpinReference) and not np.any(reference.rate)
    )
    if not still:
        raise DesignError(
            f"a linear law in the {basis!r} torque basis cannot follow a moving reference, because its "
            "input matrix changes with the attitude: use TorqueBasis('body'), or quaternion_feedback"
        )
    off = float(rotation_angle(attitude_error(reference.at(0.0)[:4], model.operating_point[3:7])))
    if off > 1e-6:  # allows for digits lost when values are printed
        raise DesignError(
            f"the gain was designed {np.degrees(off):.4g} deg away from the reference attitude, and in "
            f"the {basis!r} torque basis the input matrix changes with the attitude: linearize about "
            "craft.at_rest(attitude) of the reference"
        )
