"""The file for HDF5 reads back its content, on disk or, after a failure, in memory."""

import errno

import numpy as np
import pytest

from polhode.sim.results.hdf5_file import Hdf5File


class FullDisk:
    """A file that is readable and no longer writable."""

    def __init__(self, file):
        self._file = file

    def write(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    def __getattr__(self, name):
        return getattr(self._file, name)


@pytest.mark.parametrize("full_after", [0, 7, 40])
def test_file_reads_back_writes_before_and_after_the_disk_is_full(tmp_path, full_after):
    path, rng = tmp_path / "file", np.random.default_rng(full_after)
    path.write_bytes(b"")
    file, whole = Hdf5File(path), bytearray()
    for n in range(40):
        if n == full_after:
            file._file = FullDisk(file._file)
        at, data = int(rng.integers(0, 300)), rng.bytes(int(rng.integers(1, 60)))
        whole.extend(bytes(max(0, at + len(data) - len(whole))))
        whole[at : at + len(data)] = data
        file.seek(at)
        assert file.write(data) == len(data)
    assert (file.failure is not None) == (full_after < 40)
    assert file.seek(0, 2) == len(whole)
    for at, size in rng.integers(0, 200, size=(200, 2)).tolist():
        file.seek(at)
        assert file.read(size) == bytes(whole[at : at + size]).ljust(size, b"\0")
        assert file.tell() == at + size
    file.close()
