"""The ids that git gives to the contents of files."""

from __future__ import annotations

import hashlib


def of(data: bytes, length: int) -> list[str]:
    """The blob ids that git may give these bytes: as they are, or with the line endings it stores.

    `length` is that of the repository's ids in hexadecimal digits: 64 if they are SHA-256, else SHA-1.
    """
    make = hashlib.sha256 if length == 64 else hashlib.sha1
    forms = [data, data.replace(b"\r\n", b"\n")] if b"\r\n" in data else [data]
    return [make(b"blob %d\0" % len(form) + form, usedforsecurity=False).hexdigest() for form in forms]
