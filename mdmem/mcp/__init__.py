"""The memories of a vault for an agent that speaks MCP (Model Context Protocol): `mdmem mcp`.

From the ground up: `callers` says who asks, `arguments` checks what is asked for,
`reading`, `writing`, `more` and `works` are the tools, `pages` the resources and prompts, `toolbox` is the table
of tools, `desk` answers calls. `server` alone knows the SDK.
"""
