"""Interface of a control law to the engine: the members that every law must have.

The contract of a law kernel::

    law(t, y, r, q, z, u)

    t   float           time of the sample, s
    y   array           the measurement: pi (3, N m s, body), e (4, scalar first), omega (3, rad/s, body), then the
                        other states of the plant: internal coordinates and momenta, position, linear momentum
    r   array (10,)     reference: e_ref (4), omega_ref (3, rad/s) and its time derivative alpha_ref (3, rad/s^2),
                        both in components of the reference body frame
    q   array           the law's parameters (`parameters`), read-only
    z   array           the law's memory (`memory` at the start), kept from sample to sample; may be empty
    u   array (3,)      out: the command, in components of the plant's torque basis

The kernel is called once per sample. The command reaches the plant `delay` seconds after the sample and is held
(zero-order hold) until the next command arrives; before the first arrival the command is zero. The engine applies
saturation (`TorqueBasis.limit`) after the law, so the law itself need not saturate.

A kernel is plain Python on scalars (see `polhode.plant.kernels.kernel`). The kernel runs as plain Python, as compiled
code, and with complex numbers. The complex evaluation gives the exact small-signal gain for the margins of a nonlinear
law.
"""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@runtime_checkable
class Law(Protocol):
    """The minimal interface of a sampled control law (see the module for the contract of the kernel).

    `AttitudeLaw` has the optional members of a law and their defaults.
    """

    @property
    def sample(self) -> float:
        """Sampling period, s."""
        ...

    @property
    def delay(self) -> float:
        """Time from a sample to the moment its command reaches the plant, s."""
        ...

    @property
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""
        ...

    @property
    def parameters(self) -> Array:
        """Parameters q of the kernel."""
        ...

    @property
    def memory(self) -> Array:
        """Memory z of the kernel before the first sample."""
        ...
