"""Matplotlib style sheets, and their use for a single figure."""

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
"""Looks, and the style files of each; later files override earlier ones."""


def style_sheet(look: str = "screen") -> dict[str, Any]:
    """Return the settings of a look for `matplotlib.style.use` or `matplotlib.rc_context`.

    Parameters
    ----------
    look : str
        "screen", "print" (a column of 88 mm), "slide" or "dark".

    Returns
    -------
    dict
        Settings by matplotlib parameter name.

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
        raise InputError(f"the look {look!r:.40} is unknown; use one of {', '.join(LOOKS)}")
    found: dict[str, Any] = {}
    for name in LOOKS[look]:
        with as_file(files(__name__.rpartition(".")[0]) / f"{name}.mplstyle") as path:
            found.update(dict(read(path, use_default_template=False)))
    return found


def in_look(draw: "Callable[[], Figure]", look: str = "screen", *, keep: Iterable[str] = ()) -> "Figure":
    """Draw a figure in a look, and restore the matplotlib settings afterwards.

    Parameters
    ----------
    draw : callable
        Function that draws and returns the figure.
    look : str
        Name of a look in `LOOKS`.
    keep : iterable of str
        Names of matplotlib settings that the look does not change.

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
