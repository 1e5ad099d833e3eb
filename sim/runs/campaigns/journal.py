"""Journal of a campaign on disk: an append-only file that tolerates an incomplete end.

The first line describes the campaign in JSON. One record per run follows: length and checksum (CRC-32) of the rest,
run number, status, values, and the reason for missing values as a string. A killed campaign leaves at most one
unfinished record; on resumption this record is removed, and its run is repeated with the same random numbers. A damaged
record is skipped with a warning, and its run is repeated too.
"""

import contextlib
import json
import os
import struct
import zlib
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from ....controllers.laws.files.json_text import read_json
from ....controllers.laws.files.no_link import require_no_link
from ....controllers.laws.files.uninterrupted import uninterrupted
from ....controllers.laws.files.valid_text import valid_text
from ....plant.errors import InputError, SaveError
from ..messages import say

try:
    import fcntl
except ImportError:  # Windows itself prevents a second writer
    fcntl = None

Array = NDArray[np.float64]

MARK = "polhode campaign 1"
OPENING = b'{"polhode": "polhode campaign'
MOST_HEAD = 2**26  # largest size of the first line, or of a reason, bytes
MOST_DAMAGE = 2**20  # range of the search for the next complete record, bytes
LONG_REASON = 2**16  # largest reason accepted in a search after damage, bytes
_LENGTH = struct.Struct("<II")
_BEGIN = struct.Struct("<QB")


class Record(NamedTuple):
    """Record of one run: run number, status, values (nan if missing), and the reason for missing values.

    rows: signals of the run, which are not stored in the journal.
    """

    run: int
    status: int
    numbers: Array
    reason: str = ""
    rows: NDArray[np.float32] | None = None


class Records(Sequence[Record]):
    """Records of several runs of one call, stored as columns.

    run, status (n,); numbers (n, columns); reasons: reasons for missing values, by run number; rows: signals of each
    run, if there are any.
    """

    def __init__(
        self,
        run: NDArray[np.int64],
        status: NDArray[np.uint8],
        numbers: Array,
        reasons: Mapping[int, str],
        rows: Sequence[NDArray[np.float32] | None] | None = None,
    ) -> None:
        self.run, self.status, self.numbers, self.reasons = run, status, numbers, reasons
        self.rows = rows

    @classmethod
    def of(cls, records: Iterable[Record]) -> "Records":
        """Return records as `Records`; an argument of this type is returned unchanged."""
        if isinstance(records, Records):
            return records
        those = list(records)
        return cls(
            np.array([each.run for each in those], dtype=np.int64),
            np.array([each.status for each in those], dtype=np.uint8),
            np.array([each.numbers for each in those]),
            {each.run: each.reason for each in those if each.reason},
            None if all(each.rows is None for each in those) else [each.rows for each in those],
        )

    def __len__(self) -> int:
        """Return the number of runs."""
        return self.run.size

    def __getitem__(self, k: Any) -> Any:
        """Return one record, or several."""
        if isinstance(k, slice):
            return [self[n] for n in range(*k.indices(len(self)))]
        run = int(self.run[k])
        rows = None if self.rows is None else self.rows[int(k)]
        return Record(run, int(self.status[k]), self.numbers[k], self.reasons.get(run, ""), rows)


MISSING = 255
"""Status of a run that has not been simulated."""


