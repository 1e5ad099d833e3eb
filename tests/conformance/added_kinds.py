"""Kinds that the tests of CONTRIBUTING add to a copy: one file each, with declared quantities."""

ELEMENT = '''"""A disc on a torsion spring about an axis of the hub: p' = -k s - c sdot."""

from typing import Any

from ..kernels.kernel import kernel
from ..quantity import AXIS, NUMBER, check_fields, declared, quantity
from .assembly import add_energy, add_force, add_mass, add_power, relative_rate


@declared
class TorsionDisc:
    """Disc on a torsion spring about an axis of the hub."""

    axis: Any = quantity(converter=AXIS, doc="its axis, body axes, any length but zero")
    inertia: float = quantity("kg m^2", converter=NUMBER, positive=True, doc="axial inertia")
    stiffness: float = quantity("N m/rad", converter=NUMBER, positive=True, doc="stiffness of the spring")
    damping: float = quantity("N m s", converter=NUMBER, non_negative=True, default=0.0, doc="viscous damping")
    angle: float = quantity("rad", converter=NUMBER, case="deg", default=0.0, start=True, doc="angle at t = 0")

    def __post_init__(self):
        check_fields(self, of="disc")

    coordinates = ("disc_angle",)
    units = ("rad",)
    cyclic = False
    constant = True
    moves_mass = False
    mass = 0.0

    @property
    def kernel(self):
        return torsion_disc

    @property
    def initial(self):
        return (self.angle,), (0.0,)

    def pack(self, offset):
        return [self.inertia, *self.axis, self.stiffness, self.damping]


@kernel
def torsion_disc(phase, t, x, u, p, row, w):
    k = int(p[row + 2])
    n = row + 4
    if phase == 0:
        for i in range(3):
            for j in range(i + 1):
                add_mass(p, w, i, j, p[n] * p[n + 1 + i] * p[n + 1 + j])
            add_mass(p, w, 3 + k, i, p[n] * p[n + 1 + i])
        add_mass(p, w, 3 + k, 3 + k, p[n])
    elif phase == 1:
        rate = relative_rate(p, w, k)
        add_force(p, w, k, -p[n + 4] * x[7 + k] - p[n + 5] * rate)
        add_power(p, w, -p[n + 5] * rate * rate)
    elif phase == 2:
        add_energy(p, w, 0.5 * p[n + 4] * x[7 + k] * x[7 + k])
'''

REFERENCE = '''"""Swing about the body z axis."""

import numpy as np

from ...plant.kernels.kernel import kernel
from ...plant.quantity import NUMBER, declared, quantity
from ..contracts.kernel_reference import KernelReference


@kernel
def swing_kernel(t, q, r):
    """q = [amplitude, frequency]."""
    angle = q[0] * np.sin(q[1] * t)
    r[0] = np.cos(0.5 * angle)
    r[1] = 0.0
    r[2] = 0.0
    r[3] = np.sin(0.5 * angle)
    for i in range(4, 10):
        r[i] = 0.0
    r[6] = q[0] * q[1] * np.cos(q[1] * t)
    r[9] = -q[1] * q[1] * angle


@declared
class Swing(KernelReference):
    """Swing about the body z axis from the attitude of rest."""

    amplitude: float = quantity("rad", converter=NUMBER, case="deg", positive=True, doc="amplitude")
    frequency: float = quantity("rad/s", converter=NUMBER, positive=True, doc="frequency")

    @property
    def kernel(self):
        return swing_kernel

    @property
    def parameters(self):
        return np.array((self.amplitude, self.frequency))

    @property
    def steady(self):
        return np.array((1.0, 0.0, 0.0, 0.0)), np.zeros(3)
'''

