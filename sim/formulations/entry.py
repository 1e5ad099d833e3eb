# pyright: basic
# (numba has no type stubs, and everything here exists at compile time only)
"""The loop over steps, compiled whole; the formulation comes in as addresses. Importing this module imports numba."""

from typing import Any

from ..entry import counts_at, function_at, row_at, table_at
from .advance import advance

__all__ = ["formulation_entry"]

rhs_at = function_at("formulation")
leave_at = function_at("leave")
project_at = function_at("project")


def formulation_entry(t: Any) -> Any:
    """`advance` on what `stretch` has put into the table."""
    return advance(
        rhs_at(t[0]),
        leave_at(t[1]),
        project_at(t[2]),
        counts_at(t, 3),  # plan
        row_at(t, 5),  # clock
        row_at(t, 7),  # x
        row_at(t, 9),  # p
        row_at(t, 11),  # w
        row_at(t, 13),  # base
        row_at(t, 15),  # u
        row_at(t, 17),  # cp
        row_at(t, 19),  # cw
        row_at(t, 21),  # y
        row_at(t, 23),  # q
        table_at(t, 25),  # k
        row_at(t, 28),  # new
        row_at(t, 30),  # out_t
        table_at(t, 32),  # out_x
        row_at(t, 35),  # out_m
    )
