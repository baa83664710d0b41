"""The clients that mdmem can connect, by name."""

from __future__ import annotations

from mdmem.clients.known.claude import CLAUDE
from mdmem.clients.known.codex import CODEX
from mdmem.clients.known.copilot import COPILOT
from mdmem.clients.known.gemini import GEMINI
from mdmem.clients.known.opencode import OPENCODE
from mdmem.clients.known.pi import PI
from mdmem.clients.known.qwen import QWEN
from mdmem.clients.plan import LlmClient

CLIENTS: dict[str, LlmClient] = {
    client.name: client for client in (CLAUDE, CODEX, COPILOT, GEMINI, OPENCODE, QWEN, PI)
}
