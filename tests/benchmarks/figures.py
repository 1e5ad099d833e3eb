"""Every figure of docs/accuracy.md, measured now, next to the documented value.

python tests/benchmarks/figures.py [--only WORDS] [--repetitions N] [--python PATH ...]

Ratios of speed are measured in turn in one session, and the minimum of the repetitions counts, so that other work on
the machine has little influence; do not rely on absolute times of a busy machine. Without a C compiler these rows say
so.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # `tests`, for its published values

from figures_accuracy import ACCURACY  # noqa: E402
from figures_speed import PYTHONS, SPEED  # noqa: E402
from machine import machine  # noqa: E402


def stated() -> dict[str, str]:
    """The rows of the table of docs/accuracy.md."""
    text = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    table = text.split("## Figures")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.*) \| (.*) \|$", table, flags=re.MULTILINE)
    return {what.replace("\\|", "|"): figure for what, figure in rows if what != "What"}


def main() -> int:
    """Print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORDS", help="rows that contain these words")
    parser.add_argument("--repetitions", type=int, default=100, help="below 10, races are shortened")
    parser.add_argument("--python", action="append", default=[], metavar="PATH", help="where other tools may be")
    options = parser.parse_args()
    PYTHONS.extend(options.python)
    for name, value in machine().items():
        print(f"{name}: {value}")
    rows = stated()
    for begins in (*ACCURACY, *SPEED):
        (what,) = (row for row in rows if row.startswith(begins))
        if options.only in what:
            found = ACCURACY[begins]() if begins in ACCURACY else SPEED[begins](options.repetitions)
            print(f"\n{what}\n  guide:    {rows[what]}\n  measured: {found}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
