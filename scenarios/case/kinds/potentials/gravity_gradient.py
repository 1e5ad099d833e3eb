"""Potential kind for the gravity gradient along an orbit."""

from typing import Any

from .....plant import GravityGradient
from ...schema.fields import wrong
from ...schema.potential import Orbit, PotentialTable
from .declared import kind_of


class _Orbit(PotentialTable):
    """Orbit of a gravity gradient, given in its table or by the motion of a translating spacecraft."""

    @property
    def orbit(self) -> Orbit:
        """Orbit of the spacecraft about the centre of attraction."""
        table: Any = self
        return table.mu_m3_s2, table.position_m, table.velocity_m_s

    def check(self, *, key: str, kind: str, placed: bool, translation: bool) -> None:
        """Raise an error unless the orbit is given exactly once.

        key: key path of the potential; kind, placed: not used; translation: whether the spacecraft translates, so that
        its own motion is the orbit.
        """
        del kind, placed
        orbit = self.orbit[1:]
        if translation and orbit != (None, None):
            raise wrong(
                f"{key}: the spacecraft's own motion is the orbit; give position_m and velocity_m_s in [initial]"
            )
        if not translation and None in orbit:
            raise wrong(
                f"{key}: gravity-gradient needs position_m and velocity_m_s, the orbit at t = 0 "
                "(or plant.translation = true)"
            )


KIND = kind_of("gravity-gradient", GravityGradient, module=__name__, base=_Orbit)