class Journal:
    """Results of the runs of a campaign, in memory and optionally in a file; a context manager.

    `status` (runs,) and `numbers` (runs, columns) are filled as runs complete, `reasons` holds the reasons by run
    number, and `completed` is the number of completed runs.

    metadata: description of the campaign as JSON. On resumption, the stored description must be equal, but integers in
        `may_grow` may grow. columns: names of the values of each record. runs: total number of runs.
    Raises InputError when the file holds a different campaign or another process is writing to it; SaveError when the
    file cannot be written.
    """

    def __init__(
        self,
        path: Path | None,
        metadata: Mapping[str, Any],
        columns: Iterable[str],
        *,
        runs: int,
        may_grow: Iterable[str] = (),
    ) -> None:
        self.columns = tuple(columns)
        self.status = np.full(runs, MISSING, dtype=np.uint8)
        self.numbers = np.full((runs, len(self.columns)), np.nan)
        self.reasons: dict[int, str] = {}
        self.completed = 0
        self._file: BinaryIO | None = None
        if path is None:
            return
        self._path = path
        stored = json.loads(json.dumps(dict(metadata)))
        require_no_link(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("r+b" if path.exists() else "x+b")
        except OSError as error:
            raise SaveError(f"{path}: cannot be opened ({error.strerror or error})") from None
        try:
            self._lock()
            self._take_up(stored, frozenset(may_grow))
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        if fcntl is None or self._file is None:
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"{self._path}: another process is running this campaign; wait for it, or use a different file"
            ) from None

    def _take_up(self, metadata: dict[str, Any], may_grow: frozenset[str]) -> None:
        """Read the completed runs, truncate an incomplete end, and position the file at its new end."""
        assert self._file is not None  # noqa: S101 # the caller opened it
        line = self._file.readline(MOST_HEAD)
        if not line.endswith(b"\n") and (not line or (OPENING.startswith(line) or line.startswith(OPENING))):
            self._file.seek(0)
            self._file.truncate()
            head = {"polhode": MARK, "columns": self.columns, "metadata": metadata}
            self._put(json.dumps(head).encode() + b"\n")
            return
        before, columns = _head(line, self._path)
        _require_same(before, metadata, may_grow, where=str(self._path))
        if columns != self.columns:
            raise InputError(f"{self._path}: its runs have different columns; use a different file")
        end = self._file.tell()
        damaged = 0
        for record, begin, after in _records(self._file, len(columns)):
            damaged += begin - end
            end = after
            self._keep(record)
        behind = self._file.seek(0, os.SEEK_END) - end
        if behind > LONG_REASON:  # more than the unfinished record of a killed campaign
            damaged += behind
        if damaged:
            say(f"polhode: {self._path}: {damaged} bytes are damaged and were skipped; the runs in them are repeated")
        self._file.seek(end)
        self._file.truncate()

    def _keep(self, record: Record) -> bool:
        if not 0 <= record.run < self.status.size or self.status[record.run] != MISSING:
            return False
        self.status[record.run], self.numbers[record.run] = record.status, record.numbers
        self.completed += 1
        if record.reason:
            self.reasons[record.run] = record.reason
        return True

    def append(self, records: Iterable[Record]) -> None:
        """Append runs and sync the file; runs that are already stored are skipped.

        Raises SaveError when the disk fails; earlier records are kept, and a campaign can resume from them.
        """
        those = Records.of(records)
        if not len(those):
            return
        _, first = np.unique(those.run, return_index=True)
        first = first[(those.run[first] >= 0) & (those.run[first] < self.status.size)]
        new = np.sort(first[self.status[those.run[first]] == MISSING])
        run = those.run[new]
        self.status[run], self.numbers[run] = those.status[new], those.numbers[new]
        self.completed += run.size
        self.reasons.update({n: those.reasons[n] for n in run.tolist() if n in those.reasons})
        if self._file is not None and new.size:
            self._put(b"".join(_packed(those[n]) for n in new.tolist()))

    def _put(self, data: bytes) -> None:
        assert self._file is not None  # noqa: S101 # the callers have checked
        try:
            with uninterrupted():
                self._file.write(data)
                self._file.flush()
                os.fsync(self._file.fileno())
        except OSError as error:
            raise SaveError(
                f"{self._path}: cannot be written ({error.strerror or error}); the completed runs are stored: free "
                "disk space and start the campaign again; it resumes there"
            ) from None

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # full disk: the buffer cannot be flushed, which was already reported
                self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        """Return the journal itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        """Close the file."""
        self.close()


def read_facts(path: Path) -> dict[str, Any]:
    """Return the metadata in a journal. Raises InputError when the file is not a journal."""
    try:
        if path.exists() and not path.is_file():  # opening a pipe would block
            raise InputError(f"{path}: is not a file, as a journal must be")
        with path.open("rb") as file:
            return _head(file.readline(MOST_HEAD), path)[0]
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); run the campaign with --out") from None


def _packed(record: Record) -> bytes:
    numbers = np.ascontiguousarray(record.numbers, dtype="<f8").tobytes()
    payload = _BEGIN.pack(record.run, record.status) + numbers + valid_text(record.reason).encode()
    return _LENGTH.pack(len(payload), zlib.crc32(payload)) + payload


def _head(line: bytes, path: Path) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the metadata and column names of the first line."""
    try:
        head: Any = read_json(line, where=str(path))
        if head["polhode"] == MARK:
            return dict(head["metadata"]), tuple(str(name) for name in head["columns"])
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{path}: is not the journal of a campaign; it is unchanged: use a different file") from None


