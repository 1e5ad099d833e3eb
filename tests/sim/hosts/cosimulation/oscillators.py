"""Coupled oscillators as foreign FMUs, and the closed form of a pair."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polhode.sim import System

from ..fmi.units import libraries, write_unit

W2, K = (1.0, 1.7), (0.4, 0.6)
START = (0.8, -0.3)


def description(*, fmi: int = 2, unit: str = "m", says: bool = True, **flags: bool) -> str:
    """says: whether it declares the dependencies of its outputs; flags: of the co-simulation that are true."""
    flags = {"canHandleVariableCommunicationStepSize": True, **flags}
    if fmi == 2:
        flags = {name.replace("FMUState", "FMUstate"): on for name, on in flags.items()}
    offers = "".join(f' {name}="true"' for name, on in flags.items() if on)
    parameter = ("parameter", "fixed", "exact", "0")
    rows = [("u", 1, "input", "continuous", "", "0", unit), ("x", 2, "output", "continuous", "exact", "0", unit)]
    rows += [
        ("v", 3, "output", "continuous", "exact", "0", ""),
        ("y", 4, "output", "continuous", "calculated", "", unit),
    ]
    rows += [(name, at, *parameter, "") for at, name in enumerate(("w2", "k", "g"), 5)]
    units = f"<UnitDefinitions>{UNITS}</UnitDefinitions>"
    head, body = "", ""
    for name, at, way, varies, initial, start, of in rows:
        common = f'name="{name}" valueReference="{at}" causality="{way}" variability="{varies}"'
        common += f' initial="{initial}"' if initial else ""
        real = (f' start="{start}"' if start else "") + (f' unit="{of}"' if of else "")
        body += f"<Float64 {common}{real}/>" if fmi == 3 else f"<ScalarVariable {common}><Real{real}/></ScalarVariable>"
    fault = 'name="fault" valueReference="8" causality="parameter" variability="fixed" initial="exact"'
    body += (
        f'<Int32 {fault} start="0"/>' if fmi == 3 else f'<ScalarVariable {fault}><Integer start="0"/></ScalarVariable>'
    )
    acting = {2: "", 3: "", 4: "1" if says is True else ""}
    if fmi == 3:
        head = 'fmiVersion="3.0" modelName="oscillator" instantiationToken="oscillator"'
        body = '<Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>' + body
        known = [
            f'<Output valueReference="{k}"' + (f' dependencies="{on}"/>' if says else "/>") for k, on in acting.items()
        ]
        structure = "".join(known) + '<InitialUnknown valueReference="4"/>'
    else:
        head = 'fmiVersion="2.0" modelName="oscillator" guid="oscillator"'
        known = [f'<Unknown index="{k}"' + (f' dependencies="{on}"/>' if says else "/>") for k, on in acting.items()]
        structure = f'<Outputs>{"".join(known)}</Outputs><InitialUnknowns><Unknown index="4"/></InitialUnknowns>'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><fmiModelDescription {head}>'
        f'<CoSimulation modelIdentifier="oscillator"{offers}/>{units}<ModelVariables>{body}</ModelVariables>'
        f"<ModelStructure>{structure}</ModelStructure></fmiModelDescription>"
    )


UNITS = """<Unit name="m"><BaseUnit m="1"/></Unit><Unit name="mm"><BaseUnit m="1" factor="0.001"/></Unit>
<Unit name="K"><BaseUnit K="1"/></Unit><Unit name="degC"><BaseUnit K="1" offset="273.15"/></Unit>
<Unit name="rad/s"><BaseUnit rad="1" s="-1"/></Unit><Unit name="Hz"><BaseUnit s="-1"/></Unit>"""


class Oscillators:
    """FMUs written on request, from libraries compiled once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.libraries = libraries(folder, Path(__file__).with_name("oscillator.c"))

    def write(self, name: str, *, fmi: int = 2, **keys) -> Path:
        path = self.folder / f"{name}-{fmi}.fmu"
        return write_unit(path, self.libraries[fmi], description(fmi=fmi, **keys), fmi=fmi, name="oscillator")

    def pair(self, *, fmi: tuple[int, int] = (2, 3), output: str = "x", values=None, **keys) -> System:
        """Two oscillators that attract each other."""
        units = {name: self.write(name, fmi=version, **keys) for name, version in zip("ab", fmi, strict=True)}
        start = {
            f"{name}.{key}": each
            for key, pair in (("w2", W2), ("k", K), ("x", START))
            for name, each in zip("ab", pair, strict=True)
        }
        return System(
            units=units,
            connections=[(f"a.{output}", "b.u"), (f"b.{output}", "a.u")],
            values={**start, **(values or {})},
        )


def closed_form(t, *, gain: float = 0.0) -> np.ndarray:
    """x of both over time: z'' = -A z, by the eigenvectors of A; gain: of each output by its input, y = x + g u."""
    coupling = np.array([[0.0, K[0]], [K[1], 0.0]])
    through = np.linalg.inv(np.array([[1.0, -gain], [-gain, 1.0]]))  # y = x + g (other y)
    matrix = np.diag(np.add(W2, K)) - coupling @ through
    squares, modes = np.linalg.eig(matrix)
    amounts = np.linalg.solve(modes, np.array(START))
    return (np.cos(np.outer(t, np.sqrt(squares))) * amounts) @ modes.T
