# pyright: basic
# ruff: noqa: RET504, C416, F821, PLW0120 # what is refused here is refused
"""Code that cannot be translated to C is refused with kernel, line and remedy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polhode.sim.codegen.c99.program import Program
from polhode.sim.codegen.c99.refusal import NotTranslatedError

from .arguments import ROW

WORDS = "lists"


def by_name(x):
    return max(x[0], key=x[1])


def from_the_end(x):
    return x[-1]


def changes_its_mind(x):
    y = x[0]
    y = (x[0], x[1])
    return y


def anew(x):
    x = 1.0
    return x


def truth(x):
    return 1.0 if x[0] else 0.0


def helper(x):
    return np.i0(x[0])


def listing(x):
    return [each for each in x]


def real_index(x):
    return x[x[0]]


def into_integers(x):
    return np.linalg.norm(x)


def word(x):
    return WORDS


def itself(x):
    return itself(x)


def before(x):
    y = z + x[0]  # pyright: ignore[reportUnboundVariable] # what is tried
    z = y
    return z


def hands_back(x):
    return x


def loop_else(x):
    for _ in range(3):
        pass
    else:
        return 1.0
    return 0.0


REFUSALS: list[tuple[Callable[..., Any], str]] = [
    (by_name, "plain positional arguments"),
    (from_the_end, "negative indices are not supported"),
    (changes_its_mind, "'y' is first a real and later a tuple of 2; use two names"),
    (anew, "'x' is an array and cannot be reassigned"),
    (truth, "a condition must be a comparison, not a number; write != 0.0"),
    (helper, "np.i0 does not exist in C; write it out"),
    (listing, "the expression 'listcomp' is not supported in kernels"),
    (real_index, r"an index must be an integer; use int\(\.\.\.\)"),
    (into_integers, "arithmetic is supported for single numbers only"),
    (word, "'WORDS' is a str, which cannot be translated to C"),
    (itself, "it is recursive; write it as a loop"),
    (before, "'z' is used before it has a value"),
    (hands_back, "it returns an array; write the result to an array argument"),
    (loop_else, "`else` of a loop is not supported"),
]


@pytest.mark.parametrize(("kernel", "words"), REFUSALS, ids=lambda each: getattr(each, "__name__", ""))
def test_message_says_where_and_what_to_do(kernel: Callable[..., Any], words: str) -> None:
    with pytest.raises(NotTranslatedError, match=words) as caught:
        Program("no").function(kernel, [ROW])
    assert "test_refusal" in str(caught.value) or kernel is into_integers


def test_number_too_small_for_float32_is_refused() -> None:
    with pytest.raises(NotTranslatedError, match="too small for float32"):
        Program("single", single=True).number(1e-60)
    assert Program("single", single=True).number(1e300).code == "INFINITY"
