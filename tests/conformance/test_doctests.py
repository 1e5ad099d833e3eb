"""The examples in the docstrings run.

pytest --doctest-modules cannot run them: it would import plant/ as `plant`, which is refused.
"""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest


def test_examples(modules: dict[str, ModuleType], tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    finder = doctest.DocTestFinder()
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    docstrings = [docstring for module in modules.values() for docstring in finder.find(module)]
    # a runner takes two milliseconds even for a docstring without examples
    failed = [docstring.name for docstring in docstrings if docstring.examples and runner.run(docstring).failed]
    assert not failed, "see the captured output"
