"""README and guide: blocks run, commands and links exist."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from polhode import __version__

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
GUIDE = {page.name: page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md"))}
READING_ORDER = (
    "spacecraft", "environment", "design", "sensing", "identification", "modes", "faults", "external", "command-line",
    "campaigns",
)  # fmt: skip
COMMANDS = dict(re.findall(r"^<!-- command: (\w+) -->\n```bash\n(.*?)\n```", README, flags=re.MULTILINE | re.DOTALL))


def polhode(*words: str) -> subprocess.CompletedProcess[str]:
    code = "from polhode.scenarios.commands.invoke import main; main()"
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)


def python_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def test_python_blocks_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    import matplotlib as mpl

    mpl.use("Agg")
    pages = {"README.md": README} | {f"{name}.md": GUIDE[f"{name}.md"] for name in READING_ORDER}
    assert all(python_blocks(text) for text in pages.values())
    assert not any(python_blocks(text) for name, text in GUIDE.items() if name not in pages)
    names: dict[str, object] = {"__name__": "readme"}
    try:
        for name, text in pages.items():  # in sequence, as a reader would type them
            for block in python_blocks(text):
                exec(compile(block, name, "exec"), names)
    finally:
        import matplotlib.pyplot as plt

        plt.close("all")


def test_ci_runs_the_commands_of_the_readme() -> None:
    assert set(COMMANDS) == {"run", "test"}
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    done = subprocess.run(
        ["bash", str(ROOT / ".ci" / "run"), "--show"],
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout.splitlines() == [COMMANDS["run"], COMMANDS["test"]]


def test_readme_case_is_shipped() -> None:
    named = re.search(r"polhode run (\S+)", COMMANDS["run"])
    assert named is not None
    assert (ROOT / "scenarios" / "cases" / f"{named[1]}.toml").is_file()


def test_every_command_has_a_row_in_its_page() -> None:
    table = re.findall(r"^\| `polhode (\S+?)[ `]", GUIDE["command-line.md"], flags=re.MULTILINE)
    assert len(table) > 1
    from typer.main import get_command

    from polhode.scenarios.commands.cli import app

    verbs: Any = get_command(app)
    assert set(table) == set(verbs.commands)


def test_options_exist() -> None:
    offered = polhode("run", "--help").stdout
    for option in ("--json", "--set", "--out", "--at"):
        assert option in README
        assert option in offered


def test_options_named_in_pages_and_sources_exist() -> None:
    from typer.main import get_command

    from polhode.scenarios.commands.cli import app

    verbs: Any = get_command(app)
    offered = {verb: {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
               for verb, command in verbs.commands.items()}  # fmt: skip
    named: set[tuple[str, str, str]] = set()
    for page in (path for pattern in ("*.md", "*.py", "*.toml") for path in ROOT.rglob(pattern)):
        if page.relative_to(ROOT).parts[0] in {"README.md", "docs", "plant", "controllers", "sim", "scenarios"}:
            text = page.read_text(encoding="utf-8")
            for verb, words in re.findall(r"polhode ([a-z]+)\b((?:[^`\n#|;\"\]]|\[)*)", text):
                named |= {(page.name, verb, option) for option in re.findall(r" (--[a-z][\w-]*)", words)}
    assert len(named) > 20
    assert not {each for each in named if each[2] not in offered.get(each[1], {each[2]}) | {"--help"}}


def test_readme_is_short_and_lists_every_page_of_the_guide() -> None:
    assert len(README.splitlines()) <= 140
    for name in GUIDE:
        assert f"(docs/{name})" in README, name


def test_changelog_names_the_version() -> None:
    headings = re.findall(r"^## .*$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert any(__version__ in heading for heading in headings)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *(f"docs/{name}" for name in GUIDE)])
def test_links_and_folders_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert ((ROOT / page).parent / target).exists(), target
    for folder in re.findall(r"`((?:plant|controllers|sim|scenarios|tests)/[\w/-]*)`", text):
        assert (ROOT / folder).is_dir(), folder


def test_contributing_and_ci_run_the_same_checks() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    for tool in (
        "ruff format",
        "ruff check",
        "pyright --pythonpath .venv/bin/python",
        "lint-imports",
    ):
        assert tool in script
        assert tool in hooks
        assert tool.split()[0] in CONTRIBUTING
