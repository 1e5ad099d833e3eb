"""Linear models live on the tangent space: on the raw seven states no LQR exists.

The four Euler parameters carry a constraint, so their linear model has a direction no torque reaches. The rank of the
controllability matrix is 6 of 7 and python-control's lqr fails with a message that does not mention it. On attitude
error and momentum the same plant has rank 6 of 6 and the design succeeds at once.
"""

import control
import numpy as np

from polhode import plant


def main() -> None:
    """Print both ranks and what lqr says."""
    craft = plant.Spacecraft(plant.RigidBody((400, 307.8, 200)))
    raw = control.linearize(craft.to_nlsys(), craft.at_rest(), [0.0, 0.0, 0.0])
    tangent = craft.linearize(craft.at_rest()).to_control()
    for name, model in (("seven raw states", raw), ("tangent space", tangent)):
        n = model.nstates
        rank = np.linalg.matrix_rank(control.ctrb(model.A, model.B))
        try:
            poles = control.lqr(model, np.eye(n), np.eye(3))[2]
            answer = f"slowest pole {max(poles.real):.4f} 1/s"
        except (control.ControlArgument, np.linalg.LinAlgError, ValueError) as error:
            answer = f"{type(error).__name__}: {error}"
        print(f"{name}: rank {rank} of {n}; lqr: {answer}")


if __name__ == "__main__":
    main()
