"""User-defined potential: one plain function, differentiated automatically and exactly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InputError
from ...kernels.kernel import kernel
from .any_potential import AnyPotential
from .dual import gradient

Numbers = Sequence[Any]


@dataclass(frozen=True, eq=False)
class Potential(AnyPotential):
    """Potential energy V(c, e) given by a function (Shivarama & Fahrenthold 2004, (24)).

    The torque -1/2 G dV/de and the force -dV/dc need no finite differences: compiled runs differentiate by complex
    steps, other runs by dual numbers. Write V with arithmetic and numpy functions of its arguments.

    Parameters
    ----------
    function : callable
        V(c, e) in J. c (3): position of the mass centre of hub and elements, m, inertial components, relative to the
        pivot of a pivoted spacecraft. e (4): Euler parameters, scalar first. The force -dV/dc acts at c. A V that
        depends on c needs a pivot or translation. The function must not write to c or e.
        It is compiled to C at first use. A function that has no C translation or no complex step (try, dict, abs,
        np.linalg.norm, a source typed at a prompt) runs as plain Python with dual numbers, which is far slower; the
        reason is written to stderr.
    gradient : callable, optional
        dV(c, e) returns seven numbers, dV/dc and dV/de. Needed for a V that cannot be differentiated automatically;
        otherwise it saves time. The constructor checks it against V.

    Raises
    ------
    InputError
        When V does not return a number or cannot be differentiated, or the given gradient is wrong.

    Examples
    --------
    >>> top = Potential(lambda c, e: 20.0 * (e[0] ** 2 - e[1] ** 2 - e[2] ** 2 + e[3] ** 2))
    """

    function: Callable[[Any, Any], Any]
    gradient: Callable[[Any, Any], Numbers] | None = None

    def __post_init__(self) -> None:
        with np.errstate(all="ignore"):  # a random position may be outside the domain of V
            for c, e in _places():
                if self.gradient is None:
                    self._try_differentiating(c, e)
                else:
                    self._check_gradient(c, e)

    def _try_differentiating(self, c: Any, e: Any) -> None:
        try:
            value = gradient(self.function, c, e)[0]
            if np.shape(value) != () or np.asarray(value).dtype.kind not in "iufc":
                raise TypeError(f"it returned {value!r}")
        except Exception as error:
            raise InputError(
                f"the potential cannot be differentiated ({type(error).__name__}: {error}); write it with arithmetic "
                "and numpy functions of c and e, or pass gradient="
            ) from error

    def _check_gradient(self, c: Any, e: Any) -> None:
        try:
            slope = np.asarray(self.slope(c, e), dtype=np.float64)
        except Exception as error:
            raise InputError(f"the given gradient failed ({type(error).__name__}: {error})") from error
        if slope.shape != (7,):
            raise InputError(f"a potential's gradient must be 7 numbers, dV/dc and dV/de; got shape {slope.shape}")
        # Fourth-order central differences, since V is arbitrary. Truncation and rounding errors both are near
        # 1e-11 of V with this step, far below the bound of 1e-6 for a wrong gradient.
        point = np.concatenate([c, e])
        step = 1e-3
        differences = np.empty(7)
        for n in range(7):
            d = step * np.eye(7)[n]
            near = self._value(point + d) - self._value(point - d)
            far = self._value(point + 2 * d) - self._value(point - 2 * d)
            differences[n] = (8.0 * near - far) / (12.0 * step)
        off = float(np.abs(differences - slope).max())
        if off > 1e-6 * max(float(np.abs(differences).max()), 1e-12):
            n = int(np.abs(differences - slope).argmax())
            raise InputError(
                f"the gradient of a potential does not match the potential: component {n} is {slope[n]:.9g}, "
                f"differences of the potential give {differences[n]:.9g}"
            )

    def _value(self, point: Any) -> float:
        return float(self.function(point[:3], point[3:]))

    @property
    def complex_step_safe(self) -> bool:
        """True if a complex step gives the gradient of V, which compiled runs need if `gradient` is missing.

        abs, np.linalg.norm and np.vdot drop the imaginary part, which carries the derivative, or change its sign.
        """
        try:
            with np.errstate(all="ignore"):
                for c, e in _places():
                    exact = gradient(self.function, c, e)[1]
                    for n, step in enumerate(1e-40j * np.eye(7)):
                        derivative = complex(self.function(c + step[:3], e + step[3:])).imag / 1e-40
                        if abs(derivative - exact[n]) > 1e-9 * float(np.abs(exact).max()):
                            return False
        except (TypeError, ValueError):
            return False
        return True

    def slope(self, c: Any, e: Any) -> Any:
        """Return the gradient of V: dV/dc, then dV/de.

        Parameters
        ----------
        c : numpy.ndarray, shape (3,)
            Position, m; real or complex.
        e : numpy.ndarray, shape (4,)
            Euler parameters; real or complex.

        Returns
        -------
        numpy.ndarray, shape (7,)
            dV/dc (J/m) and dV/de (J).
        """
        return value_and_slope(self, c, e)[1]


def value_and_slope(potential: Potential, c: Any, e: Any) -> tuple[Any, Any]:
    """Return V and its gradient dV/dc, dV/de; 0 in place of V if the user supplies the gradient."""
    if potential.gradient is not None:
        return 0.0, np.asarray(potential.gradient(c, e))
    return gradient(potential.function, c, e)


def _places() -> list[tuple[Any, Any]]:
    """Return three random but reproducible positions and attitudes."""
    rng = np.random.default_rng(7)
    places = [(rng.normal(size=3), rng.normal(size=4)) for _ in range(3)]
    return [(c, e / np.linalg.norm(e)) for c, e in places]


@kernel
def potential_load(
    e0: Any, e1: Any, e2: Any, e3: Any, f0: Any, f1: Any, f2: Any, g0: Any, g1: Any, g2: Any, g3: Any
) -> Any:  # fmt: skip
    """Return torque -1/2 G dV/de (body) and force -dV/dc (inertial), from e, dV/dc (f) and dV/de (g)."""
    return (
        -0.5 * (-e1 * g0 + e0 * g1 + e3 * g2 - e2 * g3),
        -0.5 * (-e2 * g0 - e3 * g1 + e0 * g2 + e1 * g3),
        -0.5 * (-e3 * g0 + e2 * g1 - e1 * g2 + e0 * g3),
        -f0,
        -f1,
        -f2,
    )
