"""`polhode cans` and `polhode bases`: output, files and refusals."""

from pathlib import Path

import numpy as np
import pytest

from ..conftest import Command

ANGLES = ("--angles-deg", "30", "50", "20")


@pytest.mark.parametrize(
    "ending", ["PNG", pytest.param("svg", marks=pytest.mark.slow), pytest.param("pdf", marks=pytest.mark.slow)]
)
def test_cans(polhode: Command, tmp_path: Path, ending: str) -> None:
    picture = tmp_path / f"cans.{ending}"
    outcome = polhode("cans", "3-1-3", *ANGLES, "--out", picture)
    assert (outcome.code, outcome.err) == (0, "")
    assert "regular: 50 deg from gimbal lock" in outcome.out
    assert "zeta'" in outcome.out
    magic = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending.lower()]
    assert picture.read_bytes().startswith(magic)
    assert [path.name for path in tmp_path.iterdir()] == [picture.name]  # no incomplete file remains


@pytest.mark.parametrize("ending", [pytest.param(each, marks=pytest.mark.slow) for each in ("svg", "pdf")])
def test_drawing_is_equal_for_same_input(polhode: Command, tmp_path: Path, ending: str) -> None:
    for name in ("a", "b"):
        assert polhode("cans", "3-1-3", *ANGLES, "--out", tmp_path / f"{name}.{ending}").code == 0
    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


@pytest.mark.slow
def test_cans_json(polhode: Command, tmp_path: Path) -> None:
    picture = tmp_path / "cans.svg"
    outcome = polhode("cans", "3-2-1", "--angles-deg", "-30", "90", "20", "--out", picture, "--json")
    assert outcome.code == 0
    found = outcome.json
    assert found["angles_deg"] == [-30.0, 90.0, 20.0]
    assert found["state"] == "gimbal lock"
    assert found["file"] == str(picture)
    first, _, third = (np.array(turn["direction"]) for turn in found["turns"])
    np.testing.assert_allclose(third, -first, atol=1e-15)
    np.testing.assert_allclose(np.linalg.det(found["rotation_matrix"]), 1.0, rtol=1e-14)


def test_bases(polhode: Command, tmp_path: Path) -> None:
    outcome = polhode("bases", "3-1-3", "--angles-deg", "30", "30", "20")
    assert (outcome.code, outcome.err) == (0, "")
    for word in ("3.73205", "Theorem 4 (C2)", "unbounded at the pose", "direction undefined", "g^3"):
        assert word in outcome.out
    assert "…" not in outcome.out  # the tables fit on 80 columns
    assert "written to" not in outcome.out
    picture = tmp_path / "bases.png"
    outcome = polhode("bases", "3-1-3", "--angles-deg", "30", "0", "20", "--out", picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    for word in ("infinite", "does not exist", "this is one", "written to"):
        assert word in outcome.out


def test_bases_json(polhode: Command) -> None:
    found = polhode("bases", "3-1-3", "--angles-deg", "30", "30", "20", "--json").json
    assert found["angles_deg"] == [30.0, 30.0, 20.0]
    assert found["dual_basis"]["lengths"] == pytest.approx([2.0, 1.0, 2.0], rel=1e-14)
    assert found["distance_deg"] == pytest.approx(30.0, rel=1e-14)
    assert found["file"] is None
    singular = polhode("bases", "3-1-3", "--attitude", "1", "0", "0", "0", "--json").json
    assert singular["condition_number"] is None
    assert "condition_number" in singular["warnings"][0]


WRONG = {
    "sequence": (("cans", "3-1-4", *ANGLES, "--out", "x.png"), "did you mean '3-1-3'?"),
    "too few angles": (("cans", "3-1-3", "--angles-deg", "30", "--out", "x.png"), "--angles-deg"),
    "not a number": (("cans", "3-1-3", "--angles-deg", "1", "nan", "1", "--out", "x.png"), "must be finite (deg)"),
    "no file": (("cans", "3-1-3", *ANGLES), "--out"),
    "file type": (("cans", "3-1-3", *ANGLES, "--out", "x.gif"), "'.gif' is unknown; use one of .png, .svg, .pdf"),
    "no file type": (("bases", "3-1-3", *ANGLES, "--out", "x"), "no file type; use one of .png, .svg, .pdf"),
    "no folder": (("cans", "3-1-3", *ANGLES, "--out", "nowhere/x.png"), "there is no folder nowhere"),
    "a folder": (("cans", "3-1-3", *ANGLES, "--out", "folder.png"), "is a folder; give a file"),
    "no attitude": (("bases", "3-1-3"), "--angles-deg A1 A2 A3 or --attitude E0 E1 E2 E3"),
    "two attitudes": (("bases", "3-1-3", *ANGLES, "--attitude", "1", "0", "0", "0"), "either --angles-deg"),
    "norm": (("bases", "3-1-3", "--attitude", "1", "1", "0", "0"), "attitude must be unit Euler parameters"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=list(WRONG))
def test_wrong_input(
    polhode: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    outcome = polhode(*words)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("polhode: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["folder.png"]


def test_picture_that_cannot_be_written_leaves_old_one(
    polhode: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    def fail(self: Figure, path: Path, **_: object) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", fail)
    picture = tmp_path / "cans.png"
    picture.write_bytes(b"old")
    outcome = polhode("cans", "3-1-3", *ANGLES, "--out", picture)
    assert outcome.code == 1  # the input is correct
    assert "cannot be written (No space left on device)" in outcome.err
    assert picture.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["cans.png"]
