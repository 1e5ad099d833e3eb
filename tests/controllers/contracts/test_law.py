"""The protocol of laws, the import of the room, and the compiled kernels."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from polhode import controllers, plant

CRAFT = plant.Spacecraft(plant.RigidBody((400, 307.8, 200)))
MODEL = CRAFT.linearize(CRAFT.at_rest())


def laws():
    return [
        controllers.lqr(MODEL, attitude=25, rate=1, effort=1, sample=0.1),
        controllers.lqr(MODEL, attitude=25, rate=1, effort=1, sample=0.1, delay=0.25),
        controllers.quaternion_feedback(CRAFT, frequency=0.2, damping_ratio=0.8, sample=0.1),
        controllers.CustomLaw(lambda t, y, r, q, z, u: None, sample=0.1),
    ]


@pytest.mark.parametrize("law", laws(), ids=lambda law: type(law).__name__)
def test_every_law_has_the_protocol_and_is_frozen(law):
    assert isinstance(law, controllers.Law)
    for array in (law.parameters, law.memory):
        assert array.dtype == np.float64
        assert array.ndim == 1
        assert not array.flags.writeable
    with pytest.raises(dataclasses.FrozenInstanceError):
        law.sample = 0.2
    for field in dataclasses.fields(law):
        value = getattr(law, field.name)
        if isinstance(value, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                value[...] = 0.0


def test_bare_import_of_controllers_is_rejected():
    root = Path(controllers.__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-c", "import controllers"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "import polhode.controllers" in done.stderr


def test_import_of_controllers_is_light():
    heavy = "{'scipy', 'control', 'matplotlib', 'xarray', 'pydantic'}"
    code = f"import sys, polhode.controllers; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_controllers_names_are_sorted_and_complete():
    assert controllers.__all__ == sorted(controllers.__all__)
    assert all(hasattr(controllers, name) for name in controllers.__all__)
