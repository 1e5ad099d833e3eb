"""A kind of law is complete: table, guide row, words, gains, margins; no other code depends on the kind."""

import re
from pathlib import Path

import numpy as np
import pytest

from polhode.controllers import save_law
from polhode.controllers.contracts.attitude_law import SAVED, AttitudeLaw
from polhode.plant.errors import PolhodeError
from polhode.scenarios.case.kinds.design import design, linear_model
from polhode.scenarios.case.kinds.laws import KINDS
from polhode.scenarios.case.kinds.problem import build
from polhode.scenarios.case.schema import Case

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
WEIGHTS = {"attitude_weight": 25.0, "rate_weight": 1.0, "effort_weight": 1.0}
TUNED = {"frequency_rad_s": 0.1, "damping_ratio": 0.9}
KEYS = {
    "control-system": {"file": "law.npz"},
    "disturbance-observer": {
        **WEIGHTS,
        "torque_noise_N_m_rtHz": 0.01,
        "attitude_noise_rad": 1e-4,
        "rate_noise_rad_s": 1e-4,
        "torque_walk_N_m_rts": 0.01,
    },
    "energy-shaping": TUNED,
    "file": {"file": "law.toml"},
    "fmu": {"file": "law.fmu", "inputs": {"rate": ["w1", "w2", "w3"]}, "outputs": {"command": "u"}, "trust": True},
    "gain-schedule": {
        "variable": "rate",
        "law": {"kind": "quaternion-feedback", "damping_ratio": 0.9},
        "points": [
            {"value": -0.1, "law": {"frequency_rad_s": 0.1}},
            {"value": 0.1, "law": {"frequency_rad_s": 0.2}, "set": {"plant.inertia_kg_m2": [400.0, 307.8, 200.0]}},
        ],
    },
    "lqg": {**WEIGHTS, "torque_noise_N_m_rtHz": 0.01, "attitude_noise_rad": 1e-4, "rate_noise_rad_s": 1e-4},
    "lqgi": {
        **WEIGHTS,
        "torque_noise_N_m_rtHz": 0.01,
        "attitude_noise_rad": 1e-4,
        "rate_noise_rad_s": 1e-4,
        "integral_weight": 0.01,
    },
    "lqi": {**WEIGHTS, "integral_weight": 0.01},
    "lqr": WEIGHTS,
    "mixed-sensitivity": {"bandwidth_rad_s": 0.1},
    "on-off": {"torque_N_m": 1.0, "deadband_deg": 0.2, "hysteresis_deg": 0.05, "lead_s": 20.0},
    "periodic-lqr": {
        "attitude_weight": 1.0,
        "rate_weight": 1e6,
        "effort_weight": 1e-3,
        "dipole_limit_A_m2": 100.0,
        "sample_s": 100.0,
    },
    "pid": TUNED,
    "pole-placement": {"poles_1_s": [-0.1, -0.11, -0.12, -0.13, [-0.1, 0.05], [-0.1, -0.05]]},
    "process": {"command": ["./law"], "trust": True},
    "quaternion-feedback": TUNED,
    "rate-damping": {"gain_N_m_s": 20.0},
    "sliding-mode": {"slope_1_s": 0.2, "reach_N_m": 0.8, "boundary_layer_rad_s": 0.02},
    "state-feedback": {"attitude_gain_N_m_rad": 4.0, "rate_gain_N_m_s_rad": [60.0, 60.0, 50.0]},
    "state-space": {
        "A": [[-2.0]],
        "B": [[1.0, 0.0]],
        "C": [[0.1]],
        "D": [[4.0, 60.0]],
        "discretisation": "tustin",
    },
    "spin-precession": {"torque_N_m": [1.0, 0.0, 0.0], "axis": [0.0, 0.0, 1.0], "arc_deg": 40.0, "deadband_deg": 0.1},
}


