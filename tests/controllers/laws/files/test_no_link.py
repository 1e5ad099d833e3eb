"""Files of results are never written through a link."""

import pytest

from polhode.controllers.laws.files.no_link import require_no_link
from polhode.plant import SaveError
from polhode.scenarios.report.output import Results
from polhode.sim.runs.campaigns.journal import Journal
from polhode.sim.runs.campaigns.signal_rows import SignalRows


def journal(path):
    Journal(path, {}, ("a",), runs=1).close()


def signals(path):
    SignalRows(path, 4, 2, resumed=False)


def results(path):
    with Results(path.parent) as files:
        files.text(path.name, "{}")
        if files.failure:
            raise SaveError(files.failure)
        files.finish("all.json", {})


@pytest.mark.parametrize("write", [journal, signals, results])
@pytest.mark.parametrize("content", [None, b"", b"precious"])
def test_results_are_not_written_through_a_link(tmp_path, write, content):
    target = tmp_path / "elsewhere"
    if content is not None:
        target.write_bytes(content)
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "file").symlink_to(target)
    with pytest.raises(SaveError, match="is a link"):
        write(folder / "file")
    assert (target.read_bytes() if target.exists() else None) == content
    (folder / "file").unlink()
    write(folder / "file")


def test_regular_and_missing_files_are_no_links(tmp_path):
    require_no_link(tmp_path / "missing")
    require_no_link(tmp_path)
