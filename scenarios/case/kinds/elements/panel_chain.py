"""Element kind for a chain of hinged panels, rigid or flexible."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from .....plant import FlexibleModes, HingedPanel, PanelChain
from ...located import located
from ...schema.element import ElementTable
from ...schema.fields import Table, wrong
from ..declared_keys import DeclaredKeys
from .kind import ElementKind

PANEL = DeclaredKeys(HingedPanel)
MODES = DeclaredKeys(FlexibleModes)

MODES_TABLE = MODES.table(
    "", Table, noun="modes", module=__name__, name="PanelModesTable",
    doc="Vibration modes of a panel clamped at its hinge; rotation is about the hinge.",
)  # fmt: skip
PANEL_TABLE = PANEL.table(
    "", Table, noun="panel", module=__name__, name="ChainPanelTable",
    doc="Panel of a chain: hinge and axis in the axes of the hub at zero angles of all hinges.",
    more={"modes": (MODES_TABLE | None, Field(default=None, description="vibration modes; none for a rigid panel"))},
)  # fmt: skip


def _not_empty(panels: tuple[Any, ...]) -> tuple[Any, ...]:
    if not panels:
        raise wrong("a panel-chain needs at least one panel")
    return panels


def _make(table: Any) -> tuple[PanelChain]:
    """Return the chain of a table."""
    panels: list[HingedPanel] = []
    modes: list[FlexibleModes | None] = []
    for number, each in enumerate(table.panels):
        with located(f"panels.{number}"):
            with PANEL.located():
                panels.append(HingedPanel(**PANEL.values(each)))
            with located("modes"), MODES.located():
                modes.append(None if each.modes is None else FlexibleModes(**MODES.values(each.modes)))
    return (PanelChain(panels, modes),)


PANELS: Any = Annotated[tuple[PANEL_TABLE, ...], AfterValidator(_not_empty)]
NONE = DeclaredKeys(HingedPanel, {})
TABLE = NONE.table(
    "panel-chain", ElementTable, noun="element", module=__name__,
    doc="Panels hinged to panels, the first to the hub: a wing that unfolds, or a flexible array behind its drive.",
    more={"panels": (PANELS, Field(description="panels from the hub outwards"))},
)  # fmt: skip
KIND = ElementKind(table=TABLE, make=_make)
