"""The examples in the docstrings run.

pytest --doctest-modules cannot do this here: it would import plant/ as `plant`, which is refused.
"""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest


def test_examples(module: ModuleType, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert result.failed == 0, "see the captured output"
