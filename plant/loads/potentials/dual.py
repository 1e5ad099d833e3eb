"""Dual numbers: forward-mode automatic differentiation of a user function.

A dual number is a value with its gradient, propagated through every operation. The values may be complex, so that a
complex step can differentiate the gradient once more. This makes the linear model exact even for a potential without a
user-supplied gradient.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

Unary = tuple[Callable[[Any], Any], Callable[[Any], Any]]

_UNARY: dict[str, Unary] = {
    "sqrt": (np.sqrt, lambda v: 0.5 / np.sqrt(v)),
    "exp": (np.exp, np.exp),
    "expm1": (np.expm1, np.exp),
    "log": (np.log, lambda v: 1.0 / v),
    "log1p": (np.log1p, lambda v: 1.0 / (1.0 + v)),
    "sin": (np.sin, np.cos),
    "cos": (np.cos, lambda v: -np.sin(v)),
    "tan": (np.tan, lambda v: 1.0 + np.tan(v) ** 2),
    "arcsin": (np.arcsin, lambda v: 1.0 / np.sqrt(1.0 - v * v)),
    "arccos": (np.arccos, lambda v: -1.0 / np.sqrt(1.0 - v * v)),
    "arctan": (np.arctan, lambda v: 1.0 / (1.0 + v * v)),
    "sinh": (np.sinh, np.cosh),
    "cosh": (np.cosh, np.sinh),
    "tanh": (np.tanh, lambda v: 1.0 - np.tanh(v) ** 2),
    "square": (np.square, lambda v: 2.0 * v),
    "reciprocal": (lambda v: 1.0 / v, lambda v: -1.0 / (v * v)),
    "negative": (lambda v: -v, lambda v: -1.0 + 0.0 * v),
    "positive": (lambda v: v, lambda v: 1.0 + 0.0 * v),
    "conjugate": (lambda v: v, lambda v: 1.0 + 0.0 * v),  # V is real, so np.vdot equals np.dot
    "absolute": (lambda v: -v if np.real(v) < 0.0 else v, lambda v: -1.0 if np.real(v) < 0.0 else 1.0),
}


class Dual:
    """Dual number: a value and its gradient.

    value: real or complex.
    slope (n,): gradient of the value.
    """

    __slots__ = ("slope", "value")

    def __init__(self, value: Any, slope: NDArray[Any]) -> None:
        self.value = value
        self.slope = slope

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs:
            return NotImplemented
        if any(_elementwise(item) for item in inputs):  # elementwise
            return ufunc(*(np.asarray(item, dtype=object) if isinstance(item, Dual) else item for item in inputs))
        name = ufunc.__name__
        if name in _UNARY and len(inputs) == 1:
            return _apply(name, inputs[0])
        if name in _BINARY:
            return _BINARY[name](*inputs)
        return NotImplemented

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # numpy calls x.sin() or y.arctan2(x) for the entries of an object array
        if name in _UNARY:
            return lambda: _apply(name, self)
        if name in _BINARY:
            return partial(_BINARY[name], self)
        raise AttributeError(f"a potential may not use {name!r}: its derivative is not available")

    def __neg__(self) -> "Dual":
        return Dual(-self.value, -self.slope)

    def __pos__(self) -> "Dual":
        return self

    def __abs__(self) -> "Dual":
        return _apply("absolute", self)

    def __add__(self, other: Any) -> Any:
        return _add(self, other)

    def __sub__(self, other: Any) -> Any:
        return _add(self, -other)

    def __mul__(self, other: Any) -> Any:
        return _multiply(self, other)

    def __truediv__(self, other: Any) -> Any:
        return _divide(self, other)

    def __pow__(self, other: Any) -> Any:
        return _power(self, other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: Any) -> Any:
        return _add(-self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _divide(other, self)

    def __rpow__(self, other: Any) -> Any:
        return _power(other, self)

    def __eq__(self, other: object) -> bool:
        return bool(_real(self) == _real(other))

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: Any) -> bool:
        return bool(_real(self) < _real(other))

    def __le__(self, other: Any) -> bool:
        return bool(_real(self) <= _real(other))

    def __gt__(self, other: Any) -> bool:
        return bool(_real(self) > _real(other))

    def __ge__(self, other: Any) -> bool:
        return bool(_real(self) >= _real(other))


def _real(x: Any) -> float:
    return complex(x.value if isinstance(x, Dual) else x).real


def _split(x: Any) -> tuple[Any, Any]:
    return (x.value, x.slope) if isinstance(x, Dual) else (x, 0.0)


def _apply(name: str, x: Any) -> Dual:
    function, derivative = _UNARY[name]
    return Dual(function(x.value), derivative(x.value) * x.slope)


def _elementwise(x: Any) -> bool:
    return getattr(x, "ndim", 0) > 0


def _add(x: Any, y: Any) -> Any:
    if _elementwise(y):
        return np.asarray(x, dtype=object) + y
    (a, da), (b, db) = _split(x), _split(y)
    return Dual(a + b, da + db)


def _multiply(x: Any, y: Any) -> Any:
    if _elementwise(y):
        return np.asarray(x, dtype=object) * y
    (a, da), (b, db) = _split(x), _split(y)
    return Dual(a * b, a * db + b * da)


def _divide(x: Any, y: Any) -> Any:
    if _elementwise(y):
        return np.asarray(x, dtype=object) / y
    (a, da), (b, db) = _split(x), _split(y)
    return Dual(a / b, (da - (a / b) * db) / b)


def _power(x: Any, y: Any) -> Any:
    if _elementwise(y):
        return np.asarray(x, dtype=object) ** y
    (a, da), (b, db) = _split(x), _split(y)
    if not isinstance(y, Dual):
        return Dual(a**b, (b * a ** (b - 1) if b != 0 else 0.0) * da)
    value = a**b
    return Dual(value, value * (db * np.log(a) + (b * da / a)))


def _hypot(x: Any, y: Any) -> Any:
    return _apply("sqrt", _add(_multiply(x, x), _multiply(y, y)))


def _arctan2(y: Any, x: Any) -> Dual:
    (a, da), (b, db) = _split(y), _split(x)
    # the differential propagates the imaginary part, exactly for the infinitesimal step
    square = a * a + b * b
    real_a, real_b = complex(a).real, complex(b).real
    angle: Any = math.atan2(real_a, real_b)
    if isinstance(a, complex) or isinstance(b, complex):  # includes numpy.complex128
        angle += 1j * (real_b * complex(a).imag - real_a * complex(b).imag) / complex(square).real
    return Dual(angle, (b * da - a * db) / square)


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": _add,
    "subtract": lambda x, y: _add(x, -y),
    "multiply": _multiply,
    "divide": _divide,
    "power": _power,
    "float_power": _power,
    "arctan2": _arctan2,
    "hypot": _hypot,
    "maximum": lambda x, y: x if _real(x) >= _real(y) else y,
    "minimum": lambda x, y: x if _real(x) <= _real(y) else y,
}


def gradient(function: Callable[[Any, Any], Any], c: NDArray[Any], e: NDArray[Any]) -> tuple[Any, NDArray[Any]]:
    """Return V(c, e) and its exact gradient.

    function: V(c, e), written with arithmetic and numpy functions; c (3,): position, real or complex; e (4,): Euler
    parameters, real or complex -> V, J; gradient (7,), dV/dc (3) and dV/de (4).
    """
    numbers = np.concatenate([c, e])
    unit = np.eye(7)
    duals = np.empty(7, dtype=object)
    for n in range(7):
        duals[n] = Dual(numbers[n], unit[n])
    duals.flags.writeable = False  # a function must not modify the arguments of the next call
    result: Any = function(duals[:3], duals[3:])
    value, slope = _split(result[()] if isinstance(result, np.ndarray) else result)
    return value, np.zeros(7) + slope
