"""The arrays of a flexible satellite's run: large enough for what the kernels write into them."""

import numpy as np

from polhode.plant import RigidBody
from polhode.plant.flexible import Arm, BeamSection, FlexibleSatellite
from polhode.sim.flexible import simulate_flexible

SECTION = BeamSection(
    area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, elastic_modulus=7e10, shear_modulus=3e10, density=2.8e3
)


def test_arms_with_more_nodes_than_a_node_has_numbers():
    """Plain Python looks where compiled code writes: an array too short is an error here and foreign memory there."""
    arm = Arm(section=SECTION, length=2.0, elements=14, direction=(1, 0, 0), root=(0.1, 0, 0))
    satellite = FlexibleSatellite(RigidBody(0.149 * np.eye(3), mass=22.4), arms=[arm])
    start = {"rate": (0.1, 0.2, 0.3), "step": 1e-5, "duration": 1e-5}
    plain, compiled = (simulate_flexible(satellite, compiled=choice, **start) for choice in (False, True))
    assert plain.status == compiled.status == "completed"
    np.testing.assert_allclose(plain.values("rate"), compiled.values("rate"), rtol=1e-9, atol=1e-12)
