"""A slew within a torque box optimises its peak rate as well as its acceleration.

About an axis that is not principal, the gyroscopic torque grows with the square of the rate and reduces the torque
for acceleration. Three ways to plan a bang-coast-bang slew, over 2,000 random spacecraft, axes and angles, 1 N m on
each axis:

    ignored    acceleration from J a theta'' only: the torque is 1.1 times the limit on average, 2.15 at worst
    straight   the largest acceleration without coasting within the limit, gyroscopic torque included
    best       the peak rate that minimises the convex function angle/w + w/A(w): some coasting, up to 14.6 % faster

polhode.controllers.EigenaxisSlew uses the last way, which costs one bisection and saves 0.6 % on average.
"""

from math import sqrt

import numpy as np

from polhode.controllers import EigenaxisSlew
from polhode.plant.attitude import from_rotation_vector


def main() -> None:
    """Print torque and time of the three."""
    rng = np.random.default_rng(1)
    excess, saved = [], []
    for _ in range(2000):
        moments = rng.uniform(0.1, 1.0, 3)  # of the mass along three axes: any such body exists
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        J = 100.0 * axes @ (moments.sum() * np.eye(3) - np.diag(moments)) @ axes.T
        a = rng.normal(size=3)
        a /= np.linalg.norm(a)
        angle = rng.uniform(0.1, np.pi)
        b, c = np.abs(J @ a), np.abs(np.cross(a, J @ a))
        naive = 1.0 / b.max()
        excess.append((b * naive + c * naive * angle).max())
        straight = 2.0 * sqrt(angle * (b + c * angle).max())
        best = EigenaxisSlew((1, 0, 0, 0), from_rotation_vector(a * angle), inertia=J, torque_limit=1.0).duration
        saved.append(1.0 - best / straight)
    print(f"ignored: torque {np.mean(excess):.3f} N m in the mean, {np.max(excess):.3f} N m at worst, of 1 N m")
    print(f"best against straight: {np.mean(saved):.2%} sooner in the mean, {np.max(saved):.2%} at most")
    assert np.min(saved) > -1e-12


if __name__ == "__main__":
    main()
