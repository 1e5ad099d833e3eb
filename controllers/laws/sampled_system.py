"""What is asked at each sample, a law or a block, as a discrete system of python-control."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant.errors import InputError
from ..loop.sampled_plant import split_delay

__all__ = ["asked_twice", "sampled_system", "whole_samples"]

Array = NDArray[np.float64]
Answer = Callable[[float, Array, Array], Array]
Kernel = Callable[[float, Array, Array, Array], None]


def whole_samples(what: str, sample: float, delay: float, way: str) -> int:
    """Return a delay in whole samples.

    what: of what, way: what to do instead, for the message. Raises InputError when it is no whole number of them.
    """
    whole, rest = split_delay(sample, delay)
    if rest:
        raise InputError(
            f"the delay of {what}, {delay:g} s, is no whole number of its samples of {sample:g} s, and a discrete "
            f"system knows nothing between these; {way}"
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
    """Return a control.NonlinearIOSystem of period `sample` whose states are a memory, and answers that count later.

    who: what it is called in messages. answer: answer(t, z, u) returns what is put out and writes the memory z of the
    next sample; it is asked as often as python-control likes, each time with a copy. memory: how many numbers z has.
    late: samples until an answer counts; until the first one it puts out zero.

    python-control finds what goes round a loop by asking everything again and again, at first with zeros, and what is
    no number would stay in it for ever: zero is put out in its place, and it is told when the step is taken. It takes
    steps of what has states only, so that what has none of its own has one that stays zero.
    """
    import control

    many = len(outputs)

    def asked(t: float, z: Array, u: Array) -> Array:
        with np.errstate(all="ignore"):
            return answer(t, z, u)

    def refuse(t: float, v: Array) -> None:
        raise InputError(f"{who} gives no finite answer at t = {t:g} s: ({', '.join(f'{each:g}' for each in v)})")

    def update(t: float, x: Any, u: Any, params: Any) -> Array:
        z = np.array(x[:memory], dtype=np.float64)
        v = asked(float(t), z, np.array(u, dtype=np.float64))
        if not np.isfinite(v).all():
            refuse(t, v)
        return np.concatenate((z, v, x[memory:-many])) if late else z if memory else np.zeros(1)

    def put_out(t: float, x: Any, u: Any, params: Any) -> Array:
        if late:
            return np.array(x[-many:], dtype=np.float64)
        given = np.array(u, dtype=np.float64)
        v = asked(float(t), np.array(x[:memory], dtype=np.float64), given)
        if np.isfinite(v).all():
            return v
        if given.all():  # nothing is to come, and nobody may take the step
            refuse(t, v)
        return np.zeros(many)

    under_way = [f"{output}_{n + 1}_samples_ago" for n in range(late) for output in outputs]
    states = [*(f"memory_{n + 1}" for n in range(memory)), *under_way]
    return control.nlsys(
        update, put_out, states=states or ["steps"], inputs=list(inputs), outputs=list(outputs), dt=sample, name=name
    )


def asked_twice(kernel: Kernel, who: str) -> Kernel:
    """Return what asks a function in plain Python, kernel(t, y, z, v), and whether it answers the same again.

    who: what it is called. What is returned raises InputError where it keeps something between its calls.
    """

    def ask(t: float, y: Array, z: Array, v: Array) -> None:
        again = v.copy()
        kernel(t, y.copy(), z.copy(), again)
        kernel(t, y, z, v)
        if not np.array_equal(v, again, equal_nan=True):
            raise InputError(
                f"{who} answers the same sample differently when it is asked again: it keeps something between its "
                "calls, and python-control asks as often as it likes; write it as a kernel with a memory "
                "(compiled=True)"
            )

    return ask
