"""Command-line options of the comparisons with C."""

import argparse
import shutil
import sys

__all__ = ["asked"]


def asked(about: str | None, *, repetitions: int) -> argparse.Namespace:
    """Parse `repetitions` and `json`; end with a message if there is no C compiler."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=repetitions)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    if shutil.which("gcc") is None and shutil.which("cc") is None:
        print("skipped: no C compiler (gcc or cc) found")
        sys.exit(0)
    return options
