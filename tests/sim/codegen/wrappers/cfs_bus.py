"""A cFS application compiled against the headers in `cfe`, and run on the software bus there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from .cases import WARNINGS

CFE = Path(__file__).parent / "cfe"


def compiled(app: Path) -> Path:
    """The program of the application ATTCTL in a folder, its bus included."""
    for_app = [app / "fsw/src/attctl_app.c", app / "fsw/src/attctl_law.c", *sorted(app.glob("fsw/tables/*.c"))]
    program = app.parent / "attctl_program"
    folders = [f"-I{CFE}", f"-I{app / 'fsw/inc'}", f"-I{app / 'fsw/src'}"]
    line = ["gcc", "-std=c99", *WARNINGS, *folders, *map(str, for_app), str(CFE / "bus.c"), "-lm", "-o", str(program)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def said(program: Path, *lines: str, table_file: bool = True) -> str:
    """Output of the application for lines of the bus."""
    environment = {**os.environ, **({} if table_file else {"NO_TABLE": "1"})}
    done = subprocess.run(
        [str(program)], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, check=False,
        env=environment, timeout=60.0,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
