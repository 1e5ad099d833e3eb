"""Known central bodies, used to detect positions and gravitational parameters in wrong units."""

from ...errors import InputError

BODIES = {
    "the Sun": (1.32712440018e20, 6.957e8),
    "Mercury": (2.2032e13, 2.4383e6),
    "Venus": (3.24859e14, 6.0518e6),
    "the Earth": (3.986004418e14, 6.3568e6),
    "the Moon": (4.9028e12, 1.7360e6),
    "Mars": (4.282837e13, 3.3762e6),
    "Jupiter": (1.26686534e17, 6.6854e7),
    "Saturn": (3.7931187e16, 5.4364e7),
}
"""Gravitational parameter, m^3/s^2, and smallest (polar) radius, m; NASA planetary fact sheets."""

SAME = 0.01  # relative difference of gravitational parameters of the same body
SAME_IN_KM = 1e-4  # as above, for a value in km^3/s^2, which might belong to a small body by chance
CUBIC_KM = 1e9  # m^3


def check_gravitational_parameter(mu: float) -> None:
    """Raise InputError if mu (m^3/s^2) has the value of a known body in km^3/s^2."""
    for name, (value, _) in BODIES.items():
        if abs(mu * CUBIC_KM - value) <= SAME_IN_KM * value:
            raise InputError(
                f"mu {mu:.9g} m^3/s^2 is the gravitational parameter of {name} in km^3/s^2; give {mu * CUBIC_KM:.10g} "
                "m^3/s^2"
            )


def surface_of(mu: float) -> tuple[str, float] | None:
    """Return name and smallest radius (m) of the known body with a gravitational parameter (m^3/s^2), or None."""
    for name, (value, radius) in BODIES.items():
        if abs(mu - value) <= SAME * value:
            return name, radius
    return None


def require_outside(what: str, distance: float, mu: float) -> None:
    """Raise InputError if a position is inside a known body.

    what: position, for the message; distance: from the centre, m; mu: gravitational parameter, m^3/s^2.
    """
    surface = surface_of(mu)
    if surface is not None and distance < surface[1]:
        raise InputError(
            f"{what} is {distance:g} m from the centre, inside {surface[0]}, whose radius is {surface[1]:g} m; give "
            "positions from the centre in m, neither in km nor as an altitude"
        )
