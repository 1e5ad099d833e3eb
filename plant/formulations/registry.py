"""Every formulation by name."""

from types import MappingProxyType
from typing import Final

from .euler_angles import EULER_ANGLES
from .euler_angles_second_order import EULER_ANGLES_SECOND_ORDER
from .formulation import Formulation
from .hamilton_7 import HAMILTON_7
from .hamilton_8 import HAMILTON_8
from .hamilton_8_canonical import HAMILTON_8_CANONICAL
from .lagrange_23 import LAGRANGE_23
from .lagrange_25 import LAGRANGE_25
from .lagrange_29 import LAGRANGE_29
from .lagrange_29_82 import LAGRANGE_29_82
from .lagrange_82 import LAGRANGE_82
from .lagrange_qp2 import LAGRANGE_QP2
from .newton_euler import NEWTON_EULER
from .schwab_42 import SCHWAB_42

__all__ = ["FORMULATIONS"]

FORMULATIONS: Final = MappingProxyType[str, Formulation](
    {
        formulation.name: formulation
        for formulation in (
            HAMILTON_7,
            HAMILTON_8,
            HAMILTON_8_CANONICAL,
            NEWTON_EULER,
            EULER_ANGLES,
            EULER_ANGLES_SECOND_ORDER,
            LAGRANGE_23,
            LAGRANGE_25,
            LAGRANGE_29,
            LAGRANGE_82,
            LAGRANGE_29_82,
            LAGRANGE_QP2,
            SCHWAB_42,
        )
    }
)
"""The formulations by name."""
