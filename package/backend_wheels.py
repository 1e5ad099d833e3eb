"""Addition of the engine's libraries to a wheel, and update of the wheel's list of files (RECORD)."""

import base64
import hashlib
import json
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

__all__ = ["with_libraries", "write_wheel"]

IN_WHEEL = "polhode/sim/codegen/compiled"
PURE = "py3-none-any"


def with_libraries(wheel: Path, libraries: Sequence[Path], tag: str) -> Path:
    """Add libraries to a pure Python wheel, rename the wheel for their platform, and return its new path.

    wheel: the wheel, which is replaced. libraries: files of the engine. tag: platform of the libraries, such as
    "win_amd64".
    """
    with zipfile.ZipFile(wheel) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
    contents = {each.name: each.read_bytes() for each in libraries}
    checksums = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    files |= {f"{IN_WHEEL}/{name}": content for name, content in contents.items()}
    files[f"{IN_WHEEL}/sources.json"] = f"{json.dumps({'wheel': True, 'files': checksums})}\n".encode()
    about = next(each for each in files if each.endswith(".dist-info/WHEEL"))
    text = files[about].decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    tags = "".join(f"Tag: py3-none-{each}\n" for each in tag.split("."))
    files[about] = re.sub(rf"Tag: {PURE}\r?\n", tags, text).encode()
    named = wheel.with_name(wheel.name.replace(f"-{PURE}", f"-py3-none-{tag}"))
    wheel.unlink()
    write_wheel(named, files)
    return named


def write_wheel(wheel: Path, files: dict[str, bytes]) -> None:
    """Write a wheel with a new list of its files (RECORD)."""
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    kept = {name: content for name, content in files.items() if name != record}
    rows = [f"{name},sha256={digest(content)},{len(content)}\n" for name, content in kept.items()]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in kept.items():
            archive.writestr(name, content)
        archive.writestr(record, "".join([*rows, f"{record},,\n"]))


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file as written in a wheel's RECORD."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
