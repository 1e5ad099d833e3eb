"""Machine code on disk: which sources it belongs to, and what happens where it cannot be kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import polhode.sim
from polhode.sim.code_cache import Kept, cache_folder

ROOT = Path(polhode.sim.__file__).resolve().parent.parent
TINY = """
from polhode import plant, sim
run = sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), rate=(0.1, 1.0, 0.1), duration=1.0, at=[1.0])
print(run.x[-1].tolist())
"""


def python(code, tree=None, **environment):
    """A process of its own, on this tree or on a copy of it."""
    place = {} if tree is None else {"PYTHONPATH": str(tree)}
    env = os.environ | place | {name: str(value) for name, value in environment.items()}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)


@pytest.fixture
def tree(tmp_path):
    """A copy of the three rooms, importable as polhode, and as a real package before the installed one."""
    (tmp_path / "tree" / "polhode").mkdir(parents=True)
    shutil.copy(polhode.__file__, tmp_path / "tree" / "polhode")
    for room in ("plant", "controllers", "sim"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, tmp_path / "tree" / "polhode" / room, ignore=ignore)
    return tmp_path / "tree"


def digest(tree):
    code = "import polhode.sim, polhode.sim.code_cache as c; print(polhode.sim.__file__, c._digest())"
    done = python(code, tree)
    where, found = done.stdout.split()
    assert where.startswith(str(tree)), "the copy was not the one imported"
    return found


def test_the_digest_follows_every_source_that_is_compiled_and_no_other(tree):
    before = digest(tree)
    rooms = tree / "polhode"
    with (rooms / "sim" / "plot.py").open("a") as file:
        file.write("\n# nothing compiled here\n")
    assert digest(tree) == before
    for source in ("sim/steppers/rk4.py", "plant/rotation.py", "plant/parameters.py", "controllers/error_attitude.py"):
        with (rooms / source).open("a") as file:
            file.write("\n# changed\n")
        after = digest(tree)
        assert after != before, source
        before = after


def test_every_file_with_a_kernel_goes_into_the_digest():
    from polhode.plant.kernel import KERNELS
    from polhode.sim.code_cache import _MARKS

    sources = {Path(sys.modules[kernel.__module__].__file__ or "") for kernel in KERNELS}
    sources |= {ROOT / "sim" / "indices.py", ROOT / "plant" / "parameters.py", ROOT / "sim" / "entry.py"}
    assert len(sources) > 15
    for source in sources:
        if source.is_relative_to(ROOT):
            assert any(mark in source.read_bytes() for mark in _MARKS), source


@pytest.mark.parametrize("blocked", ["a file", "no rights"])
def test_where_nothing_can_be_kept_it_says_so_and_goes_on(tmp_path, blocked):
    place = tmp_path / "place"
    if blocked == "a file":
        place.write_text("not a folder")
    else:
        place.mkdir()
        place.chmod(0o500)
        if os.access(place, os.W_OK):
            pytest.skip("this user may write anywhere")
    code = (
        "import polhode.sim.code_cache as c; print(c.cache_folder(), c.kept('f').read()); c.kept('f').write(['s'], b'')"
    )
    done = python(code, POLHODE_CACHE_DIR=place)
    assert done.returncode == 0
    assert done.stdout.split() == ["None", "None"]
    assert done.stderr.count("cannot be kept") == 1
    assert "POLHODE_CACHE_DIR" in done.stderr


def test_code_comes_back_as_it_was_and_damaged_code_not_at_all(tmp_path):
    path = tmp_path / "f.o"
    place = Kept(path)
    assert place.read() is None
    place.write(["f", "numba_x"], b"\x00\ncode\xff")
    assert place.read() == (["f", "numba_x"], b"\x00\ncode\xff")
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole[:20], whole[:-1] + b"\x00", b"\xff" + whole[1:], b"\n"):
        path.write_bytes(damaged)
        assert place.read() is None
    place.write(["g"], b"new")
    assert place.read() == (["g"], b"new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["f.o"]


def test_old_code_is_cleared_away_but_for_a_little(tmp_path):
    for n in range(8):
        folder = tmp_path / f"old{n}"
        folder.mkdir()
        os.utime(folder, (1e9 + n, 1e9 + n))
    python("import polhode.sim.code_cache as c; c.cache_folder()", POLHODE_CACHE_DIR=tmp_path)
    assert len(list(tmp_path.iterdir())) == 4
    assert {"old7", "old6", "old5"} < {entry.name for entry in tmp_path.iterdir()}


def test_a_warm_start_compiles_nothing_and_says_nothing():
    folder = cache_folder()
    assert folder is not None
    done = python(TINY + "import sys; print('numba' in sys.modules)", POLHODE_CACHE_DIR=folder.parent)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.split()[-1] == "False"


@pytest.mark.slow
def test_a_cold_start_says_that_it_compiles_and_for_how_long(tmp_path):
    cold = python(TINY, POLHODE_CACHE_DIR=tmp_path)
    warm = python(TINY, POLHODE_CACHE_DIR=tmp_path)
    assert cold.returncode == warm.returncode == 0
    assert cold.stderr.count("\n") == 2
    assert "compiling the engine" in cold.stderr
    assert "polhode: compiled in" in cold.stderr
    assert warm.stderr == ""
    assert cold.stdout == warm.stdout != ""


@pytest.mark.slow
def test_it_works_where_nothing_can_be_kept(tmp_path):
    place = tmp_path / "place"
    place.write_text("not a folder")
    done = python(TINY, POLHODE_CACHE_DIR=place)
    assert done.returncode == 0
    assert "cannot be kept" in done.stderr
    assert done.stdout == python(TINY).stdout


@pytest.mark.slow
def test_two_processes_may_compile_at_once(tmp_path):
    env = os.environ | {"POLHODE_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", TINY], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    outputs = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert outputs[0] == outputs[1] == python(TINY, POLHODE_CACHE_DIR=tmp_path).stdout
    (folder,) = tmp_path.iterdir()
    assert all(entry.suffix == ".o" for entry in folder.iterdir())  # no half-written file left


@pytest.mark.slow
def test_damaged_code_is_compiled_again(tmp_path):
    first = python(TINY, POLHODE_CACHE_DIR=tmp_path)
    (folder,) = tmp_path.iterdir()
    for entry in folder.iterdir():
        entry.write_bytes(entry.read_bytes()[:1000])
    again = python(TINY, POLHODE_CACHE_DIR=tmp_path)
    assert again.returncode == 0
    assert again.stdout == first.stdout
    assert "compiling the engine" in again.stderr
