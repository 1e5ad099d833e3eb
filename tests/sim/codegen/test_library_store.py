"""The store of the engine's library under damage, other users, killed builds, full disks and unusual compilers."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polhode.sim.codegen import library, library_build, library_store, toolchain
from polhode.sim.codegen.library import has_library
from polhode.sim.codegen.library_build import build_library
from polhode.sim.codegen.library_store import MissingLibraryError
from polhode.sim.codegen.library_variants import best_variant, library_name, machine
from polhode.sim.codegen.toolchain import c_compiler

from .small_library import small_text

pytestmark = pytest.mark.skipif(c_compiler() is None, reason="no C compiler on this machine")
posix = pytest.mark.skipif(os.name != "posix", reason="the compilers here are shell scripts")
TEXT = small_text("small")


def named(words):
    """Return a name with a space, and with non-ASCII letters if the file system encoding has them."""
    try:
        os.fsencode(words)
    except UnicodeEncodeError:  # LC_ALL=C without UTF-8 mode
        return words.encode("ascii", "replace").decode().replace("?", "_")
    return words


CHECKOUT, CACHE = named("Ørsted søker"), named("cache für mich")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout in a folder with a space and non-ASCII letters, whose engine is a small text."""
    folder = tmp_path / CHECKOUT / "compiled"
    folder.mkdir(parents=True)
    monkeypatch.setattr(library_store, "FOLDER", folder)
    monkeypatch.setattr(library_build, "VARIANTS", {})  # the baseline only
    monkeypatch.setattr("polhode.sim.codegen.library_text.library_text", lambda: TEXT)
    monkeypatch.setenv("POLHODE_CACHE_DIR", str(tmp_path / CACHE))
    monkeypatch.delenv("POLHODE_PLAIN", raising=False)
    start_again()
    yield folder
    start_again()


def start_again() -> None:
    library_store.library_path.cache_clear()
    library._library.cache_clear()


def loaded_again() -> Path:
    """The path of the library, loaded by a new process."""
    start_again()
    assert has_library()
    return library_store.library_path()


def words_without_library(capsys) -> str:
    """The one line of output of a new process without a library."""
    start_again()
    capsys.readouterr()
    assert not has_library()
    (line,) = capsys.readouterr().err.splitlines()
    return line


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 16
    other = path.with_name("damaged")  # the old file may be loaded in this process
    other.write_bytes(content)
    other.replace(path)


def compiler_of(script: str, folder: Path, monkeypatch) -> Path:
    file = folder / "my compiler"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    monkeypatch.setenv("CC", shlex.quote(str(file)))
    toolchain.compiler_version.cache_clear()
    return file


def real_compiler() -> str:
    return shlex.join(c_compiler() or ())


def test_damaged_library_of_a_checkout_is_rebuilt(checkout, capsys):
    path = loaded_again()
    assert path == checkout / library_name("baseline")
    sound = path.read_bytes()
    flip_a_bit(path)
    capsys.readouterr()
    assert loaded_again() == path
    assert path.read_bytes() == sound
    assert "building the engine's library" in capsys.readouterr().err


@pytest.mark.parametrize("damage", [flip_a_bit, lambda path: os.truncate(path, 1000)], ids=["a bit", "cut off"])
def test_damaged_library_of_a_wheel_is_reported(checkout, capsys, damage):
    path = loaded_again()
    record = json.loads((checkout / "sources.json").read_text())
    (checkout / "sources.json").write_text(json.dumps({"wheel": True, "files": record["files"]}))
    assert loaded_again() == path
    damage(path)
    assert "is damaged; install polhode again" in words_without_library(capsys)


