"""The start of the command: one thread for small matrices, chosen before numpy is loaded, unless the user has said."""

import os
import subprocess
import sys

import pytest

CODE = """
import sys
import polhode.scenarios.entry as entry
assert "numpy" not in sys.modules
sys.argv = ["polhode", "list"]
try:
    entry.main()
except SystemExit as end:
    import os
    print(end.code, os.environ["OPENBLAS_NUM_THREADS"], "numpy" in sys.modules)
"""


@pytest.mark.parametrize(("given", "expected"), [(None, "1"), ("2", "2")])
def test_threads_are_chosen_before_numpy(given, expected):
    environment = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    if given is not None:
        environment["OPENBLAS_NUM_THREADS"] = given
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.splitlines()[-1] == f"0 {expected} True"
