"""File object for HDF5 that hides write failures from the library."""

from pathlib import Path


class Hdf5File:
    """A file for h5py that continues in memory after the disk fails.

    The HDF5 library does not survive a full disk: unwritten data remain in its caches, closing the file fails
    repeatedly, and the process ends with a segmentation fault. Here the first failure is stored in `failure`. The
    failed write and all later ones go to memory, so that the library still has an intact file to read and close. The
    caller checks `failure` after each portion of data, and stops if it is set.

    path: an existing file.
    """

    def __init__(self, path: Path) -> None:
        self.failure: OSError | None = None
        self._file = path.open("r+b", buffering=0)
        self._memory: list[tuple[int, bytes]] = []
        self._at = 0
        self._size = self._file.seek(0, 2)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Set the position, as `io.RawIOBase.seek` does."""
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def tell(self) -> int:
        """Return the current position."""
        return self._at

    def write(self, data: bytes | memoryview) -> int:
        """Write all bytes to the disk; after a failure, write them to memory."""
        view = memoryview(data)
        if self.failure is None:
            try:
                self._file.seek(self._at)
                done = 0
                while done < view.nbytes:
                    done += self._file.write(view[done:])
            except OSError as error:
                self.failure = error
        if self.failure is not None:
            self._memory.append((self._at, bytes(view)))
        self._at += view.nbytes
        self._size = max(self._size, self._at)
        return view.nbytes

    def readinto(self, buffer: memoryview) -> int:
        """Fill the buffer from the current position, with zeros beyond the end of the file."""
        view = memoryview(buffer)
        self._file.seek(self._at)
        done = 0
        while done < view.nbytes:
            n = self._file.readinto(view[done:])
            if not n:
                break
            done += n
        view[done:] = bytes(view.nbytes - done)
        for start, data in self._memory:
            first, last = max(start, self._at), min(start + len(data), self._at + view.nbytes)
            if first < last:
                view[first - self._at : last - self._at] = data[first - start : last - start]
        self._at += view.nbytes
        return view.nbytes

    def read(self, size: int) -> bytes:
        """Return `size` bytes from the current position."""
        buffer = bytearray(size)
        self.readinto(memoryview(buffer))
        return bytes(buffer)

    def truncate(self, size: int | None = None) -> int:
        """Set the size of the file, by default to the current position."""
        self._size = self._at if size is None else size
        if self.failure is None:
            try:
                self._file.truncate(self._size)
            except OSError as error:
                self.failure = error
        return self._size

    def flush(self) -> None:
        """Do nothing: no writes are buffered."""

    def close(self) -> None:
        """Close the file on the disk."""
        self._file.close()
