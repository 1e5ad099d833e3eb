"""Base class of the nonlinear laws, with sampling period, delay and torque basis."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel, TorqueBasis
from ...plant.checks import of_kind
from ...plant.quantity import argument, check_fields, declared, quantities
from ..contracts.attitude_law import AttitudeLaw
from ..contracts.checks import check_timing, read_only
from ..contracts.design_condition import DesignCondition

Array = NDArray[np.float64]

BASE = ("sample", "delay", "torques")


def _body_unless(torques: TorqueBasis | None) -> TorqueBasis:
    """Return the given torque basis, or the body basis for None.

    Raises InputError when the argument is not a TorqueBasis.
    """
    if torques is None:
        return TorqueBasis("body")
    of_kind("torques", torques, TorqueBasis, such_as="a TorqueBasis, such as craft.torques")
    return torques


@declared
class TorqueLaw(AttitudeLaw, ABC):
    """A law that is defined by its own parameters and valid for any spacecraft.

    Parameters
    ----------
    sample : float
        Sampling period, s.
    delay : float
        Time from a sample to the moment its command reaches the plant, s.
    torques : TorqueBasis
        Basis of the plant's torque input.
    """

    alike: ClassVar[int] = 4
    """Number of leading kernel parameters that must be equal in all runs of a SIMD batch."""

    sample: float
    delay: float = 0.0
    torques: TorqueBasis = argument(converter=_body_unless, default=None)

    def __post_init__(self) -> None:
        """Check timing, basis and quantities. Raises InputError when a value is not admissible."""
        sample, delay = check_timing(self.sample, self.delay)
        object.__setattr__(self, "sample", sample)
        object.__setattr__(self, "delay", delay)
        check_fields(self)

    @classmethod
    def stored(cls) -> tuple[str, ...]:
        """Return the names of the fields that a file stores: all except timing and torque basis."""
        return tuple(each.name for each in fields(cls) if each.name not in BASE)

    @property
    @abstractmethod
    def kernel(self) -> Callable[..., Any]:
        """The law kernel `law(t, y, r, q, z, u)`."""

    @property
    @abstractmethod
    def parameters(self) -> Array:
        """The kernel's parameters."""

    @property
    def design_condition(self) -> DesignCondition:
        """Design conditions: any spacecraft, attitude and rate."""
        return DesignCondition(torques=self.torques)

    @property
    def memory(self) -> Array:
        """Empty: this law has no memory."""
        return read_only(np.zeros(0))

    @property
    def batchable(self) -> NDArray[np.bool_]:
        """False for the first `alike` parameters (basis and axes first), otherwise True."""
        return np.arange(len(self.parameters)) >= self.alike

    def basis_numbers(self) -> Array:
        """Return the code and axes of the torque basis, shape (4,), which are the first parameters of the kernel."""
        return np.array((self.torques.code, *self.torques.axes), dtype=np.float64)

    def scalars(self) -> Mapping[str, tuple[float, Callable[[float], "TorqueLaw"]]]:
        """Return the scalars of the law's fields; for a symmetric matrix, the upper triangle by row and column."""
        found: dict[str, tuple[float, Callable[[float], TorqueLaw]]] = {}
        for name in self.stored():
            value: Any = getattr(self, name)
            if isinstance(value, float):
                found[name] = value, partial(_with, self, name, ())
            elif not isinstance(value, (bool, type(None))):
                matrix = np.asarray(value, dtype=np.float64)
                for place in np.ndindex(matrix.shape):
                    if len(place) < 2 or place[0] <= place[1]:
                        called = "_".join([name, *(str(k + 1) for k in place)])
                        found[called] = float(matrix[place]), partial(_with, self, name, place)
        return found

    def scalar_units(self) -> Mapping[str, str]:
        """Return the unit of each entry of `scalars`, taken from its field."""
        units = {name: declaration.unit for name, declaration in quantities(self).items() if declaration.unit}
        of = {name: max((each for each in units if name.startswith(each)), default="", key=len)
              for name in self.scalars()}  # fmt: skip
        return {name: units[field] for name, field in of.items() if field}

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the keys and tables that describe the law in a file."""
        values = {name: getattr(self, name) for name in self.stored()}
        keys = {name: value for name, value in values.items() if isinstance(value, bool)}
        numbers = {name: np.asarray(value).tolist() for name, value in values.items()
                   if isinstance(value, (float, np.ndarray))}  # fmt: skip
        return keys, {"gains": numbers}

    @classmethod
    def from_file(cls, content: Mapping[str, Any], model: LinearModel) -> "TorqueLaw":
        """Return the law stored in a file.

        Parameters
        ----------
        content : mapping
            Content of the file.
        model : LinearModel
            Model of the plant to control.

        Returns
        -------
        TorqueLaw
            The law.

        Raises
        ------
        KeyError
            When a value is missing.
        """
        given = {**content, **content["gains"]}
        optional = [name for name, declaration in quantities(cls).items() if declaration.optional]
        missing = [name for name in cls.stored() if name not in given and name not in optional]
        if missing:
            raise KeyError(missing[0])
        make: Any = cls
        numbers = {name: given[name] for name in cls.stored() if name in given}
        return make(**numbers, sample=content["sample_s"], delay=content["delay_s"], torques=model.torques)


def _with(law: TorqueLaw, name: str, place: tuple[int, ...], value: float) -> TorqueLaw:
    if not place:
        return replace(law, **{name: value})
    numbers = np.array(getattr(law, name))
    numbers[place] = value
    numbers[place[::-1]] = value
    return replace(law, **{name: numbers})
