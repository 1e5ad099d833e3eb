"""Pointing reference along the orbit of a case."""

from typing import TYPE_CHECKING

from .....controllers import OrbitPointing
from ...located import located

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ...schema import Case


def along_orbit(
    case: "Case", boresight: "ArrayLike", clock: "ArrayLike", *, target: str, clock_target: "str | ArrayLike"
) -> OrbitPointing:
    """Return the pointing reference along `[orbit]` for the whole run.

    If a value is invalid, the message of the InputError begins with the key path.
    """
    from ..environment import orbit_of

    assert case.orbit is not None  # noqa: S101 # the caller checked
    orbit = orbit_of(case.orbit)
    with located("reference"):
        return OrbitPointing(
            orbit, case.run.duration_s, boresight=boresight, clock=clock, target=target, clock_target=clock_target
        )
