# pyright: basic
# (numba has no type stubs, and everything here exists at compile time only)
"""The loop over steps, compiled whole; the torque comes in as an address. Importing this module imports numba."""

from typing import Any

import numpy as np

from ..entry import counts_at, function_at, row_at, table_at
from .advance import advance

__all__ = ["flexible_entry"]

torque_at = function_at("reference")


def flexible_entry(t: Any) -> Any:
    """`advance` on what `stretch` has put into the table; complex arrays come as pairs of reals."""
    return advance(
        counts_at(t, 1),  # plan; a call this long makes a tuple, and numba warns of those that begin with a function
        torque_at(t[0]),
        row_at(t, 3),  # clock
        row_at(t, 5),  # x
        row_at(t, 7),  # p
        row_at(t, 9),  # tq
        row_at(t, 11),  # hold
        row_at(t, 13),  # scheme
        row_at(t, 15),  # weights
        row_at(t, 17),  # report
        table_at(t, 19),  # pose
        table_at(t, 22),  # vel
        table_at(t, 25),  # mom
        table_at(t, 28),  # frc
        table_at(t, 31),  # rho
        table_at(t, 34),  # axes
        table_at(t, 37),  # rows
        table_at(t, 40),  # diag
        table_at(t, 43),  # off
        table_at(t, 46),  # hub
        row_at(t, 49),  # nu
        row_at(t, 51),  # spare
        table_at(t, 53),  # u
        table_at(t, 56),  # stages
        row_at(t, 59),  # y
        table_at(t, 61),  # q_stage
        table_at(t, 64),  # dq
        table_at(t, 67),  # nu_stage
        table_at(t, 70),  # p_stage
        table_at(t, 73),  # f_stage
        table_at(t, 76),  # k_out
        table_at(t, 79),  # frames
        table_at(t, 82),  # crho
        table_at(t, 85).view(np.complex128),  # cpose
        table_at(t, 88).view(np.complex128),  # cvel
        table_at(t, 91).view(np.complex128),  # cmom
        table_at(t, 94).view(np.complex128),  # cfrc
        table_at(t, 97).view(np.complex128),  # cdiag
        table_at(t, 100).view(np.complex128),  # coff
        table_at(t, 103).view(np.complex128),  # chub
        row_at(t, 106).view(np.complex128),  # cy
        row_at(t, 108),  # out_t
        table_at(t, 110),  # out_x
        table_at(t, 113),  # out_nu
        table_at(t, 116),  # out_e
        table_at(t, 119),  # out_u
        row_at(t, 122),  # low
        row_at(t, 124),  # high
        table_at(t, 126),  # cells
        row_at(t, 129),  # swing
        table_at(t, 131),  # out_low
        table_at(t, 134),  # out_high
        table_at(t, 137),  # out_swing
    )
