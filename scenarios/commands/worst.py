"""``polhode campaign CASE --worst METRIC``: worst-case spacecraft and guaranteed bound."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...plant.errors import InputError
from ..case.campaigns.worst_craft import find_worst
from ..case.loader import load_case
from ..case.stored import state_case
from ..report.output import Results, prepare
from ..report.progress import progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def print_worst(
    name: str,
    metric: str,
    *,
    mode: str | None,
    overrides: Iterable[str],
    seed: int | None,
    sigmas: float | None,
    json: bool,
    out: Path | None,
    spare: Mapping[str, Any],
) -> int:
    """Search for the worst case, compute the guaranteed bound and print both.

    spare: values of the options that only simulated campaigns accept, by name. Returns 1 if the worst-case spacecraft
    is unstable or violates the requirement on the metric; otherwise 0. Raises InputError if one of the spare options is
    given.
    """
    for option, value in spare.items():
        if value:
            raise InputError(f"--{option} does not apply to --worst, which simulates no campaign; remove it")
    loaded = load_case(name, overrides)
    state_case(loaded)
    if out is not None:
        prepare(out)
    with progress(loaded.name) as show:
        found = find_worst(
            loaded, metric, mode=mode, seed=seed, sigmas=3.0 if sigmas is None else sigmas, progress=show
        )
    summary = found.to_dict()

    def draw() -> "dict[str, Figure]":
        from ..pictures.study.worst_craft import draw_worst

        return draw_worst(found)

    with Results(out) as results:
        results.pictures(draw)
        summary = results.finish("worst.json", summary)
    if json:
        from ..report.json_text import dump

        sys.stdout.write(dump(summary) + "\n")
    else:
        from ..report.console_worst import show_worst

        show_worst(found, files=results.files, out=results.where)
    if not found.meets:
        what = "is not stable" if found.is_linear and found.search.lost else "violates the requirement of the case"
        sys.stderr.write(f"polhode: {loaded.name}: the worst spacecraft found {what}\n")
    return results.code(0 if found.meets else 1)
