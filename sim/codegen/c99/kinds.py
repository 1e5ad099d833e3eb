"""Types of names in a kernel, as represented in C."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Scalar:
    """A scalar kind; in the order FLAG, INTEGER, REAL, COMPLEX, each can hold the values of earlier ones."""

    name: str
    order: int


FLAG, INTEGER, REAL, COMPLEX = (
    Scalar("flag", 0),
    Scalar("integer", 1),
    Scalar("real", 2),
    Scalar("complex_number", 3),
)

SIMD_REAL, SIMD_MASK = Scalar("simd_real", 4), Scalar("simd_mask", 5)
"""Vector of one real number per run, and the result of comparing two such vectors; see `simd`."""


@dataclass(frozen=True)
class Array:
    """A row (one dimension) or a table (two dimensions) of numbers."""

    item: Scalar
    dimensions: int


@dataclass(frozen=True)
class Several:
    """A tuple, represented as a struct that is passed by value."""

    items: "tuple[Kind, ...]"

    @property
    def name(self) -> str:
        """C type of the tuple."""
        first = self.items[0]
        if all(each == first for each in self.items):
            inner = name_of(first)
            return f"{inner}x{len(self.items)}" if inner[-1].isdigit() else f"{inner}{len(self.items)}"
        return "_and_".join(name_of(each) for each in self.items)

    @property
    def alike(self) -> bool:
        """True if all items have the same kind, so that they can be stored in an array."""
        return all(each == self.items[0] for each in self.items)


@dataclass(frozen=True)
class Bound:
    """A function known at translation time."""

    function: Callable[..., Any]


@dataclass(frozen=True)
class Pointer:
    """The address of a function with one of the signatures in `pointers`, known at run time."""

    signature: str

    @property
    def name(self) -> str:
        """C type of the pointer."""
        return f"{self.signature}_pointer"


@dataclass(frozen=True)
class Record:
    """A NamedTuple of arrays, such as the arrays of a run: a struct that is passed by pointer."""

    made_of: type[Any]


@dataclass(frozen=True)
class Nothing:
    """Return type of a kernel that returns no value."""


NOTHING = Nothing()

Kind = Scalar | Array | Several | Bound | Pointer | Record | Nothing


def name_of(kind: Kind) -> str:
    """Return the C type of a scalar, a tuple or a pointer."""
    if isinstance(kind, Scalar | Several | Pointer):
        return kind.name
    raise TypeError(f"{kind} is not a value in C")


def common(first: Kind | None, second: Kind) -> Kind | None:
    """Return the kind that can hold both kinds, or None if there is none; `second` if `first` is None."""
    if first is None or first == second:
        return second
    if SIMD_MASK in (first, second):
        return None
    if isinstance(first, Scalar) and isinstance(second, Scalar):
        return max(first, second, key=lambda each: each.order)
    if isinstance(first, Several) and isinstance(second, Several) and len(first.items) == len(second.items):
        items = tuple(common(a, b) for a, b in zip(first.items, second.items, strict=True))
        return Several(tuple(each for each in items if each is not None)) if all(items) else None
    return None
