"""The drawing of the cans: all sequences at regular and singular poses, with every label, none overlapping."""

import itertools
import warnings

import numpy as np
import pytest

from polhode.plant.attitude import SEQUENCES, singular_middle_angles
from polhode.plant.errors import InputError
from polhode.scenarios.pictures import cans_in_series, draw_cans
from polhode.scenarios.pictures.sequences.cans_words import caption, degrees, state_of, summary_of, symbols_of


def poses(sequence):
    low, high = singular_middle_angles(sequence)
    return {
        "regular": np.radians((30.0, 50.0, 20.0)),
        "low lock": np.array([0.6, low, -1.0]),
        "high lock": np.array([0.3, high, 0.9]),
        "large": np.radians((-200.0, 155.0, 400.0)),
    }


def words(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


POSES = ("regular", "low lock", "high lock", "large")
ALL = [  # all are in the slow suite; otherwise each sequence at one pose, each pose with three sequences
    pytest.param(sequence, pose, marks=() if i % 4 == 0 and j == i % len(POSES) else pytest.mark.slow)
    for i, sequence in enumerate(SEQUENCES)
    for j, pose in enumerate(POSES)
]


@pytest.mark.thinned(4)
@pytest.mark.parametrize(("sequence", "pose"), ALL)
def test_every_sequence_and_pose(sequence, pose, tmp_path):
    angles = poses(sequence)[pose]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = draw_cans(sequence, angles)
        figure.savefig(tmp_path / "cans.png", dpi=40)
    written = words(figure)
    cans = cans_in_series(sequence, angles)
    for pair, symbol in zip(cans.pairs, symbols_of(cans), strict=True):
        assert sum(text.startswith(f"${symbol}$ = {degrees(pair.angle)}\nabout ") for text in written) == 1
        assert sum(text.startswith(f"$\\mathbf{{g}}_{pair.number}$ = ") for text in written) == 1
    assert "body" in written
    assert "space" in written
    assert ("no rotation about\nthis normal" in written) is cans.locked

    axes = figure.axes[0]
    renderer = figure.canvas.get_renderer()
    page = axes.get_window_extent(renderer)
    boxes = [text.get_window_extent(renderer) for text in axes.texts]
    for text, box in zip(axes.texts, boxes, strict=True):
        assert page.x0 <= box.x0 <= box.x1 <= page.x1, text
        assert page.y0 <= box.y0 <= box.y1 <= page.y1, text
    for (first, a), (second, b) in itertools.combinations(zip(written, boxes, strict=True), 2):
        assert not a.overlaps(b), (first, second)
    for text in figure.texts:
        box = text.get_window_extent(renderer)
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1, text.get_text()


@pytest.mark.thinned(3)
@pytest.mark.parametrize("ending", ["pdf", "svg", "png"])
def test_vector_and_pixel_files(ending, tmp_path):
    path = tmp_path / f"cans.{ending}"
    draw_cans("3-1-3", (0.5, 0.9, 0.3)).savefig(path)
    head = path.read_bytes()[:200]
    assert {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}[ending] in head
    if ending == "svg":
        assert b"<image" not in path.read_bytes()  # text was not converted into pixels


@pytest.mark.slow
def test_plane_is_shaded_at_lock_only():
    def veils(angles):
        (collection,) = draw_cans("3-2-1", angles).axes[0].collections
        alphas = collection.get_facecolors()[:, 3]
        return np.count_nonzero((alphas > 0.0) & (alphas < 1.0))

    assert veils((0.2, np.pi / 2, 0.1)) == 1
    assert veils((0.2, np.pi / 2 - 0.01, 0.1)) == 0


def test_names_of_the_angles_and_the_camera_can_be_given():
    figure = draw_cans("3-2-1", np.radians((10, 20, 30)), symbols=("a", "b", "c"), view_deg=(40.0, 20.0))
    assert any(text.startswith("$b$ = 20°") for text in words(figure))
    other = draw_cans("3-2-1", np.radians((10, 20, 30)), symbols=("a", "b", "c"), view_deg=(60.0, 20.0))
    assert figure.axes[0].get_xlim() != other.axes[0].get_xlim()


def test_symbols():
    assert symbols_of(cans_in_series("3-1-3", (0, 1, 0))) == (r"\phi", r"\theta", r"\psi")
    assert symbols_of(cans_in_series("3-2-1", (0, 1, 0))) == (r"\psi", r"\theta", r"\phi")


@pytest.mark.parametrize(
    ("middle_deg", "state"),
    [(0.0, "gimbal lock"), (9.0, "near gimbal lock"), (11.0, "regular"), (180.0, "gimbal lock")],
)
def test_states_and_caption(middle_deg, state):
    cans = cans_in_series("3-1-3", np.radians((10.0, middle_deg, 20.0)))
    assert state_of(cans) == summary_of(cans)["state"] == state
    _, lines = caption(cans, symbols_of(cans))
    assert lines.lower().startswith(state)
    if state == "gimbal lock":
        assert f"determines only $\\phi$ {'+' if middle_deg == 0.0 else '−'} $\\psi$." in lines
    else:
        assert f"{middle_deg:g}°" in lines


def test_errors():
    with pytest.raises(InputError, match="did you mean '3-1-3'"):
        draw_cans("313", (0, 0, 0))
