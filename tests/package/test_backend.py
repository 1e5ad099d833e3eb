"""Files of an editable install. setuptools need not be installed here: a stub replaces it."""

import csv
import hashlib
import importlib.util
import io
import json
import sys
import types
import zipfile
from pathlib import Path

import backend_wheels
import pytest

SOURCE = Path(__file__).resolve().parents[2] / "package" / "backend.py"
HOOKS = (
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
)
INFO = "polhode-0.1.0.dist-info"


def setuptools_editable(folder, config_settings=None, metadata_directory=None):
    """A wheel as setuptools builds it: an import hook, the file that loads it, and its record."""
    name = "polhode-0.1.0-0.editable-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / name, "w") as archive:
        archive.writestr("__editable__.polhode-0.1.0.pth", "import __editable___polhode_0_1_0_finder")
        archive.writestr("__editable___polhode_0_1_0_finder.py", "raise ImportError")
        archive.writestr(f"{INFO}/METADATA", "Name: polhode\n")
        archive.writestr(f"{INFO}/RECORD", "all of it\n")
    return name


@pytest.fixture
def backend(tmp_path, monkeypatch):
    """The backend, in a checkout of four empty rooms."""
    meta = types.ModuleType("setuptools.build_meta")
    for hook in HOOKS:
        setattr(meta, hook, None)
    meta.build_editable = setuptools_editable
    setuptools = types.ModuleType("setuptools")
    setuptools.build_meta = meta
    monkeypatch.setitem(sys.modules, "setuptools", setuptools)
    monkeypatch.setitem(sys.modules, "setuptools.build_meta", meta)
    monkeypatch.syspath_prepend(SOURCE.parent)
    spec = importlib.util.spec_from_file_location("backend", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.FOLDER = tmp_path / "checkout" / "package"
    (module.FOLDER / "polhode").mkdir(parents=True)
    for room in module.ROOMS:
        (module.FOLDER.parent / room).mkdir()
    module.unpatched_build_engine = module.build_engine
    monkeypatch.setattr(module, "build_engine", lambda folder: False)
    return module


@pytest.fixture
def built_by(tmp_path, monkeypatch, backend):
    """The backend, whose build of the engine is a script."""

    def with_script(script):
        checkout = backend.FOLDER.parent
        (backend.FOLDER / "polhode" / "__init__.py").touch()
        codegen = checkout / "sim" / "codegen"
        codegen.mkdir()
        for folder in (checkout / "sim", codegen):
            (folder / "__init__.py").touch()
        (codegen / "library_build.py").write_text(script)
        monkeypatch.setattr(backend, "build_engine", backend.unpatched_build_engine)
        monkeypatch.setattr(backend.compilers, "chosen", dict)
        return backend, tmp_path

    return with_script


def files_of(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_editable_install_is_one_path_with_its_record(backend, tmp_path):
    found = files_of(tmp_path / backend.build_editable(str(tmp_path)))
    assert set(found) == {"__editable__.polhode.pth", f"{INFO}/METADATA", f"{INFO}/RECORD"}
    assert found["__editable__.polhode.pth"] == f"{backend.FOLDER}\n"
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(found[f"{INFO}/RECORD"]))}
    assert set(rows) == set(found)
    assert rows[f"{INFO}/RECORD"] == ["", ""]
    content = found[f"{INFO}/METADATA"].encode()
    assert rows[f"{INFO}/METADATA"] == [f"sha256={backend_wheels.digest(content)}", str(len(content))]


def test_editable_install_finds_new_files(backend, tmp_path):
    backend.build_editable(str(tmp_path))
    (backend.FOLDER.parent / "sim" / "later.py").touch()
    assert (backend.FOLDER / "polhode" / "sim" / "later.py").is_file()
    backend.build_editable(str(tmp_path))  # a second call has no effect
    assert (backend.FOLDER / "polhode" / "sim" / "later.py").is_file()


def test_links_of_a_checkout_that_moved_are_made_anew(backend, tmp_path):
    (backend.FOLDER / "polhode" / "sim").symlink_to(tmp_path / "where it was")
    backend.build_editable(str(tmp_path))
    assert (backend.FOLDER / "polhode" / "sim").samefile(backend.FOLDER.parent / "sim")


def test_backend_without_links_equals_setuptools(backend, tmp_path, monkeypatch, capsys):
    def refused(*_, **__):
        raise OSError("a required privilege is not held")

    monkeypatch.setattr(Path, "symlink_to", refused)
    found = files_of(tmp_path / backend.build_editable(str(tmp_path)))
    assert "__editable___polhode_0_1_0_finder.py" in found
    assert "privilege" in capsys.readouterr().err


def test_folder_in_way_is_left_alone(backend, tmp_path):
    mine = backend.FOLDER / "polhode" / "sim"
    mine.mkdir()
    (mine / "mine.txt").touch()
    assert "__editable___polhode_0_1_0_finder.py" in files_of(tmp_path / backend.build_editable(str(tmp_path)))
    assert (mine / "mine.txt").is_file()


