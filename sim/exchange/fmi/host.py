"""The child in which a unit runs: it loads the library and speaks the line protocol for it; it needs FMPy only.

Its one argument is the table that `wiring` makes. What the unit prints goes to stderr.
"""

import json
import math
import os
import sys
from typing import Any, TextIO

__all__ = ["serve"]

MEMORY = 8 << 30  # bytes


class _Unit:
    """One instance of the unit, told and asked by value references."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.told = told
        self.third = told["fmi"] == 3
        if self.third:
            from fmpy.fmi3 import FMU3Slave as Slave
        else:
            from fmpy.fmi2 import FMU2Slave as Slave
        made: Any = Slave(
            guid=told["token"],
            modelIdentifier=told["identifier"],
            unzipDirectory=told["folder"],
            instanceName=told["identifier"],
        )
        self.slave: Any = made
        made.instantiate()
        for kind, reference, value in told["values"]:
            getattr(made, f"set{kind}")([reference], [value])
        self.started = False
        self.at = 0.0

    def answer(self, t: float, y: list[float]) -> list[float]:
        """What it gives at a sample."""
        told, slave = self.told, self.slave
        if not self.started:
            if self.third:
                self.put(y)
                slave.enterInitializationMode(startTime=t)
            else:
                slave.setupExperiment(startTime=t)
                self.put(y)
                slave.enterInitializationMode()
            slave.exitInitializationMode()
            self.started = True
        elif not told["ahead"]:
            self.step(self.at)
        if told["ahead"]:
            self.put(y)
            self.step(t)
            return self.get()
        found = self.get()
        self.put(y)
        self.at = t
        return found

    def step(self, t: float) -> None:
        """Take the step that begins at t."""
        found = self.slave.doStep(t, self.told["sample"])
        if self.third:
            _, ends, early, _ = found
            if ends or early:
                what = "asked to end the simulation" if ends else "came back before the end of the step"
                raise RuntimeError(f"it {what} that began at t = {t:.9g} s")

    def put(self, y: list[float]) -> None:
        """Tell it its inputs."""
        told = self.told
        values: list[float] = [
            y[place] / factor for place, factor in zip(told["takes"], told["in_factors"], strict=True)
        ]
        if values:
            (self.slave.setFloat64 if self.third else self.slave.setReal)(told["in"], values)

    def get(self) -> list[float]:
        """Ask it for its outputs."""
        told, slave = self.told, self.slave
        factors = told["out_factors"]
        values: list[float] = (
            slave.getFloat64(told["out"], nValues=len(factors)) if self.third else slave.getReal(told["out"])
        )
        for name, value in zip(told["out_names"], values, strict=True):
            if not math.isfinite(value):
                raise RuntimeError(f"its output {name} is {value}")
        return [factor * value for factor, value in zip(factors, values, strict=True)]


def serve(told: dict[str, Any], lines: TextIO, out: TextIO) -> None:
    """Answer one line for each that comes, until the end."""
    unit: _Unit | None = None
    for line in lines:
        asked: dict[str, Any] = json.loads(line)
        if "end" in asked:
            break
        try:
            if "polhode" in asked:
                unit = _Unit(told)
                answer = {key: asked[key] for key in ("polhode", "reads", "writes", "sample_s")}
            else:
                assert unit is not None  # noqa: S101 # the first message comes first
                answer = {"n": asked["n"], "v": unit.answer(asked["t"], asked["y"])}
        except Exception as error:  # noqa: BLE001 # whatever it is, it is told
            answer = {"error": str(error)}
        out.write(json.dumps(answer) + "\n")
        out.flush()


def main() -> None:
    """Keep the pipes of the protocol from what the library does with its own."""
    lines, out = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (ImportError, ValueError, OSError):
        pass  # a system without limits, or one that has lower ones
    serve(json.loads(sys.argv[1]), lines, out)
    os._exit(0)  # the destructors of its library are not waited for


if __name__ == "__main__":
    main()