@posix
@pytest.mark.parametrize(
    ("damage", "wheel"), [("a bit", False), ("cut off", True), ("removed", False), ("not recorded", True)]
)
def test_damaged_tangents_are_not_loaded(checkout, damage, wheel):
    """The engine itself is loaded, and nothing is built again."""
    engine = loaded_again()
    path = library_store.tangents_path()
    assert path is not None
    assert path.name == library_name("tangents-baseline")
    record = json.loads((checkout / "sources.json").read_text()) | {"wheel": wheel}
    if damage == "not recorded":  # from an earlier build
        record["files"].pop(path.name)
    (checkout / "sources.json").write_text(json.dumps(record))
    if damage != "not recorded":
        {"a bit": flip_a_bit, "cut off": lambda path: os.truncate(path, 1000), "removed": Path.unlink}[damage](path)
    before = engine.stat().st_mtime_ns
    assert loaded_again() == engine
    assert engine.stat().st_mtime_ns == before
    assert library_store.tangents_path() is None


@pytest.fixture
def read_only(checkout, monkeypatch):
    """The folder of the package is read-only, as after an installation by root that another user starts."""
    real = library_store.tempfile.TemporaryFile

    def refused(*args, dir=None, **keywords):  # noqa: A002 # as its original
        if Path(dir or "") == checkout:
            raise PermissionError(13, "Permission denied")
        return real(*args, dir=dir, **keywords)

    monkeypatch.setattr(library_store.tempfile, "TemporaryFile", refused)
    return checkout


def test_library_is_rebuilt_in_cache_where_package_cannot_be_written(read_only, tmp_path, capsys):
    path = loaded_again()
    assert path.is_relative_to(tmp_path / CACHE / "polhode-engine")
    assert not list(read_only.iterdir())
    first, second = capsys.readouterr().err.splitlines()
    assert f"it is stored in {path.parent}, since {read_only} cannot be written" in first
    assert "checked for fused products" in second
    assert loaded_again() == path
    assert capsys.readouterr().err == ""


def test_library_of_another_version_in_the_cache_is_rebuilt(read_only, monkeypatch):
    path = loaded_again()
    old = path.read_bytes()
    monkeypatch.setattr("polhode.sim.codegen.library_text.library_text", lambda: small_text("later"))
    monkeypatch.setattr(library_store, "source_stamp", lambda: "later")
    monkeypatch.setattr("polhode.sim.codegen.library_record.source_digest", lambda: "later")
    assert loaded_again() == path
    assert path.read_bytes() != old


@posix
def test_library_in_a_folder_of_others_is_not_taken(read_only, capsys):
    path = loaded_again()
    path.parent.chmod(0o777)
    words = words_without_library(capsys)
    assert "others can write to" in words
    assert "set POLHODE_CACHE_DIR to a private folder" in words


def test_change_during_the_build_is_noticed_at_the_next_start(checkout, monkeypatch, capsys):
    """The record contains the sources from before the translation."""
    contents = ["before"]

    def translate():
        contents[0] = "after"
        return TEXT

    monkeypatch.setattr("polhode.sim.codegen.library_text.library_text", translate)
    monkeypatch.setattr("polhode.sim.codegen.library_record.source_stamp", lambda: contents[0])
    monkeypatch.setattr(library_store, "source_stamp", lambda: contents[0])
    monkeypatch.setattr("polhode.sim.codegen.library_record.source_digest", lambda: contents[0])
    loaded_again()
    assert json.loads((checkout / "sources.json").read_text())["sources"] == "before"
    loaded_again()
    assert json.loads((checkout / "sources.json").read_text())["sources"] == "after"


def test_variants_of_earlier_builds_are_removed(checkout, capsys):
    """The library of another processor, compiled from old sources, would otherwise be loaded there as current."""
    stale = checkout / library_name("v3")
    stale.write_bytes(b"old")
    loaded_again()
    assert not stale.exists()
    stale.write_bytes(b"old")  # as where it could not be removed
    (checkout / "sources.json").write_text("{}")
    library_store._rebuilt(checkout, elsewhere=False)
    files = set(json.loads((checkout / "sources.json").read_text())["files"])
    assert files - {library_name("tangents-baseline")} == {library_name("baseline")}


