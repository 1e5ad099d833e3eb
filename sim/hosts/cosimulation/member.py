"""One FMU of a system during a co-simulation, in a separate process that is controlled by messages."""

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ..fmi import host
from ..process import Process
from ..process.messages import VERSION, MessageError
from ..process.process import Talk
from .joined import Inlet
from .terminals import Face

Array = NDArray[np.float64]

HELLO = json.dumps({"polhode": VERSION}).encode() + b"\n"


class Member:
    """An FMU in a co-simulation.

    Each request must be answered before the next one. To step FMUs in parallel, call `step` for all of them, then
    `taken` for all of them.
    """

    def __init__(self, face: Face, inlet: Inlet, talk: Talk) -> None:
        self.face, self.inlet = face, inlet
        self._talk = talk
        self._gives = sum(each.size for each in face.outputs.values())

    def greeted(self) -> None:
        """Wait until the FMU is loaded."""

        def check(line: bytes) -> None:
            reply = json.loads(line)
            if "error" in reply:
                raise MessageError(f"says: {reply['error']}")

        self._talk.greeted(check)

    def begin(self, t: float) -> Array:
        """Enter initialisation mode at t (s), and return the outputs."""
        return self._reply_to(t, {"do": "begin", "t": t})

    def tried(self, t: float, u: Array) -> Array:
        """Set the inputs during initialisation, and return the outputs."""
        return self._reply_to(t, {"do": "try", "y": u.tolist()})

    def start(self, t: float) -> Array:
        """Leave initialisation mode, and return the outputs."""
        return self._reply_to(t, {"do": "start"})

    def step(self, t: float, h: float, u: Array, slopes: Array, *, back: bool) -> None:
        """Begin a step of h (s) from t. u, slopes: inputs, derivatives. back: whether the step may be undone.

        An FMU that does not accept input derivatives receives the mean of each input over the step.
        """
        message = {"do": "step", "t": t, "h": h, "back": back}
        if self.face.interpolates:
            self._talk.send(t + h, {**message, "y": u.tolist(), "slopes": slopes.tolist()})
        else:
            self._talk.send(t + h, {**message, "y": (u + 0.5 * h * slopes).tolist()})

    def taken(self) -> Array:
        """Wait for the end of the step, and return the outputs."""
        return np.array(self._talk.receive(self._gives))

    def keep(self, t: float, slot: int) -> None:
        """Save the FMU state under a slot number."""
        self._talk.send(t, {"do": "keep", "slot": slot})
        self._talk.receive(0)

    def back(self, t: float, slot: int) -> None:
        """Restore the FMU state saved under a slot number."""
        self._talk.send(t, {"do": "back", "slot": slot})
        self._talk.receive(0)

    def _reply_to(self, t: float, message: dict[str, object]) -> Array:
        self._talk.send(t, message)
        return np.array(self._talk.receive(self._gives))


@contextmanager
def member(face: Face, inlet: Inlet, *, answer_within: float, start_within: float) -> Generator[Member]:
    """Start an FMU in a separate process that ends with the context; `greeted` waits until it is loaded.

    Every request raises InputError if the FMU crashes, hangs or returns wrong data.
    """
    process = Process(
        command=_command(inlet),
        folder=face.folder,
        answer_within=answer_within,
        start_within=start_within,
    )
    with process.talking(face.label, HELLO) as talk:
        yield Member(face, inlet, talk)


def _command(inlet: Inlet) -> Sequence[str]:
    return [sys.executable, "-P", str(host.__file__), json.dumps(inlet.table)]
