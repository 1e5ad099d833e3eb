"""Wheels of every platform: facts read from a library, detected faults, and the build by zig."""

from __future__ import annotations

import importlib.util
import io
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import backend_wheels
import pytest

from polhode.sim.codegen.library import has_library, symbol_of
from polhode.sim.codegen.library_build import variants_here
from polhode.sim.codegen.library_store import library_path
from polhode.sim.codegen.library_text import exported_kernels, library_text
from polhode.sim.codegen.library_variants import library_name
from tests.sim.codegen.small_library import small_text

CI = Path(__file__).resolve().parents[2] / ".ci"
linux = pytest.mark.skipif(sys.platform != "linux" or not has_library(), reason="no ELF library here")
needs_zig = pytest.mark.skipif(find_spec("ziglang") is None, reason="needs ziglang (extra cross)")


def loaded(name):
    spec = importlib.util.spec_from_file_location(name, CI / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def symbols():
    return loaded("binary_symbols")


def test_wheel_without_its_engine_fails_the_check_of_ci(tmp_path):
    ci = loaded("engine")
    built = {library_name(variant) for variant in variants_here()}
    baseline = library_name("baseline")
    tangents = next((name for name in built if "tangents" in name), baseline)
    for tag, libraries, fault in (
        ("any", {}, f"lacks {ci.IN_WHEEL}/{baseline}"),
        ("linux_x86_64", built, f"lacks {ci.IN_WHEEL}/sources.json"),
        ("linux_x86_64", {*built, "sources.json"} - {tangents}, f"lacks {ci.IN_WHEEL}/{tangents}"),
        ("any", {*built, "sources.json"}, "is tagged for any platform"),
        ("linux_x86_64", {*built, "sources.json"}, ""),
    ):
        wheel = tmp_path / f"polhode-0.1.0-py3-none-{tag}.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for name in libraries:
                archive.writestr(f"{ci.IN_WHEEL}/{name}", b"code")
        faults = ci.wheel_faults(wheel)
        assert any(fault in each for each in faults) if fault else faults == []


@pytest.fixture(scope="module")
def wheels(symbols):
    return loaded("wheels")


@linux
@pytest.mark.parametrize("variant", ["engine-x86_64-baseline.so", "the loaded one"])
def test_library_of_this_machine_exports_its_text_and_imports_mathematics(symbols, wheels, variant):
    path = library_path()
    found = symbols.read_symbols(path.with_name(variant) if path.with_name(variant).exists() else path)
    kernels = {symbol_of(kernel) for _, kernel in exported_kernels()}
    assert len(kernels) > 50
    assert kernels | {"polhode_advance_entry", "polhode_fusion_entry"} <= found.exported
    assert {"sin", "cos", "atan2"} <= found.imported <= wheels.MATHEMATICS | wheels.STARTING
    assert "libm.so.6" in found.needs


def test_other_files_are_no_libraries(symbols, tmp_path):
    (tmp_path / "text.so").write_bytes(b"GROUP ( libm.so.6 )")
    with pytest.raises(ValueError, match="no library of 64 bits"):
        symbols.read_symbols(tmp_path / "text.so")


FAULTS = {
    "another processor": ({"processor": "x86_64"}, "it is ELF for x86_64"),
    "nothing exported": ({"exported": set()}, "1 exported names are missing, such as polhode_entry"),
    "a foreign name": ({"imported": {"sin", "__addtf3", "omp_get"}}, "it needs __addtf3, omp_get"),
    "a newer glibc": ({"needs": {"GLIBC_2.17", "GLIBC_2.29"}}, "it needs glibc (2, 29)"),
}


@pytest.mark.parametrize(("change", "words"), FAULTS.values(), ids=FAULTS)
def test_faults_of_a_library_are_named(symbols, wheels, change, words):
    platform = next(each for each in wheels.PLATFORMS if each.tag.startswith("manylinux_2_17_aarch64"))
    sound = {"format": "ELF", "processor": "aarch64", "exported": {"polhode_entry"}, "imported": {"sin", "memset"}}
    exports = {"polhode_entry"}
    assert wheels.faults(platform, symbols.Symbols(**sound, needs={"libm.so.6", "GLIBC_2.17"}), exports) == []
    assert wheels.faults(platform, symbols.Symbols(**{**sound, **change}), exports) == [words]


@pytest.mark.parametrize(
    "line",
    ["\tfmadd\td0, d1, d2, d3", "\tfmla.2d\tv0, v1, v2", "\tfnmsub\td0, d1, d2, d3", "\tvfmaddsub213pd\t%ymm0, %ymm1",
     "\tvfnmadd231sd\t%xmm0, %xmm1, %xmm2"],
)  # fmt: skip
def test_fused_products_are_found_in_assembly(wheels, line):
    assert wheels.FUSED.search(f"polhode_entry:\n{line}\n")
    assert not wheels.FUSED.search(
        '\tfmul\td0, d1, d2\n\tfadd\td0, d0, d3\n\tvaddsubpd\t%ymm0, %ymm1\n\t.ascii "fmadd"\n'
    )


def test_wheel_for_two_tags_names_both(tmp_path):
    wheel = tmp_path / "polhode-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("polhode-0.1.0.dist-info/WHEEL", "Root-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("polhode-0.1.0.dist-info/RECORD", "")
    library = tmp_path / "engine-some-baseline.so"
    library.write_bytes(b"code")
    named = backend_wheels.with_libraries(wheel, [library], "manylinux_2_17_x86_64.manylinux2014_x86_64")
    assert named.name == "polhode-0.1.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
    with zipfile.ZipFile(io.BytesIO(named.read_bytes())) as archive:
        lines = archive.read("polhode-0.1.0.dist-info/WHEEL").decode().splitlines()
    assert lines == [
        "Root-Is-Purelib: false",
        "Tag: py3-none-manylinux_2_17_x86_64",
        "Tag: py3-none-manylinux2014_x86_64",
    ]


def test_exported_names_are_read_from_the_text(wheels):
    assert "polhode_fusion_entry" in wheels.EXPORT.findall(small_text("small"))


@needs_zig
@pytest.mark.slow
@pytest.mark.parametrize("target", ["x86_64-linux", "aarch64-linux", "x86_64-macos", "aarch64-macos", "x86_64-windows"])
def test_zig_builds_a_library_for_every_platform(symbols, wheels, tmp_path, target):
    """The whole engine for Linux on arm64, whose baseline has fused instructions; a small text for the others."""
    platform = next(each for each in wheels.PLATFORMS if each.target.startswith(target))
    text = library_text() if target == "aarch64-linux" else small_text("small")
    source = tmp_path / "engine.c"
    source.write_text(text, encoding="ascii")
    for variant in platform.variants:
        found = symbols.read_symbols(wheels.compiled(platform, variant, source))
        assert wheels.faults(platform, found, set(wheels.EXPORT.findall(text))) == []


@needs_zig
@pytest.mark.slow
@pytest.mark.parametrize("target", ["aarch64-linux", "x86_64-linux"])
def test_fused_products_stop_the_build(wheels, tmp_path, monkeypatch, target):
    """The same library with contraction allowed: each processor has instructions for it."""
    platform = next(each for each in wheels.PLATFORMS if each.target.startswith(target))
    monkeypatch.setattr(wheels, "EXACT", ("-std=c99", "-ffp-contract=fast"))
    source = tmp_path / "engine.c"
    source.write_text(small_text("small"), encoding="ascii")
    with pytest.raises(SystemExit, match="fuses products with sums"):
        wheels.compiled(platform, list(platform.variants)[-1], source)
