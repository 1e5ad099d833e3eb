"""The start of the command: one thread for small matrices while it runs, and an unchanged environment."""

import os
import subprocess
import sys

CODE = """
import os, sys
import polhode.scenarios.entry as entry
import polhode.scenarios.commands.case_files as commands
from polhode.plant.one_thread import _HOSTS, _controls

def count():
    return [get() for get, _ in _controls(_HOSTS[0])]

commands.list_cases = lambda folder, json: print("within", count()) or 0
sys.argv = ["polhode", "list"]
print("before", count())
try:
    entry.main()
except SystemExit as end:
    print(end.code, os.environ["OPENBLAS_NUM_THREADS"])
print("after", count())
"""


def test_command_works_on_one_thread():
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=True)
    before, within, end, after = done.stdout.splitlines()
    assert set(within.removeprefix("within ")) <= set("[1, ]")
    assert end == "0 2"
    assert after.removeprefix("after ") == before.removeprefix("before ")
