"""Plug-ins of the review page: sections that a separate script draws.

The script protocol is described at the head of `assets/page.js`. To add a plug-in, add the function that creates it to
`MAKERS` in `plugins.py`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ....plant.errors import InputError

_ID = re.compile(r"[a-z][a-z0-9-]{0,30}")


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """One section of the page that a script draws.

    Attributes
    ----------
    id : str
        Name of the section in links and in `polhode.register({id})`: lower-case letters, digits and hyphens.
    title : str
        Heading of the section and entry of the contents.
    data : mapping
        Second argument of `mount`; plain values that JSON can hold.
    scripts : tuple of str
        Source of the classic (non-module) scripts, in order; they run after the scripts of the page.
    styles : tuple of str
        Source of the style sheets.
    wasm : bool
        Whether the scripts compile WebAssembly, which the page's content policy then permits.
    note : str
        Placeholder text of the section until the script has drawn the content, and in print without scripts.

    Raises
    ------
    InputError
        When the name is not valid.
    """

    id: str
    title: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    wasm: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        """Check the name, since it becomes an HTML attribute and a key."""
        if not _ID.fullmatch(self.id):
            raise InputError(
                f"the name of a page section must be a letter and up to 30 of a-z, 0-9 and -; got {self.id!r:.60}"
            )
