"""Text of a tuned or identified case file."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..campaigns.worst_craft import inline_toml
from ..loader import LoadedCase


def tuned_text(loaded: LoadedCase, *, source: str, command: str = "tune", remarks: Sequence[str] = ()) -> str:
    """Return the text of a case file with changed values; comments of the original file are lost.

    loaded: the changed case; source: name or path of the original case; command: "tune" or "identify"; remarks:
    comments at the top of the file.
    """
    document: Mapping[str, Any] = loaded.document
    done = {"tune": "Tuned", "identify": "Identified"}[command]
    lines = [f"# {done} by polhode {command} from {inline_toml(source)}.", *(f"# {each}" for each in remarks)]
    lines += [f"{key} = {inline_toml(value)}" for key, value in document.items() if not _is_table(value)]
    for key, value in document.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{key}]", *_rows(value)]  # pyright: ignore[reportUnknownArgumentType] # TOML has text keys
        elif _is_table(value):
            for each in value:
                lines += ["", f"[[{key}]]", *_rows(each)]
    return "\n".join(lines) + "\n"


def _is_table(value: Any) -> bool:
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return isinstance(value, Mapping) or (bool(entries) and all(isinstance(each, Mapping) for each in entries))


def _rows(table: Mapping[str, Any]) -> list[str]:
    return [f"{inline_toml(key) if '.' in key else key} = {inline_toml(value)}" for key, value in table.items()]
