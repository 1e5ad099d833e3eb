"""Section of the review page with a three-dimensional playback of the run."""

from typing import TYPE_CHECKING

from ....plant.errors import InputError
from ...report.page.plugin import Plugin
from .page import playback_parts

if TYPE_CHECKING:
    from ...case_run import CaseRun

ID, TITLE = "playback", "3-D playback"

NOTE = "The playback needs JavaScript and WebGL; the charts and tables do not."


def playback_plugin(case_run: "CaseRun") -> Plugin:
    """Return the playback section of a run; if no playback is possible, a section with the reason."""
    loaded = case_run.loaded
    try:
        parts = playback_parts(case_run.run, loaded.case, name=loaded.name, title=loaded.case.title)
    except InputError as error:
        return Plugin(id=ID, title=TITLE, note=f"There is no playback: {str(error).rstrip('.')}.")
    return Plugin(id=ID, title=TITLE, note=NOTE, **parts)