@posix
@pytest.mark.skipif(machine() != "x86_64", reason="the only family with several variants")
def test_compiler_without_options_of_this_processor_builds_the_baseline(checkout, tmp_path, monkeypatch):
    """gcc before release 11 refuses -march=x86-64-v4."""
    variants = {"baseline": ("-march=x86-64",), "v3": ("-DTHREE",), "v4": ("-march=x86-64-v9",)}
    monkeypatch.setattr(library_build, "VARIANTS", {"x86_64": variants})
    monkeypatch.setattr(library_build, "best_variant", lambda: "v4")
    assert loaded_again() == checkout / library_name("baseline")
    monkeypatch.setattr(library_build, "best_variant", lambda: "v3")
    built = [path.name for path in build_library(checkout, text=TEXT)]
    assert [name for name in built if "tangents" not in name] == [library_name("baseline"), library_name("v3")]


@posix
@pytest.mark.parametrize(
    "refuses",
    ['echo "error: cc1plus: not found" >&2; exit 1', 'set -- "$@" -Ddual_vector='],
    ids=["no C++", "no dual number"],
)
def test_compiler_without_cplusplus_builds_no_tangents(checkout, tmp_path, monkeypatch, refuses):
    """Many machines have gcc without its C++ part; a C++ compiler may not know the extensions of the dual number."""
    command = c_compiler()
    assert command is not None
    plain_c = tmp_path / "cc"
    plain_c.write_text(f'#!/bin/sh\ncase "$*" in *c++*) {refuses};; esac\nexec {shlex.join(command)} "$@"\n')
    plain_c.chmod(0o755)
    assert any("tangents" in path.name for path in build_library(checkout, text=TEXT))
    monkeypatch.setenv("CC", shlex.quote(str(plain_c)))
    assert [path for path in build_library(checkout, text=TEXT) if "tangents" in path.name] == []
    assert list(checkout.glob("*tangents*")) == []  # nothing remains of the earlier build


def test_unfinished_builds_are_removed_after_an_hour(checkout):
    for name, age in (("old", 2 * library_build.HOUR_S), ("young", 0.0)):
        part = checkout / f".build-{name}"
        part.mkdir()
        (part / "engine.c").touch()
        os.utime(part, (time.time() - age,) * 2)
    build_library(checkout, text=TEXT)
    assert {path.name for path in checkout.glob(".build-*")} == {".build-young"}


@posix
@pytest.mark.slow
def test_start_after_a_killed_build_builds_anew(checkout, tmp_path, monkeypatch):
    """SIGKILL while the compiler runs: a lock file and half a build remain, without consequences."""
    started = tmp_path / "started"
    slow = tmp_path / "cc"
    answers = 'case "$*" in *--version*) exit 0;; *trial.c*) exit 1;; esac'  # no options of a processor
    slow.write_text(f'#!/bin/sh\n{answers}\n: >"{started}"\nexec /bin/sleep 100\n')
    slow.chmod(0o755)
    script = (
        "import sys; from pathlib import Path; from polhode.sim.codegen import library_store as s, library_text as t\n"
        "s.FOLDER = Path(sys.argv[1]); t.library_text = lambda: sys.argv[2]; s.library_path()"
    )
    command = [sys.executable, "-c", script, str(checkout), TEXT]
    killed = subprocess.Popen(command, env={**os.environ, "CC": shlex.quote(str(slow))}, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60.0
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert started.exists()
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert list(checkout.glob(".build-*"))
    assert (checkout / "build.lock").exists()
    began = time.monotonic()
    assert loaded_again() == checkout / library_name("baseline")
    assert time.monotonic() - began < 30.0  # nobody waits for the lock of the killed process


@posix
@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "echo 'engine.c: fatal error: no' >&2; exit 1",
            "cannot be compiled by my compiler: engine.c: fatal error: no",
        ),
        ("echo 'as: error: No space left on device' >&2; exit 1", "by my compiler: as: error: No space left on device"),
        ("case $1 in --version) exit 0;; esac; exec /bin/sleep 50", "my compiler took more than 0.3 s to compile it"),
        ("exec /bin/sleep 50", "my compiler, the C compiler, did not print its version within 0.3 s"),
    ],
    ids=["fails", "full disk", "hangs", "hangs at once"],
)
def test_compiler_that_makes_nothing_is_reported(checkout, tmp_path, monkeypatch, capsys, script, words):
    monkeypatch.setattr(toolchain, "LIMIT_S", 0.3)
    monkeypatch.setattr(toolchain, "ANSWER_S", 0.3)
    compiler_of(script, tmp_path, monkeypatch)
    start_again()
    with pytest.raises(MissingLibraryError, match="cannot be built here") as refused:
        library_store.library_path()
    assert words in str(refused.value)
    assert not list(checkout.glob("engine-*"))
    assert not list(checkout.glob(".build-*"))


