"""Directive whose content is Markdown that a function writes."""

from sphinx.util.docutils import SphinxDirective


class MarkdownDirective(SphinxDirective):
    """Base: `markdown` returns the text, which is parsed where the directive is."""

    optional_arguments = 1
    final_argument_whitespace = True

    def markdown(self) -> str:
        """Return the text."""
        raise AttributeError(f"{type(self).__name__} writes no text")

    def run(self) -> list:
        """Return the nodes of the text."""
        return self.parse_text_to_nodes(self.markdown(), allow_section_headings=True)


def cell(text: str) -> str:
    """Return text as a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table; cells are Markdown already."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
