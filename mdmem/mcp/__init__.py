"""The memories of a vault for an agent that speaks MCP (Model Context Protocol): `mdmem mcp`.

From the ground up: `tools` says in words for a model what each takes, `pages` has the resources and prompts,
`toolbox` is the table of tools, `desk` answers calls. Only `server` knows the SDK.
"""
