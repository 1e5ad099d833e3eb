"""Machine code on disk: which sources it belongs to, and what happens where it cannot be kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from polhode.sim.machine import code_cache
from polhode.sim.machine.code_cache import Kept, cache_folder

pytestmark = pytest.mark.slow  # only functions of users are compiled just in time

TINY = """
from polhode import plant, sim
run = sim.simulate(plant.Spacecraft(plant.RigidBody((3, 2, 1))), rate=(0.1, 1.0, 0.1), duration=1.0, at=[1.0])
print(run.x[-1].tolist())
"""


FOLDER = "import polhode.sim.machine.code_cache as c; print(c.cache_folder())"


def python(code, **environment):
    """A process of its own."""
    env = os.environ | {"POLHODE_ENGINE": "jit"} | {name: str(value) for name, value in environment.items()}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)


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
        "import polhode.sim.machine.code_cache as c; print(c.cache_folder(), c.kept('f').read()); "
        "c.kept('f').write(['s'], b'')"
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


def everything(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_what_is_not_polhodes_is_never_removed(tmp_path):
    own = tmp_path / "polhode-code"
    for place in (tmp_path, own):
        for n in range(9):  # the second kind is named as polhode names its own
            for name in (f"work{n}", f"0123456789abcde{n}"):
                (place / name).mkdir(parents=True)
                (place / name / "thesis.o").write_text("years of work")
                os.utime(place / name, (1e9, 1e9))
        (place / "notes.txt").write_text("mine")
    linked = tmp_path / "elsewhere"
    linked.mkdir()
    (linked / "CACHEDIR.TAG").write_bytes(code_cache._MARKED)
    (linked / "precious.o").write_text("mine")
    (own / ("f" * 16)).symlink_to(linked)
    own.chmod(0o700)
    before = everything(tmp_path)
    done = python(FOLDER, POLHODE_CACHE_DIR=tmp_path)
    assert done.stderr == ""
    assert before < everything(tmp_path)
    assert Path(done.stdout.strip()).relative_to(tmp_path).as_posix() not in before


def test_old_code_is_cleared_away_but_for_what_was_used_last(tmp_path):
    own = tmp_path / "polhode-code"
    for n in range(12):
        folder = own / f"{n:016x}"
        folder.mkdir(parents=True)
        (folder / "CACHEDIR.TAG").write_bytes(code_cache._MARKED)
        (folder / "f.o").write_bytes(b"old")
    (own / f"{0:016x}" / "notes.txt").write_text("mine")
    for n in range(12):
        os.utime(own / f"{n:016x}", (1e9 + n, 1e9 + n))
    (own / ".abandoned.part").write_bytes(b"half")
    (own / ".underway.part").write_bytes(b"half")
    os.utime(own / ".abandoned.part", (1e9, 1e9))
    python(FOLDER, POLHODE_CACHE_DIR=tmp_path)
    left = {path.name for path in own.iterdir() if path.is_dir()}
    kept = {f"{n:016x}" for n in range(5, 12)}
    assert kept < left
    assert len(left) == 7 + 1 + 1  # these, the new one, and the one that holds something else
    assert {path.name for path in (own / f"{0:016x}").iterdir()} == {"CACHEDIR.TAG", "notes.txt"}
    assert not (own / ".abandoned.part").exists()
    assert (own / ".underway.part").exists()


def test_code_that_is_used_counts_as_new(tmp_path):
    first = python(FOLDER, POLHODE_CACHE_DIR=tmp_path).stdout.strip()
    os.utime(first, (1e9, 1e9))
    assert python(FOLDER, POLHODE_CACHE_DIR=tmp_path).stdout.strip() == first
    assert Path(first).stat().st_mtime > 1e9 + 1


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps no modes")
def test_it_is_made_for_the_user_alone(tmp_path):
    code = "import os; os.umask(0)\n" + FOLDER.replace("print(c.cache_folder())", "c.kept('f').write(['f'], b'code')")
    place = tmp_path / "new" / "place"
    assert python(code, POLHODE_CACHE_DIR=place).stderr == ""
    for path in (place, *place.rglob("*")):
        assert path.stat().st_mode & 0o022 == 0, path
    (written,) = place.rglob("f.o")
    assert written.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps no modes")
@pytest.mark.parametrize(
    "open_to", [0o020, pytest.param(0o002, marks=pytest.mark.slow), pytest.param(0o1002, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("where", ["base", "own", "digest"])
def test_code_is_not_taken_from_a_folder_that_others_can_write(tmp_path, where, open_to):
    base = tmp_path / "base"
    folder = python(FOLDER, POLHODE_CACHE_DIR=base).stdout.strip()
    path = {"base": base, "own": base / "polhode-code", "digest": base / folder}[where]
    path.chmod(0o700 | open_to)
    done = python(FOLDER + "; print(c.kept('f').read()); c.kept('f').write(['f'], b'')", POLHODE_CACHE_DIR=base)
    assert done.returncode == 0
    if where == "base" and open_to == 0o1002:  # as /tmp is
        assert done.stdout.splitlines()[0] == folder
        assert done.stderr == ""
    else:
        assert done.stdout.split() == ["None", "None"]
        assert done.stderr.count("\n") == 1
        assert f"others can write to {path} (mode {0o700 | open_to:o}" in done.stderr
        assert "POLHODE_CACHE_DIR" in done.stderr


def test_code_is_not_taken_through_a_link_to_somewhere_else(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "polhode-code").symlink_to(elsewhere)
    done = python(FOLDER, POLHODE_CACHE_DIR=tmp_path / "base")
    assert done.stdout.split() == ["None"]
    assert "is not a folder" in done.stderr
    assert not list(elsewhere.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps no modes")
def test_a_file_that_others_can_write_is_compiled_anew_and_replaced(tmp_path, capsys):
    place = Kept(tmp_path / "f.o")
    place.write(["f"], b"code")
    (tmp_path / "f.o").chmod(0o666)
    assert place.read() is None
    assert "f.o (mode 666; chmod go-w closes it); it is compiled anew" in capsys.readouterr().err
    place.write(["f"], b"own code")
    assert place.read() == (["f"], b"own code")
    assert capsys.readouterr().err == ""


def test_a_warm_start_compiles_nothing_and_says_nothing():
    folder = cache_folder()
    assert folder is not None
    base = folder.parent.parent
    done = python(TINY + "import sys; print('numba' in sys.modules)", POLHODE_CACHE_DIR=base)
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
    assert done.stderr.count("compiling the engine") == 1
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
    assert list(tmp_path.rglob("*.o"))
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.slow
def test_damaged_code_is_compiled_again(tmp_path):
    first = python(TINY, POLHODE_CACHE_DIR=tmp_path)
    for entry in tmp_path.rglob("*.o"):
        entry.write_bytes(entry.read_bytes()[:1000])
    again = python(TINY, POLHODE_CACHE_DIR=tmp_path)
    assert again.returncode == 0
    assert again.stdout == first.stdout
    assert "compiling the engine" in again.stderr


def test_cache_folder_may_begin_at_the_home_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("POLHODE_CACHE_DIR", "~/kept")
    monkeypatch.chdir(tmp_path)
    assert code_cache.base_folder() == tmp_path / "kept"
