"""One clear error in place of what numpy and Python say when numbers leave the range of double precision."""

from collections.abc import Generator
from contextlib import contextmanager

import numpy as np

from .errors import InputError

__all__ = ["in_range", "require_finite"]


@contextmanager
def in_range(what: str) -> Generator[None]:
    """Raise InputError where a computation overflows, divides by zero or inverts a singular matrix.

    As a `with` block or a decorator. Underflow is no fault. What the block allows by its own `numpy.errstate` stays
    allowed. A function of the user's own is not called in one: what it does to its numbers is its own affair.

    what: the computation, for the message.

    Examples
    --------
    >>> with in_range("the sum"):
    ...     np.exp(1e3)
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: the sum leaves the range of double precision (overflow encountered in exp): a \
number given is too large or too small for the others
    """
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            yield
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        raise InputError(
            f"{what} leaves the range of double precision ({_reason(error)}): a number given is too large or too small "
            "for the others"
        ) from error


def require_finite(what: str, values: np.ndarray) -> None:
    """Raise InputError when what was computed is not finite.

    what: the result, for the message.
    """
    if not np.isfinite(values).all():
        raise InputError(
            f"{what} is not finite: a number is too large or too small for the others, or a load is not defined there"
        )


def _reason(error: Exception) -> str:
    return str(error.args[-1] if error.args else type(error).__name__)
