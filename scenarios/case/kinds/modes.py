"""Create the law with its modes from `[[modes]]`, and extract single modes as cases."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import radians
from typing import TYPE_CHECKING

from ....controllers import Condition, Mode, Modes, Transition
from ....controllers.laws.modes.condition import KNOWN
from ....plant.checks import choice
from ....plant.errors import InputError
from ..located import located
from .actuators import actuators_of
from .references.reference_of import reference_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....controllers import Block, Law, Reference
    from ....plant import Spacecraft
    from ..schema import Case
    from ..schema.mode import ConditionTable
    from .problem import Problem

SUFFIX = {"s": "_s", "rad": "_deg", "rad/s": "_deg_s"}
"""Suffix of a threshold key, by unit of the quantity; for other units, the key has no suffix."""


def case_of_mode(case: "Case", name: str) -> "Case":
    """Return a case without modes that has the law, reference and requirements of one mode.

    Raises InputError if there is no such mode; the message suggests the most similar name.
    """
    if not case.modes:
        raise InputError(f"the case has no [[modes]], and therefore no mode {name!r}")
    names = [mode.name for mode in case.modes]
    table = case.modes[names.index(choice("mode", name, names))]
    controller = case.controller
    if table.controller is not None and controller is not None:
        port = actuators_of(case, table.controller)
        limit = table.controller.torque_limit_N_m
        if limit is None and port == actuators_of(case, None):
            limit = controller.torque_limit_N_m
        controller = table.controller.model_copy(update={"torque_limit_N_m": limit, "actuators": port})
    own = [each.model_copy(update={"mode": None}) for each in case.require if each.mode == name]
    return case.model_copy(
        update={
            "controller": controller,
            "reference": table.reference or case.reference,
            "modes": (),
            "require": tuple(own),
        }
    )


def modes_of(case: "Case", craft: "Spacecraft", *, design: "Callable[[Case], Law]") -> Modes:
    """Return the law of a case with modes.

    Parameters
    ----------
    case : Case
        A case with modes.
    craft : Spacecraft
        Spacecraft of the case.
    design : callable
        design(case) returns the law of a case without modes.

    Returns
    -------
    Modes
        Law that contains all modes.

    Raises
    ------
    InputError
        If a value is invalid, a design fails, or the modes are inconsistent; the message begins with the key path.
    """
    assert case.controller is not None  # noqa: S101 # the schema checks it
    most = case.controller.torque_limit_N_m
    default: Law | None = None
    found: list[Mode] = []
    for index, table in enumerate(case.modes):
        with located(f"modes.{index}"):
            sub = case_of_mode(case, table.name)
            assert sub.controller is not None  # noqa: S101 # the case has one
            limit, port = sub.controller.torque_limit_N_m, actuators_of(case, table.controller)
            if port == actuators_of(case, None) and most is not None and limit is not None and limit > most:
                raise InputError(
                    f"controller.torque_limit_N_m: {limit:g} N m is more than the {most:g} N m of [controller], the "
                    "limit of the spacecraft"
                )
            if table.controller is None and table.reference is None:
                default = design(sub) if default is None else default
                law = default
            else:
                law = design(sub)
            ways = [Transition(way.to, [_condition(each) for each in way.when]) for way in table.transitions]
            found.append(
                Mode(
                    table.name, law, reference=_reference(case, table.name, craft),
                    reference_from=table.reference_from, remap=table.remap,
                    limit=limit if table.controller is not None else None, transitions=ways, dwell=table.dwell_s,
                    blend_time=table.blend_time_s, final=table.final, unload=table.unload_s,
                    actuators=port if craft.external is not None else None,
                )
            )  # fmt: skip
    with located("modes"):
        return Modes(found)


def with_references(case: "Case", craft: "Spacecraft", law: "Law") -> "Law":
    """Return a law whose modes have new references, for a changed spacecraft or initial state.

    A law without modes is returned unchanged.
    """
    if not isinstance(law, Modes):
        return law
    again = [_replaced(mode, _reference(case, mode.name, craft)) for mode in law.modes]
    return Modes(again)


def _replaced(mode: Mode, reference: "Reference | None") -> Mode:
    names = ("remap", "actuators", "unload", "limit", "transitions", "dwell", "blend_time", "final")
    begins = None if reference is None else mode.reference_from
    return Mode(
        mode.name, mode.law, reference=reference, reference_from=begins, **{name: getattr(mode, name) for name in names}
    )


def _reference(case: "Case", name: str, craft: "Spacecraft") -> "Reference | None":
    table = next(mode for mode in case.modes if mode.name == name)
    return None if table.reference is None else reference_of(case_of_mode(case, name), craft)


def mode_alone(case: "Case", problem: "Problem", name: str) -> "tuple[Case, Problem]":
    """Return a case and its objects with the law of one mode only, for margins and responses.

    case, problem: complete case, and the objects built from it. Raises InputError if there is no such mode.
    """
    sub = case_of_mode(case, name)
    assert isinstance(problem.law, Modes)  # noqa: S101 # the case has modes
    law, blocks = problem.law.alone(name, problem.blocks)
    mode = problem.law.mode(name)
    reference = mode.reference or problem.reference
    return sub, replace(problem, craft=mode.flown_on(problem.craft), law=law, blocks=blocks, reference=reference)


def check_quantities(case: "Case", blocks: "Sequence[Block]", shown: "Mapping[str, int]") -> None:
    """Raise InputError if a condition uses an unknown signal, or a threshold in the wrong unit.

    blocks: preceding blocks; shown: widths of the plant outputs, by name.
    """
    signals = dict.fromkeys(shown, "") | {"rate": "rad/s"}
    for block in blocks:
        signals |= {name: signal.unit for name, signal in block.writes.items()}
    units = signals | KNOWN
    timestamped = {block.timestamped for block in blocks}
    for index, mode in enumerate(case.modes):
        for own, signal in mode.remap.items():
            with located(f"modes.{index}.remap"):
                choice("plant output:", own, tuple(shown))
                choice("signal:", signal, tuple(signals))
        for way, transition in enumerate(mode.transitions):
            for number, each in enumerate(transition.when):
                with located(f"modes.{index}.transitions.{way}.when.{number}"):
                    signal, dot, part = each.quantity.rpartition(".")
                    name = signal if dot and signal in units else each.quantity
                    unit = units[choice("quantity", name, tuple(units))]
                    if name in timestamped and part in ("valid", "time"):
                        unit = "s" if part == "time" else ""
                    wanted = SUFFIX.get(unit, "")
                    if each.suffix != wanted:
                        side = next(iter(each.given)).removesuffix(each.suffix)
                        described = f"in {unit}" if unit else "not in s, deg or deg/s"
                        raise InputError(
                            f"{each.quantity} is {described}: use {side}{wanted} instead of {side}{each.suffix}"
                        )


def _condition(table: "ConditionTable") -> Condition:
    angle = "deg" in table.suffix
    values = {key.removesuffix(table.suffix): radians(value) if angle else value for key, value in table.given.items()}
    return Condition(
        table.quantity, below=values.get("below"), above=values.get("above"), release=values.get("release"),
        lasting=table.for_s,
    )  # fmt: skip
