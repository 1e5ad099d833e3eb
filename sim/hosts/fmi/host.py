"""Child process that loads an FMU's library and serves the line protocol; it needs only FMPy.

The only argument is a table (JSON) of the FMU and its input and output variables. Output printed by the FMU goes to
stderr. For a law or a block the process answers samples. For an FMU in a system it carries out requests: start, set
inputs, initialise, step, save the FMU state, restore it.
"""

import json
import math
import os
import sys
from typing import Any, TextIO

MEMORY = 8 << 30  # bytes


class _Group:
    """Variables of one type: functions that set and read them, and indices of their values in messages."""

    def __init__(self, kind: str, *, whole: Any) -> None:
        self.kind, self.whole = kind, whole
        self.references: list[int] = []
        self.places: list[int] = []


def _groups(variables: list[list[Any]]) -> list[_Group]:
    """Return variables grouped by type. Each is given as type, value reference and number of values."""
    found: dict[str, _Group] = {}
    place = 0
    for kind, reference, size in variables:
        whole = bool if kind == "Boolean" else float if kind in {"Real", "Float32", "Float64"} else int
        group = found.setdefault(kind, _Group(kind, whole=whole))
        group.references.append(reference)
        group.places += range(place, place + size)
        place += size
    return list(found.values())


class _Unit:
    """One instance of the FMU, set and read by value references."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.third = settings["fmi"] == 3
        if self.third:
            from fmpy.fmi3 import FMU3Slave as Slave
        else:
            from fmpy.fmi2 import FMU2Slave as Slave
        made: Any = Slave(
            guid=settings["token"],
            modelIdentifier=settings["identifier"],
            unzipDirectory=settings["folder"],
            instanceName=settings["identifier"],
        )
        self.slave: Any = made
        made.instantiate()
        for kind, reference, value in settings["values"]:
            getattr(made, f"set{kind}")([reference], [value])
        self.takes, self.gives = _groups(settings["in"]), _groups(settings["out"])
        self.kept: dict[int, Any] = {}
        self.started = False
        self.at = 0.0

    def answer(self, t: float, y: list[float]) -> list[float]:
        """Return the outputs of the FMU at a sample."""
        settings, first = self.settings, not self.started
        if first:
            self.begin(t)
            self.put(y)
            self.start()
        if settings["ahead"]:
            self.put(y)
            self.step(t, settings["sample"])
            return self.get()
        if not first:
            if settings["sampled"]:  # a discrete FMU reads its inputs only at the end of the step
                self.put(y)
            self.step(self.at, settings["sample"])
        found = self.get()
        if not settings["sampled"]:
            self.put(y)
        self.at = t
        return found

    def do(self, message: dict[str, Any]) -> list[float]:
        """Carry out a request of the master."""
        match message["do"]:
            case "begin":
                self.begin(message["t"])
            case "try":
                self.put(message["y"])
            case "start":
                self.start()
            case "step":
                self.put(message["y"])
                if "slopes" in message:
                    for group in self.takes:
                        if group.kind == "Real":
                            slopes = [message["slopes"][place] for place in group.places]
                            self.slave.setRealInputDerivatives(group.references, [1] * len(slopes), slopes)
                self.step(message["t"], message["h"], back=message["back"])
            case "keep":
                self.free(message["slot"])
                self.kept[message["slot"]] = self.slave.getFMUState()
                return []
            case "back":
                self.slave.setFMUState(self.kept[message["slot"]])
                return []
            case other:
                raise ValueError(f"there is no {other!r}")
        return self.get()

    def begin(self, t: float) -> None:
        """Enter initialisation mode."""
        if self.third:
            self.slave.enterInitializationMode(startTime=t)
        else:
            self.slave.setupExperiment(startTime=t)
            self.slave.enterInitializationMode()

    def start(self) -> None:
        """Leave initialisation mode."""
        self.slave.exitInitializationMode()
        self.started = True

    def step(self, t: float, h: float, *, back: bool = False) -> None:
        """Take a step of length h (s) from t. back: whether a state before t may be restored later."""
        found = self.slave.doStep(t, h, not back if self.third else int(not back))
        if self.third:
            _, ends, early, _ = found
            if ends or early:
                what = "requested the end of the simulation" if ends else "returned before the end of the step"
                raise RuntimeError(f"it {what} that began at t = {t:.9g} s")

    def free(self, slot: int) -> None:
        """Release a saved state."""
        if slot in self.kept:
            self.slave.freeFMUState(self.kept.pop(slot))

    def put(self, y: list[float]) -> None:
        """Set the inputs of the FMU."""
        pairs: list[tuple[int, float]] = list(zip(self.settings["takes"], self.settings["in_factors"], strict=True))
        values = [y[place] / factor for place, factor in pairs]
        for group in self.takes:
            given = [group.whole(values[place]) for place in group.places]
            getattr(self.slave, f"set{group.kind}")(group.references, given)

    def get(self) -> list[float]:
        """Return the outputs of the FMU."""
        settings = self.settings
        factors: list[float] = settings["out_factors"]
        values = [0.0] * len(factors)
        for group in self.gives:
            getter = getattr(self.slave, f"get{group.kind}")
            found = getter(group.references, nValues=len(group.places)) if self.third else getter(group.references)
            for place, value in zip(group.places, found, strict=True):
                values[place] = float(value)
        for name, value in zip(settings["out_names"], values, strict=True):
            if not math.isfinite(value):
                raise RuntimeError(f"its output {name} is {value}")
        return [factor * value for factor, value in zip(factors, values, strict=True)]


def serve(settings: dict[str, Any], lines: TextIO, out: TextIO) -> None:
    """Answer each input line with one output line, until the input ends."""
    unit: _Unit | None = None
    for line in lines:
        message: dict[str, Any] = json.loads(line)
        if "end" in message:
            break
        try:
            if "polhode" in message:
                unit = _Unit(settings)
                answer = {
                    key: value for key, value in message.items() if key in {"polhode", "reads", "writes", "sample_s"}
                }
            else:
                assert unit is not None  # noqa: S101 # the first message creates it
                answer = {
                    "n": message["n"],
                    "v": unit.do(message) if "do" in message else unit.answer(message["t"], message["y"]),
                }
        except Exception as error:  # noqa: BLE001 # any error is reported
            answer = {"error": str(error)}
        out.write(json.dumps(answer) + "\n")
        out.flush()


def main() -> None:
    """Run the host with the pipes of the protocol protected from the library's own output."""
    lines, out = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (ImportError, ValueError, OSError):
        pass  # the system has no memory limits, or has lower ones
    serve(json.loads(sys.argv[1]), lines, out)
    os._exit(0)  # skips the destructors of the FMU's library


if __name__ == "__main__":
    main()