@posix
def test_compiler_that_cannot_be_executed_is_reported(checkout, tmp_path, monkeypatch):
    file = compiler_of("", tmp_path, monkeypatch)
    file.write_bytes(b"\x00 no program")
    with pytest.raises(MissingLibraryError, match="the C compiler, cannot be started: Exec format error"):
        library_store.library_path()


@posix
def test_compiler_with_arguments_and_warnings_builds(checkout, tmp_path, monkeypatch):
    compiler = real_compiler()
    words = tmp_path / "words"
    script = f'printf "%s\\n" "$1" >>"{words}"; shift; echo "warning: something" >&2; exec {compiler} "$@"'
    compiler_of(script, tmp_path, monkeypatch)
    monkeypatch.setenv("CC", f"{os.environ['CC']} 'a word'")
    assert loaded_again().exists()
    assert set(words.read_text().splitlines()) == {"a word"}


RISKY = "-ffast-math -funsafe-math-optimizations -ffp-contract=fast"


@pytest.mark.thinned(3)
@posix
@pytest.mark.parametrize("words", [RISKY, f"{RISKY} -march=native", "-Ofast"])
def test_options_in_cc_that_change_results_are_taken_back(checkout, tmp_path, monkeypatch, words):
    """Such a library would make the processor flush subnormal numbers to zero when it is loaded (gcc before 13)."""
    if machine() != "x86_64" and "native" in words:
        pytest.skip("no -march of another processor here")
    monkeypatch.setattr(library_build, "VARIANTS", {"x86_64": {"baseline": ("-march=x86-64",)}})
    monkeypatch.setenv("CC", f"{real_compiler()} {words}")
    monkeypatch.setenv("CFLAGS", RISKY)
    toolchain.compiler_version.cache_clear()
    path = loaded_again()
    script = (
        "import ctypes, sys; ctypes.CDLL(sys.argv[1]); x = float(sys.argv[2]); print(x * 0.5, x * 0.5 + x - x * 0.5)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path), "1e-310"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["5e-311", "1e-310"]


@posix
def test_compiler_that_overrides_options_is_refused(checkout, tmp_path, monkeypatch):
    """A wrapper that appends its options."""
    if best_variant() == "baseline" and "fma" not in Path("/proc/cpuinfo").read_text(
        encoding="ascii", errors="replace"
    ):
        pytest.skip("this processor has no fused arithmetic")
    script = f'case $1 in --version) exec {real_compiler()} "$@";; esac; exec {real_compiler()} "$@" -mfma -ffast-math'
    compiler_of(script, tmp_path, monkeypatch)
    with pytest.raises(MissingLibraryError, match="contracted products and sums"):
        library_store.library_path()


def test_library_loads_by_a_path_with_spaces_and_other_letters(checkout):
    assert CHECKOUT in str(loaded_again())
