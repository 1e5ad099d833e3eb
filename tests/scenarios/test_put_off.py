"""Modules that are imported at their first use."""

import subprocess
import sys

CODE = """
import sys
import numpy
from polhode.scenarios.put_off import put_off

put_off("numpy.testing", "numpy.linalg", "numpy.no_such_part")
assert "numpy.no_such_part" not in sys.modules
print("numpy.testing._private" in sys.modules)
import scipy.linalg
print("numpy.testing._private" in sys.modules)
numpy.testing.assert_array_equal(scipy.linalg.expm(numpy.zeros((2, 2))), numpy.eye(2))
print("numpy.testing._private" in sys.modules, type(numpy.linalg).__name__)
"""


def test_module_is_read_when_it_is_used():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True", "module"]
