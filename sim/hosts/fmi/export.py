"""Export of a spacecraft, or its closed loop, as a functional mock-up unit (FMU)."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ....controllers import FixedReference, Law
from ....controllers.laws.files.whole_file import write_whole
from ....plant import InputError, Spacecraft
from ....plant.checks import choice, of_kind, positive
from ...codegen.c99.names import free_name
from ...codegen.toolchain import c_compiler
from ...engine.steppers.fast_states import longest_step
from ...engine.steppers.resolving_step import default_integrator
from ...runs.default_reference import default_reference
from ...runs.default_scheme import default_scheme
from ...runs.run_spec import check_craft, start_state
from ...runs.simulate import simulate
from .archive import LINEAR, archived, page
from .communication_step import communication_step
from .description import build_description, description
from .extras import flight_picture, icon, linear_model, terminals
from .libraries import libraries, require_platforms
from .model_c import headers, model_of
from .unit import Unit, unit_of
from .variables import variables_of

PARTS = ("attitude", "rate", "momentum", "position", "velocity")


def export_fmu(
    craft: Spacecraft,
    law: Law | None = None,
    *,
    path: str | Path,
    flight: Mapping[str, Any],
    fmi: int = 3,
    name: str = "",
    platforms: Sequence[str] = (),
    law_alone: bool = False,
    progress: Callable[[str], None] | None = None,
) -> tuple[str, ...]:
    """Write a spacecraft in open or closed loop, or only a law, as an FMU.

    The FMU supports co-simulation and model exchange. It is C code that contains the translated engine. Co-simulation
    with steps that are multiples of the sampling period gives the results of `simulate`; if there is no FMA
    contraction, they are bitwise identical. If no law is given, the torque is an input, in the torque basis of the
    craft, and is not saturated; otherwise it is an output. The outputs are all states, body rate and energy, coordinate
    rates of the elements (wheel speeds) and signals of the elements (motor torques). A closed loop also has its
    attitude error and the signals of its blocks (measurements, estimates), with the same names as in a run.

    Parameters
    ----------
    craft : Spacecraft
        The plant.
    law : Law, optional
        The law that closes the loop, which must be a kernel, not plain Python.
    path : str or path
        The archive, such as "craft.fmu"; its name without the extension, converted to a C identifier, names the
        library.
    flight : mapping
        Keyword arguments of `simulate`: state or its parts, reference, torques, blocks, integrator, step, rtol,
        formulation, seed, run. The duration and the sampling period or step become the defaults for a host.
    fmi : int
        Version of the standard: 3 (3.0) or 2 (2.0).
    name : str
        Name of the model; by default the name of the file.
    platforms : sequence of str
        Target machines of the libraries, compiled by zig (`pip install 'polhode[cross]'`): "x86_64-linux",
        "aarch64-linux", "x86_64-windows", "x86_64-darwin", "aarch64-darwin". If empty, the library is compiled for this
        machine by its own compiler.
    law_alone : bool
        Whether to write the law and its blocks without the spacecraft, for co-simulation: the states and body rate of
        the plant are inputs, the torque is the output. A sample at the end of a step uses the inputs of that step, and
        is computed when the step returns.
    progress : callable, optional
        Function progress(words), called with the name of the next stage; the export takes some seconds.

    Returns
    -------
    tuple of str
        Names of the files in the archive. If this machine has no C compiler, the FMU contains the sources but no
        library, and runs only in hosts that compile sources.

    Raises
    ------
    InputError
        When a part is plain Python or a user-defined function, the path does not end in .fmu, or a library cannot be
        compiled.
    SaveError
        When the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from polhode import plant
    >>> craft = plant.Spacecraft(plant.RigidBody((3, 2, 1)))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     parts = export_fmu(craft, path=Path(folder, "craft.fmu"), flight={"duration": 10.0})
    >>> parts[:2]
    ('modelDescription.xml', 'documentation/index.html')
    """
    target = Path(path)
    _check_arguments(target, law, fmi=fmi, name=name, law_alone=law_alone)
    identifier = free_name(target.stem)
    require_platforms(platforms, fmi=fmi)
    span = positive("duration", flight["duration"], "s")
    say = progress or _unsaid
    say("find the parameters that a host can set")
    unit = flown_unit(craft, law, flight, law_alone=law_alone)
    say("translate the equations to C")
    model, variables = model_of(unit), variables_of(unit)
    step = unit.grid or span / 500.0
    if law_alone and law is not None:
        with suppress(InputError):  # if the times have no common divisor, the step remains the period
            step = communication_step(law, flight.get("blocks", ()))
    called = name or target.stem
    method = flight.get("integrator") or default_integrator(craft, rtol=flight.get("rtol"))
    about = f"a spacecraft's attitude {'in closed loop' if unit.closed else 'with torque inputs'}, by {method}"
    if law_alone:
        about = f"attitude control without the spacecraft: {getattr(law, 'words', type(law).__name__)}"
    listed = [(each.name, each.causality, each.unit, each.words) for each in variables]
    say("linearise, and draw a run" if not law_alone else "draw the icon")
    linear, words = (b"", "none for a law") if law_alone else linear_model(craft, unit.arrays.x)
    picture, mark = b"" if law_alone else flight_picture(craft, law, flight), icon(called)
    icons = {"terminalsAndIcons/terminalsAndIcons.xml": terminals(variables), "terminalsAndIcons/icon.png": mark}
    say(f"compile for {_machines(platforms)}")
    parts = {
        "modelDescription.xml": description(
            variables,
            fmi=fmi,
            identifier=identifier,
            name=called,
            token=model.token,
            about=about,
            duration=span,
            step=step,
            exchange=not law_alone,
        ),
        "documentation/index.html": page(
            called, about, listed, linear=words, picture=bool(picture), law_alone=law_alone
        ),
        **({"documentation/flight.png": picture} if picture else {}),
        **(icons if fmi == 3 else {"model.png": mark}),
        **({LINEAR: linear} if linear else {}),
        "sources/fmu.c": model.text.encode(),
        **{f"sources/{file}": text.encode() for file, text in headers().items()},
        **({"sources/buildDescription.xml": build_description(identifier)} if fmi == 3 else {}),
        **libraries(model, fmi=fmi, identifier=identifier, platforms=platforms),
    }
    write_whole(target, lambda part: archived(part, parts))
    return tuple(parts)


def _check_arguments(target: Path, law: Law | None, *, fmi: int, name: str, law_alone: bool) -> None:
    """Raise InputError if the version, name or extension is inadmissible, or the law to export is missing."""
    choice("fmi", str(fmi), ("2", "3"))
    of_kind("name", name, str, such_as="a word")
    if target.suffix != ".fmu":
        raise InputError(f"{target}: the name of an FMU must end in .fmu, such as craft.fmu")
    of_kind("law_alone", law_alone, bool, such_as="True or False")
    if law_alone and law is None:
        raise InputError("law_alone exports only the law, but no law was passed; pass one")


def _machines(platforms: Sequence[str]) -> str:
    """Return the names of the machines for which the library is compiled, for a message."""
    return ", ".join(platforms) or ("this machine" if c_compiler() else "no machine: there is no compiler")


def flown_unit(craft: Spacecraft, law: Law | None, flight: Mapping[str, Any], *, law_alone: bool = False) -> Unit:
    """Return the content of the FMU, prepared as `simulate` prepares a run. Arguments as in `export_fmu`."""
    known = inspect.signature(simulate).parameters
    for key in flight:
        choice("flight", key, tuple(known))

    def option(key: str) -> Any:
        return flight.get(key, known[key].default)

    exerts = next((block.name for block in option("blocks") if block.torque), None)
    if exerts is not None and (law is None or law_alone):
        lacks = "torque inputs but no sampled blocks" if law is None else "no spacecraft"
        raise InputError(
            f"an FMU of the {'plant' if law is None else 'law'} only has {lacks}, but the block {exerts!r} exerts a "
            "torque; export the closed loop, or remove the block and connect the torque in the host"
        )
    rates = {*craft.layout.rates}
    looks = next((block for block in option("blocks") if law_alone and rates & {*block.reads}), None)
    if looks is not None:
        raise InputError(
            f"an FMU of the law only has the states of the spacecraft as inputs, but the block {looks.name!r} reads "
            f"{min(rates & {*looks.reads})!r}, which is not one of them; export the closed loop"
        )
    x = start_state(craft, option("state"), **{key: option(key) for key in PARTS})
    scheme = default_scheme(craft, x, integrator=option("integrator"), step=option("step"), rtol=option("rtol"))
    if not law_alone:
        span = float(flight.get("duration", 0.0))  # 0: the host determines it
        check_craft(craft, scheme, span, longest=longest_step(scheme, span, law, option("blocks")) if span else 0.0)
    reference = option("reference")
    if reference is None:
        reference = FixedReference() if law is None else default_reference(law)
    if option("formulation") is not None:
        raise InputError(
            "a formulation has its own states in addition to the states of the spacecraft; omit the formulation"
        )
    return unit_of(
        craft,
        x,
        law,
        reference,
        pulses=() if law_alone else tuple(option("torques")),
        scheme=scheme,
        pose_limit=1.0 / float(option("amplification_limit")),
        blocks=tuple(option("blocks")) if law is not None else (),
        seed=option("seed"),
        number=int(option("run_index")),
        law_only=law_alone,
    )


def _unsaid(words: str) -> None:
    """Discard a progress message."""
