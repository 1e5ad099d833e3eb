"""The guide builds without a warning, with every page executed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
NEEDED = ("sphinx", "myst_nb", "pydata_sphinx_theme", "numpydoc", "fmpy")
MISSING = [name for name in NEEDED if find_spec(name) is None]


@pytest.mark.parametrize("page", [name for name in PAGES if "/" in name])
def test_guide_page_cells_are_python_and_its_links_exist(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    cells = re.findall(r"^```\{code-cell\} python\n(?::[^\n]*\n)*(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    assert text.count("{code-cell}") == len(cells)
    assert bool(cells) == text.startswith("---\nfile_format: mystnb\n")
    for number, cell in enumerate(cells):
        compile(cell, f"{page}, cell {number}", "exec")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert ((DOCS / page).parent / target).exists(), target


def test_guide_index_lists_every_page() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8").splitlines()
    assert [name for name in PAGES if name != "index.md" and name.removesuffix(".md") not in index] == []


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"the guide needs {', '.join(MISSING)}: pip install 'polhode[docs]'")
def test_guide_builds_without_a_warning(tmp_path: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-b",
        "html",
        str(DOCS),
        str(tmp_path / "site"),
    ]
    environment = {**os.environ, "LC_ALL": "C"}  # Sphinx refuses a locale that the machine does not have
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=3000, env=environment)
    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*.html")}
    assert {name.replace(".md", ".html") for name in PAGES} <= pages
    from polhode.scenarios import shipped_cases

    pictures = {path.stem for path in (tmp_path / "site" / "_gallery").glob("*.png")}
    assert pictures == set(shipped_cases())
