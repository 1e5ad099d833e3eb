"""polhode against C and other tools: four problems at equal accuracy, campaigns, growth, start-up and memory.

python tests/benchmarks [--python PATH ...] [--only PART ...] [--repetitions N] [--brief] [--json] [--out FILE]

Each contestant runs in its own process, with this interpreter or, if its library is not installed here, with one of
those given by --python. The fastest of its methods and settings that reaches the required accuracy is selected; then
all contestants are timed in turn, and the minimum of the processor time counts. Missing tools are listed with the
command that installs them.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from campaigns import campaign
from growth import growth
from machine import machine
from problems import PROBLEMS, TITLES
from race import CONTESTANTS, raced, started
from startup import starts
from words import printed

PARTS = (*PROBLEMS, "campaign", "growth", "start")


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(
        prog="tests/benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", action="append", default=[], metavar="PATH", help="another interpreter to look in")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part alone; may be given again")
    parser.add_argument("--without", action="append", default=[], choices=CONTESTANTS, help="leave a contestant out")
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--brief", action="store_true", help="everything shortened, to see that it runs")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write that JSON object to a file too")
    options = parser.parse_args()
    parts = options.only or PARTS
    repetitions = 2 if options.brief else options.repetitions
    workers, missing = started([name for name in CONTESTANTS if name not in options.without], options.python)
    found: dict[str, Any] = {"machine": machine(), "missing": missing, "brief": options.brief}
    try:
        found["problems"] = {
            name: raced(workers, name, brief=options.brief, repetitions=repetitions) for name in TITLES if name in parts
        }
        if "campaign" in parts:
            found["campaign"] = campaign(workers, brief=options.brief)
        if "growth" in parts:
            found["growth"] = growth(workers, brief=options.brief)
    finally:
        for worker in workers.values():
            worker.stop()
    if "start" in parts:
        found["start"] = starts(repetitions=1 if options.brief else 5, cold=0 if options.brief else 1)
    found["contestants"] = {
        name: {key: value for key, value in worker.facts.items() if key != "problems"}
        for name, worker in workers.items()
    }
    if options.out is not None:
        options.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found) if options.json else printed(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
