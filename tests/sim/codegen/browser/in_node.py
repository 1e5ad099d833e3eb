"""Browser runs of the engine in Node, read back as arrays."""

import base64
import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from polhode.sim.codegen.browser.module_build import MODULE
from polhode.sim.codegen.browser.module_store import built_module
from polhode.sim.codegen.browser.script import engine_script

SCRIPT = Path(__file__).with_name("run_in_node.mjs")


@dataclass(frozen=True)
class NodeRun:
    """One run: its status, times, quantities by name, and the tables from which they are computed."""

    status: str
    reason: str
    steps: int
    t: NDArray[np.float64]
    values: dict[str, NDArray[np.float64]]
    tables: dict[str, NDArray[np.float64]]
    times: list[float]


def require_node() -> tuple[str, bytes]:
    """Return the command of Node and the module; skip the test if one of them is missing."""
    node, module = shutil.which("node"), built_module()
    if node is None:
        pytest.skip("Node is not installed")
    if module is None:
        pytest.skip("the engine for pages is not built; engine_module() builds it")
    return node, module


def run_in_node(
    data: dict[str, Any], *, patches: Sequence[Sequence[dict[str, Any]]] = ((),), repeat: int = 1
) -> list[NodeRun]:
    """Run the result of `browser_run`, once for each list of patches."""
    node, module = require_node()
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / MODULE).write_bytes(module)
        (folder / "engine.mjs").write_text(engine_script(), encoding="utf-8")
        task = [{"data": data, "patches": list(each), "repeat": repeat} for each in patches]
        (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
        done = subprocess.run(
            [node, str(SCRIPT), str(folder)], capture_output=True, text=True, check=False, timeout=600
        )
        assert done.returncode == 0, done.stderr
        found = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    return [_read(each) for each in found]


def _read(found: dict[str, Any]) -> NodeRun:
    t = _numbers(found["t"])
    tables = {
        kind: {name: _numbers(each["base64"]).reshape(t.size, each["width"]) for name, each in found[kind].items()}
        for kind in ("values", "tables")
    }
    return NodeRun(**{**found, **tables, "t": t})


def _numbers(text: str) -> NDArray[np.float64]:
    return np.frombuffer(base64.b64decode(text), dtype="<f8")
