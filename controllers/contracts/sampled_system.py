"""Conversion of the sampled function of a law or block to a discrete system of python-control."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ..loop.sampled_plant import split_delay

Array = NDArray[np.float64]
Answer = Callable[[float, Array, Array], Array]
Kernel = Callable[[float, Array, Array, Array], None]


def whole_samples(what: str, sample: float, delay: float, way: str) -> int:
    """Return a delay in whole samples.

    what, way: name of the law or block, and remedy, for the message. Raises InputError when the delay is not a whole
    number of samples.
    """
    whole, rest = split_delay(sample, delay)
    if rest:
        raise InputError(
            f"the delay of {what}, {delay:g} s, is not a whole number of its samples of {sample:g} s, but a discrete "
            f"system is defined at its samples only; {way}"
        )
    return whole


def sampled_system(
    who: str,
    answer: Answer,
    *,
    memory: int,
    inputs: Sequence[str],
    outputs: Sequence[str],
    sample: float,
    late: int,
    name: str,
) -> Any:
    """Return a control.NonlinearIOSystem of period `sample` with a memory and delayed outputs as states.

    who: name in messages. answer: answer(t, z, u) returns the output and overwrites z with the memory of the next
    sample; python-control may call it any number of times, each time with a copy of z. memory: length of z. late: delay
    of the output, samples; the output is zero until the first sample takes effect.

    python-control solves a loop by repeated evaluation, at first with zeros. A NaN would persist in these iterations,
    so an output that is not finite is replaced by zero, and the step then raises an error. python-control steps only
    systems with states, so a function without states gets one that stays zero.
    """
    import control

    many = len(outputs)

    def answer_at(t: float, z: Array, u: Array) -> Array:
        with np.errstate(all="ignore"):
            return answer(t, z, u)

    def refuse(t: float, v: Array) -> None:
        raise InputError(f"{who} returns no finite value at t = {t:g} s: ({', '.join(f'{each:g}' for each in v)})")

    def update(t: float, x: Any, u: Any, params: Any) -> Array:
        z = np.array(x[:memory], dtype=np.float64)
        v = answer_at(float(t), z, np.array(u, dtype=np.float64))
        if not np.isfinite(v).all():
            refuse(t, v)
        return np.concatenate((z, v, x[memory:-many])) if late else z if memory else np.zeros(1)

    def put_out(t: float, x: Any, u: Any, params: Any) -> Array:
        if late:
            return np.array(x[-many:], dtype=np.float64)
        given = np.array(u, dtype=np.float64)
        v = answer_at(float(t), np.array(x[:memory], dtype=np.float64), given)
        if np.isfinite(v).all():
            return v
        if given.all():  # all inputs are resolved, and there may be no later step to raise the error
            refuse(t, v)
        return np.zeros(many)

    under_way = [f"{output}_{n + 1}_samples_ago" for n in range(late) for output in outputs]
    states = [*(f"memory_{n + 1}" for n in range(memory)), *under_way]
    return control.nlsys(
        update, put_out, states=states or ["steps"], inputs=list(inputs), outputs=list(outputs), dt=sample, name=name
    )


def called_twice(kernel: Kernel, who: str) -> Kernel:
    """Return a function that calls a plain Python kernel twice and compares the results.

    kernel: kernel(t, y, z, v); who: name in messages. The function raises InputError if the results differ, which
    means that the kernel has internal state.
    """

    def call(t: float, y: Array, z: Array, v: Array) -> None:
        again = v.copy()
        kernel(t, y.copy(), z.copy(), again)
        kernel(t, y, z, v)
        if not np.array_equal(v, again, equal_nan=True):
            raise InputError(
                f"{who} returns a different value when the same sample is evaluated again: it has internal state, "
                "but python-control may evaluate a sample any number of times; write it as a kernel with a memory "
                "(compiled=True)"
            )

    return call
