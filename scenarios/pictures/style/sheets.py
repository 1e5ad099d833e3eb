"""Style sheets as files of matplotlib, and their use for one picture."""

from collections.abc import Callable, Iterable
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any, Final

from ....plant.errors import InputError
from .dark import darken

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOOKS: Final = {
    "screen": ("polhode",),
    "print": ("polhode", "print"),
    "slide": ("polhode", "slide"),
    "dark": ("polhode", "dark"),
}
"""Looks, and the files of their settings; later files override earlier ones."""


def style_sheet(look: str = "screen") -> dict[str, Any]:
    """Return the settings of a look, as `matplotlib.style.use` and `matplotlib.rc_context` take them.

    Parameters
    ----------
    look : str
        "screen", "print" (a column of 88 mm), "slide" or "dark".

    Returns
    -------
    dict
        Settings by the names of matplotlib.

    Raises
    ------
    InputError
        When there is no such look.

    Examples
    --------
    >>> style_sheet("print")["figure.figsize"]
    [3.46, 2.4]
    """
    import matplotlib as mpl

    read: Any = mpl.rc_params_from_file  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] # its stub is open
    if look not in LOOKS:
        raise InputError(f"the look {look!r:.40} is unknown; take one of {', '.join(LOOKS)}")
    found: dict[str, Any] = {}
    for name in LOOKS[look]:
        with as_file(files(__name__.rpartition(".")[0]) / f"{name}.mplstyle") as path:
            found.update(dict(read(path, use_default_template=False)))
    return found


def in_look(draw: "Callable[[], Figure]", look: str = "screen", *, keep: Iterable[str] = ()) -> "Figure":
    """Draw a figure in a look; the settings of matplotlib are afterwards as they were.

    Parameters
    ----------
    draw : callable
        Draws and returns the figure.
    look : str
        Of `LOOKS`.
    keep : iterable of str
        Settings of matplotlib, by name, that stay as they are.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, with light colours in the look "dark".

    Raises
    ------
    InputError
        When there is no such look.

    Examples
    --------
    >>> from polhode.scenarios.pictures import draw_bases
    >>> figure = in_look(lambda: draw_bases("3-1-3", angles=(0.1, 0.5, 0.2)), "dark")
    >>> figure.get_facecolor()[0] < 0.1
    True
    """
    import matplotlib as mpl

    settings: Any = {key: value for key, value in style_sheet(look).items() if key not in set(keep)}
    with mpl.rc_context(settings):
        figure = draw()
        if look == "dark":
            darken(figure)
    return figure
