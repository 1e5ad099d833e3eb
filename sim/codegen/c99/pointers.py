"""Signatures of the functions called by address: laws, references, blocks, elements, loads and steps.

Every array is passed as its address and its extents. Each signature declares the arguments that its functions write,
since a caller cannot infer them; `pointer_calls.export_text` refuses a kernel that writes to other arguments.
"""

from dataclasses import dataclass

from .kinds import INTEGER, NOTHING, REAL, SIMD_REAL, Array, Kind, Nothing, Pointer, Scalar
from .names import free_name

ROW, TABLE, VECTORS = Array(REAL, 1), Array(REAL, 2), Array(SIMD_REAL, 1)


@dataclass(frozen=True)
class Signature:
    """A function's arguments by name, the arguments that it writes to, and the kind of its result."""

    arguments: dict[str, Kind]
    writes: frozenset[str]
    result: Kind = NOTHING

    def parameters(self, *, named: bool = True) -> str:
        """Return the parameters in C, every array followed by all its extents."""
        found: list[str] = []
        for name, kind in self.arguments.items():
            for type_name, parameter in parts_of(name, kind, written=name in self.writes):
                found.append(f"{type_name}{parameter}" if named else type_name.rstrip())
        return ", ".join(found)


def parts_of(name: str, kind: Kind, *, written: bool) -> list[tuple[str, str]]:
    """Return the C parameters of an argument, as type and name."""
    called = free_name(name)
    if isinstance(kind, Array):
        constant = "" if written else "const "
        sizes = ("size",) if kind.dimensions == 1 else ("rows", "columns")
        return [(f"{constant}{kind.item.name} *", called), *(("integer ", f"{called}_{size}") for size in sizes)]
    assert isinstance(kind, Scalar)  # noqa: S101 # signatures have rows, tables and numbers
    return [(f"{kind.name} ", called)]


SIGNATURES = {
    "law": Signature({"t": REAL, "y": ROW, "r": ROW, "q": ROW, "z": ROW, "u": ROW}, frozenset("zu")),
    "simd_law": Signature(
        {"t": REAL, "y": VECTORS, "r": VECTORS, "q": VECTORS, "z": VECTORS, "u": VECTORS}, frozenset("zu")
    ),
    "reference": Signature({"t": REAL, "q": ROW, "r": ROW}, frozenset("r")),
    "block": Signature({"t": REAL, "y": ROW, "q": ROW, "z": ROW, "v": ROW}, frozenset("zv")),
    "user": Signature({"t": REAL, "x": ROW, "p": ROW, "dx": ROW, "w": ROW}, frozenset({"dx", "w"})),
    "element": Signature(
        {"phase": INTEGER, "t": REAL, "x": ROW, "u": ROW, "p": ROW, "row": INTEGER, "w": ROW}, frozenset("xuw")
    ),
    "simd_block": Signature({"t": REAL, "y": VECTORS, "q": VECTORS, "z": VECTORS, "v": VECTORS}, frozenset("zv")),
    "simd_element": Signature(
        {"phase": INTEGER, "t": REAL, "x": VECTORS, "u": VECTORS, "p": VECTORS, "row": INTEGER, "w": VECTORS},
        frozenset("xuw"),
    ),
    "step": Signature(
        {
            "t": REAL,
            "h": REAL,
            "x": ROW,
            "u": ROW,
            "p": ROW,
            "w": ROW,
            "y": ROW,
            "within": INTEGER,
            "of": REAL,
            "table": TABLE,
        },
        frozenset({"x", "u", "w", "y", "table"}),
        REAL,
    ),
}
"""Signature of every kind of function that the engine calls by address."""


def pointer_type(kind: Pointer) -> str:
    """Return the C type definition of a function pointer."""
    signature = SIGNATURES[kind.signature]
    result = "void" if isinstance(signature.result, Nothing) else REAL.name
    return f"typedef {result} (*{kind.name})({signature.parameters(named=False)});"
