"""The basis of the torque components: body, inertial, Euler or dual Euler."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...attitude import parse_sequence
from ...checks import choice, each_positive, numbers, vector
from ...errors import InputError
from ...frozen import frozen_arrays
from .torque_kernels import BODY, DUAL, EULER, INERTIAL, torque_in_body

BASIS_NAMES = {"body": BODY, "inertial": INERTIAL, "euler": EULER, "dual-euler": DUAL}
BASIS_WORDS = {
    "body": "components along the body axes",
    "inertial": "components along the inertial axes",
    "euler": "components along the axes of an Euler sequence",
    "dual-euler": "along the dual of those axes: each does work on one Euler angle only",
}


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class TorqueBasis:
    """Basis of the torque components, with limits: the vectors along which the three components act.

    With R = R_i(a1) R_j(a2) R_k(a3), the Euler basis g1, g2, g3 consists of the axes of the three rotations. The dual
    basis g^1, g^2, g^3 is its reciprocal basis. Components in the dual basis are the generalised forces conjugate to
    the Euler angles (Choi 2014, section 2.1). See `singularity` for the behaviour at a singular pose.

    Parameters
    ----------
    name : str
        "body", "inertial", "euler" or "dual-euler".
    sequence : str, optional
        Euler sequence, such as "3-1-3"; required for the two Euler bases, not allowed for the others.
    limit : float or array_like, shape (3,), optional
        Largest magnitude of each component, N m. None: unlimited.
    keep_direction : bool
        Whether a command beyond the limit is scaled down as a vector, so that its direction is kept; otherwise each
        component saturates separately.
    envelope : array_like, shape (k, 3), optional
        G of {u: G u <= 1}, 1/(N m): the torques that the actuators can produce. A command outside this set is scaled
        down as a vector. `polhode.controllers.WheelAllocation` and `ThrusterAllocation` compute such envelopes. Body
        basis only.
    internal : bool, optional
        True: the torque is commanded to elements of the spacecraft, namely wheels with a `command` (see
        `polhode.plant.wheel_array`). False: the torque acts from outside. None: the torque acts from outside, and a
        run with a law warns if motors are idle. If `torques` of a spacecraft with such wheels is not given, it is
        `TorqueBasis(internal=True)`.

    Raises
    ------
    InputError
        When the name or the sequence is unknown, a sequence is missing or superfluous, a limit is not positive, or an
        envelope has the wrong shape or a basis other than the body basis.

    Examples
    --------
    >>> TorqueBasis("dual-euler", "3-2-1", limit=0.5).axes
    (2, 1, 0)
    """

    name: str
    sequence: str | None
    limit: NDArray[np.float64] | None
    keep_direction: bool
    envelope: NDArray[np.float64] | None
    internal: bool
    port_stated: bool

    def __init__(
        self,
        name: str = "body",
        sequence: str | None = None,
        *,
        limit: float | ArrayLike | None = None,
        keep_direction: bool = False,
        envelope: ArrayLike | None = None,
        internal: bool | None = None,
    ) -> None:
        choice("torque basis", name, BASIS_NAMES)
        needs = name in ("euler", "dual-euler")
        if needs and sequence is None:
            raise InputError(f"torque basis {name!r} needs an Euler sequence such as '3-1-3'")
        if not needs and sequence is not None:
            raise InputError(f"torque basis {name!r} takes no Euler sequence; got {sequence!r}")
        if sequence is not None:
            parse_sequence(sequence)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "sequence", sequence)
        object.__setattr__(self, "limit", None if limit is None else each_positive("torque limit", limit, unit="N m"))
        object.__setattr__(self, "keep_direction", bool(keep_direction))
        if envelope is not None and name != "body":
            raise InputError(f"an envelope is fixed in the body, but the torque basis is {name!r}; use 'body'")
        object.__setattr__(self, "envelope", None if envelope is None else _envelope(envelope))
        object.__setattr__(self, "internal", bool(internal))
        object.__setattr__(self, "port_stated", internal is not None)

    @property
    def code(self) -> int:
        """Integer code of the basis in the kernels."""
        return BASIS_NAMES[self.name]

    @property
    def axes(self) -> tuple[int, int, int]:
        """The three axes of the sequence, counted from 0; zeros for the body and inertial bases."""
        return (0, 0, 0) if self.sequence is None else parse_sequence(self.sequence)

    @property
    def port(self) -> str:
        """Source of the torque: "wheels" (through elements) or "external" (from outside)."""
        return "wheels" if self.internal else "external"

    def limits(self) -> NDArray[np.float64]:
        """Return the limit of each component.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Limits, N m; infinite if unlimited.
        """
        return np.full(3, np.inf) if self.limit is None else np.array(self.limit, dtype=np.float64)

    def saturation(self) -> NDArray[np.float64]:
        """Return the parameters of the kernel `saturate`.

        Returns
        -------
        numpy.ndarray, shape (4 + 3 k,)
            Limits, N m (3); 1 if the direction is kept, else 0; rows of the envelope.
        """
        return np.concatenate((self.limits(), (float(self.keep_direction),), self.envelope_rows()))

    def envelope_rows(self) -> NDArray[np.float64]:
        """Return the rows of the envelope, concatenated.

        Returns
        -------
        numpy.ndarray, shape (3 k,)
            G row by row; empty if there is no envelope.
        """
        return np.zeros(0) if self.envelope is None else self.envelope.ravel()

    def outside(self) -> TorqueBasis:
        """Return the same basis and limits for a torque that acts from outside.

        Returns
        -------
        TorqueBasis
            The basis with internal=False.
        """
        return TorqueBasis(
            self.name,
            self.sequence,
            limit=self.limit,
            keep_direction=self.keep_direction,
            envelope=self.envelope,
            internal=False,
        )

    def to_body(self, components: ArrayLike, attitude: ArrayLike) -> NDArray[np.float64]:
        """Return the torque in body components.

        Parameters
        ----------
        components : array_like, shape (3,)
            Components in this basis, N m.
        attitude : array_like, shape (4,)
            Euler parameters, scalar first.

        Returns
        -------
        numpy.ndarray, shape (3,)
            Body components, N m; not finite if an infinite dual vector contributes.
        """
        u = vector("torque components", components, unit="N m")
        e = vector("attitude", attitude, 4)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.array(torque_in_body(self.code, *self.axes, *e, *u), dtype=np.float64)


def _envelope(envelope: ArrayLike) -> NDArray[np.float64]:
    rows = numbers("torque envelope", envelope, "1/(N m)")
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise InputError(f"a torque envelope must be finite numbers, k x 3, 1/(N m); got shape {rows.shape}")
    rows.flags.writeable = False
    return rows
