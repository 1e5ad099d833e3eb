"""Description of the machine on which a benchmark ran."""

import os
import platform
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

__all__ = ["machine"]


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _compiler() -> str:
    found = shutil.which("gcc") or shutil.which("cc")
    if found is None:
        return "none"
    return subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def machine() -> dict[str, str]:
    """Return processor, cores, load, system, and versions of the libraries."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "load average at the start": load,
        "system": platform.platform(),
        "python": sys.version.split()[0],
        "numpy": version("numpy"),
        "C compiler": _compiler(),
    }
