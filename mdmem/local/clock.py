"""The time, which every surface hands down as an argument."""

from __future__ import annotations

import os
from collections.abc import Mapping

from mdmem.text import moments
from mdmem.values import UTC, datetime


def now(environ: Mapping[str, str] = os.environ) -> datetime:
    """The time; `MDMEM_NOW` (RFC 3339) pins it for scripts that must come out the same. Raises UsageError."""
    pinned = environ.get(moments.PINNED)
    return moments.pinned(pinned) if pinned else datetime.now(UTC)
