"""Page of a playback: one HTML file that makes no network requests."""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ....controllers.laws.files.whole_file import write_whole
from ....plant.plain_text import plain_text
from ....sim.codegen.escaped import html_text
from .data import playback_data

if TYPE_CHECKING:
    from ....sim import Run
    from ...case.schema import Case

SCRIPTS: Final = (
    "three.min.js",
    "namespace.js",
    "channels.js",
    "look.js",
    "solids.js",
    "parts.js",
    "arrows.js",
    "traces.js",
    "ellipsoid.js",
    "gimbals.js",
    "stage.js",
    "scene.js",
    "words.js",
    "controls.js",
    "mount.js",
)
"""Scripts in the order in which they run."""


def playback_parts(run: "Run", case: "Case | None" = None, *, name: str = "", title: str = "") -> dict[str, Any]:
    """Return data, scripts and styles of a playback that is embedded in a different page.

    Parameters
    ----------
    run : Run
        The run.
    case : Case, optional
        Case of the run; see `playback_data`.
    name, title : str
        Name and title of the case.

    Returns
    -------
    dict
        `data` for `mount(element, data, page)`; `scripts` and `styles`, tuples of strings for inline elements, in
        order. The last script defines `polhodePlayback.mount` and, if the page has `polhode.register`, registers the
        section "playback".
    """
    data = playback_data(run, case, name=name, title=title)
    return {"data": data, "scripts": tuple(map(_text, SCRIPTS)), "styles": (_text("playback.css"),)}


def playback_page(run: "Run", case: "Case | None" = None, *, name: str = "", title: str = "") -> str:
    """Return the HTML of a playback.

    Parameters
    ----------
    run : Run
        The run.
    case : Case, optional
        Case of the run; see `playback_data`.
    name, title : str
        Name and title of the case; any string.

    Returns
    -------
    str
        HTML document whose content security policy permits only its own scripts and styles, by checksum, and no
        network requests.
    """
    return _page(playback_data(run, case, name=name, title=title))


def _page(data: Mapping[str, Any]) -> str:
    name, title = data["name"], data["title"]
    scripts = [*map(_text, SCRIPTS), _text("standalone.js")]
    styles = [_text("playback.css"), _text("standalone.css")]
    policy = (
        f"default-src 'none'; script-src {' '.join(map(_checksum, scripts))}; "
        f"style-src {' '.join(map(_checksum, styles))}; base-uri 'none'; form-action 'none'"
    )
    heading = _escaped(f"{name}: {title}" if name and title else name or title or "Playback of a run")
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{heading}</title>",
            *(f"<style>{style}</style>" for style in styles),
            "</head>",
            f'<body><main><h1>{heading}</h1><div id="playback"></div>',
            "<noscript><p>This page draws with JavaScript, which this browser does not run.</p></noscript></main>",
            f'<script id="playback-data" type="application/json">{_json(data)}</script>',
            *(f"<script>{script}</script>" for script in scripts),
            "</body></html>\n",
        )
    )


def write_playback(out: str | Path, run: "Run", *, case: "Case | None" = None, name: str = "", title: str = "") -> Path:
    """Write the page of a playback, either completely or not at all.

    Parameters
    ----------
    out : str or pathlib.Path
        Path of the file.
    run : Run
        The run.
    case : Case, optional
        Case of the run; see `playback_data`.
    name, title : str
        Name and title of the case.

    Returns
    -------
    pathlib.Path
        Path of the written file.

    Raises
    ------
    SaveError
        When the file cannot be written; an existing file is then unchanged.
    """
    return write_playback_data(out, playback_data(run, case, name=name, title=title))


def write_playback_data(out: str | Path, data: Mapping[str, Any]) -> Path:
    """Write the page for a result of `playback_data` completely or not at all; see `write_playback`."""
    page, path = _page(data), Path(out)
    write_whole(path, lambda part: _write(Path(part), page))
    return path


def _write(part: Path, page: str) -> None:
    part.write_text(page, encoding="utf-8", newline="\n")


@cache
def _text(name: str) -> str:
    """Return the text of a file in the folder `web`."""
    return (files(__name__.rpartition(".")[0]) / "web" / name).read_text(encoding="utf-8")


def _checksum(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _escaped(text: str) -> str:
    return html_text(plain_text(text))


def _json(value: Any) -> str:
    """Return JSON text that cannot end its script element."""
    plain = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for mark in "<>&":
        plain = plain.replace(mark, f"\\u{ord(mark):04x}")
    return plain
