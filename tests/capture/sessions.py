"""One and the same small session, as each client logs it: written by hand in the shapes of real logs.

A person reports a bug; the agent reads a file, edits it, makes another one, runs the tests, which fail, and again,
which pass.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

FOLDER = "/projects/shop"
EDITED, CREATED = f"{FOLDER}/src/list.py", f"{FOLDER}/tests/test_list.py"
REQUEST = "The list sorts numbers as text. Fix it, please. I prefer tabs over spaces."
PLAN, ANSWER = "I look at the file first.", "The list sorts numbers now. The new test covers it."
TEST = "python -m pytest -q"
FAILED, PASSED = "1 failed", "1 passed"
SAID = [("user", REQUEST), ("assistant", PLAN), ("assistant", ANSWER)]

Json = dict[str, Any]


def jsonl(*lines: object) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def at(second: int) -> str:
    return f"2026-02-08T14:05:{second:02}.000Z"


# -- Claude Code ---------------------------------------------------------------------------------------------


def claude_line(kind: str, content: object, second: int, **more: object) -> Json:
    base = {"type": kind, "sessionId": "s-claude", "cwd": FOLDER, "timestamp": at(second), "uuid": f"u{second}"}
    message = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": f"m{second}", "usage": {"input_tokens": 10, "output_tokens": 5}}
    return {**base, "isSidechain": False, "message": message, **more}


def claude_call(second: int, tool: str, **given: object) -> Json:
    return claude_line(
        "assistant", [{"type": "tool_use", "id": f"t{second}", "name": tool, "input": given}], second
    )


def claude_result(second: int, text: str, is_error: bool = False, told: object = None) -> Json:
    block: Json = {"type": "tool_result", "tool_use_id": f"t{second - 1}", "content": text}
    if is_error:
        block["is_error"] = True
    return claude_line("user", [block], second, toolUseResult=told)


CLAUDE_LINES = [
    {"type": "queue-operation", "operation": "enqueue", "sessionId": "s-claude"},
    {
        "type": "attachment",
        "sessionId": "s-claude",
        "attachment": {"type": "skill_listing", "content": "I like x."},
    },
    claude_line("user", REQUEST, 1),
    claude_line(
        "assistant",
        [
            {"type": "thinking", "thinking": "The key of the sort must be a number. Text compares by letters."},
            {"type": "text", "text": PLAN},
        ],
        2,
    ),
    claude_call(3, "Read", file_path=EDITED),
    claude_result(4, "1\tdef order(x): ..."),
    claude_call(5, "Edit", file_path=EDITED, old_string="str", new_string="int"),
    claude_result(6, "updated", told={"filePath": EDITED, "structuredPatch": [{}]}),
    claude_call(7, "Write", file_path=CREATED, content="x"),
    claude_result(8, "created", told={"type": "create", "filePath": CREATED, "structuredPatch": []}),
    claude_call(9, "Bash", command=TEST),
    claude_result(10, f"Exit code 1\n{FAILED}", is_error=True),
    claude_call(11, "Bash", command=TEST),
    claude_result(12, PASSED),
    claude_line("assistant", [{"type": "text", "text": ANSWER}], 13),
    {"type": "cost-state", "sessionId": "s-claude"},
]
CLAUDE = jsonl(*CLAUDE_LINES)


# -- Codex ---------------------------------------------------------------------------------------------------


def codex_line(kind: str, second: int, **payload: object) -> Json:
    return {"timestamp": at(second), "type": kind, "payload": payload}


def codex_message(role: str, text: str, second: int) -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    return codex_line("response_item", second, type="message", role=role, content=[{"type": kind, "text": text}])


def codex_command(second: int, command: str, code: int, output: str) -> list[Json]:
    id = f"call{second}"
    told = f"Wall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n{output}"
    item = {"type": "CommandExecution", "id": id, "exit_code": code, "duration": {"secs": 1, "nanos": 5_000_000}}
    return [
        codex_line(
            "response_item",
            second,
            type="function_call",
            name="exec_command",
            call_id=id,
            arguments=json.dumps({"cmd": command}),
        ),
        codex_line("event_msg", second, type="item_completed", item={**item, "aggregated_output": output}),
        codex_line("response_item", second, type="function_call_output", call_id=id, output=told),
    ]


_PATCH = f"*** Begin Patch\n*** Update File: {EDITED}\n@@\n-str\n+int\n*** Add File: {CREATED}\n+x\n*** End Patch"
CODEX_LINES = [
    codex_line("session_meta", 0, id="s-codex", cwd=FOLDER, source="exec"),
    codex_message("user", "# AGENTS.md instructions for /projects/shop\n\nI prefer to be called Bob.", 0),
    codex_message("developer", "HOOK", 0),
    codex_message("user", REQUEST, 1),
    codex_line(
        "response_item", 2, type="reasoning", summary=[{"type": "summary_text", "text": "Sort by number."}]
    ),
    codex_message("assistant", PLAN, 2),
    *codex_command(3, "cat src/list.py", 0, "def order(x): ..."),
    codex_line("response_item", 5, type="custom_tool_call", name="apply_patch", call_id="call5", input=_PATCH),
    codex_line(
        "event_msg",
        6,
        type="item_completed",
        item={
            "type": "FileChange",
            "id": "call5",
            "changes": {EDITED: {"type": "update"}, CREATED: {"type": "add"}},
            "status": "completed",
        },
    ),
    codex_line("response_item", 6, type="custom_tool_call_output", call_id="call5", output="Success."),
    *codex_command(9, TEST, 1, FAILED),
    *codex_command(11, TEST, 0, PASSED),
    codex_line("event_msg", 12, type="token_count", info={"total_token_usage": {"output_tokens": 35}}),
    codex_message("assistant", ANSWER, 13),
]
CODEX = jsonl(*CODEX_LINES)


# -- Copilot -------------------------------------------------------------------------------------------------


def copilot_line(kind: str, second: int, **data: object) -> Json:
    return {"type": kind, "data": data, "id": f"e{second}", "timestamp": at(second), "parentId": None}


def copilot_tool(second: int, tool: str, given: Json, **came: object) -> list[Json]:
    call = {"toolCallId": f"call{second}"}
    return [
        copilot_line("tool.execution_start", second, **call, toolName=tool, arguments=given),
        copilot_line("hook.start", second, hookType="preToolUse"),
        copilot_line("tool.execution_complete", second + 1, **{**call, "success": True, **came}),
    ]


COPILOT = jsonl(
    copilot_line("session.start", 0, sessionId="s-copilot", context={"cwd": FOLDER}),
    copilot_line("system.message", 0, role="system", content="I like to help."),
    copilot_line(
        "user.message", 1, content=REQUEST, transformedContent=f"<current_datetime>x</current_datetime>{REQUEST}"
    ),
    copilot_line("assistant.message", 2, content=PLAN, reasoningText="Sort by number."),
    *copilot_tool(3, "view", {"path": EDITED}, result={"content": "def order(x): ..."}),
    *copilot_tool(5, "edit", {"path": EDITED}, fileEdits=[{"path": EDITED, "kind": "update"}]),
    *copilot_tool(7, "create", {"path": CREATED}, fileEdits=[{"path": CREATED, "kind": "create"}]),
    *copilot_tool(9, "bash", {"command": TEST}, shellExecution={"exitCode": 1}, result={"content": FAILED}),
    *copilot_tool(11, "bash", {"command": TEST}, shellExecution={"exitCode": 0}, result={"content": PASSED}),
    copilot_line("session.usage_record", 12, usage={"outputTokens": 35}),
    copilot_line("assistant.message", 13, content=ANSWER),
)


# -- Gemini and Qwen -----------------------------------------------------------------------------------------


def gemini_line(second: int, kind: str, content: object, **more: object) -> Json:
    return {"id": f"g{second}", "timestamp": at(second), "type": kind, "content": content, **more}


def gemini_call(second: int, tool: str, given: Json, output: str, shown: object = "") -> Json:
    came = {"id": f"c{second}", "name": tool, "response": {"output": output}}
    call = {"id": f"c{second}", "name": tool, "args": given, "status": "success", "timestamp": at(second)}
    call |= {"result": [{"functionResponse": came}], "resultDisplay": shown}
    return gemini_line(second, "gemini", "", toolCalls=[call], tokens={"output": 5})


GEMINI_LINES = [
    {"sessionId": "s-gemini", "projectHash": "9de2", "startTime": at(0), "kind": "main"},
    {"$set": {"messages": [gemini_line(0, "user", [{"text": "<session_context>I like x.</session_context>"}])]}},
    gemini_line(1, "user", [{"text": f"<hook_context>I like y.</hook_context>\n\n{REQUEST}"}]),
    gemini_line(2, "gemini", PLAN, thoughts=[{"subject": "Sorting", "description": "Sort by number."}]),
    {"$set": {"lastUpdated": at(2)}},
    gemini_line(3, "gemini", ""),
    gemini_call(3, "read_file", {"file_path": EDITED}, "def order(x): ..."),
    gemini_call(5, "replace", {"file_path": EDITED}, "ok", {"filePath": EDITED, "isNewFile": False}),
    gemini_call(7, "write_file", {"file_path": CREATED}, "ok", {"filePath": CREATED, "isNewFile": True}),
    gemini_call(9, "run_shell_command", {"command": TEST}, f"Output: {FAILED}\nExit Code: 1\n"),
    gemini_call(11, "run_shell_command", {"command": TEST}, f"Output: {PASSED}\nExit Code: 0\n"),
    gemini_line(13, "gemini", ANSWER, tokens={"output": 10}),
]
GEMINI = jsonl(*GEMINI_LINES)


def qwen_line(second: int, kind: str, *parts: Json, **more: object) -> Json:
    base = {"uuid": f"q{second}", "sessionId": "s-qwen", "timestamp": at(second), "type": kind, "cwd": FOLDER}
    return {**base, "message": {"role": "model" if kind == "assistant" else "user", "parts": list(parts)}, **more}


def qwen_call(second: int, tool: str, given: Json, output: str) -> list[Json]:
    id = f"c{second}"
    call = {"functionCall": {"id": id, "name": tool, "args": given}}
    came = {"functionResponse": {"id": id, "name": tool, "response": {"output": output}}}
    return [
        qwen_line(second, "assistant", call, usageMetadata={"candidatesTokenCount": 5}),
        qwen_line(second + 1, "tool_result", came, toolCallResult={"callId": id, "status": "success"}),
    ]


QWEN = jsonl(
    qwen_line(1, "user", {"text": REQUEST}, {"text": "I like hooks."}),
    {"uuid": "x", "sessionId": "s-qwen", "type": "system", "subtype": "ui_telemetry", "systemPayload": {}},
    qwen_line(2, "assistant", {"text": "Sort by number.", "thought": True}, {"text": PLAN}),
    *qwen_call(3, "read_file", {"file_path": EDITED}, "def order(x): ..."),
    *qwen_call(5, "edit", {"file_path": EDITED}, "The file has been updated."),
    *qwen_call(7, "write_file", {"file_path": CREATED}, "Successfully created and wrote to new file."),
    *qwen_call(9, "run_shell_command", {"command": TEST}, f"Output: {FAILED}\nExit Code: 1\n"),
    *qwen_call(11, "run_shell_command", {"command": TEST}, f"Output: {PASSED}\nExit Code: 0\n"),
    qwen_line(13, "assistant", {"text": ANSWER}, usageMetadata={"candidatesTokenCount": 10}),
)


# -- OpenCode ------------------------------------------------------------------------------------------------


def opencode_message(second: int, role: str, *parts: Json) -> Json:
    info: Json = {
        "id": f"msg_{second}",
        "sessionID": "ses_1",
        "role": role,
        "time": {"created": 1770559500000 + second * 1000},
    }
    if role == "assistant":
        info["tokens"] = {"input": 10, "output": 5}
    return {"info": info, "parts": [{"id": f"prt_{second}{n}", **part} for n, part in enumerate(parts)]}


def opencode_tool(second: int, tool: str, given: Json, output: str = "", **metadata: object) -> Json:
    time = {"start": 1770559500000 + second * 1000, "end": 1770559501000 + second * 1000}
    state = {"status": "completed", "input": given, "output": output, "metadata": metadata, "time": time}
    part = {"type": "tool", "tool": tool, "callID": f"call_{second}", "state": state}
    return opencode_message(second, "assistant", {"type": "step-start"}, part)


OPENCODE_SESSION: Json = {
    "info": {"id": "ses_1", "directory": FOLDER, "title": "Sort numbers", "version": "1.18.33"},
    "messages": [
        opencode_message(
            1,
            "user",
            {"type": "text", "text": f'"{REQUEST}"'},
            {"type": "text", "text": "I like x.", "synthetic": True},
        ),
        opencode_message(
            2, "assistant", {"type": "reasoning", "text": "Sort by number."}, {"type": "text", "text": PLAN}
        ),
        opencode_tool(3, "read", {"filePath": EDITED}, "def order(x): ..."),
        opencode_tool(5, "edit", {"filePath": EDITED}),
        opencode_tool(7, "write", {"filePath": CREATED}, filepath=CREATED, exists=False),
        opencode_tool(9, "bash", {"command": TEST}, FAILED, exit=1),
        opencode_tool(11, "bash", {"command": TEST}, PASSED, exit=0),
        opencode_message(13, "assistant", {"type": "text", "text": ANSWER}),
    ],
}
OPENCODE = json.dumps(OPENCODE_SESSION, indent=2)


# -- pi ------------------------------------------------------------------------------------------------------


def pi_line(second: int, parent: int, role: str, *content: Json, **more: object) -> Json:
    message = {"role": role, "content": list(content), **more}
    if role == "assistant":
        message["usage"] = {"output": 5}
    parent_id = f"p{parent}" if parent else None
    return {
        "type": "message",
        "id": f"p{second}",
        "parentId": parent_id,
        "timestamp": at(second),
        "message": message,
    }


def pi_call(
    second: int, parent: int, tool: str, given: Json, output: str = "", is_error: bool = False
) -> list[Json]:
    call = {"type": "toolCall", "id": f"c{second}", "name": tool, "arguments": given}
    came = {"toolCallId": f"c{second}", "isError": is_error}
    return [
        pi_line(second, parent, "assistant", call),
        pi_line(second + 1, second, "toolResult", {"type": "text", "text": output}, **came),
    ]


PI_LINES = [
    {"type": "session", "version": 3, "id": "s-pi", "timestamp": at(0), "cwd": FOLDER},
    pi_line(1, 0, "user", {"type": "text", "text": REQUEST}),
    pi_line(20, 1, "assistant", {"type": "text", "text": "An answer that was taken back."}),
    pi_line(
        2, 1, "assistant", {"type": "thinking", "thinking": "Sort by number."}, {"type": "text", "text": PLAN}
    ),
    *pi_call(3, 2, "read", {"path": EDITED}, "def order(x): ..."),
    *pi_call(5, 4, "edit", {"path": EDITED}),
    *pi_call(7, 6, "write", {"path": CREATED}),
    {"type": "compaction", "id": "k", "parentId": "p8", "timestamp": at(8), "summary": "I like x."},
    pi_line(9, 0, "assistant", {"type": "toolCall", "id": "c9", "name": "bash", "arguments": {"command": TEST}})
    | {"parentId": "k"},
    pi_line(10, 9, "toolResult", {"type": "text", "text": FAILED}, toolCallId="c9", isError=True),
    *pi_call(11, 10, "bash", {"command": TEST}, PASSED),
    pi_line(13, 12, "assistant", {"type": "text", "text": ANSWER}),
]
PI = jsonl(*PI_LINES)


# -- aider and Cursor ----------------------------------------------------------------------------------------

AIDER = f"""
# aider chat started at 2026-02-08 14:05:00

