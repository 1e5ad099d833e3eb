"""Section of the review page in which the reader runs the case with changed values."""

import gzip
import json
import re
import shlex
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....plant.errors import InputError
from ...case.loader import LoadedCase, load_case
from ..page.plugin import Plugin

if TYPE_CHECKING:
    from ...case_run import CaseRun

ID, TITLE = "reader-run", "Run it yourself"

STILL = "The page is complete but not interactive: {reason}."

_FOLDER = Path(__file__).parent
_EXPORT = re.compile(r"^export (?=class|function|async|const)", re.MULTILINE)


def reader_run_plugin(case_run: "CaseRun") -> Plugin:
    """Return the section for the run of a case; if a page cannot run it, a section with the reason."""
    try:
        data = reader_run(case_run)
    except InputError as error:
        return Plugin(id=ID, title=TITLE, note=STILL.format(reason=str(error).rstrip(".")))
    data = {**data, "sliders": _compressed(json.dumps(data["sliders"], separators=(",", ":")).encode("ascii"))}
    style = (_FOLDER / "panel.css").read_text(encoding="utf-8")
    note = STILL.format(reason="its scripts are not running")
    return Plugin(id=ID, title=TITLE, data=data, scripts=(panel_script(),), styles=(style,), wasm=True, note=note)


def panel_script() -> str:
    """Return the script of the section, a classic script that registers the section with the page."""
    from ....sim.codegen.browser.script import engine_script

    parts = [engine_script(), *((_FOLDER / name).read_text(encoding="utf-8") for name in ("metrics.js", "panel.js"))]
    text = "\n".join(_EXPORT.sub("", part) for part in parts)
    return f'(() => {{\n"use strict";\n{text}\npolhode.register({{ id: "{ID}", title: "{TITLE}", mount }});\n}})();\n'


def reader_run(case_run: "CaseRun") -> dict[str, Any]:
    """Return the data for the script as JSON values.

    Raises InputError if a page cannot run the case, or if this installation has no engine for pages.
    """
    from ....sim.codegen.browser.encoded_arrays import encoded
    from ....sim.codegen.browser.module_store import engine_module
    from ....sim.codegen.browser.run_arrays import numbers_of
    from ....sim.runs.run_spec import run_spec
    from ...case_run import arguments
    from .sliders import sliders_of

    loaded, given = case_run.loaded, arguments(case_run.problem)
    if "accuracy" in given:
        raise InputError("run.accuracy_deg requires several runs, but a page makes only one; use run.step_s instead")
    base = numbers_of(run_spec(**given))
    return {
        "run": {**base[1], "arrays": {name: encoded(array) for name, array in base[0].items()}},
        "sliders": [slider.to_dict() for slider in sliders_of(loaded, base)],
        "module": _compressed(engine_module()),
        "settings": {"settling_band_deg": loaded.case.metrics.settling_band_deg},
        "requirements": [{"metric": each.key, "min": each.min, "max": each.max} for each in loaded.case.require],
        "metrics": {name: metric.value for name, metric in case_run.metrics.items() if metric.value is not None},
        "law": case_run.run.law is not None,
        "command": _command(loaded),
    }


def _compressed(data: bytes) -> str:
    """Return bytes compressed with gzip and encoded as base64, the input of `unpacked` in panel.js."""
    return b64encode(gzip.compress(data, mtime=0)).decode("ascii")


def _command(loaded: LoadedCase) -> str:
    """Return the command that runs the case."""
    command = f"polhode run {shlex.quote(loaded.source)}"
    try:
        unchanged = load_case(loaded.source).document == loaded.document
    except InputError:
        unchanged = False
    return command if unchanged else f"{command} (with the settings of this page)"
