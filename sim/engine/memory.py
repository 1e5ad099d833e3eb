"""Check before allocation that the results of a run fit into memory."""

from pathlib import Path

from ...plant.errors import InputError

MEMINFO = Path("/proc/meminfo")


def available_memory() -> float:
    """Return the memory available without swapping, bytes; infinite if the system does not report it."""
    try:
        for line in MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * float(line.split()[1])
    except (OSError, ValueError):  # not Linux
        pass
    return float("inf")


def require_memory(size: float, what: str) -> None:
    """Raise InputError if `size` bytes exceed the available memory; what: subject of the message."""
    if size < 2.0**28:  # a quarter of a GiB is assumed to be available
        return
    free = available_memory()
    if size > free:
        raise InputError(
            f"{what} need {size / 2.0**30:.3g} GiB, more than the {free / 2.0**30:.3g} GiB of memory that are free; "
            "use a longer output period or a shorter duration"
        )
