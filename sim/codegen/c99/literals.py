"""C literals that a compiler reads back bitwise identically."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .kinds import COMPLEX, FLAG, INTEGER, REAL, Scalar
from .refusal import NotTranslatedError
from .values import ATOM, UNARY, Value

SINGLE_MOST, SINGLE_LEAST = float(np.finfo(np.float32).max), float(np.finfo(np.float32).tiny)
WIDE = 2**31


def real_text(value: float, *, single: bool = False) -> str:
    """Return a real number as a C literal. Raises NotTranslatedError if it exceeds the range of float32."""
    if math.isnan(value):
        return "NAN"
    if math.isinf(value) or (single and abs(value) > SINGLE_MOST):
        return "INFINITY" if value > 0.0 else "-INFINITY"
    if not single:
        return repr(float(value))
    if value != 0.0 and abs(value) < SINGLE_LEAST:
        raise NotTranslatedError(f"the number {value:g} is too small for float32; write it in float64")
    return f"{float(value)!r}f"


def number_of(value: Any) -> Scalar | None:
    """Return the kind of a Python number; None for anything else."""
    if isinstance(value, bool | np.bool_):
        return FLAG
    if isinstance(value, int | np.integer):
        return INTEGER
    if isinstance(value, float | np.floating):
        return REAL
    return COMPLEX if isinstance(value, complex) else None


def literal(value: Any, *, single: bool = False, name: str = "", widen: Callable[[], None] | None = None) -> Value:
    """Return a Python number as a C literal, with its name in the source as a comment.

    `widen` is called when an integer needs more than 32 bits.
    """
    kind = number_of(value)
    said = f" /* {name} */" if name else ""
    if kind == INTEGER:
        if abs(int(value)) >= WIDE and widen is not None:
            widen()
        text = f"{int(value)}LL" if abs(int(value)) >= WIDE else str(int(value))
        return Value(INTEGER, text + said, ATOM if int(value) >= 0 else UNARY, known=int(value))
    if kind == FLAG:
        return Value(FLAG, "1" if value else "0", known=bool(value))
    if kind == REAL:
        text = real_text(float(value), single=single)
        return Value(REAL, text + said, UNARY if text.startswith("-") else ATOM, known=float(value))
    found = complex(value)
    pieces = ", ".join(real_text(each, single=single) for each in (found.real, found.imag))
    return Value(COMPLEX, f"complex_of({pieces})", known=found)
