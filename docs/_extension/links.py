"""Links from a page to files of the repository outside the guide become the path of the file, in code letters."""

import re
from typing import Any

OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+((?:scenarios|sim|plant|controllers|tests|package|LICENSE)[^)]*)\)")


def replace(_app: Any, _page: str, source: list[str]) -> None:
    """Replace them in the text of a page."""
    source[0] = OUTSIDE.sub(r"\1 (`\2`)", source[0])


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", replace)
    return {"parallel_read_safe": True}
