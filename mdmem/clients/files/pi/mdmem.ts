// Written by `mdmem connect @client@`, and written again by it; `mdmem disconnect @client@` takes it away.
import { spawn } from "node:child_process"

const PROGRAM = "@program@"
const VAULT = "@vault@"

const COMMANDS = {
  recall: "@recall_command@",
  review: "@review_command@",
  undo: "@undo_command@",
}

type Given = Record<string, unknown>

// What mdmem prints, and its exit code; "" and -1 if it cannot be run or is late.
function run(words: string[], seconds: number, input = ""): Promise<{ code: number; text: string; error: string }> {
  return new Promise((resolve) => {
    let text = ""
    let error = ""
    const child = spawn(PROGRAM, words, { stdio: ["pipe", "pipe", "pipe"] })
    const late = setTimeout(() => child.kill(), seconds * 1000)
    const end = (code: number | null) => {
      clearTimeout(late)
      resolve({ code: code ?? -1, text, error })
    }
    child.on("error", () => end(-1))
    child.on("close", end)
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => (text += part))
    child.stderr.on("data", (part) => (error += part))
    child.stdin.end(input)
  })
}

// What a hook of mdmem says to an event, as text for the context; "" if it says nothing.
async function hook(event: string, seconds: number, given: Given): Promise<string> {
  const words = ["hook", event, "--client", "@client@", "--vault", VAULT]
  const { text } = await run(words, seconds, JSON.stringify({ hook_event_name: event, ...given }))
  try {
    const answer = JSON.parse(text)
    return answer.hookSpecificOutput?.additionalContext ?? answer.additionalContext ?? ""
  } catch {
    return ""
  }
}

export default function (pi: any) {
  const given = (ctx: any, more: Given): Given => ({
    session_id: ctx.sessionManager.getSessionId(),
    transcript_path: ctx.sessionManager.getSessionFile(),
    cwd: ctx.cwd,
    ...more,
  })
  let pack = ""
  let current: any

  pi.on("session_start", async (event: any, ctx: any) => {
    current = ctx
    pack = await hook("SessionStart", 10, given(ctx, { source: event.reason === "resume" ? "resume" : "startup" }))
  })
  pi.on("before_agent_start", async (event: any, ctx: any) => {
    const about = await hook("UserPromptSubmit", 5, given(ctx, { prompt: event.prompt }))
    const content = [pack, about].filter(Boolean).join("\n\n")
    pack = ""
    return content ? { message: { customType: "mdmem", content, display: false } } : undefined
  })
  pi.on("tool_result", async (event: any, ctx: any) => {
    if (!["edit", "write"].includes(event.toolName)) return undefined
    const text = await hook("PreToolUse", 5, given(ctx, { tool_name: event.toolName, tool_input: event.input }))
    return text ? { content: [...event.content, { type: "text", text }] } : undefined
  })
  pi.on("session_before_compact", async (_event: any, ctx: any) => {
    await hook("PreCompact", 20, given(ctx, { trigger: "auto" }))
  })
  pi.on("session_shutdown", async (event: any, ctx: any) => {
    await hook("SessionEnd", 20, given(ctx, { reason: event.reason ?? "other" }))
  })

  const command = async (words: string[]) => {
    const { code, text, error } = await run(["--vault", VAULT, ...words], 60)
    if (code !== 0) throw new Error(error || text || "mdmem failed")
    return { content: [{ type: "text", text }], details: {} }
  }
  const who = () => ["--actor", "@client@", ...(current ? ["--session", current.sessionManager.getSessionId()] : [])]
  const text = (description: string) => ({ type: "string", description })

  pi.registerTool({
    name: "recall",
    label: "Recall",
    description: "Find memories by words. Use it before you answer what earlier sessions may have settled.",
    parameters: { type: "object", properties: { query: text("Words to look for") }, required: ["query"] },
    execute: (_id: string, params: any) => command(["recall", "--format", "markdown", "--", ...String(params.query).split(/\s+/)]),
  })
  pi.registerTool({
    name: "remember",
    label: "Remember",
    description: "Keep one fact for later sessions, in a sentence that will make sense without this conversation.",
    parameters: {
      type: "object",
      properties: {
        text: text("The fact"),
        type: { ...text("What it is"), enum: ["fact", "preference", "pattern", "note", "decision"] },
        replaces: text("Name of the memory that it replaces"),
      },
      required: ["text"],
    },
    execute: (_id: string, params: any) =>
      command([
        "remember",
        ...(params.type ? [`--type=${params.type}`] : []),
        ...(params.replaces ? [`--supersedes=${params.replaces}`] : []),
        ...who(),
        "--",
        String(params.text),
      ]),
  })
  for (const [name, template] of Object.entries(COMMANDS)) {
    pi.registerCommand(`mdmem:${name}`, {
      description: { recall: "Find memories", review: "Review proposed memories", undo: "Undo a session" }[name],
      handler: async (args: string) => pi.sendUserMessage(template.replace("$ARGUMENTS", () => args)),
    })
  }
}
