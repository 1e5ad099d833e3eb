# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Masses of a spacecraft, less the propellant used.

Linear models have a constant mass: these values are real, even in a complex step.
"""

from ..kernels.kernel import kernel
from ..kernels.lanes import shared
from .parameters import LOST, MASS, NEAR_MASS, OUTFLOW, REDUCED, W_HUB


@kernel(inline=True, lanes=True)
def mass_now(p, w, n):
    """Return the mass p[n] at the start, less the propellant used."""
    m = p[n]
    if shared(p, OUTFLOW) != 0.0:
        m = m - w[int(shared(p, W_HUB)) + LOST].real
    return m


@kernel(inline=True, lanes=True)
def total_mass(p, w):
    """Return the total mass, kg; 0 if it is not stated."""
    return mass_now(p, w, MASS)


@kernel(inline=True, lanes=True)
def reduced_mass(p, w):
    """Return the total mass of a free spacecraft whose elements move its mass centre, kg."""
    return mass_now(p, w, REDUCED)


@kernel(inline=True, lanes=True)
def near_mass(p, w):
    """Return the mass of the hub and the elements without their own states, kg."""
    return mass_now(p, w, NEAR_MASS)
