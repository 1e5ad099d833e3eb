"""Conversion of a law to a python-control system, nonlinear or linearised."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...plant import LinearModel, Spacecraft
from ...plant.checks import choice, of_kind
from ...plant.errors import DesignError, InputError
from ..laws.limited import limit_numbers, require_ports
from ..loop.routes import OF_PORT, REFERENCE_SIGNAL, commands_of, shown_widths
from .attitude_law import AttitudeLaw
from .block import Block
from .kernel_call import call_code
from .law import Law
from .law_layout import REFERENCE, SEEN
from .past_commands import remember
from .reference import Reference
from .sampled_system import called_twice, sampled_system, whole_samples
from .signal_labels import labels

Array = NDArray[np.float64]

WITHOUT = "omit it (with_delay=False) and give it to the plant: sim.sampled_craft(craft, sample=, delay=)"


def law_system(
    law: Law,
    craft: Spacecraft | None,
    *,
    remap: Mapping[str, str],
    reference: Reference | None,
    blocks: Sequence[Block],
    with_delay: bool,
    name: str,
) -> Any:
    """Return a law as a control.NonlinearIOSystem; arguments and errors are those of `AttitudeLaw.to_nlsys`."""
    _check_partners(law, craft, reference)
    who = f"the law {law.__class__.__name__}"
    if hasattr(law, "opened"):
        raise InputError(f"{who} runs in a process that exists only during a run: python-control cannot evaluate it")
    late = whole_samples(who, law.sample, law.delay, WITHOUT) if with_delay else 0
    others = () if craft is None else craft.layout.names[SEEN.rate :]
    measured = tuple(getattr(law, "measured", ()))
    if measured and craft is None:
        raise InputError(f"{who} measures {measured[0]!r}, a state of its craft; give to_nlsys(craft)")
    further = tuple(getattr(law, "reads", ()))
    widths = {each: size for each, size in shown_widths(others).items() if each != "applied"}
    shown = sum(size for each, size in widths.items() if each != REFERENCE_SIGNAL)
    if reference is not None:
        del widths[REFERENCE_SIGNAL]
    widths |= dict.fromkeys(further, 1)
    for each in remap:
        choice("signal that the law sees:", each, tuple(widths))
    inputs = [label for each, size in widths.items() for label in labels(remap.get(each, each), size)]
    numbers = np.array(law.parameters, dtype=np.float64)
    if craft is not None:
        require_ports(law, craft)
        limit_numbers(law, craft, blocks, numbers)
    kept = [(place, function) for place, _, function in getattr(law, "calls", ())]
    for place, function in kept:
        numbers[place] = call_code(function)
    commands = _commands(law, craft)
    attitude, size = (
        slice(SEEN.attitude, SEEN.attitude + 4),
        sum(widths.values()) - (reference is None) * REFERENCE.size,
    )

    def kernel(t: float, y: Array, z: Array, u: Array) -> None:
        assert kept is not None  # noqa: S101 # keeps the functions alive: the parameters hold their ids
        law.kernel(t, y[:size], y[size:], numbers, z, u)

    call = kernel if getattr(law, "compiled", True) else called_twice(kernel, who)

    def answer(t: float, z: Array, given: Array) -> Array:
        r = np.zeros(REFERENCE.size)
        y, behind = given[:shown], given[shown:]
        if reference is None:
            r, behind = behind[: REFERENCE.size], behind[REFERENCE.size :]
        else:
            reference.kernel(t, np.asarray(reference.parameters, dtype=np.float64), r)
        u = np.zeros(len(commands))
        if not y[attitude].any() or not r[:4].any():  # python-control passes zeros while it resolves connections
            return u
        u[:] = np.nan
        try:
            call(t, np.concatenate((y, behind, r)), z, u)
        except IndexError:
            raise InputError(
                f"{who} reads more than momentum, attitude, rate and {len(others)} states of its craft; "
                "pass the craft of the loop to to_nlsys(craft)"
            ) from None
        return u

    return sampled_system(
        who,
        answer,
        memory=np.size(law.memory),
        inputs=inputs,
        outputs=commands,
        sample=law.sample,
        late=late,
        name=name,
    )


def _check_partners(law: Law, craft: Spacecraft | None, reference: Reference | None) -> None:
    """Raise an error if spacecraft or reference has the wrong type, or the law cannot follow the reference."""
    if craft is not None:
        of_kind("craft", craft, Spacecraft, such_as="a Spacecraft")
    if reference is not None:
        of_kind("reference", reference, Reference, such_as="a reference, such as FixedReference(attitude)")
        law_check = getattr(law, "check_reference", None)
        if law_check is not None:
            law_check(reference)


def linear_law_system(law: AttitudeLaw, model: LinearModel, *, with_delay: bool, name: str) -> Any:
    """Return the linear form of a law as a control.StateSpace, like `AttitudeLaw.to_control`."""
    import control

    record = linear_law_content(law, model, with_delay=with_delay)
    del record["feedback"]
    matrices = [record.pop(each) for each in ("A", "B", "C", "D")]
    return control.ss(*matrices, **record, name=name)


def linear_law_content(law: AttitudeLaw, model: LinearModel, *, with_delay: bool) -> dict[str, Any]:
    """Return the linear form of a law as stored in a file: A, B, C, D, dt, sign, and signal names."""
    if law.no_margins:
        raise DesignError(f"{law.no_margins}, and has no linear form; use the nonlinear system law.to_nlsys(craft)")
    compensator, measured, _ = law.small_signal(model)
    who = f"the law {law.__class__.__name__}"
    late = whole_samples(who, law.sample, law.delay, WITHOUT) if with_delay else 0
    a, b, c, d = (np.asarray(getattr(compensator, each)) for each in "ABCD")
    n = len(a)
    states = [f"state_{k + 1}" for k in range(n)]
    if late:
        shift, enter = remember(late)
        a = np.block([[a, np.zeros((n, 3 * late))], [enter @ c, shift]])
        b = np.vstack((b, enter @ d))
        c, d = np.hstack((np.zeros((3, n + 3 * late - 3)), np.eye(3))), np.zeros_like(d)
        states += [f"{output}_{k + 1}_samples_ago" for k in range(late) for output in model.inputs]
    return {
        "A": a,
        "B": b,
        "C": c,
        "D": d,
        "dt": law.sample,
        "feedback": "positive",  # the outputs of the system are the torque
        "states": states,
        "inputs": [*(f"attitude_error_{axis}" for axis in "xyz"), *labels("rate", 3), *measured],
        "outputs": list(model.inputs),
    }


def _commands(law: Law, craft: Spacecraft | None) -> list[str]:
    """Return component names of a law's commands; the first control torque uses the plant's names."""
    ports = {} if craft is None else craft.ports
    first = {
        OF_PORT[port]
        for port, basis in ports.items()
        if craft is not None and basis is craft.torques and port in OF_PORT
    }
    return [label for each in commands_of(law) for label in labels("command" if each in first else each, 3)]