def _records(file: BinaryIO, columns: int) -> Generator[tuple[Record, int, int]]:
    """Yield each complete record with its start and end; an incomplete end and damaged parts are skipped."""
    least = _BEGIN.size + 8 * columns
    at = file.tell()
    while True:
        record = _record_at(file, at, least, MOST_HEAD)
        if record is None:
            at = _next_record(file, at, least)
            if at < 0:
                return
            continue
        end = file.tell()
        yield record, at, end
        at = end


def _record_at(file: BinaryIO, at: int, least: int, longest: int) -> Record | None:
    """Return the record that begins at an offset, or None."""
    file.seek(at)
    start = file.read(_LENGTH.size)
    if len(start) < _LENGTH.size:
        return None
    length, check = _LENGTH.unpack(start)
    payload = file.read(length) if least <= length < least + longest else b""
    if len(payload) < least or len(payload) < length or zlib.crc32(payload) != check:
        return None
    run, status = _BEGIN.unpack_from(payload)
    numbers = np.frombuffer(payload, dtype="<f8", count=(least - _BEGIN.size) // 8, offset=_BEGIN.size)
    return Record(run, status, numbers, payload[least:].decode(errors="replace"))


def _next_record(file: BinaryIO, at: int, least: int) -> int:
    """Return the offset of the next complete record, or -1 if `MOST_DAMAGE` bytes contain none."""
    file.seek(at)
    data = file.read(MOST_DAMAGE + _LENGTH.size)
    for place in range(1, len(data) - _LENGTH.size + 1):
        length, _ = _LENGTH.unpack_from(data, place)
        if least <= length < least + LONG_REASON and _record_at(file, at + place, least, LONG_REASON):
            return at + place
    return -1


def _require_same(before: Mapping[str, Any], now: Mapping[str, Any], may_grow: frozenset[str], *, where: str) -> None:
    """Raise InputError with the first difference between the stored campaign and this one, if any."""
    different = _difference("", before, now, may_grow)
    if different:
        raise InputError(
            f"{where}: contains a different campaign ({different}); use a different file, or remove this one to start "
            "again"
        )


def _difference(key: str, before: Any, now: Any, may_grow: frozenset[str]) -> str:
    if key in may_grow and isinstance(before, int) and isinstance(now, int):
        return "" if now >= before else f"{key} was {before}, but is now {now}"
    if isinstance(before, dict) and isinstance(now, dict):
        before, now = cast("dict[str, Any]", before), cast("dict[str, Any]", now)
        for name in sorted({*before, *now}):
            inner = f"{key}.{name}" if key else name
            if name not in before or name not in now:
                return f"{inner} {'is new' if name in now else 'is missing'}"
            found = _difference(inner, before[name], now[name], may_grow)
            if found:
                return found
        return ""
    return "" if before == now else f"{key} was {_short(before)}, but is now {_short(now)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
