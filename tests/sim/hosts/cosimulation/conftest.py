"""FMUs of the system tests."""

from __future__ import annotations

import pytest

from polhode.sim.codegen.toolchain import c_compiler


@pytest.fixture(scope="session")
def oscillators(tmp_path_factory):
    """Writer of FMUs of oscillators."""
    pytest.importorskip("fmpy", reason="FMPy is in the extra fmi")
    if c_compiler() is None:
        pytest.skip("no C compiler on this machine")
    from .oscillators import Oscillators

    return Oscillators(tmp_path_factory.mktemp("oscillators"))
