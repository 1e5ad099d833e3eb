"""Example of a law in a separate process, using the protocol of PROTOCOL.md; it needs only Python.

The law is u = -K vec(conj(e_ref) o e) - D omega, along the shorter rotation. Use `python3 example_law.py` as the
command of a `Process`.
"""

import json
import sys
from typing import Any

READS = [
    {"name": "attitude", "size": 4, "unit": "1"},
    {"name": "rate", "size": 3, "unit": "rad/s"},
    {"name": "reference", "size": 10, "unit": "1, rad/s, rad/s^2"},
]
WRITES = [{"name": "command", "size": 3, "unit": "N m"}]
STIFFNESS, DAMPING = 4.0, 40.0  # N m, N m s


def command(y: list[float]) -> list[float]:
    """Return the torque (N m) for attitude (4), rate (3, rad/s) and reference (10)."""
    e0, e1, e2, e3, w1, w2, w3, d0, d1, d2, d3 = y[:11]
    a0 = d0 * e0 + d1 * e1 + d2 * e2 + d3 * e3
    a1 = d0 * e1 - d1 * e0 - d2 * e3 + d3 * e2
    a2 = d0 * e2 + d1 * e3 - d2 * e0 - d3 * e1
    a3 = d0 * e3 - d1 * e2 + d2 * e1 - d3 * e0
    k = -STIFFNESS if a0 >= 0.0 else STIFFNESS
    return [k * a1 - DAMPING * w1, k * a2 - DAMPING * w2, k * a3 - DAMPING * w3]


def serve() -> None:
    """Answer each input line with one output line, until the input ends."""
    for line in sys.stdin:
        message: dict[str, Any] = json.loads(line)
        if "end" in message:
            break
        if "polhode" in message:  # a run begins: a law with memory resets it here
            answer: dict[str, Any] = {"polhode": 1, "reads": READS, "writes": WRITES, "sample_s": None}
        else:
            answer = {"n": message["n"], "v": command(message["y"])}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
