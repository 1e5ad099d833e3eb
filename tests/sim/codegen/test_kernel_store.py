"""Libraries of user kernels: complete or absent, accepted from nobody else, found by the next process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from polhode.plant.errors import InputError
from polhode.sim.codegen import kernel_store
from polhode.sim.codegen.kernel_store import load_library
from polhode.sim.codegen.library import has_library
from polhode.sim.codegen.toolchain import c_compiler

pytestmark = [
    pytest.mark.skipif(c_compiler() is None or not has_library(), reason="no C compiler on this machine"),
    pytest.mark.skipif(os.name != "posix", reason="modes of files are of POSIX"),
]

TEXT = '__attribute__((visibility("default"))) int answer(void) { return %d; }\n'

RUN = """
from polhode import controllers, plant, sim

def law(t, y, r, q, z, u):
    for n in range(3):
        u[n] = -2.0 * y[4 + n] * y[3] - y[n]

def spring(c, e):
    return 0.5 * e[1] ** 2

def drag(t, e, omega, c, v):
    return (-0.1 * omega[0], 0.0, 0.0, 0.0, 0.0, 0.0)

craft = plant.Spacecraft(
    plant.RigidBody((3, 2, 1)), potentials=[plant.Potential(spring)], user_forces=[plant.UserForce(drag)]
)
for compiled in (True, False):
    run = sim.simulate(
        craft, controllers.CustomLaw(law, sample=0.1), rate=(0.1, 1.0, 0.1), duration=1.0, output_times=[1.0],
        compiled=compiled
    )
    print(*(f"{number:.12g}" for number in run.x[-1]))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("POLHODE_CACHE_DIR", str(tmp_path))
    kernel_store.kernel_folder.cache_clear()
    yield tmp_path / kernel_store.FOLDER
    kernel_store.kernel_folder.cache_clear()


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    build = kernel_store.build

    def count(*given: object, **more: object) -> object:
        found.append("")
        return build(*given, **more)  # pyright: ignore[reportArgumentType] # as it is called

    monkeypatch.setattr(kernel_store, "build", count)
    return found


def library_of(folder: Path) -> Path:
    (found,) = folder.glob(f"*{kernel_store.SUFFIX}")
    return found


def test_kernel_is_compiled_once(folder: Path, compilations: list[str]) -> None:
    for number in (1, 1, 2):
        assert load_library(TEXT % number).answer() == number
    assert len(compilations) == 2
    assert not list(folder.glob(".*"))
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.glob(f"*{kernel_store.SUFFIX}"))


def test_damaged_library_is_compiled_anew(folder: Path, compilations: list[str]) -> None:
    load_library(TEXT % 3)
    path = library_of(folder)
    content = path.read_bytes()
    path.unlink()  # this process has loaded it
    path.write_bytes(content[:-100])
    path.chmod(0o600)
    assert load_library(TEXT % 3).answer() == 3
    assert len(compilations) == 2


def test_library_without_seal_is_compiled_anew(folder: Path, compilations: list[str]) -> None:
    load_library(TEXT % 4)
    next(folder.glob(f"*{kernel_store.SEAL}")).unlink()
    assert load_library(TEXT % 4).answer() == 4
    assert len(compilations) == 2


def test_library_that_others_can_write_is_not_loaded(
    folder: Path, compilations: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    load_library(TEXT % 5)
    library_of(folder).chmod(0o666)
    load_library(TEXT % 5)
    assert len(compilations) == 2
    assert "others can write to" in capsys.readouterr().err


def test_open_folder_is_not_used(folder: Path, compilations: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    assert load_library(TEXT % 6).answer() == 6
    assert list(folder.iterdir()) == []
    assert "compiled kernels are not loaded from the cache folder" in capsys.readouterr().err


def test_text_that_does_not_compile_leaves_nothing(folder: Path) -> None:
    with pytest.raises(InputError, match="cannot be compiled"):
        load_library("no C at all")
    assert [path.name for path in folder.iterdir() if not path.name.endswith((".TAG", ".lock"))] == []


def test_killed_process_leaves_a_store_that_works(tmp_path: Path) -> None:
    slow = tmp_path / "slow-cc"
    slow.write_text('#!/bin/sh\nsleep 5\nexec cc "$@"\n')
    slow.chmod(0o755)
    env = os.environ | {"POLHODE_CACHE_DIR": str(tmp_path / "cache"), "CC": str(slow)}
    code = f"from polhode.sim.codegen.kernel_store import load_library; print(load_library({TEXT % 7!r}).answer())"
    with subprocess.Popen([sys.executable, "-c", code], env=env) as process:
        folder, until = tmp_path / "cache" / kernel_store.FOLDER, time.monotonic() + 30.0
        while not list(folder.glob(".*.part")) and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    slow.write_text('#!/bin/sh\nexec cc "$@"\n')
    slow.chmod(0o755)
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("7\n", "")


@pytest.mark.slow
def test_processes_that_start_together_share_one_library(tmp_path: Path) -> None:
    env = os.environ | {"POLHODE_CACHE_DIR": str(tmp_path)}
    file = tmp_path / "run.py"
    file.write_text(RUN)
    started = [subprocess.Popen([sys.executable, str(file)], env=env, stdout=subprocess.PIPE) for _ in range(4)]
    answers = {process.communicate()[0] for process in started}
    assert len(answers) == 1
    assert len(list((tmp_path / kernel_store.FOLDER).glob(f"*{kernel_store.SUFFIX}"))) == 2  # the law, and the loads


def test_functions_of_the_user_run_with_and_without_a_compiler(tmp_path: Path) -> None:
    file = tmp_path / "run.py"
    file.write_text(f"import sys\n\nsys.modules['ziglang'] = None  # as if it were not installed\n{RUN}")
    for compiler in ("", "/nowhere/cc"):
        env = os.environ | {"POLHODE_CACHE_DIR": str(tmp_path)}
        env |= {"CC": compiler, "PATH": "/nowhere"} if compiler else {}
        done = subprocess.run([sys.executable, str(file)], env=env, capture_output=True, text=True, check=False)
        fast, plain = done.stdout.splitlines() or ["", done.stderr]
        assert fast == plain
        assert done.stderr.count("\n") == (1 if compiler else 0)
        assert ("there is no C compiler" in done.stderr) == bool(compiler)
