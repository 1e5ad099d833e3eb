"""Knowledge error: rotation between two attitudes from the first estimate on, and nothing before."""

import numpy as np

from polhode.plant.attitude import from_rotation_vector, quaternion_product
from polhode.sim.results.knowledge import knowledge_error


def test_knowledge_error_is_rotation_from_estimate_to_truth():
    estimate = np.array([(0.5, 0.5, -0.5, 0.5), (0.6, 0.0, 0.8, 0.0), (0.0, 0.0, 0.0, 0.0)])
    turns = np.array([(1e-3, -2e-3, 5e-4), (0.0, 0.4, 0.0), (0.1, 0.0, 0.0)])
    truth = np.array(
        [
            quaternion_product(e if e.any() else (1, 0, 0, 0), from_rotation_vector(a))
            for e, a in zip(estimate, turns, strict=True)
        ]
    )
    found = knowledge_error(-truth, estimate)
    assert np.allclose(found[:2], turns[:2], rtol=0.0, atol=1e-15)
    assert np.isnan(found[2]).all()
