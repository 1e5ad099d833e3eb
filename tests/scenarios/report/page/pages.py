"""Pages for the tests: short cases with few rows, hostile text in every place that accepts text."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from polhode.scenarios.report.page.document import page_html
from polhode.scenarios.report.page.source import page_source

HOSTILE = "</script><script>document.title='taken'</script><!-- \"'&<img src=x onerror=alert(1)>"

LAW = """
[controller]
kind = "pid"
frequency_rad_s = 0.3
damping_ratio = 0.8
sample_s = 0.5
torque_limit_N_m = 1.0
"""

CASE = """
title = {title}
description = {title}

[plant]
inertia_kg_m2 = [400.0, 307.8, 200.0]

[initial]
attitude_deg = {{ sequence = "3-2-1", angles = [20.0, -10.0, 30.0] }}
rate_deg_s = [0.1, -0.2, 0.3]

[reference]
attitude = [1.0, 0.0, 0.0, 0.0]

{law}

[run]
duration_s = {duration}
integrator = "rk4"
step_s = 0.5
output_s = {output}

[[require]]
id = {id}
text = {title}
metric = "settling_time_s"
max = 200.0

[[require]]
metric = "peak_rate_deg_s"
max = 0.5
"""


def case_file(
    folder: Path,
    *,
    title: str = "A slew",
    id_: str = "AOCS-012",
    duration: float = 100.0,
    output: float = 0.5,
    law: bool = False,
) -> Path:
    """Write a case; without a law the page has no design, which takes most of the time."""
    path = folder / "case.toml"
    words = {"title": json.dumps(title), "id": json.dumps(id_)}
    text = CASE.format(**words, duration=duration, output=output, law=LAW if law else "")
    path.write_text(text, encoding="utf-8")
    return path


def page_of(path: Path | str, **kwargs: Any) -> str:
    return page_html(page_source(str(path)), **kwargs)


def markup_of(page: str) -> str:
    """Return a page without its scripts and styles."""
    return re.sub(r"<(script|style)[^>]*>.*?</\1>", "", page, flags=re.DOTALL)


def policy_of(page: str) -> dict[str, str]:
    """Return the rules of the content policy by directive."""
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    return dict(rule.split(" ", 1) for rule in policy[1].replace("&#x27;", "'").split("; "))


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="polhode-data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def decoded(stored: dict[str, str]) -> np.ndarray[Any, Any]:
    return np.frombuffer(base64.b64decode(stored["base64"]), "<f8" if stored["type"] == "float64" else "<f4")
