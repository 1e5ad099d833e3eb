"""Linear systems in files: round trips, and messages that name file and key."""

import io
import json
import zipfile

import control
import numpy as np
import pytest
from scipy.io import savemat

from polhode import controllers, plant

A, B, C, D = [[0.5, 0.1], [0.0, 0.2]], np.ones((2, 6)), np.ones((3, 2)), 2.0 * np.ones((3, 6))
NAMES = [f"{quantity}_{axis}" for quantity in ("attitude_error", "rate") for axis in "xyz"]


def written(path, content):
    plain = {
        name: each if isinstance(each, list | str) else np.asarray(each).tolist() for name, each in content.items()
    }
    if path.suffix == ".json":
        path.write_text(json.dumps(plain))
    elif path.suffix == ".npz":
        np.savez(path, **content)
    else:
        cells = {name: np.array(each, dtype=object) if name == "inputs" else each for name, each in content.items()}
        savemat(path, cells)
    return path


@pytest.mark.parametrize("suffix", [".json", ".mat", ".npz"])
def test_load_system_reads_all_formats(suffix, tmp_path):
    path = written(tmp_path / f"law{suffix}", {"A": A, "B": B, "C": C, "D": D, "dt": 0.1, "inputs": NAMES, "x0": 3.0})
    system = controllers.load_system(path)
    assert isinstance(system, control.StateSpace)
    assert system.dt == 0.1
    assert system.input_labels == NAMES
    for name, each in {"A": A, "B": B, "C": C, "D": D}.items():
        np.testing.assert_array_equal(getattr(system, name), each)
    gain = controllers.load_system(written(tmp_path / f"gain{suffix}", {"K": D}))
    np.testing.assert_array_equal(gain, D)
    static = controllers.load_system(written(tmp_path / f"static{suffix}", {"D": D}))
    assert (static.nstates, static.dt) == (0, None)


@pytest.mark.parametrize("suffix", [".json", ".mat", ".npz"])
def test_load_system_changes_sign_of_positive_feedback(suffix, tmp_path):
    content = {"A": A, "B": B, "C": C, "D": D, "dt": 0.1, "feedback": "positive"}
    turned = controllers.load_system(written(tmp_path / f"law{suffix}", content))
    for name, each in {"A": A, "B": B, "C": -C, "D": -D}.items():
        np.testing.assert_array_equal(getattr(turned, name), each)
    content["feedback"] = "negative"
    np.testing.assert_array_equal(controllers.load_system(written(tmp_path / f"law{suffix}", content)).D, D)
    gain = written(tmp_path / f"gain{suffix}", {"K": D, "feedback": "positive"})
    np.testing.assert_array_equal(controllers.load_system(gain), -D)


def test_load_system_uses_sign_outside_the_system_table(tmp_path):
    path = tmp_path / "law.json"
    path.write_text(json.dumps({"system": {"D": D.tolist()}, "feedback": "positive"}))
    np.testing.assert_array_equal(controllers.load_system(path).D, -D)
    path.write_text(json.dumps({"system": {"D": D.tolist(), "feedback": "negative"}, "feedback": "positive"}))
    with pytest.raises(plant.InputError, match="feedback is 'negative' in system but 'positive' outside it"):
        controllers.load_system(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"A": A, "B": B, "C": C, "D": D}, "has states but no dt"),
        ({"A": A, "B": B, "C": C}, r"has neither D \(a linear system\) nor K \(a gain matrix\); it has A, B, C"),
        ({"A": A, "B": C, "C": C, "D": D, "dt": 0}, r"B must be 2 x 6 with D of 3 x 6; got \(3, 2\)"),
        ({"A": A, "C": C, "D": D, "dt": 0}, r"B must be 2 x 6 with D of 3 x 6; got \(0, 0\)"),
        ({"D": [["a"]]}, "D must be a matrix of numbers"),
        ({"D": [[1.0, float("nan")]]}, "D must be a matrix of finite numbers"),
        ({"A": A, "B": B, "C": C, "D": D, "dt": -1}, "dt must be 0 for a continuous system"),
        ({"A": A, "B": B, "C": C, "D": D, "dt": "fast"}, "dt must be 0 for a continuous system"),
        ({"D": D, "inputs": ["a"]}, "inputs must be 6 names"),
        ({"D": D, "feedback": "plus"}, "feedback must be negative or positive; got 'plus'"),
        ({"D": D, "feedback": 1}, "feedback must be negative or positive; got 1"),
        ({"D": D, "feedback": ["positive", "negative"]}, "feedback must be negative or positive"),
    ],
)  # fmt: skip
def test_load_system_rejects_bad_content(content, words, tmp_path):
    with pytest.raises(plant.InputError, match=f"law.json: {words}"):
        controllers.load_system(written(tmp_path / "law.json", content))


@pytest.mark.parametrize("suffix", [".mat", ".npz"])
def test_load_system_rejects_complex_numbers(suffix, tmp_path):
    with pytest.raises(plant.InputError, match="D must be real"):
        controllers.load_system(written(tmp_path / f"law{suffix}", {"D": (1 + 2j) * D}))


def test_load_system_reads_names_from_character_array(tmp_path):
    """MATLAB's char([...]) pads rows with blanks."""
    savemat(tmp_path / "law.mat", {"D": D, "inputs": np.array(NAMES)})
    assert controllers.load_system(tmp_path / "law.mat").input_labels == NAMES


def test_load_system_rejects_other_files(tmp_path):
    with pytest.raises(plant.InputError, match=r"law.txt: a linear system is read from .json, .mat or .npz"):
        controllers.load_system(tmp_path / "law.txt")
    with pytest.raises(plant.InputError, match=r"law.json: there is no such file"):
        controllers.load_system(tmp_path / "law.json")
    for suffix in (".json", ".mat", ".npz"):
        path = tmp_path / f"broken{suffix}"
        path.write_bytes(b"\x00no such thing" * 20)
        with pytest.raises(
            plant.InputError, match=f"broken{suffix}: (a linear system cannot be read|is not a MATLAB file)"
        ):
            controllers.load_system(path)
    (tmp_path / "list.json").write_text("[1, 2]")
    with pytest.raises(plant.InputError, match=r"list.json: is not a JSON object"):
        controllers.load_system(tmp_path / "list.json")


def test_load_system_rejects_bombs_and_pickles(tmp_path):
    held = io.BytesIO()
    np.save(held, np.zeros(4_000_000))
    with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("D.npy", held.getvalue())
    savemat(tmp_path / "bomb.mat", {"D": np.zeros((2000, 2000))}, do_compression=True)
    for name in ("bomb.npz", "bomb.mat"):
        with pytest.raises(plant.InputError, match=f"{name}: holds .*too large"):
            controllers.load_system(tmp_path / name)
    np.savez(tmp_path / "pickle.npz", D=np.array([{}], dtype=object))
    with pytest.raises(plant.InputError, match=r"pickle.npz: a linear system cannot be read .*pickle"):
        controllers.load_system(tmp_path / "pickle.npz")
