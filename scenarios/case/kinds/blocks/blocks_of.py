"""Create all blocks of a case and check the routing of their signals."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .....controllers import Block, Modes
from .....controllers.laws.blocks import momentum_of_rate, split_body_momentum
from .....controllers.loop.routes import COMMAND_SIZE, RATE, clock_tick, commands_of, routes, shown_by
from .....plant import Spacecraft
from .....plant.checks import choice
from .....plant.errors import InputError
from .....sim.hosts.process.port import signals_of_blocks, signals_of_craft
from ...located import located
from ..actuators import propulsion_of
from ..elements.elements_of import elements_of, held_body
from ..faults import command_faults, health_of, signal_faults
from ..gyro_blocks import steered_gyros
from ..jitter import with_jitter
from ..modes import check_quantities
from ..sensing import looks_at_momentum, sensing_of
from ..start import initial_state
from ..thruster_blocks import pulsed_thrusters
from ..torques.torques_of import exerted_of
from ..wheel_blocks import wheel_speed_blocks
from .kinds import KINDS

if TYPE_CHECKING:
    from .....controllers import Law
    from ...schema import Case


def blocks_of(case: "Case", craft: "Spacecraft", *, law: "Law | None") -> tuple[Block, ...]:
    """Return the blocks of a case: torques, sensors, estimator, `[[blocks]]`, faults and thrusters.

    Parameters
    ----------
    case : Case
        The case.
    craft : Spacecraft
        The spacecraft, which provides the plant outputs as signals.
    law : Law or None
        The law that is sampled between the blocks. If it is None, only the blocks of `[[torques]]` are created.

    Returns
    -------
    tuple of Block
        Blocks for `simulate(blocks=...)` and `law.margins(model, blocks=...)`.

    Raises
    ------
    InputError
        If a signal is unknown or has the wrong width, nothing reads the output of a block, or periods have no common
        tick. The message begins with the key path.
    """
    exerted = exerted_of(case, craft)
    if law is None:
        return exerted
    shown = shown_by(craft)
    commands = commands_of(law)
    widths = {**shown, **dict.fromkeys(commands, COMMAND_SIZE)}
    found = [*sensing_of(case, craft, law=law), *signal_faults(case, sample=law.sample)]
    speeds = wheel_speed_blocks(case, craft, law, commands)
    found[:0] = (*health_of(case, sample=law.sample), *speeds[:1])
    last = [
        *command_faults(case, craft, commands=commands, sample=law.sample),
        *pulsed_thrusters(case, law, commands),
        *steered_gyros(case, craft, law, commands),
        *speeds[1:],
    ]
    if not found and not last and not case.blocks and not case.modes:
        return exerted
    sensing = len(found)
    for block in found:
        widths |= block.widths
    for index, table in enumerate(case.blocks):
        with located(f"blocks.{index}"):
            found += _table_blocks(table, craft, law, found, widths, shown)
    found += last
    if isinstance(law, Modes):
        before = [n for n, block in enumerate(found) if not {*commands}.isdisjoint((*block.reads, *block.writes))]
        sensing = min(before, default=len(found))
        check_quantities(case, found[:sensing], shown)
        with located("modes"):
            found.insert(sensing, law.block(found[:sensing]))
        sensing += 1
    if any(RATE in block.writes for block in found[:sensing]) and looks_at_momentum(law):
        # the law must read a momentum that matches the measured rate: split off the body momentum before the sensors,
        # and add the momentum of the measured rate after them
        J = craft.locked_inertia(initial_state(craft, case.initial))
        found.insert(sensing, momentum_of_rate(_assumed_inertia(case, J), sample=law.sample))
        found.insert(0, split_body_momentum(J, sample=law.sample))
    found[:0] = exerted  # these blocks read the true state of the spacecraft
    with located("blocks" if case.blocks else "sensors" if case.sensors else "modes"):
        routes(shown, found, getattr(law, "reads", ()), commands=commands)
        clock_tick(law.sample, found)
        _check_seed(case, found)
    return tuple(found)


def _assumed_inertia(case: "Case", actual: Any) -> Any:
    """Return the locked inertia of the design model: of the spacecraft itself if `[nominal]` is missing."""
    if case.nominal is None:
        return actual
    designed = case.designed
    elements = (*elements_of(designed.plant.elements), *filter(None, [propulsion_of(designed)]))
    craft = Spacecraft(held_body(designed.plant, elements), elements=elements, translation=designed.plant.translation)
    return craft.locked_inertia(initial_state(craft, designed.initial))


def _table_blocks(
    table: Any,
    craft: "Spacecraft",
    law: "Law",
    found: Sequence[Block],
    widths: dict[str, int],
    shown: Mapping[str, int],
) -> list[Block]:
    """Return the blocks of one table of `[[blocks]]`, and add the width of their output to widths.

    found: earlier blocks; widths: widths of all signals so far; shown: widths of the signals of the spacecraft.
    """
    for name in table.reads:
        choice("signal", name, tuple(widths))
    if table.writes is None and len(table.reads) > 1:
        raise InputError(f"reads {', '.join(table.reads)}: set its output signal in writes")
    width = sum(widths[name] for name in table.reads)
    writes = next(iter(table.reads)) if table.writes is None else table.writes
    kind, written = KINDS.of(table), table.written(read=width, there=widths.get(writes))
    if writes in widths and widths[writes] != written:
        described = f"writes {written}" if written != width else f"reads {width}"
        raise InputError(f"{described} numbers, but its output {writes!r} has {widths[writes]}")
    common: dict[str, Any] = {
        "reads": table.reads,
        "writes": writes,
        "width": width,
        "sample": law.sample if table.sample_s is None else table.sample_s,
        "offset": table.offset_s,
        "delay": table.delay_s,
        "name": table.label,
    }
    if kind.by_unit:
        common["signals"] = signals_of_craft(craft) | signals_of_blocks(found)
    made = with_jitter(kind.make(table, common), table.jitter_s, found, widths=shown)
    widths[writes] = written
    return made


def _check_seed(case: "Case", blocks: Sequence[Block]) -> None:
    """Raise InputError if blocks draw random numbers but the case has no seed."""
    drawing = [repr(block.name) for block in blocks if block.random]
    if drawing and case.run.seed is None:
        raise InputError(f"{', '.join(drawing)} draw random numbers; give run.seed, such as seed = 1")