> /usr/bin/aider --model x
> Added src/list.py to the chat.

#### /tokens

#### {REQUEST}

{PLAN}

src/list.py
```python
<<<<<<< SEARCH
str
=======
int
>>>>>>> REPLACE
```

> Tokens: 2.1k sent, 35 received.
> Applied edit to src/list.py
> Running {TEST}

{ANSWER}
"""


def cursor_line(role: str, *content: Json) -> Json:
    return {"role": role, "message": {"content": list(content)}}


CURSOR = jsonl(
    cursor_line("user", {"type": "text", "text": f"<user_query>\n{REQUEST}\n</user_query>"}),
    cursor_line(
        "assistant",
        {"type": "text", "text": PLAN},
        {"type": "tool_use", "name": "Read", "input": {"path": EDITED}},
    ),
    cursor_line("assistant", {"type": "tool_use", "name": "StrReplace", "input": {"path": EDITED}}),
    cursor_line("assistant", {"type": "tool_use", "name": "Write", "input": {"path": CREATED}}),
    cursor_line("assistant", {"type": "tool_use", "name": "Shell", "input": {"command": TEST}}),
    cursor_line("assistant", {"type": "text", "text": ANSWER}),
)
CURSOR_TEXT = f"""user:
<user_query>
{REQUEST}
</user_query>

assistant:
[Thinking] I prefer to think.
{PLAN}
[Tool call] Read
  path: {EDITED}

[Tool result] Read

assistant:
{ANSWER}
"""
CURSOR_EXPORT = f"""# Sorting numbers
_Exported on 2/8/2026 at 14:05:00 UTC from Cursor (1.0.0)_

---

**User**

{REQUEST}

---

**Cursor**

{PLAN}

---

**Cursor**

{ANSWER}

---
"""

# format -> (log, id of its session)
SESSIONS: Mapping[str, tuple[str, str]] = {
    "claude-code": (CLAUDE, "s-claude"),
    "codex": (CODEX, "s-codex"),
    "copilot": (COPILOT, "s-copilot"),
    "gemini-cli": (GEMINI, "s-gemini"),
    "qwen-code": (QWEN, "s-qwen"),
    "opencode": (OPENCODE, "ses_1"),
    "pi": (PI, "s-pi"),
}
