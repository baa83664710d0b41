"""Objects in files of their own, as git keeps new ones, see gitformat-loose(5); written without git.

The tree of a large folder differs from the one before it in one place. It is compressed in pieces that stand on
their own, so that those before and behind that place can be taken over as they are; any zlib reads the whole.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator

from mdmem import digests
from mdmem.values import NamedTuple

_BEGIN, _END = b"\x78\x01", b"\x03\x00"  # of what zlib compresses quickly: its header, and an empty last block
_CUT = b"\x00\x00\xff\xff"  # at the end of what was flushed, see RFC 1979, section 2.1
_PIECE = 1 << 15  # bytes that are compressed together, at least
_LEVEL = 1  # as git compresses objects that are files of their own
_RAW = -zlib.MAX_WBITS
_SUM = 4  # bytes of the checksum at the end


class TreePiece(NamedTuple):
    """Bytes, and what they are when they are compressed on their own; b"" if nobody has done it."""

    plain: bytes
    packed: bytes


class LooseTree(NamedTuple):
    """What the file of a tree holds behind the header, in pieces."""

    pieces: list[TreePiece]

    @property
    def data(self) -> bytes:
        return b"".join(piece.plain for piece in self.pieces)


def read_tree(objects: str, oid: str) -> LooseTree | None:
    """A tree of the folder `objects`; None if it has no file of its own, or not one of a tree."""
    try:
        with open(_place(objects, oid), "rb") as file:
            packed = file.read()
        head, *pieces = _pieces(packed) or [TreePiece(zlib.decompress(packed), b"")]
    except (FileNotFoundError, zlib.error):
        return None
    header, _, rest = head.plain.partition(b"\0")
    if not header.startswith(b"tree "):
        return None
    return LooseTree([TreePiece(rest, b""), *pieces] if rest else pieces)


def write_tree(objects: str, old: LooseTree, data: bytes, same_before: int, same_behind: int) -> str:
    """Keep a tree, of which so many bytes at the beginning and the end are those of `old`; its id.

    Raises OSError.
    """
    header = b"tree %d\0" % len(data)
    oid = digests.sha1_of_much(header + data)
    front, back = _taken_over(old.pieces, same_before), _taken_over(reversed(old.pieces), same_behind)[::-1]
    start, end = _length(front), len(data) - _length(back)
    pieces = [TreePiece(header, b""), *front, *_cut(data[start:end]), *back]
    packed = b"".join(piece.packed or _packed(piece.plain) for piece in pieces)
    total = zlib.adler32(header + data).to_bytes(_SUM, "big")
    save(objects, oid, _BEGIN + packed + _END + total)
    return oid


def write_commit(objects: str, data: bytes) -> str:
    """Keep a commit, given as git-hash-object(1) takes it; its id. Raises OSError."""
    whole = b"commit %d\0" % len(data) + data
    oid = digests.sha1(whole, usedforsecurity=False).hexdigest()
    save(objects, oid, zlib.compress(whole, _LEVEL))
    return oid


def save(objects: str, oid: str, packed: bytes) -> None:
    """Put the file of an object in its place, unless it is there already. Raises OSError."""
    place = _place(objects, oid)
    try:
        os.utime(place)  # as git does: to `git prune` an old one may be one that nobody needs
    except FileNotFoundError:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        temporary = os.path.join(os.path.dirname(place), f"tmp_obj_{os.urandom(8).hex()}")  # git prunes these
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444), "wb") as file:
            file.write(packed)
        os.replace(temporary, place)


def _place(objects: str, oid: str) -> str:
    return os.path.join(objects, oid[:2], oid[2:])


def _pieces(packed: bytes) -> list[TreePiece]:
    """What `write_tree` has put together, taken apart; nothing for the file of another program.

    Raises zlib.error for a cut that is none, which is another program's, too.
    """
    body, end, total = packed[len(_BEGIN) : -len(_END) - _SUM], packed[-len(_END) - _SUM : -_SUM], packed[-_SUM:]
    if not (packed.startswith(_BEGIN) and body.endswith(_CUT) and end == _END):
        return []
    try:
        pieces = [TreePiece(_unpacked(part + _CUT), part + _CUT) for part in body.split(_CUT)[:-1]]
    except zlib.error:
        return []
    plain = b"".join(piece.plain for piece in pieces)
    return pieces if zlib.adler32(plain) == int.from_bytes(total, "big") else []


def _cut(data: bytes) -> list[TreePiece]:
    """Bytes in pieces of about the same length, none of less than _PIECE if they are not all there is."""
    length = len(data) // max(len(data) // _PIECE, 1) + 1
    return [TreePiece(data[at : at + length], b"") for at in range(0, len(data), length)]


def _packed(plain: bytes) -> bytes:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW)
    return packer.compress(plain) + packer.flush(zlib.Z_FULL_FLUSH)


def _unpacked(packed: bytes) -> bytes:
    return zlib.decompress(packed + _END, _RAW, 2 * _PIECE)


def _taken_over(pieces: Iterator[TreePiece] | list[TreePiece], same: int) -> list[TreePiece]:
    """The first pieces that are compressed already and lie within so many bytes."""
    taken: list[TreePiece] = []
    for piece in pieces:
        same -= len(piece.plain)
        if same < 0 or not piece.packed:
            break
        taken.append(piece)
    return taken


def _length(pieces: list[TreePiece]) -> int:
    return sum(len(piece.plain) for piece in pieces)
