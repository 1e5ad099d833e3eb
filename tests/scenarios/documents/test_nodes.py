"""Nodes as the document plots them: numbered from left to right, with axes along those of the hub."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.plant.attitude import rotation_matrix
from polhode.scenarios import run_case
from polhode.scenarios.documents.nodes import node_histories


def test_nodes_of_a_rigid_turn() -> None:
    """Stiff arms in slow rotation: every node has the attitude and rate of the hub, and moves on a circle."""
    told = ["run.duration_s=0.5", "run.output_s=0.05", "initial.rate_rad_s=[0.02, 0.1, -0.05]", "require=[]"]
    flight = run_case("flexible-satellite-free", overrides=told)
    nodes = node_histories(flight.run)
    assert [node.label for node in nodes] == ["node 1", "node 2", "node 3 (hub)", "node 4", "node 5"]
    hub = nodes[2]
    for node, place in zip(nodes, (-2.1, -1.1, 0.0, 1.1, 2.1), strict=True):
        assert node.place[0] == pytest.approx((place, 0, 0), abs=1e-12)
        assert np.abs(node.attitude - hub.attitude).max() < 1e-7
        assert np.abs(node.rate - hub.rate).max() < 1e-4  # vibration by modes too fast to be visible
        R = rotation_matrix(hub.attitude)
        assert np.abs(node.place - place * R[:, :, 0]).max() < 1e-6
        turning = np.cross(np.einsum("nij,nj->ni", R, hub.rate), place * R[:, :, 0])
        assert np.abs(node.velocity - turning).max() < 1e-5
