"""The memories of a vault for an agent that speaks MCP (Model Context Protocol): `mdmem mcp`.

From the ground up: `toolbox` says in words for a model what each tool takes, and which are offered; `desk` answers
calls, and has the resources and prompts. Only `server` knows the SDK.
"""
