"""Check that no field acts twice: potentials that repeat a torque or force are rejected."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from ..quantity import quantities
from .potentials import Drag, GravityGradient, Oblateness, PointGravity, UniformGravity
from .potentials.any_potential import AnyPotential
from .potentials.central_bodies import SAME, surface_of
from .potentials.oblateness import POLAR

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

CENTRAL = (PointGravity, GravityGradient)


def check_repeated_loads(craft: "Spacecraft") -> None:
    """Raise InputError if a field would act twice, or if fields of one centre do not agree."""
    loads = craft.potentials
    if len(loads) < 2:
        return
    if len({id(each) for each in loads}) < len(loads):
        repeated = next(each for k, each in enumerate(loads) if any(each is one for one in loads[:k]))
        raise InputError(
            f"potentials contain the same {type(repeated).__name__} twice, so that it would act twice; list it once, "
            "or create a second one if two equal loads act"
        )
    for one, other in combinations(loads, 2):
        _check_pair(one, other, translation=craft.translation)
    if craft.translation:
        _check_centre(loads)
    else:
        _check_environments(loads)


def _check_pair(one: AnyPotential, other: AnyPotential, *, translation: bool) -> None:
    """Raise InputError if two potentials are the same field."""
    if translation and isinstance(one, CENTRAL) and isinstance(other, CENTRAL):
        if type(one) is not type(other):
            raise InputError(
                "the gravity gradient of a translating spacecraft includes the central force, which point gravity "
                "would add again; omit point gravity"
            )
        raise InputError(
            f"{one.words} of the same centre, the inertial origin, acts twice (mu {one.mu:g} and {other.mu:g} "
            "m^3/s^2); give one"
        )
    if isinstance(one, Oblateness) and isinstance(other, Oblateness):
        raise InputError(
            f"the oblateness of the same centre, the inertial origin, acts twice (j2 {one.j2:g} and {other.j2:g}); "
            "give one"
        )
    if isinstance(one, GravityGradient) and isinstance(other, GravityGradient) and _near(one.mu, other.mu):
        raise InputError(
            f"the gravity gradient of one body acts twice (mu {one.mu:g} and {other.mu:g} m^3/s^2); give it once; two "
            "bodies differ in mu"
        )
    if type(one) is type(other) and isinstance(one, (UniformGravity, Drag)) and _equal(one, other):
        raise InputError(f"{one.words} acts twice, with equal values; give it once, with the sum if both act")


def _check_centre(loads: Sequence[AnyPotential]) -> None:
    """Raise InputError if oblateness or drag does not match the central body."""
    mu = next((each.mu for each in loads if isinstance(each, CENTRAL)), None)
    oblateness = next((each for each in loads if isinstance(each, Oblateness)), None)
    if mu is not None and oblateness is not None and not _near(mu, oblateness.mu):
        raise InputError(
            f"mu {oblateness.mu:g} m^3/s^2 of the oblateness differs from mu {mu:g} m^3/s^2 of the central force, but "
            "both belong to the body at the inertial origin; give the same value, m^3/s^2"
        )
    surface = None if mu is None else surface_of(mu)
    if oblateness is not None:
        surface = "the central body", POLAR * oblateness.radius
    for each in loads:
        if surface is not None and isinstance(each, Drag) and 0.0 < each.reference_radius < surface[1]:
            raise InputError(
                f"reference_radius {each.reference_radius:g} m of the drag is inside {surface[0]}, whose radius is "
                f"{surface[1]:g} m: it is the distance from the centre, not the altitude; give the sum of radius and "
                "altitude, m"
            )


def _check_environments(loads: Sequence[AnyPotential]) -> None:
    """Raise InputError if a source of torque along an orbit occurs twice."""
    from ..environment.constants import MU
    from ..environment.loads import EnvironmentLoads

    several = [each for each in loads if isinstance(each, EnvironmentLoads)]
    if not several:
        return
    total = Counter(source for each in several for source in each.sources)
    gravity = next((each for each in loads if isinstance(each, GravityGradient) and _near(each.mu, MU)), None)
    if total["gravity gradient"] and gravity is not None:
        raise InputError(
            f"the gravity gradient of the Earth acts twice: in EnvironmentLoads, and as GravityGradient with mu "
            f"{gravity.mu:g} m^3/s^2; omit one of them"
        )
    twice = next((source for source, count in total.items() if count > 1), None)
    if twice is not None:
        raise InputError(f"{twice} acts twice, in two EnvironmentLoads; give each source in one of them")
    if total["magnetic damping"] and total["magnetic unloading"]:
        raise InputError("give either magnetic damping or magnetic unloading: the magnetorquers cannot do both")


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(one, other)


def _equal(one: Any, other: Any) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in quantities(one))
