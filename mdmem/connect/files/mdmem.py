# Written by `mdmem connect @client@`, and written again by it; `mdmem disconnect @client@` takes it away.
"""Starts mdmem for a client, whose settings name this file instead of the program.

When the program is gone or does not start, a hook still succeeds, with nothing to add, and the server has no tools
and says why. So the client starts and answers.
"""

import os
import sys

PROGRAM = "@program@"
FOR_USER = "@for_user@"  # this file of the connection for this user, which serves a project, too
SORRY = "@sorry@"
CLIENT = "@client@"
VAULT = "@vault@"


def ran(words: list[str]) -> bool:
    """Whether the program ran, and ended well."""
    try:
        if os.name == "posix":
            return os.spawnv(os.P_WAIT, PROGRAM, [PROGRAM, *words]) == 0  # noqa: S606
        import subprocess

        return subprocess.call([PROGRAM, *words]) == 0
    except OSError:
        return False


def serve_nothing(reason: str) -> None:
    """Be an MCP server without tools, which gives the reason; it ends with its input."""
    import json

    hello = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "instructions": reason}
    hello["serverInfo"] = {"name": "mdmem", "version": "0"}
    results: dict[str, object] = {"initialize": hello, "tools/list": {"tools": []}, "ping": {}}
    for line in sys.stdin:
        asked = json.loads(line) if '"id"' in line else {}
        if asked.get("method") in results:
            answer = {"result": results[asked["method"]]}
        else:
            answer = {"error": {"code": -32601, "message": reason}}
        if "id" in asked:
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)


def say_sorry(event: str) -> None:
    """Answer an event without mdmem: at the start of a session say so, in the form of the client."""
    import json

    told = f"{SORRY} (tell the user)"
    answer: dict[str, object] = {}
    if CLIENT in ("claude-code", "codex"):
        answer = {"systemMessage": SORRY}
    elif CLIENT in ("copilot", "opencode", "pi"):
        answer = {"additionalContext": told}
    elif CLIENT == "cursor":
        answer = {"additional_context": told}
    else:
        answer = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": told}}
    begins = event.lower() == "sessionstart" or (event, CLIENT) == ("UserPromptSubmit", "qwen")
    print(json.dumps(answer if begins else {}))


def folder_of_client() -> str:
    """Where the client was started: Copilot CLI starts its servers in the plugin's folder."""
    try:
        return os.readlink(f"/proc/{os.getppid()}/cwd")
    except OSError:
        import subprocess

        line = ["lsof", "-a", "-p", str(os.getppid()), "-d", "cwd", "-Fn"]
        said = subprocess.run(line, capture_output=True, text=True, check=False).stdout
        return next((each[1:] for each in said.splitlines() if each.startswith("n")), ".")


def main(words: list[str]) -> None:
    os.environ.update(MDMEM_CLIENT=CLIENT, MDMEM_VAULT=VAULT)
    what, event = [*words, "", ""][:2]
    is_twice = bool(FOR_USER) and os.path.exists(FOR_USER)
    if what == "hook":
        if is_twice:
            print("{}")
            return
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        if not ran([*words, "--client", CLIENT]):
            say_sorry(event)
    elif what == "mcp" and is_twice and CLIENT == "claude-code":  # the only one that would have the tools of both
        serve_nothing("Its tools are those of the other server called mdmem.")
    elif what == "mcp":
        if os.path.isdir(".claude-plugin"):
            os.chdir(folder_of_client())
        if not ran(words):
            print(SORRY, file=sys.stderr)
            serve_nothing(f"{SORRY} (tell the user)")
    else:
        sys.exit(not ran(words))


if __name__ == "__main__":
    main(sys.argv[1:])
