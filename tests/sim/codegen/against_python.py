# pyright: basic
"""User blocks in C and in plain Python on the same inputs."""

from __future__ import annotations

import ctypes
import math
import random

import numpy as np

from polhode.plant.errors import InputError
from polhode.sim.codegen import user_kernel
from polhode.sim.codegen.kernel_store import load_library
from polhode.sim.codegen.raised import collect_raised
from polhode.sim.codegen.user_text import kernel_lines, user_program, whole_text

ROW = (ctypes.c_void_p, ctypes.c_int64)
Block = ctypes.CFUNCTYPE(None, ctypes.c_double, *(4 * ROW))

EXEMPT = (
    "ZeroDivisionError: float",
    "ZeroDivisionError: division by zero",
    "OverflowError: (34",
    "OverflowError: math range",
    "ValueError: math domain",
    "ValueError: expected a nonneg",
    "TypeError: The numpy boolean",
    "TypeError: numpy boolean",
    "TypeError: type numpy.bool",
)
"""Where plain Python raises and compiled code has what numpy has: infinity, not a number, a truth value as a number."""

BOUNDS = ("64 bits",)
"""Where compiled code stops, since its integers are bounded, and Python goes on."""


def rows(count: int, seed: int = 5) -> list[tuple[float, ...]]:
    """Random inputs: small and large, negative, zero, integers, infinite and NaN."""
    draw = random.Random(seed)  # no secret

    def number() -> float:
        odd = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, math.nan, math.inf, -math.inf, 1e-3]
        return draw.choice([draw.uniform(-3, 3), draw.uniform(-100, 100), float(draw.randrange(-5, 6)), *odd])

    plain = [
        tuple(draw.choice([draw.uniform(-3, 3), float(draw.randrange(-3, 4))]) for _ in range(4)) for _ in range(10)
    ]
    return plain + [tuple(number() for _ in range(4)) for _ in range(count - 10)]


class Compiled:
    """Blocks in one library, and the reasons for refused ones: `refused`, by name."""

    def __init__(self, kernels) -> None:
        program, entries = user_program(), {}
        self.refused: dict[str, str] = {}
        for kernel in kernels:
            name = kernel.__name__
            try:
                kernel_lines(user_program(), "block", kernel)
            except InputError as error:
                self.refused[name] = str(error)
                continue
            entries[name] = ("block", kernel_lines(program, "block", kernel))
        text = whole_text(program, entries)
        self.library = load_library(text.text)
        self.report = user_kernel._Report(user_kernel._reporter(text.stops))
        self.library.polhode_listen(self.report)

    def call(self, name: str, row):
        """What a block writes and stores, and the exception that it raises."""
        y, q, z, v = np.array(row), np.array([1.0, 2.5]), np.array([0.1, 0.2, 0.3]), np.zeros(2)
        with collect_raised() as told:
            Block((name, self.library))(0.5, *(part for each in (y, q, z, v) for part in (each.ctypes.data, each.size)))
        return v, z, told[0] if told else ""


def in_python(kernel, row):
    """The same for the Python function."""
    y, q, z, v = np.array(row), np.array([1.0, 2.5]), np.array([0.1, 0.2, 0.3]), np.full(2, np.nan)
    y.flags.writeable = q.flags.writeable = False
    try:
        with np.errstate(all="ignore"):
            kernel(0.5, y, q, z, v)
    except Exception as error:  # noqa: BLE001 # any
        return v, z, f"{type(error).__name__}: {error}"
    return v, z, ""


def bits(numbers) -> bytes:
    """The bits of numbers; all NaN are equal."""
    return np.where(np.isnan(numbers), np.nan, numbers).tobytes()


def difference(found: Compiled, kernel, row) -> str:
    """Differences between C and Python of a block for one input; empty if there are none."""
    v, z, raised = in_python(kernel, row)
    if raised.startswith(EXEMPT):
        return ""
    own_v, own_z, told = found.call(kernel.__name__, row)
    if any(each in told for each in BOUNDS):
        return ""
    name, own_name = raised.partition(":")[0], told.partition(":")[0]
    if name != own_name and {name, own_name} != {"ValueError", "OverflowError"}:
        return f"{kernel.__name__} at {row}: raises {raised!r} in Python, {told!r} in C"
    if not raised and (bits(v), bits(z)) != (bits(own_v), bits(own_z)):
        return f"{kernel.__name__} at {row}: {v}, {z} in Python, {own_v}, {own_z} in C"
    return ""
