"""The engine is built where only numpy and setuptools are installed."""

import subprocess
import sys

ALONE = """
import sys

LATER = {"scipy", "pydantic", "typer", "xarray", "control", "matplotlib", "rich", "h5netcdf"}

class OnlyNumpy:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in LATER:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, OnlyNumpy())
from polhode.sim.codegen.library_text import library_text

assert "polhode_advance_entry" in library_text()
"""


def test_engine_is_translated_with_numpy_alone():
    """An import of another library at the head of a module would install a wheel without the compiled engine."""
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
