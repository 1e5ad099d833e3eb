"""Registry of potential kinds, one line each: the file of a kind, or its name and class."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import PotentialKind

FILES = (
    "drag = plant.loads.potentials.drag:Drag",
    "gravity_gradient",
    "guided-spring = plant.loads.potentials.guided_spring:GuidedSpring",
    "oblateness = plant.loads.potentials.oblateness:Oblateness",
    "point-gravity = plant.loads.potentials.point_gravity:PointGravity",
    "spring = plant.loads.potentials.spring:Spring",
    "uniform-gravity = plant.loads.potentials.uniform_gravity:UniformGravity",
)

KINDS: "Kinds[PotentialKind]" = Kinds(__name__, FILES)
