"""Supervised child processes."""

import subprocess
from typing import Any

import pytest

from polhode import plant

CRAFT = plant.Spacecraft(plant.RigidBody((400.0, 307.8, 200.0)), torques=plant.TorqueBasis("body", limit=1.0))


@pytest.fixture
def craft():
    return CRAFT


@pytest.fixture
def children(monkeypatch):
    """Every process that was started; none may remain, not even as a zombie."""
    found: list[Any] = []
    start = subprocess.Popen

    def noted(*arguments, **keys):
        found.append(start(*arguments, **keys))
        return found[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    yield found
    assert all(child.returncode is not None for child in found)  # waited for: no zombie
