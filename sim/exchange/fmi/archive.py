"""The archive of a unit: description, sources, and the library for this machine where it has a compiler."""

import platform
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from html import escape
from pathlib import Path

from ...exchange.toolchain import build, c_compiler
from .model_c import Model, headers

__all__ = ["archived", "library", "page"]

DATE = (2000, 1, 1, 0, 0, 0)  # the same parts make the same bytes

_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
_SYSTEMS = {"linux": ("linux", ".so"), "darwin": ("darwin", ".dylib"), "win32": ("windows", ".dll")}
_SECOND = {"x86_64-linux": "linux64", "x86_64-darwin": "darwin64", "x86_64-windows": "win64"}
"""What FMI 2.0 calls them; it has no name for other machines."""


def library(model: Model, *, fmi: int, identifier: str) -> dict[str, bytes]:
    """Return the compiled library by its place in the archive; nothing on a machine without compiler or name."""
    machine = _MACHINES.get(platform.machine().lower())
    system, suffix = _SYSTEMS.get(sys.platform, ("", ""))
    folder = f"{machine}-{system}"
    folder = folder if fmi == 3 else _SECOND.get(folder, "")
    if c_compiler() is None or machine is None or not system or not folder:
        return {}
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for file, text in {**headers(), "fmu.c": model.text}.items():
            (work / file).write_text(text, encoding="utf-8")
        out = work / f"{identifier}{suffix}"
        build([work / "fmu.c"], out, options=("-O2", "-fvisibility=hidden", "-shared", "-fPIC"))
        return {f"binaries/{folder}/{out.name}": out.read_bytes()}


def archived(path: Path, parts: Mapping[str, bytes]) -> None:
    """Write the parts into an archive, in their order."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)


def page(name: str, about: str, rows: list[tuple[str, str, str, str]]) -> bytes:
    """Return documentation/index.html: what it is, and a row for each variable."""
    body = "".join("<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + "</tr>\n" for row in rows)
    return (
        f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>{escape(name)}</title></head><body>\n"
        f"<h1>{escape(name)}</h1>\n<p>{escape(about)}</p>\n"
        "<p>Time of the craft begins at 0 where the host starts. In co-simulation whatever falls on the end of a "
        "step, such as a sample of the law, has happened when the step returns; ends within a millionth of a sample "
        "are taken as its time. Steps that are no multiples of the sample split those of the integrator. In model "
        "exchange a tolerance of 1e-9 is meant; the attitude is put back to unit norm at events, and one is asked for "
        "where it is 1e-9 off.</p>\n"
        f"<table border='1'><tr><th>variable</th><th>causality</th><th>unit</th><th></th></tr>\n{body}</table>\n"
        "</body></html>\n"
    ).encode()
