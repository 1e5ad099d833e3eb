"""The compiler of a build: the first that works, else zig, if pip finds it."""

import os
import shlex
import sys
from pathlib import Path

import backend_compilers as compilers
import pytest

WORKS = 'for last; do out=$next; next=$last; [ "$out" = -o ] && : >"$last"; done; exit 0'
BROKEN = 'echo "fatal error: math.h: No such file or directory" >&2; exit 1'

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the compilers here are shell scripts")


@pytest.fixture
def path_with(tmp_path, monkeypatch):
    """Programs by name; PATH has no others."""
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    def put(**programs):
        for name, script in programs.items():
            file = tmp_path / name
            file.write_text(f"#!/bin/sh\n{script}\n")
            file.chmod(0o755)

    return put


def test_first_working_compiler_is_chosen(path_with):
    assert compilers.working() is None
    path_with(gcc=WORKS, clang=WORKS)
    assert compilers.working() == ("gcc",)
    path_with(cc=BROKEN)  # such as gcc without the headers of the C library
    assert compilers.working() == ("gcc",)
    assert compilers.chosen() == {"CC": "gcc"}


def test_cc_is_chosen_with_its_arguments(path_with, monkeypatch):
    path_with(cc=WORKS, ccache=WORKS)
    monkeypatch.setenv("CC", "ccache 'a compiler' -m64")
    assert compilers.working() == ("ccache", "a compiler", "-m64")
    assert shlex.split(compilers.chosen()["CC"]) == ["ccache", "a compiler", "-m64"]
    monkeypatch.setenv("CC", "none-of-this-name")
    assert compilers.working() == ("cc",)


def test_compiler_that_hangs_is_left(path_with, monkeypatch):
    path_with(cc="exec /bin/sleep 60")
    monkeypatch.setattr(compilers, "LIMIT_S", 0.2)
    assert compilers.working() is None


def test_zig_is_chosen_where_no_compiler_works(path_with, monkeypatch):
    path_with(cc=BROKEN)
    monkeypatch.setattr(compilers, "find_spec", lambda name: None)
    assert compilers.chosen() == {}
    monkeypatch.setattr(compilers, "find_spec", lambda name: object())
    assert shlex.split(compilers.chosen()["CC"]) == [sys.executable, "-m", "ziglang", "cc"]


@pytest.fixture
def without_zig(monkeypatch, tmp_path):
    """No ziglang is installed, and commands are those of a dictionary."""
    monkeypatch.setattr(compilers, "find_spec", lambda name: None)
    results = {"--version": True}
    monkeypatch.setattr(
        compilers, "_succeeds", lambda command: results.get(command[4] if "pip" in command else "", False)
    )
    return results


@pytest.mark.parametrize("found", [True, False])
def test_pip_reports_whether_zig_is_obtainable(without_zig, found):
    without_zig["index"] = found
    assert compilers.zig_is_obtainable() == found


def test_zig_counts_as_obtainable_where_nothing_can_report_it(without_zig, monkeypatch):
    without_zig["--version"] = False
    monkeypatch.setenv("PATH", "")
    assert compilers.zig_is_obtainable()


@pytest.mark.slow
def test_pip_finds_zig_among_wheels_without_an_index(tmp_path, monkeypatch):
    """pip itself, without a network: an empty folder of wheels has no zig, one with a file of its name has."""
    monkeypatch.setattr(compilers, "find_spec", lambda name: None)
    if not compilers._succeeds([sys.executable, "-I", "-m", "pip", "--version"]):
        pytest.skip("no pip here")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", tmp_path.as_uri())  # pip splits a path at spaces
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert not compilers.zig_is_obtainable()
    Path(tmp_path, "ziglang-0.17.1-py3-none-any.whl").touch()
    assert compilers.zig_is_obtainable()
