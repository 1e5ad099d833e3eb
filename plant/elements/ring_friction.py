"""Friction coefficient of a ring damper from its fluid properties, with the range of validity.

A slug fills an angle gamma of a ring of mean radius R and tube radius a; the fluid has viscosity mu and density rho. In
developed laminar (Hagen-Poiseuille) flow at the mean speed U = R betadot, the wall force is 8 pi mu (gamma R) U. The
torque is R times this force, so

    Cd = 8 pi mu gamma R      (kg/s; torque Cd R^2 betadot, mass rho pi a^2 gamma R)

The formula holds for

    Re = 2 rho U a / mu        < 2000     laminar
    De = Re sqrt(a / R)        < 11.6     curvature of the tube negligible (C. M. White, 1929)
    alpha = a sqrt(rho w / mu) < 2        oscillation at w slow compared to diffusion across the tube: the resistance of
                                          the oscillating flow is then within 2 % (J. R. Womersley, 1955)

The parabolic profile has 4/3 of the kinetic energy of the modelled slug. At alpha = 2 this changes the ratio of inertia
to friction by one sixth, and by less at smaller alpha.
"""

import math

from ..checks import non_negative, positive
from ..errors import InputError

REYNOLDS_LIMIT = 2000.0
DEAN_LIMIT = 11.6
WOMERSLEY_LIMIT = 2.0


def ring_friction(
    *,
    viscosity: float,
    density: float,
    tube_radius: float,
    radius: float,
    relative_rate: float,
    frequency: float,
    fill: float = 2.0 * math.pi,
) -> float:
    """Return the friction coefficient Cd of a ring damper in laminar flow.

    Cd = 8 pi mu gamma R; see the module docstring for source and range.

    Parameters
    ----------
    viscosity : float
        Dynamic viscosity mu, Pa s.
    density : float
        Density rho, kg/m^3.
    tube_radius : float
        Inner radius a of the tube, m.
    radius : float
        Mean radius R of the ring, m.
    relative_rate : float
        Largest expected |betadot|, rad/s.
    frequency : float
        Highest expected frequency of the slug, rad/s: in a damper, the nutation frequency in the body frame.
    fill : float
        gamma, the filled angle, rad, up to 2 pi.

    Returns
    -------
    float
        Cd for `RingDamper`, kg/s.

    Raises
    ------
    InputError
        When a property is not positive, the tube does not fit into the ring, or the flow is outside the range of
        the formula; the message states the value and its bound.

    Examples
    --------
    >>> friction = ring_friction(
    ...     viscosity=0.1, density=960, tube_radius=0.003, radius=0.2, relative_rate=0.5, frequency=2.0, fill=2.0
    ... )
    >>> round(friction, 6)  # kg/s
    1.00531
    """
    mu = positive("viscosity", viscosity, "Pa s")
    rho = positive("density", density, "kg/m^3")
    a = positive("tube radius", tube_radius, "m")
    r = positive("ring radius", radius, "m")
    speed = r * non_negative("relative rate", relative_rate, "rad/s")
    w = non_negative("frequency", frequency, "rad/s")
    if not 0.0 < fill <= 2.0 * math.pi * (1.0 + 1e-15):
        raise InputError(f"the filled angle of the ring must be in (0, 2 pi] rad; got {fill:g} rad")
    if a >= r:
        raise InputError(f"the tube does not fit into the ring: tube radius {a:g} >= ring radius {r:g} m")
    reynolds = 2.0 * rho * speed * a / mu
    dean = reynolds * math.sqrt(a / r)
    womersley = a * math.sqrt(rho * w / mu)
    for name, what, figure, bound in (
        ("Reynolds", "the flow is not laminar", reynolds, REYNOLDS_LIMIT),
        ("Dean", "the curvature of the tube adds friction", dean, DEAN_LIMIT),
        ("Womersley", "the oscillation is too fast for a developed profile", womersley, WOMERSLEY_LIMIT),
    ):
        if figure > bound:
            raise InputError(
                f"laminar friction does not hold: {name} number {figure:.4g} > {bound:g}, {what}; use a more viscous "
                "fluid or a narrower tube, or give RingDamper a measured friction (kg/s)"
            )
    return 8.0 * math.pi * mu * fill * r
