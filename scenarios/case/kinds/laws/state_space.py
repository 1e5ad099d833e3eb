"""Law kind for a linear law with given matrices, whose entries can be tuned."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from pydantic import Field

from .....controllers import LinearFeedback, state_space_law
from .....plant import LinearModel, Spacecraft
from ...schema.fields import Matrix
from .kind import LawKind
from .linear_table import LinearTable


class StateSpaceLawTable(LinearTable):
    """Linear law x[k+1] = A x + B e, u = -(C x + D e), with e = [attitude error; rate error]."""

    kind: Literal["state-space"] = Field(description="which law")
    A: Matrix = Field(default=(), description="n rows of n numbers; none for a static law")
    B: Matrix = Field(default=(), description="n rows of 6 numbers, or of 2 for the same law about each axis")
    C: Matrix = Field(default=(), description="3 rows of n numbers, or 1 for the same law about each axis")
    D: Matrix = Field(
        description="3 rows of 6 gains, N m/rad and N m s/rad, or 1 row of 2 for the same about each axis"
    )
    tracking: Matrix | None = Field(
        default=None,
        description="anti-windup gain T of x[k+1] = A x + B e + T (limited u - u), with torques in N m: n rows of 3 "
        "numbers, or of 1 for the same law about each axis; automatic by default",
    )
    discretisation: Literal["tustin", "zoh"] | None = Field(
        default=None, description="discretisation of continuous matrices; by default the matrices are discrete"
    )


def _make(table: StateSpaceLawTable, craft: Spacecraft, model: Callable[[], LinearModel]) -> LinearFeedback:
    """Return the law with the matrices of a table."""
    law = state_space_law(
        np.array(table.A),
        np.array(table.B),
        C=np.array(table.C),
        D=np.array(table.D),
        model=model(),
        sample=table.sample_s,
        delay=table.delay_s,
        method=table.discretisation,
        saturation=table.saturation,
        tracking=None if table.tracking is None else np.array(table.tracking),
    )
    return table.with_filters(law)


KIND = LawKind(table=StateSpaceLawTable, make=_make)
