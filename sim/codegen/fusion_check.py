"""Check that a compiled library contains no FMA contraction (products fused with sums).

On a machine that can run the library, the check compares the outputs of the probe kernels of `fusion_kernel`, which
every library contains, with plain Python. If objdump is installed, it also inspects the machine code. Python rounds
every product and every sum; a library that has no contraction therefore returns bitwise identical outputs.
"""

import ctypes
import random
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ...plant.errors import InputError
from .fusion_kernel import INPUTS, OUTPUTS, ROW, fusion_probe, products_in_parts

SYMBOL = "polhode_fusion_entry"
"""Name of the library function that computes the probe outputs."""

ROUNDS = 4
"""Number of input sets; in about half of the sets, a fused sum rounds like the plain sum by chance."""

LIMIT_S = 60.0

_FUSED = re.compile(r"\b(vfn?m(add|sub)\w*|fn?m(add|sub|la|ls))\b")

_CHILD = """\
import ctypes, sys
path, symbol, row, outputs, *rounds = sys.argv[1:]
probe = getattr(ctypes.CDLL(path), symbol)
for numbers in rounds:
    x = [float.fromhex(each) for each in numbers.split()]
    y = (ctypes.c_double * int(outputs))()
    probe(ctypes.c_longlong(int(row)), (ctypes.c_double * len(x))(*x), y)
    print(*map(float.hex, y))
"""


class FusedError(InputError):
    """The compiler fused products with sums, so results would differ in their last digits."""


@cache
def _rounds() -> list[tuple[list[float], list[float]]]:
    """Return the inputs and the unfused outputs for each round of the check."""
    draw = random.Random(1)  # arbitrary numbers, the same on every machine
    rounds: list[tuple[list[float], list[float]]] = []
    for _ in range(ROUNDS):
        x, y = [draw.uniform(-1.0, 1.0) for _ in range(INPUTS)], [0.0] * OUTPUTS
        fusion_probe(ROW, x, y)
        products_in_parts(ROW, x, y)
        rounds.append((x, y))
    return rounds


def _different(found: Sequence[float], expected: Sequence[float]) -> int:
    """Return the number of outputs that differ in any bit."""
    return sum(struct.pack("<d", a) != struct.pack("<d", b) for a, b in zip(found, expected, strict=True))


def fused_outputs(library: Any, *, width: int = 1) -> int:
    """Return the number of probe outputs that differ from plain arithmetic; 0 if nothing was contracted.

    library: `ctypes.CDLL`; width: number of doubles in a number of the library, of which the first is its value.
    Raises AttributeError if the library has no probe function.
    """
    entry = getattr(library, SYMBOL)
    different = 0
    for x, expected in _rounds():
        inputs, y = (ctypes.c_double * (width * INPUTS))(), (ctypes.c_double * (width * OUTPUTS))()
        inputs[::width] = x  # pyright: ignore[reportArgumentType] # slices of ctypes arrays take floats
        entry(ctypes.c_longlong(ROW), inputs, y)
        different += _different(list(y)[::width], expected)
    return different


def refuse_fused(path: Path, *, runs_here: bool) -> str:
    """Raise FusedError if a library fuses products with sums, and return a description of the check.

    path: the library. runs_here: whether the processor of this machine can run the library; if so, the probe outputs
    are computed in a separate process. Raises InputError if they cannot be computed.
    """
    checks: list[str] = []
    if runs_here:
        different = _outputs_in_child(path)
        if different:
            raise FusedError(
                f"the C compiler contracted products and sums (FMA) in {path.name}: {different} of {ROUNDS * OUTPUTS} "
                "probe results differ from separately rounded arithmetic; set CC to a different compiler"
            )
        checks.append("probe results")
    objdump = shutil.which("objdump")
    if objdump is not None:
        done = subprocess.run([objdump, "-d", str(path)], capture_output=True, text=True, check=False)
        fused = _FUSED.search(done.stdout) if done.returncode == 0 else None
        if fused is not None:
            raise FusedError(
                f"the C compiler contracted products and sums ({fused.group()}) in {path.name}; set CC to a different "
                "compiler"
            )
        checks += ["machine code"] if done.returncode == 0 else []
    return f"by {' and '.join(checks)}" if checks else "when it is loaded"


def _outputs_in_child(path: Path) -> int:
    """Count the differing outputs in a child process: on Windows a loaded library file cannot be replaced."""
    texts = [" ".join(map(float.hex, x)) for x, _ in _rounds()]
    command = [sys.executable, "-I", "-c", _CHILD, str(path), SYMBOL, str(ROW), str(OUTPUTS), *texts]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{path.name} cannot be checked for fused products: {error}") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"its process ended with {done.returncode}"])[-1]
        raise InputError(f"{path.name} cannot be checked for fused products: {last}")
    lines = [[float.fromhex(each) for each in line.split()] for line in done.stdout.splitlines()]
    return sum(_different(y, expected) for y, (_, expected) in zip(lines, _rounds(), strict=True))
