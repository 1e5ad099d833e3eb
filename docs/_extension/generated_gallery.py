"""Directive `case-gallery`: every shipped case with its picture, its verdicts and its file."""

from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from markdown_directive import MarkdownDirective, cell
from sphinx.util import logging

from polhode.scenarios import LoadedCase, load_case, run_case, shipped_cases
from polhode.scenarios.pictures.run.plots import overview

FOLDER = "_gallery"
LOG = logging.getLogger(__name__)


def draw(name: str, file: Path) -> None:
    """Run a case and save its overview."""
    result = run_case(name)
    case = load_case(name).case
    page = overview(result.run, name=name, title=case.title, settling_band_deg=case.metrics.settling_band_deg)
    page.savefig(file, dpi=60)


def draw_all(app: Any) -> None:
    """Draw what is missing, and what belongs to another text of the case."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name in shipped_cases():
        file, text = folder / f"{name}.png", folder / f"{name}.toml"
        loaded = load_case(name)
        if not file.is_file() or not text.is_file() or text.read_text(encoding="utf-8") != loaded.text:
            LOG.info("gallery: %s", name)
            draw(name, file)
            text.write_text(loaded.text, encoding="utf-8")


def section(name: str, loaded: LoadedCase, up: str) -> str:
    """Return the Markdown of one case."""
    picture = f'<a href="{up}{FOLDER}/{name}.png"><img loading="lazy" width="100%" src="{up}{FOLDER}/{name}.png"'
    return "\n".join(
        [
            f"## {name}\n",
            f"**{cell(loaded.case.title)}.** {cell(loaded.case.description)}\n",
            "```{raw} html",
            f'{picture} alt="Overview of the run of {escape(name)}"></a>',
            f"<details><summary>The file {escape(name)}.toml</summary><pre>{escape(loaded.text)}</pre></details>",
            "```\n",
        ]
    )


class Gallery(MarkdownDirective):
    """All shipped cases."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes; the page depends on every case."""
        for name in shipped_cases():
            self.env.note_dependency(str(Path(__file__).parents[2] / "scenarios" / "cases" / f"{name}.toml"))
        return super().run()

    def markdown(self) -> str:
        """Return a section for each."""
        up = "../" * self.env.docname.count("/")
        return "\n".join(section(name, load_case(name), up) for name in shipped_cases())


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("case-gallery", Gallery)
    app.connect("builder-inited", draw_all)
    return {"parallel_read_safe": True}
