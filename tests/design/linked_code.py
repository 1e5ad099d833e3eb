"""Warm starts link object files with llvmlite instead of loading numba's own cache.

numba's cache saves the compiling but not the import of numba and the filling of its registries. An object file of a
function that allocates nothing and raises nothing needs neither. This prints the time from a new process to the first
result either way: numba imported and made ready, or llvmlite alone. Measured on two cores of an AMD EPYC: 0.28 s to
import numba and 0.28 s more for its registries, against 0.05 s.
"""

import subprocess
import sys
import time

NUMBA = """
import numba
from numba.core.registry import cpu_target
cpu_target.target_context.refresh()
"""
LINK = """
import llvmlite.binding as llvm
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
llvm.create_mcjit_compiler(llvm.parse_assembly(""), llvm.Target.from_default_triple().create_target_machine(jit=True))
"""


def main() -> None:
    """Print the best of five of each."""
    for name, code in (("python alone", ""), ("numba made ready", NUMBA), ("llvmlite alone", LINK)):
        times: list[float] = []
        for _ in range(5):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times.append(time.perf_counter() - began)
        print(f"{name}: {min(times):.2f} s")


if __name__ == "__main__":
    main()