ALONG_ORBIT = {
    "orbit": {
        "epoch": "2026-03-20T12:00:00Z", "altitude_km": 500.0, "inclination_deg": 97.4, "raan_deg": 0.0,
        "model": "two-body",
    },
    "environment": {"magnetic_field": "axial-dipole", "gravity_gradient": True},
    "reference": {
        "kind": "nadir", "boresight": [0.0, 0.0, 1.0], "clock": [0.0, -1.0, 0.0], "clock_target": "orbit-normal",
    },
    "run": {"duration_s": 5700.0},
}  # fmt: skip
TABLES = {"periodic-lqr": ALONG_ORBIT}
"""Tables of the case that a kind needs, in addition to those of every case."""


def case(kind, keys):
    timing = {} if kind == "file" else {"sample_s": 0.1}
    return Case.model_validate(
        {
            "title": "x",
            "plant": {"inertia_kg_m2": [400.0, 307.8, 200.0]},
            "reference": {"attitude": [1.0, 0.0, 0.0, 0.0]},
            "controller": {"kind": kind, **timing, **keys},
            "run": {"duration_s": 1.0},
            **TABLES.get(kind, {}),
        }
    )


def designed(kind, tmp_path):
    keys = dict(KEYS[kind])
    craft = build(case("lqr", WEIGHTS), with_law=False).craft
    if kind == "file":
        law = design(case("lqr", WEIGHTS), craft)
        save_law(law, tmp_path / "law.toml")
        keys["file"] = str(tmp_path / "law.toml")
    if kind == "control-system":
        np.savez(tmp_path / "law.npz", D=np.hstack((4.0 * np.eye(3), 60.0 * np.eye(3))))
        keys["file"] = str(tmp_path / "law.npz")
    if kind == "mixed-sensitivity":
        pytest.importorskip("slycot")
    given = case(kind, keys)
    if kind in TABLES:
        craft = build(given, with_law=False).craft
    return design(given, craft), linear_model(given, craft)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("kind", list(KINDS), ids=lambda kind: kind.name)
def test_law_kind_is_complete(kind, tmp_path):
    assert f'"{kind.name}"' in str(Case.model_json_schema()).replace("'", '"')
    rows = [
        row for row in GUIDE.splitlines() if re.match(rf"\| `(controllers|sim)\.[\w.()]+` \| `{kind.name}` \| \S", row)
    ]
    assert len(rows) == 1, f"docs/design.md needs a row of the law {kind.name!r}"
    law, model = designed(kind.name, tmp_path)
    assert isinstance(law, AttitudeLaw)
    assert bool(law.gains()) == bool(law.kind)  # a law that is not data has no table
    assert all(matrix and matrix[0] for matrix in law.gains().values() if law.gains() != {})
    assert " " in law.summary
    assert "user" not in law.summary
    if hasattr(law, "opened"):
        with pytest.raises(PolhodeError, match="runs in a process that exists only during a run"):
            law.to_nlsys()
    else:
        assert law.to_nlsys().dt == law.sample
    if law.no_margins:
        assert law.no_margins.endswith("margins")
        with pytest.raises(PolhodeError, match="margins"):
            law.margins(model)
    else:
        assert law.margins(model).gain_up > 1.0
    if not law.kind:
        with pytest.raises(PolhodeError, match=r"only laws with gains can be saved|cannot be saved as one law"):
            save_law(law, tmp_path / "again.toml", model=model)
        return
    assert law.kind in SAVED
    save_law(law, tmp_path / "again.toml", model=model)


def test_every_kind_has_keys_here():
    assert {kind.name for kind in KINDS} == set(KEYS)


def test_only_a_law_asks_which_law_it_is():
    """No isinstance on laws and no class of a law by name outside their own rooms."""
    laws = "|".join(sorted(law.__name__ for law in SAVED.values()))
    found: list[str] = []
    for room in ("sim", "scenarios"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if path.parent.name == "laws":
                continue
            text = path.read_text(encoding="utf-8")
            found += [
                f"{path.name}: {line}"
                for line in re.findall(rf"isinstance\([^)]*\b(?:{laws}|CustomLaw)\b[^)]*\)", text)
            ]
    assert not found
