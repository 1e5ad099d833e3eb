"""Text of a tuned or identified case file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ..campaigns.worst_craft import inline_toml
from ..loader import LoadedCase, case_path, shipped_cases


def tuned_text(loaded: LoadedCase, *, source: str, command: str = "tune", remarks: Sequence[str] = ()) -> str:
    """Return the text of a case file with changed values; comments of the original file are lost.

    Paths in the case are relative to its folder; here they are absolute, since the text may go to another folder.

    loaded: the changed case; source: name or path of the original case; command: "tune" or "identify"; remarks:
    comments at the top of the file.
    """
    document: Mapping[str, Any] = _with_absolute_paths(loaded)
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


def _with_absolute_paths(loaded: LoadedCase) -> dict[str, Any]:
    """Return the document of a case with absolute paths of the files that its tables name."""
    named = {str(path) for table in loaded.case.tables() for path in table.named_paths().values()}
    source = loaded.source
    shipped = source in shipped_cases() and not Path(source).is_file()
    folder = case_path(source).parent if shipped else Path(source).parent

    def resolved(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: resolved(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
        if isinstance(value, list):
            return [resolved(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
        is_path = isinstance(value, str) and value and str(folder / value) in named
        return str((folder / value).resolve()) if is_path else value

    return resolved(loaded.document)


def _is_table(value: Any) -> bool:
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return isinstance(value, Mapping) or (bool(entries) and all(isinstance(each, Mapping) for each in entries))


def _rows(table: Mapping[str, Any]) -> list[str]:
    return [f"{inline_toml(key) if '.' in key else key} = {inline_toml(value)}" for key, value in table.items()]
