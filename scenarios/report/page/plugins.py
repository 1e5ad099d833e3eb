"""Plug-ins of the review page, in the order of their sections.

A maker is `make(case_run: CaseRun) -> Plugin | None`; it returns None if the plug-in does not apply to the run. The
sections are between the verdicts and the time histories.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...pictures.playback.plugin import playback_plugin
from ..reader_run.plugin import reader_run_plugin
from .plugin import Plugin

if TYPE_CHECKING:
    from ...case_run import CaseRun

MAKERS: "tuple[Callable[[CaseRun], Plugin | None], ...]" = (playback_plugin, reader_run_plugin)


def plugins_of(case_run: "CaseRun") -> tuple[Plugin, ...]:
    """Return the plug-ins that apply to the run of a case."""
    made = (make(case_run) for make in MAKERS)
    return tuple(plugin for plugin in made if plugin is not None)
