"""mdmem's tables in a TOML file of the user: put in at its end, and gone without a trace."""

from __future__ import annotations

import pytest

from mdmem.connect import settings
from mdmem.connect.jsonc import put_in
from mdmem.connect.record import SettingsChange, digest

BLOCK = '[mcp_servers.mdmem]\ncommand = "mdmem"\n'


@pytest.mark.parametrize("text", ["", "a = 1", "a = 1\n", "# mine\r\na = 1\r\n", "a = 1\r\nb = 2"])
def test_a_file_is_byte_for_byte_as_it_was(text: str) -> None:
    insertions = settings.additions("config.toml", text, BLOCK)
    after = put_in(text, insertions)
    change = SettingsChange(True, digest(after.encode()), tuple(insertions), {})
    assert after.startswith(text)
    assert after.count("\n") == after.count("\r\n") or "\r\n" not in text, "line ends are those of the file"
    assert "\r\n" not in after or "\r\n" in text
    assert settings.holds(after, change)
    assert settings.restored("config.toml", after, change) == text


def test_what_the_user_wrote_since_stays() -> None:
    text = "a = 1\n"
    insertions = settings.additions("config.toml", text, BLOCK)
    change = SettingsChange(True, digest(put_in(text, insertions).encode()), tuple(insertions), {})
    edited = put_in(text, insertions).replace("a = 1", "a = 2") + "[mine]\n"
    assert settings.restored("config.toml", edited, change) == "a = 2\n[mine]\n"
    assert not settings.holds("a = 2\n", change)
