"""One clear error for results that leave the range of double precision."""

from collections.abc import Generator
from contextlib import contextmanager

import numpy as np

from .errors import InputError


@contextmanager
def in_range(what: str) -> Generator[None]:
    """Raise InputError if a computation overflows, divides by zero or inverts a singular matrix.

    Works as a `with` block and as a decorator. Underflow raises nothing. A `numpy.errstate` inside the block overrides
    the setting of the block. User functions run outside such blocks: an overflow in them raises nothing here.

    what: computation, for the message.

    Examples
    --------
    >>> with in_range("the sum"):
    ...     np.exp(1e3)
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: the sum leaves the range of double precision (overflow encountered in exp): an \
input is too large or too small relative to the others
    """
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            yield
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise InputError(
            f"{what} leaves the range of double precision ({_reason(error)}): an input is too large or too small "
            "relative to the others"
        ) from error


def require_finite(what: str, values: np.ndarray) -> None:
    """Raise InputError unless all values are finite.

    what: description of the result, for the message; values: computed numbers.
    """
    if not np.isfinite(values).all():
        raise InputError(
            f"{what} is not finite: an input is too large or too small relative to the others, or a load is undefined "
            "there"
        )


def _reason(error: Exception) -> str:
    return str(error.args[-1] if error.args else type(error).__name__)
