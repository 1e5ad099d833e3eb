"""An editable install is a path to a real package with linked rooms.

The rooms are at the top of the repository and are imported as polhode.plant and so on, so no folder of the checkout
has the structure of the package. Arrangements that were tried, each by `pip install -e .` in its own environment
(Python 3.11; mypy 2.4 and pyright in a folder outside, on `from polhode import plant`; times on a busy two-core
machine):

    arrangement                                      types seen  a new file seen  beats a clone  python -c pass
    setuptools' import hook, `polhode` a namespace   no          yes              no             61 ms
    setuptools' strict mode: one link a file         yes         no               no             24 ms
    a real package with linked rooms, one .pth       yes         yes              yes            24 ms

The hook is loaded at every start of Python and called after the search of the folders on the path. Any folder of that
name, such as a clone in the current directory, is therefore imported as a namespace package instead. A real package
takes precedence at any position on the path, as this script shows with small examples.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HOOK = """import importlib.util, sys
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "polhode":
            return importlib.util.spec_from_loader(name, None, is_package=True)
        if name == "polhode.plant":
            return importlib.util.spec_from_file_location(name, ROOM)
sys.meta_path.append(Finder)
"""
IMPORT = "import polhode.plant as plant; print(plant.where)"


def imported(arrangement: str, folder: Path) -> str:
    """What `import polhode.plant` finds where a clone named polhode lies in the current directory."""
    for name in ("installed", "parent/polhode"):
        (folder / name / "plant").mkdir(parents=True)
        (folder / name / "plant" / "__init__.py").write_text(f"where = {name!r}\n", encoding="utf-8")
    room, site = folder / "installed" / "plant", folder / "site"
    start = f"import sys; sys.path.append({str(site)!r})\n"  # behind the current directory, as site-packages is
    if arrangement == "import hook":
        start = HOOK.replace("ROOM", repr(str(room / "__init__.py")))
    else:
        (site / "polhode").mkdir(parents=True)
        (site / "polhode" / "plant").symlink_to(room, target_is_directory=True)
        if arrangement == "real package":
            (site / "polhode" / "__init__.py").touch()
    words = [sys.executable, "-S", "-c", start + IMPORT]
    done = subprocess.run(words, cwd=folder / "parent", capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main() -> None:
    """Print what each arrangement imports."""
    for number, arrangement in enumerate(("import hook", "namespace", "real package"), start=1):
        with tempfile.TemporaryDirectory() as folder:
            print(f"{number} {arrangement:13s} imports polhode.plant from {imported(arrangement, Path(folder))}")


if __name__ == "__main__":
    main()
