"""Laws that `polhode design` writes have a checksum that is verified when they are read."""

from __future__ import annotations

import json

import numpy as np
import pytest

from polhode import controllers
from polhode.controllers.laws.files.checksum import CHECKSUM
from polhode.plant.errors import InputError


@pytest.mark.slow
def test_design_writes_checksums_that_are_verified(polhode, tmp_path):
    out = tmp_path / "out"
    assert polhode("design", "slew-lqr", "--out", str(out)).code == 0
    files = [out / "law.mat", tmp_path / "law.json"]
    summary = json.loads((out / "design.json").read_text())
    files[1].write_text(json.dumps(summary))
    one, other = (controllers.load_system(path) for path in files)
    np.testing.assert_array_equal(one.D if hasattr(one, "D") else one, other.D if hasattr(other, "D") else other)
    summary["system"]["D"][0][0] *= 1.0 + 1e-15
    files[1].write_text(json.dumps(summary))
    with pytest.raises(InputError, match=r"law\.json: is damaged or was edited: its content does not match"):
        controllers.load_system(files[1])
    del summary["system"][CHECKSUM]
    files[1].write_text(json.dumps(summary))
    controllers.load_system(files[1])
