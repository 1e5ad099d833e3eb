# pyright: basic
# (llvmlite has no type stubs)
"""Object files brought into this process: machine code without the compiler that made it.

numba takes half a second to import and make ready; code that is on disk already needs the linker of llvmlite only,
a tenth of that.
"""

import ctypes
import sys
from functools import cache
from typing import Any

__all__ = ["link"]


_engines: dict[str, Any] = {}  # by symbol; they own the code, which stays for the life of the process


def _new_engine() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@cache
def _stop() -> int:
    """The address of the C library's abort."""
    library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    return ctypes.cast(library.abort, ctypes.c_void_p).value or 0


def link(symbols: list[str], code: bytes) -> int:
    """Return the address of a function in an object file.

    symbols: the function, then what it needs of numba's own run-time support. Kernels raise nothing, so that support
        stands only on paths never taken; where numba is not ready, it is replaced by an end of the process.
    code: the object file.
    -> where the function is. The code stays for the life of the process.
    """
    import llvmlite.binding as llvm

    name = symbols[0]
    if name not in _engines:  # one linker each: what two files define under one name never meets
        for needed in symbols[1:]:
            if llvm.address_of_symbol(needed) is None:  # numba itself registers them late, not when it is imported
                llvm.add_symbol(needed, _stop())
        engine = _new_engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        _engines[name] = engine
    return int(_engines[name].get_function_address(name))
