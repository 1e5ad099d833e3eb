"""Symbols that a shared library exports and imports, read from the file itself: ELF, Mach-O and PE of 64 bits.

No tool is needed, so the libraries of every platform are inspected on any machine.
"""

import struct
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Symbols", "read_symbols"]


@dataclass(frozen=True)
class Symbols:
    """Format and processor of a library, the names it exports and imports, and what it needs at load.

    needs: libraries; versions of glibc symbols (ELF); oldest macOS (Mach-O).
    """

    format: str
    processor: str
    exported: set[str] = field(default_factory=set[str])
    imported: set[str] = field(default_factory=set[str])
    needs: set[str] = field(default_factory=set[str])


def read_symbols(path: Path) -> Symbols:
    """Return the symbols of a library. Raises ValueError where the file is none of the three formats."""
    data = path.read_bytes()
    if data[:5] == b"\x7fELF\x02":
        return _elf(data)
    if data[:4] == b"\xcf\xfa\xed\xfe":
        return _mach(data)
    if data[:2] == b"MZ":
        return _pe(data)
    raise ValueError(f"{path}: no library of 64 bits (ELF, Mach-O or PE)")


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode()


def _elf(data: bytes) -> Symbols:
    (machine,) = struct.unpack_from("<H", data, 18)
    found = Symbols("ELF", {62: "x86_64", 183: "aarch64"}.get(machine, str(machine)))
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + n * size) for n in range(count)]
    for _, kind, _, _, start, length, link, entries, _, width in sections:
        strings = sections[link][4]
        if kind == 11:  # SHT_DYNSYM
            for at in range(start + width, start + length, width):
                name, info, _, section = struct.unpack_from("<IBBH", data, at)
                if name and info >> 4:
                    (found.exported if section else found.imported).add(_text(data, strings + name))
        elif kind == 6:  # SHT_DYNAMIC
            for at in range(start, start + length, 16):
                tag, value = struct.unpack_from("<QQ", data, at)
                if tag == 1:
                    found.needs.add(_text(data, strings + value))
        elif kind == 0x6FFFFFFE:  # SHT_GNU_verneed
            at = start
            for _ in range(entries):
                _, versions, _, first, later = struct.unpack_from("<HHIII", data, at)
                each = at + first
                for _ in range(versions):
                    _, _, _, name, further = struct.unpack_from("<IHHII", data, each)
                    found.needs.add(_text(data, strings + name))
                    each += further
                at += later
    return found


def _mach(data: bytes) -> Symbols:
    processor, _, _, count = struct.unpack_from("<IIII", data, 4)
    found = Symbols("Mach-O", {0x01000007: "x86_64", 0x0100000C: "arm64"}.get(processor, str(processor)))
    at = 32
    for _ in range(count):
        kind, size = struct.unpack_from("<II", data, at)
        if kind == 2:  # LC_SYMTAB
            start, symbols, strings, _ = struct.unpack_from("<IIII", data, at + 8)
            for n in range(symbols):
                name, info = struct.unpack_from("<IB", data, start + 16 * n)
                if info & 0x01 and not info & 0xE0:  # external, no note for debuggers
                    names = found.imported if info & 0x0E == 0 else found.exported
                    names.add(_text(data, strings + name).removeprefix("_"))
        elif kind == 0xC:  # LC_LOAD_DYLIB
            found.needs.add(_text(data, at + struct.unpack_from("<I", data, at + 8)[0]))
        elif kind == 0x32:  # LC_BUILD_VERSION
            (oldest,) = struct.unpack_from("<I", data, at + 12)
            found.needs.add(f"macOS {oldest >> 16}.{oldest >> 8 & 255}")
        elif kind == 0x1D:
            found.needs.add("code signature")
        at += size
    return found


def _pe(data: bytes) -> Symbols:
    (head,) = struct.unpack_from("<I", data, 60)
    machine, count = struct.unpack_from("<HH", data, head + 4)
    (optional,) = struct.unpack_from("<H", data, head + 20)
    found = Symbols("PE", {0x8664: "x86_64", 0xAA64: "arm64"}.get(machine, str(machine)))
    first = head + 24 + optional
    sections = [struct.unpack_from("<IIII", data, first + 40 * n + 8) for n in range(count)]

    def place(address: int) -> int:
        return next(raw + address - start for size, start, _, raw in sections if start <= address < start + size)

    exports, _, imports, _ = struct.unpack_from("<IIII", data, head + 24 + 112)
    if exports:
        number, _, names = struct.unpack_from("<III", data, place(exports) + 24)
        start = place(names)
        found.exported.update(_text(data, place(each)) for each in struct.unpack_from(f"<{number}I", data, start))
    at = place(imports) if imports else 0
    while imports:
        table, _, _, library, addresses = struct.unpack_from("<IIIII", data, at)
        if not library:
            break
        found.needs.add(_text(data, place(library)))
        entry = place(table or addresses)
        while name := struct.unpack_from("<Q", data, entry)[0]:
            if not name >> 63:
                found.imported.add(_text(data, place(name) + 2))
            entry += 8
        at += 20
    return found
