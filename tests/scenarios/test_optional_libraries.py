"""The package without the extras `orbit` and `atmosphere`: one sentence if a library is missing."""

import subprocess
import sys

import numpy as np
import pytest

from polhode.plant import InputError
from polhode.plant.environment import DipoleField, Epoch, IGRFField, MeanOrbit, NRLMSISDensity, SGP4Orbit, fields_along

from .conftest import Command

LIBRARIES = ("erfa", "sgp4.api", "ppigrf", "pymsis")
EPOCH = Epoch("2026-03-20T12:00:00Z")
ORBIT = MeanOrbit(epoch=EPOCH, semi_major_axis=6878137.0, inclination=1.7)
PLACE = np.array([[7e6, 0.0, 0.0]])
TLE = (
    "1 25544U 98067A   26079.50000000  .00016717  00000-0  10270-3 0  9006",
    "2 25544  51.6400 208.9163 0006703 130.5360 325.0288 15.50000000000015",
)


@pytest.fixture(autouse=True)
def without_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the libraries of the extras impossible to import."""
    for name in LIBRARIES:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: Epoch("2026-03-20T12:00:00Z"), r"an epoch needs pyerfa, .*: pip install 'polhode\[orbit\]'"),
        (lambda: SGP4Orbit(TLE, EPOCH), r"needs sgp4, which is not installed: pip install 'polhode\[orbit\]'"),
        (
            lambda: IGRFField().along(EPOCH, np.zeros(1), position=PLACE),
            r"needs p(pigrf|yerfa), which is not installed: pip install 'polhode\[orbit\]'",
        ),
        (
            lambda: NRLMSISDensity(f107=150, f107a=150, ap=4).along(EPOCH, np.zeros(1), position=PLACE),
            r"needs py(msis|erfa), which is not installed: pip install 'polhode\[(atmosphere|orbit)\]'",
        ),
        (lambda: fields_along(ORBIT, 61.0, magnetic=DipoleField()), r"needs pyerfa, which is not installed"),
    ],
    ids=["epoch", "two lines", "IGRF", "NRLMSIS", "fields"],
)
def test_missing_library_is_named_with_its_extra(use, message: str) -> None:
    with pytest.raises(InputError, match=message) as found:
        use()
    assert "\n" not in str(found.value)


def test_case_with_an_orbit_is_refused_in_one_line(polhode: Command) -> None:
    outcome = polhode("run", "cubesat-detumble")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "orbit: an epoch needs pyerfa, which is not installed: pip install 'polhode[orbit]'" in outcome.err


PROGRAM = f"""
import sys
for name in {LIBRARIES!r}:
    sys.modules[name] = None
from polhode.scenarios import load_case, run_case
from polhode.plant import environment
assert all(getattr(environment, name) for name in environment.__all__)
assert load_case("cubesat-detumble").case.orbit is not None
assert run_case("gravity-gradient", overrides=["run.duration_s=10"]).run.status == "completed"
"""


def test_optional_libraries_are_not_needed_elsewhere() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
