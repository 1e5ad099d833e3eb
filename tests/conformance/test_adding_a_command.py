"""CONTRIBUTING, "Add a command", carried out on a copy of the code: a file and a function, and the command works."""

from .copied import copied, tried

WORK = '''"""Subcommand `moments`; returns the exit code."""

from collections.abc import Iterable

import numpy as np

from ..case.kinds.problem import build
from ..case.loader import load_case
from ..case.located import located


def print_moments(case: str, *, overrides: Iterable[str], json: bool) -> int:
    """Print the principal moments of inertia of the spacecraft of a case, kg m^2."""
    from ..report.json_text import dump

    loaded = load_case(case, overrides)
    with located(loaded.source):
        moments = np.linalg.eigvalsh(build(loaded.case, with_law=False).craft.body.inertia)
    print(dump({"principal_moments_kg_m2": moments.tolist()}) if json else f"moments: {moments} kg m^2")
    return 0
'''

VERB = '''@app.command("moments")
def _moments(case: CaseName, json: Json = False, overrides: Overrides = None) -> Work:
    """Print the principal moments of inertia of a case."""
    from .moments import print_moments

    return partial(print_moments, case, overrides=overrides or (), json=json)


'''

USE = """
import io
import json
from contextlib import redirect_stderr, redirect_stdout

from polhode import scenarios
from polhode.scenarios.commands.invoke import invoke

assert scenarios.__file__.startswith(ROOM), scenarios.__file__


def run(*words):
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        code = invoke(words)
    return code, out.getvalue(), error.getvalue()


code, out, error = run("moments", "torque-free", "--set", "plant.inertia_kg_m2=[[5,2,0],[2,5,0],[0,0,9]]", "--json")
assert (code, error) == (0, ""), (code, error)
moments = json.loads(out)["principal_moments_kg_m2"]
assert max(abs(a - b) for a, b in zip(moments, (3.0, 7.0, 9.0))) < 1e-14, moments  # 5 - 2, 5 + 2, 9
code, out, error = run("moments", "torque-fre")
assert code == 2 and not out and error.count("\\n") == 1 and "torque-free" in error, (code, out, error)
code, out, error = run("moments", "torque-free", "--jsn")
assert code == 2 and "--json" in error, error
code, out, error = run("--help")
assert "Print the principal moments of inertia of a case." in out, out
print("done")
"""


def test_new_command_needs_a_file_and_a_function(tmp_path):
    copied(
        tmp_path,
        {"scenarios/commands/moments.py": WORK},
        {"scenarios/commands/cli_cases.py": ('@app.command("run")', VERB)},
    )
    tried(tmp_path, USE)
