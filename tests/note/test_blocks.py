"""Headings; code is left alone."""

from __future__ import annotations

from mdmem.note import blocks
from mdmem.note.blocks import Heading

TEXT = """# Title ##
```
# no heading
```
~~~~
```
# still none
~~~~
## Second #not closed#
#nospace
"""


def test_headings_outside_code() -> None:
    assert list(blocks.headings(TEXT)) == [Heading(1, "Title", 1), Heading(2, "Second #not closed#", 9)]
