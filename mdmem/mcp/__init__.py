"""The memories of a vault for an agent that speaks MCP (Model Context Protocol): `mdmem mcp`.

From the ground up: `callers` says who calls, `arguments` checks the arguments, `reading`, `writing`, `more` and
`works` are the tools, `pages` has the resources and prompts, `toolbox` is the table of tools, `desk` answers
calls. Only `server` knows the SDK.
"""
