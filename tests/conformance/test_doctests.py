"""The examples in the docstrings run.

pytest --doctest-modules cannot do this here: it would import plant/ as `plant`, which is refused.
"""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest


def test_examples(modules: dict[str, ModuleType], tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed = [name for name, module in modules.items() if doctest.testmod(module, optionflags=options).failed]
    assert not failed, "see the captured output"
