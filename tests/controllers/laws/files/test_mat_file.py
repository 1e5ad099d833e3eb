"""MATLAB files: same content as read by scipy, and damaged files are rejected."""

import contextlib
import io
import random

import numpy as np
import pytest
from scipy import io as files
from scipy.sparse import csc_array

from polhode.controllers.laws.files.mat_file import read_mat
from polhode.plant import InputError

MOST = 2**20
CELL = np.array([["roll", "pitch", "yaw"]], dtype=object)
ARRAYS = {
    "double": np.arange(12.0).reshape(3, 4),
    "row": np.array([[1.0, -2.5, 1e300]]),
    "empty": np.zeros((0, 3)),
    "number": 0.1,
    "small": np.array([[1, 2], [3, 4]], dtype=np.int8),
    "single": np.array([[1.5, 2.5]], dtype=np.float32),
    "wide": np.array([[2**40, -1]], dtype=np.int64),
    "unsigned": np.array([[65535]], dtype=np.uint16),
    "complex": np.array([[1.0 + 2.0j, 3.0 - 1.0j]]),
    "truth": np.array([[True, False]]),
    "word": "negative",
    "letter": "x",
    "words": np.array(["roll", "yaw", "pitch"]),
    "none": "",
    "cell": CELL,
    "nested": np.array([[CELL, np.eye(2)]], dtype=object),
    "three": np.arange(8.0).reshape(2, 2, 2),
    "a_long_name_of_thirty_one_chars": np.eye(3),
}


def written(arrays, **settings):
    file = io.BytesIO()
    files.savemat(file, arrays, **settings)
    return file.getvalue()


def same(one, other):
    """Compare arrays, also of objects."""
    assert one.shape == other.shape
    if other.dtype == object:
        for a, b in zip(one.ravel(), other.ravel(), strict=True):
            same(a, b)
    else:
        assert one.dtype.kind == other.dtype.kind or one.dtype == bool  # scipy takes true for 1
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("settings", [{}, {"do_compression": True}, {"format": "4"}])
@pytest.mark.parametrize("name", ARRAYS)
def test_mat_arrays_match_scipy(name, settings):
    arrays = {"other": np.eye(2), name: ARRAYS[name], "last": "more"}
    if settings.get("format") == "4" and name in {
        "wide",
        "unsigned",
        "truth",
        "cell",
        "nested",
        "three",
        "small",
        "none",
    }:
        pytest.skip("version 4 has none such")
    data = written(arrays, **settings)
    found = read_mat(data, {name, "last", "absent"}, most=MOST)
    wanted = files.loadmat(io.BytesIO(data))
    assert set(found) == {name, "last"}
    same(found[name], wanted[name])


def test_mat_big_endian_files_are_read():
    head = np.array([1000, 2, 1, 0, 2], dtype=">i4").tobytes()
    data = head + b"D\0" + np.array([3.0, 4.0], dtype=">f8").tobytes()
    np.testing.assert_array_equal(read_mat(data, "D", most=MOST)["D"], [[3.0], [4.0]])
    np.testing.assert_array_equal(files.loadmat(io.BytesIO(data))["D"], [[3.0], [4.0]])


@pytest.mark.parametrize(
    ("value", "words"),
    [(csc_array(np.eye(3)), "D is a sparse matrix"), ({"a": 1.0}, "D is a structure")],
)
def test_mat_unsupported_kinds_are_rejected_only_if_requested(value, words):
    data = written({"D": value, "K": 1.0})
    with pytest.raises(InputError, match=words):
        read_mat(data, "D", most=MOST)
    assert read_mat(data, "K", most=MOST)["K"].tolist() == [[1.0]]


@pytest.mark.parametrize("data", [b"", b"text", b"x" * 200, b"\0" * 200, written({"D": 1.0})[:150]])
def test_mat_reader_rejects_other_files(data):
    with pytest.raises(InputError, match=r"is not a MATLAB file|is damaged"):
        read_mat(data, "D", most=MOST)


def test_mat_version_7_3_is_named():
    data = bytearray(written({"D": 1.0}))
    data[124:126] = b"\0\2"
    with pytest.raises(InputError, match=r'version 7\.3; save it with "-v7"'):
        read_mat(bytes(data), "D", most=MOST)


def test_mat_decompression_bombs_are_rejected():
    data = written({"D": np.zeros((1000, 1000))}, do_compression=True)
    with pytest.raises(InputError, match="holds more than 1048576 bytes"):
        read_mat(data, "D", most=MOST)


@pytest.mark.parametrize("settings", [{}, {"do_compression": True}, {"format": "4"}])
def test_mat_damaged_files_are_read_or_rejected(settings):
    few = settings.get("format") == "4"
    data = written(
        {key: ARRAYS[key] for key in ("double", "word", "row", *(() if few else ("cell", "truth")))}, **settings
    )
    intact = 0
    for seed in range(400):
        draw = random.Random(seed)
        damaged = bytearray(data)
        for _ in range(draw.choice((1, 1, 3))):
            damaged[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        damaged = damaged[: draw.randrange(len(data))] if seed % 10 == 0 else damaged
        with contextlib.suppress(InputError):
            read_mat(bytes(damaged), tuple(ARRAYS), most=MOST)
            intact += 1
    assert 0 < intact < 300
