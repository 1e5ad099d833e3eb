"""Shell completion of CASE: shipped cases, and case files in the current directory."""

from pathlib import Path


def complete_case(incomplete: str) -> list[str]:
    """Return the completions of an incomplete word. If there is none, the shell completes paths as usual."""
    shipped = [path.stem for path in (Path(__file__).parents[1] / "cases").glob("*.toml")]
    here = [path.name for ending in ("*.toml", "*.nc") for path in Path().glob(ending)]
    return [name for name in (*sorted(shipped), *sorted(here)) if name.startswith(incomplete)]
