"""Functions reach compiled code as integer addresses, not as numba function objects.

A compiled loop that must take any law without being compiled again can be given numba's first-class functions or
bare addresses that are cast inside. Both run alike; what differs is the call from Python, which a plain Python law
pays at every sample. Measured on two cores of an AMD EPYC with numba 0.68: 22 us with two function objects, 0.8 us
with two addresses.
"""

import time

import numpy as np
from numba import cfunc, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

ROW = types.float64[::1]
SIGNATURE = types.void(types.float64, ROW)
FUNCTION = types.FunctionType(SIGNATURE)
CALLS = 20_000


@cfunc(SIGNATURE)
def law(t, x):
    x[0] += t


@intrinsic
def at(typing_context, address):
    def generate(context, builder, signature, arguments):
        pair = cgutils.create_struct_proxy(FUNCTION)(context, builder)
        pair.c_addr = builder.inttoptr(arguments[0], pair.c_addr.type)
        return pair._getvalue()

    return FUNCTION(types.int64), generate


@njit((FUNCTION, FUNCTION, ROW))
def with_objects(first, second, x):
    first(1.0, x)
    second(1.0, x)


@njit((types.int64, types.int64, ROW))
def with_addresses(first, second, x):
    at(first)(1.0, x)
    at(second)(1.0, x)


def main() -> None:
    """Print the time of a call either way."""
    x = np.zeros(1)
    for name, call, argument in (("objects", with_objects, law), ("addresses", with_addresses, law.address)):
        call(argument, argument, x)
        began = time.perf_counter()
        for _ in range(CALLS):
            call(argument, argument, x)
        print(f"two function {name}: {(time.perf_counter() - began) / CALLS * 1e6:.2f} us a call")


if __name__ == "__main__":
    main()
