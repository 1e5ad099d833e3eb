"""The engine as a C library: it contains every kernel, and is rebuilt when its sources change."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from polhode.controllers.laws.linear_feedback_kernel import linear_feedback_kernel
from polhode.sim.codegen import library_build, library_record, library_store
from polhode.sim.codegen.c99.kinds import REAL, Array
from polhode.sim.codegen.c99.pointer_calls import export_text
from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.c99.refusal import NotTranslatedError
from polhode.sim.codegen.library import has_library, kernel_address, symbol_of
from polhode.sim.codegen.library_build import build_library
from polhode.sim.codegen.library_store import MissingLibraryError
from polhode.sim.codegen.library_text import exported_kernels, library_text
from polhode.sim.codegen.library_variants import best_variant, library_name
from polhode.sim.codegen.toolchain import c_compiler

needs_library = pytest.mark.skipif(not has_library(), reason="no C compiler on this machine")


@needs_library
def test_library_has_every_kernel_under_its_own_name():
    kernels = [kernel for _, kernel in exported_kernels()]
    assert len({symbol_of(kernel) for kernel in kernels}) == len(kernels) > 50
    addresses = {kernel_address(kernel) for kernel in kernels}
    assert None not in addresses
    assert len(addresses) == len(kernels)
    assert kernel_address(law_that_writes_into_its_parameters) is None


@needs_library
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("__main__", "linear_feedback_kernel"),
        ("controllers.laws.linear_feedback_kernel", "linear_feedback_kernel"),  # a user module of that name
        ("polhode.extras.laws", "linear_feedback_kernel"),  # another distribution in the same namespace
        ("polhode.controllers.laws.linear_feedback_kernel", "make.<locals>.linear_feedback_kernel"),
    ],
)
def test_function_of_the_user_is_never_taken_for_a_kernel_of_the_library(module, name):
    def law(t, y, r, q, z, u):
        u[0] = 0.0

    assert kernel_address(linear_feedback_kernel) is not None
    law.__module__, law.__qualname__ = module, name
    assert kernel_address(law) is None
    assert kernel_address(print) is None


@pytest.fixture(scope="module")
def text() -> str:
    return library_text()


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1"])
def test_library_text_is_the_same_in_every_process(text, seed):
    script = "from polhode.sim.codegen.library_text import library_text as t; import sys; sys.stdout.write(t())"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", script]
    assert subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout == text


@pytest.mark.slow
@needs_library
def test_library_passes_compilers_warnings(text, tmp_path):
    source = tmp_path / "engine.c"
    source.write_text(text, encoding="ascii")
    compiler = c_compiler()
    assert compiler is not None
    options = ("-std=c99", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-function")
    done = subprocess.run([*compiler, *options, str(source)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def law_that_writes_into_its_parameters(t, y, r, q, z, u):
    q[0] = t
    u[0] = y[0]


def test_export_refuses_a_kernel_that_writes_what_it_reads():
    row = Array(REAL, 1)
    function = Program("some", whole_records=True).function(
        law_that_writes_into_its_parameters, (REAL, row, row, row, row, row)
    )
    with pytest.raises(NotTranslatedError, match="writes to q, which must only be read"):
        export_text("law", function, "some_law", visible="")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A store in an empty folder whose library is a small text in place of the engine."""
    monkeypatch.setattr(library_store, "FOLDER", tmp_path / "compiled")
    monkeypatch.setenv("POLHODE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(library_build, "refuse_fused", lambda *_, **__: "by nothing")  # it has no probe
    monkeypatch.setattr(
        "polhode.sim.codegen.library_text.library_text", lambda: "int polhode_nothing(void) { return 1; }\n"
    )
    library_store.library_path.cache_clear()
    yield tmp_path / "compiled"
    library_store.library_path.cache_clear()


def found_again() -> Path | None:
    library_store.library_path.cache_clear()
    return library_store.library_path()


@needs_library
def test_store_builds_once_and_compiles_again_only_for_another_text(checkout, monkeypatch, capsys):
    path = checkout / library_name(best_variant())
    assert library_store.library_path() == path
    assert capsys.readouterr().err.count("building the engine's library") == 1
    built = path.stat().st_mtime_ns
    times = count()
    monkeypatch.setattr(library_record, "source_stamp", lambda: f"times {next(times)}")
    monkeypatch.setattr(library_store, "source_stamp", lambda: f"times {next(times)}")
    assert found_again() == path  # the same sources
    monkeypatch.setattr(library_record, "source_digest", lambda: "other sources")
    assert found_again() == path  # which produce the same text
    assert path.stat().st_mtime_ns == built
    assert json.loads((checkout / "sources.json").read_text())["sources"] == "other sources"
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(
        "polhode.sim.codegen.library_text.library_text", lambda: "int polhode_other(void) { return 2; }\n"
    )
    monkeypatch.setattr(library_record, "source_digest", lambda: "still others")
    assert found_again() == path
    assert path.stat().st_mtime_ns != built
    assert not list(checkout.glob(".build-*"))


@needs_library
def test_store_compiles_again_for_other_compiler_options(checkout, monkeypatch):
    path = library_store.library_path()
    assert path is not None
    built = path.stat().st_mtime_ns
    monkeypatch.setattr(library_build, "OPTIONS", (*library_build.OPTIONS, "-DOTHER"))
    monkeypatch.setattr(library_store, "source_stamp", lambda: "later")
    monkeypatch.setattr(library_record, "source_digest", lambda: "other sources")
    assert found_again() == path
    assert path.stat().st_mtime_ns != built


@needs_library
def test_store_compiles_again_after_a_build_cut_off_between_files(checkout, monkeypatch):
    library_store.library_path()
    replace = Path.replace

    def cut_off(part, target):
        if target.name.startswith("engine-"):
            raise KeyboardInterrupt
        return replace(part, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut_off)
        with pytest.raises(KeyboardInterrupt):
            build_library(checkout, text="int polhode_half(void) { return 3; }\n")
    assert json.loads((checkout / "sources.json").read_text()) == {}
    assert found_again() is not None
    assert len(json.loads((checkout / "sources.json").read_text())) == 5


@pytest.mark.thinned(4)
@needs_library
@pytest.mark.parametrize("content", ["", "[]", '{"stamp": 3}', "\x00"])
def test_store_builds_anew_where_its_record_is_damaged(checkout, content):
    library_store.library_path()
    (checkout / "sources.json").write_text(content)
    assert found_again() is not None
    assert len(json.loads((checkout / "sources.json").read_text())) == 5


@needs_library
def test_store_takes_the_library_of_a_wheel_as_it_is(checkout, monkeypatch, capsys):
    path = library_store.library_path()
    assert path is not None
    (checkout / "sources.json").write_text('{"wheel": true}')
    monkeypatch.setattr(library_record, "_sources", lambda: 1 / 0)
    capsys.readouterr()
    assert found_again() == path
    assert capsys.readouterr().err == ""


@needs_library
def test_store_builds_where_a_record_is_missing(checkout, capsys):
    library_store.library_path()
    (checkout / "sources.json").unlink()
    capsys.readouterr()
    assert found_again() is not None
    assert "building" in capsys.readouterr().err


def test_store_reports_why_there_is_no_library(checkout, monkeypatch):
    monkeypatch.setattr("polhode.sim.codegen.toolchain.c_compiler", lambda: None)
    with pytest.raises(MissingLibraryError, match="cannot be built here: no C compiler was found"):
        library_store.library_path()


@needs_library
def test_second_installation_keeps_an_unchanged_library(checkout, monkeypatch, capsys):
    def installed() -> int:
        assert library_build.main() == 0
        return path.stat().st_mtime_ns

    path = checkout / library_name("baseline")
    monkeypatch.setattr("sys.argv", ["library_build", str(checkout)])
    monkeypatch.setattr(library_build, "library_text", lambda: "int polhode_nothing(void) { return 1; }\n")
    first = installed()
    assert capsys.readouterr().out.startswith("compiled, ")
    assert installed() == first
    assert capsys.readouterr().out.startswith("kept, with its sources and compiler unchanged: ")
    assert found_again() is not None  # a start that records the stamp of the checkout
    assert installed() == first
    changes = {
        "sources": lambda: monkeypatch.setattr(library_record, "source_digest", lambda: "other sources"),
        "compiler": lambda: monkeypatch.setattr(library_build, "compiler_version", lambda _: "another version"),
        "damage": lambda: path.write_bytes(path.read_bytes()[:-1] + b"?"),
        "missing variant": path.unlink,
    }
    for name, change in changes.items():
        change()
        capsys.readouterr()
        assert installed() != first, name
        assert capsys.readouterr().out.startswith("compiled, "), name
        assert installed() == path.stat().st_mtime_ns
        first = path.stat().st_mtime_ns


@pytest.mark.slow
@needs_library
def test_processes_that_start_together_build_once(tmp_path):
    script = (
        "import sys; from pathlib import Path; from polhode.sim.codegen import library_store as s, library_text as t\n"
        "from polhode.sim.codegen import library_build as b; b.refuse_fused = lambda *_, **__: ''\n"
        "s.FOLDER = Path(sys.argv[1]); t.library_text = lambda: sys.argv[2]\n"
        "print(s.library_path())"
    )

    def command(text):
        return [sys.executable, "-c", script, str(tmp_path / "compiled"), f"int polhode_{text}(void) {{ return 1; }}\n"]

    subprocess.run(command("stale"), check=True, capture_output=True)
    (tmp_path / "compiled" / "sources.json").write_text("{}")  # as after a change of the sources
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    ends = [each.communicate() for each in [subprocess.Popen(command("new"), **pipes) for _ in range(6)]]
    assert len({out for out, _ in ends}) == 1
    assert sum("building" in error for _, error in ends) == 1
