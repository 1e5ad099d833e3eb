"""The check that no library contracts a product with a sum, and its result for a contracting or missing library."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import pytest

from polhode.sim.codegen import fusion_check, library, library_build, library_store, toolchain
from polhode.sim.codegen.fusion_check import FusedError, fused_outputs, refuse_fused
from polhode.sim.codegen.library import has_library
from polhode.sim.codegen.library_build import build_library, checks_in_words
from polhode.sim.codegen.library_store import MissingLibraryError
from polhode.sim.codegen.library_variants import best_variant, library_name, machine, runs_here

from .small_library import small_text

needs_library = pytest.mark.skipif(not has_library(), reason="no C compiler on this machine")
can_fuse = pytest.mark.skipif(
    machine() == "x86_64" and best_variant() == "baseline", reason="this processor has no fused arithmetic"
)
FMA = ("-mfma", "-mavx2") if machine() == "x86_64" else ()
FUSED = {
    "all": (*FMA, "-ffp-contract=fast"),
    "scalars": (*FMA, "-ffp-contract=fast", "-fno-tree-vectorize", "-fno-tree-slp-vectorize"),
}
"""Options under which any compiler fuses."""

PAIRS = {
    "loops": ("-march=x86-64-v4", "-ftree-loop-vectorize", "-fno-tree-slp-vectorize"),
    "straight": ("-march=x86-64-v4", "-fno-tree-loop-vectorize", "-ftree-slp-vectorize"),
}
"""Options under which gcc 12 fuses pairs of a difference and a sum in spite of -ffp-contract=off."""


@pytest.fixture
def no_objdump(monkeypatch):
    monkeypatch.setattr(fusion_check, "shutil", SimpleNamespace(which=lambda _: None))


@needs_library
@can_fuse
@pytest.mark.parametrize("options", FUSED.values(), ids=FUSED)
def test_build_refuses_fused_products_without_objdump(tmp_path, monkeypatch, no_objdump, options):
    monkeypatch.setattr(library_build, "VARIANTS", {machine(): {"baseline": options}})
    with pytest.raises(
        FusedError, match=r"contracted products and sums \(FMA\) in engine-.*: \d+ of 600 probe results differ"
    ):
        build_library(tmp_path, text=small_text("fused"))
    assert not list(tmp_path.iterdir())


@needs_library
@pytest.mark.skipif(not runs_here("v4"), reason="no AVX-512")
@pytest.mark.skipif(not toolchain._is_gcc(toolchain.c_compiler() or ("gcc",)), reason="not gcc")
@pytest.mark.parametrize("options", PAIRS.values(), ids=PAIRS)
def test_probe_finds_pairs_where_machine_code_has_them(tmp_path, monkeypatch, options):
    """For any behaviour of this gcc with the pairs, results and machine code agree."""
    monkeypatch.setattr(toolchain, "GCC_ONLY", ())
    source = tmp_path / "small.c"
    source.write_text(small_text("pairs"))
    toolchain.build([source], tmp_path / "small.so", options=(*library_build.OPTIONS, *options))
    code = subprocess.run(["objdump", "-d", str(tmp_path / "small.so")], capture_output=True, text=True, check=True)
    fused = fusion_check._FUSED.search(code.stdout) is not None
    assert (fused_outputs(ctypes.CDLL(str(tmp_path / "small.so"))) > 0) == fused


@needs_library
def test_machine_code_is_checked_where_the_library_cannot_run(tmp_path, monkeypatch):
    monkeypatch.setattr(library_build, "runs_here", lambda _: False)
    monkeypatch.setattr(fusion_check, "_FUSED", fusion_check.re.compile("ret"))
    with pytest.raises(FusedError, match=r"contracted products and sums \(ret\) in engine-"):
        build_library(tmp_path, text=small_text("plain"))


@needs_library
def test_build_reports_how_it_was_checked(tmp_path, no_objdump, monkeypatch):
    files = build_library(tmp_path, text=small_text("plain"))
    for variant in library_build.variants_here():  # v4 runs on some processors only
        check = "by probe results" if runs_here(variant) else "when it is loaded"
        assert files[tmp_path / library_name(variant)] == check
    assert checks_in_words(files).startswith("checked for fused products: engine-")
    monkeypatch.setattr(library_build, "runs_here", lambda _: False)
    assert set(build_library(tmp_path, text=small_text("plain")).values()) == {"when it is loaded"}


@needs_library
def test_build_refuses_library_without_probe(tmp_path, no_objdump):
    with pytest.raises(library_build.InputError, match="cannot be checked for fused products: AttributeError"):
        build_library(tmp_path, text="int polhode_nothing(void) { return 1; }\n")


def test_every_round_has_a_scalar_that_fused_arithmetic_changes():
    """The first scalar, in exact arithmetic rounded once, like a fused multiply-add."""
    different = 0
    for x, y in fusion_check._rounds():
        a, b, c = (Fraction(each) for each in x[:3])
        plain = x[0] * x[1] + x[2]
        assert y[0] == plain
        different += float(a * b + c) != plain
    assert different >= 1


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """The loader of the engine with an empty store that behaves as in a wheel."""
    monkeypatch.setattr(library_store, "FOLDER", tmp_path)
    monkeypatch.delenv("POLHODE_PLAIN", raising=False)
    (tmp_path / "sources.json").write_text('{"wheel": true}')
    loader = library._library
    loader.cache_clear()
    library_store.library_path.cache_clear()
    yield tmp_path
    loader.cache_clear()
    library_store.library_path.cache_clear()


def test_wheel_for_another_machine_is_reported_once(wheel, capsys):
    (wheel / "engine-pdp11-baseline.so").write_bytes(b"")
    assert not has_library()
    assert not has_library()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("polhode: this installation of polhode has no engine library for this machine (")
    assert line.endswith("everything runs as plain Python instead, with the same results but slowly")


def test_library_that_does_not_load_is_reported_once(wheel, capsys):
    (wheel / library_name("baseline")).write_bytes(b"no library")
    assert not has_library()
    (line,) = capsys.readouterr().err.splitlines()
    assert "the engine's library cannot be loaded: " in line
    assert line.endswith("everything runs as plain Python instead, with the same results but slowly")


def test_version_reports_missing_library(wheel, capsys):
    library.announce_missing()
    assert "no engine library for this machine" in capsys.readouterr().err


@needs_library
def test_version_reports_nothing_where_a_library_is_or_can_be_built(wheel, capsys):
    build_library(wheel, text=small_text("plain"))  # which empties the record
    library.announce_missing()
    assert list(wheel.glob("engine-*"))
    assert capsys.readouterr().err == ""
    (wheel / "sources.json").write_text('{"wheel": true}')
    library_store.library_path.cache_clear()
    library.announce_missing()
    assert capsys.readouterr().err == ""


@needs_library
@can_fuse
def test_fused_library_is_not_loaded(wheel, capsys, monkeypatch):
    source = wheel / "engine.c"
    source.write_text(small_text("fused"))
    path = wheel / library_name("baseline")
    toolchain.build([source], path, options=(*library_build.OPTIONS, *FUSED["all"]))
    with pytest.raises(MissingLibraryError, match="fuses products with sums on this machine"):
        library._loaded(path)
    with pytest.raises(FusedError):
        refuse_fused(path, runs_here=True)


def test_worker_processes_leave_the_report_to_the_main_process(wheel):
    script = (
        "import multiprocessing as m, sys; from pathlib import Path\n"
        "from polhode.sim.codegen import library, library_store\n"
        "def look(folder):\n"
        "    library_store.FOLDER = Path(folder); return library.has_library()\n"
        "if __name__ == '__main__':\n"
        "    with m.get_context('fork').Pool(2) as pool: print(pool.map(look, [sys.argv[1]] * 2))\n"
        "    look(sys.argv[1])\n"
    )
    if sys.platform != "linux":
        pytest.skip("processes are not forked here")
    environment = {name: value for name, value in os.environ.items() if name != "POLHODE_PLAIN"}
    done = subprocess.run(
        [sys.executable, "-c", script, str(wheel)], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.split() == ["[False,", "False]"]
    assert done.stderr.count("no engine library for this machine") == 1
