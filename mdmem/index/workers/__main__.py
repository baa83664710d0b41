"""A worker: notes in, their rows out.

    python -P -m mdmem.index.workers ROOT VAULT_ID

It gets lists of paths on its standard input, pickled, and answers each with a list of their rows: None for a note
that the index is to read itself. It ends when its input does, so it outlives nobody.
"""

from __future__ import annotations

import pickle
import sys
from typing import IO

from mdmem.errors import NoteError
from mdmem.index import disk, rows, sources
from mdmem.index.rows import NoteRows
from mdmem.note import memory


def send(pipe: IO[bytes], what: object) -> None:
    """Write a value that `pickle.load` reads at the other end."""
    pipe.write(pickle.dumps(what, pickle.HIGHEST_PROTOCOL))
    pipe.flush()


def main() -> None:
    """Answer until the input ends, or nobody reads the answers."""
    root, vault_id = sys.argv[1:]
    while True:
        try:
            paths = pickle.load(sys.stdin.buffer)  # noqa: S301 - of the process that started this one
            send(sys.stdout.buffer, [_rows(root, vault_id, path) for path in paths])
        except (EOFError, BrokenPipeError):
            return


def _rows(root: str, vault_id: str, path: str) -> NoteRows | None:
    """The rows of a note; None for one that cannot be read, and for one whose facts are rows, too."""
    try:
        data = disk.read(root, path)
        note = memory.parse(data, path, vault_id) if data is not None else None
    except NoteError:
        return None
    return rows.of_note(note) if note and not sources.tells_facts(note) else None


if __name__ == "__main__":
    main()
