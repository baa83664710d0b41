"""The digests of hashlib, from Python's own modules.

hashlib loads OpenSSL, which takes longer than everything that a hook does with a note.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from hashlib import blake2b, sha1, sha256
else:
    try:
        from _blake2 import blake2b
        from _sha1 import sha1

        try:
            from _sha2 import sha256
        except ImportError:  # Python 3.11
            from _sha256 import sha256
    except ImportError:  # a Python that was built without them
        from hashlib import blake2b, sha1, sha256

__all__ = ["blake2b", "blob_ids", "sha1", "sha256"]


def blob_ids(data: bytes, length: int) -> list[str]:
    """The blob ids that git may give these bytes: as they are, or with the line endings it stores.

    `length` is that of the repository's ids in hexadecimal digits: 64 if they are SHA-256, else SHA-1.
    """
    make = sha256 if length == 64 else sha1
    forms = [data, data.replace(b"\r\n", b"\n")] if b"\r\n" in data else [data]
    return [make(b"blob %d\0" % len(form) + form, usedforsecurity=False).hexdigest() for form in forms]
