"""Plug-ins of the review page: sections that a separate script draws.

The protocol of the script is at the head of `assets/page.js`. A file that makes a plug-in adds its function to `MAKERS`
in `plugins.py`.
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
        Texts of classic scripts, in order, after those of the page.
    styles : tuple of str
        Texts of style sheets.
    wasm : bool
        Whether the scripts compile WebAssembly, which the page's content policy then permits.
    note : str
        Text that stands in the section until the script has drawn it, and in print without scripts.

    Raises
    ------
    InputError
        When the name is not a valid one.
    """

    id: str
    title: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    wasm: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        """Check the name, which becomes an attribute and a key."""
        if not _ID.fullmatch(self.id):
            raise InputError(
                f"the name of a section of the page is {self.id!r:.60}; take up to 31 of a-z, 0-9 and -, a letter first"
            )