POTENTIAL = '''"""A permanent magnetic dipole in a uniform field: V = -m . R'B."""

from typing import Any, ClassVar

from ...kernels.fields import fields, filled, three
from ...kernels.kernel import kernel
from ...kernels.rotation import to_body
from ...quantity import VECTOR, check_fields, declared, quantity
from .any_potential import AnyPotential

AT = fields(dipole=3, field=3)


@declared
class Dipole(AnyPotential):
    """Permanent magnetic dipole in a uniform field."""

    words: ClassVar[str] = "the dipole"
    needs_place: ClassVar[bool] = False

    dipole: Any = quantity("A m^2", converter=VECTOR, doc="m, body axes")
    field: Any = quantity("T", converter=VECTOR, case="uT", doc="B, inertial axes")

    def __post_init__(self):
        check_fields(self, of="dipole")

    def pack(self, body, *, translation, off_center):
        return filled(AT, dipole=self.dipole, field=self.field)


@kernel
def dipole_load(t, x, p, row, w):
    m0, m1, m2 = three(p, row + AT.dipole)
    b0, b1, b2 = three(p, row + AT.field)
    c0, c1, c2 = to_body(x[3], x[4], x[5], x[6], b0, b1, b2)
    o = 0.0 * x[0]
    return m1 * c2 - m2 * c1, m2 * c0 - m0 * c2, m0 * c1 - m1 * c0, o, o, o


@kernel
def dipole_energy(t, x, p, row, w):
    m0, m1, m2 = three(p, row + AT.dipole)
    b0, b1, b2 = three(p, row + AT.field)
    c0, c1, c2 = to_body(x[3], x[4], x[5], x[6], b0, b1, b2)
    return -(m0 * c0 + m1 * c1 + m2 * c2)


Dipole.kernels = dipole_load, dipole_energy
POTENTIAL = Dipole
'''

BLOCK = '''"""Dead zone."""

from typing import Annotated, Any

import numpy as np

from ....plant.kernels.kernel import kernel
from ....plant.quantity import NUMBER, check_arguments, of_argument
from ...contracts.block import Block
from ...contracts.block_form import BlockForm
from ...contracts.clock import Clock
from .signals import read_write


@kernel
def dead_zone_block(t, y, q, z, v):
    for n in range(v.size):
        v[n] = y[n] - min(max(y[n], -q[0]), q[0])


@check_arguments
def dead_zone(
    half_width: Annotated[float, of_argument(shape=NUMBER, positive=True, doc="half width, in the unit of the signal")],
    *, reads, sample, writes=None, width=None, offset=0.0, delay=0.0, name="dead-zone", unit="",
) -> Block:
    """Return a block that passes on only what leaves a dead zone about zero."""
    names, written, size = read_write(reads, writes, width, unit=unit)
    return Block(dead_zone_block, reads=names, writes=written, clock=Clock(sample, offset=offset, delay=delay),
                 parameters=[half_width], linear=BlockForm(D=np.eye(size)), name=name)
'''

LINES = {
    "scenarios/case/kinds/elements/kinds.py": (
        ")\n\nKINDS",
        '    "torsion-disc = plant.elements.torsion_disc:TorsionDisc",\n',
    ),
    "scenarios/case/kinds/potentials/kinds.py": (
        ")\n\nKINDS",
        '    "dipole = plant.loads.potentials.dipole:Dipole",\n',
    ),
    "plant/loads/potentials/kinds.py": ('    "gravity_gradient",\n', '    "dipole",\n'),
    "scenarios/case/kinds/references/kinds.py": (")\n\nKINDS", '    "swing = controllers.guidance.swing:Swing",\n'),
    "scenarios/case/kinds/blocks/kinds.py": (
        ")\n\nKINDS",
        '    "dead-zone = controllers.laws.blocks.dead_zone:dead_zone",\n',
    ),
}
"""The line of each in a registry; a potential is also in that of the kernels."""

FILES = {
    "plant/elements/torsion_disc.py": ELEMENT,
    "plant/loads/potentials/dipole.py": POTENTIAL,
    "controllers/guidance/swing.py": REFERENCE,
    "controllers/laws/blocks/dead_zone.py": BLOCK,
}
