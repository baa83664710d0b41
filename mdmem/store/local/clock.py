"""The current time, which every surface passes down as an argument."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime

from mdmem.note import moments


def now(environ: Mapping[str, str] = os.environ) -> datetime:
    """The current time; `MDMEM_NOW` (RFC 3339) pins it for scripts with reproducible output. Raises UsageError."""
    pinned = environ.get(moments.PINNED)
    return moments.pinned(pinned) if pinned else datetime.now(UTC)