def pure_wheel(folder, config_settings=None, metadata_directory=None):
    name = "polhode-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / name, "w") as archive:
        archive.writestr("polhode/__init__.py", "")
        archive.writestr(f"{INFO}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{INFO}/RECORD", "all of it\n")
    return name


def test_wheel_with_the_engine_is_of_this_platform(backend, tmp_path, monkeypatch):
    def compiled(folder):
        (folder / "engine-some-baseline.so").write_bytes(b"code")
        (folder / "sources.json").write_text("{}")
        return True

    monkeypatch.setattr(backend, "build_engine", compiled)
    monkeypatch.setattr(backend.build_meta, "build_wheel", pure_wheel)
    monkeypatch.setattr(backend.sysconfig, "get_platform", lambda: "linux-x86_64")
    name = backend.build_wheel(str(tmp_path))
    assert name == "polhode-0.1.0-py3-none-linux_x86_64.whl"
    assert [path.name for path in tmp_path.glob("*.whl")] == [name]
    files = files_of(tmp_path / name)
    assert files["polhode/sim/codegen/compiled/engine-some-baseline.so"] == "code"
    record = json.loads(files["polhode/sim/codegen/compiled/sources.json"])
    assert record == {"wheel": True, "files": {"engine-some-baseline.so": hashlib.sha256(b"code").hexdigest()}}
    about = files[f"{INFO}/WHEEL"]
    assert "Root-Is-Purelib: false" in about
    assert about.splitlines()[-1] == "Tag: py3-none-linux_x86_64"
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(files[f"{INFO}/RECORD"]))}
    assert set(rows) == set(files)
    assert rows["polhode/sim/codegen/compiled/engine-some-baseline.so"] == [
        f"sha256={backend_wheels.digest(b'code')}",
        "4",
    ]


def test_wheel_without_the_engine_is_for_any_platform(backend, tmp_path, monkeypatch):
    monkeypatch.setattr(backend.build_meta, "build_wheel", pure_wheel)
    assert backend.build_wheel(str(tmp_path)) == "polhode-0.1.0-py3-none-any.whl"


@pytest.mark.parametrize(
    ("compiler", "obtainable", "needs"),
    [(("cc",), True, []), (None, True, ["ziglang>=0.13"]), (None, False, [])],
    ids=["compiler", "zig", "neither"],
)
def test_build_requires_zig_only_without_a_compiler(backend, monkeypatch, capsys, compiler, obtainable, needs):
    monkeypatch.setattr(backend.compilers, "working", lambda: compiler)
    monkeypatch.setattr(backend.compilers, "zig_is_obtainable", lambda: obtainable)
    monkeypatch.setattr(backend.build_meta, "get_requires_for_build_wheel", lambda settings: ["wheel"])
    assert backend.get_requires_for_build_wheel() == ["wheel", *needs]
    assert backend.get_requires_for_build_editable() == ["wheel", *needs]
    assert ("ziglang is not obtainable" in capsys.readouterr().err) == (not obtainable)


def test_failed_build_of_the_engine_is_one_sentence(built_by, capsys):
    """A build without compiler leaves the engine out, and says why."""
    backend, folder = built_by("import sys; sys.exit('polhode: no C compiler was found')")
    assert not backend.build_engine(folder)
    assert capsys.readouterr().err == "polhode: installed without the compiled engine: no C compiler was found\n"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import a_library_that_is_not_installed", "No module named 'a_library_that_is_not_installed'"),
        ("import sys; sys.exit('polhode: engine.c cannot be compiled')", "): engine.c cannot be compiled; to install"),
        ("import os; os.kill(os.getpid(), 9)", "): its process ended with -9; to install"),
    ],
    ids=["translator", "compiler", "killed"],
)
@pytest.mark.parametrize("install", ["build_wheel", "build_editable"])
def test_build_with_a_compiler_fails_without_its_engine(built_by, monkeypatch, script, reason, install):
    """A wheel without the engine is for machines without a compiler, or on request."""
    backend, folder = built_by(script)
    monkeypatch.setattr(backend.build_meta, "build_wheel", pure_wheel)
    monkeypatch.setattr(backend.compilers, "chosen", lambda: {"CC": "my cc"})
    with pytest.raises(SystemExit) as refused:
        getattr(backend, install)(str(folder))
    words = str(refused.value.code)
    assert words.startswith("polhode: the engine cannot be built although a C compiler works here (my cc): ")
    assert reason in words
    assert words.endswith("add -C engine=none")
    assert getattr(backend, install)(str(folder), {"engine": "none"}).endswith(".whl")


def test_universal_python_makes_a_wheel_of_its_own_processor(backend, monkeypatch):
    monkeypatch.setattr(backend.sysconfig, "get_platform", lambda: "macosx-11.0-universal2")
    monkeypatch.setattr(backend.platform, "machine", lambda: "arm64")
    assert backend.tag() == "macosx_11_0_arm64"
