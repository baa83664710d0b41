// Written by `mdmem connect @client@`, and written again by it; `mdmem disconnect @client@` takes it away.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"

const LAUNCHER = "@launcher@"
const FOR_USER = "@for_user@" // the launcher of the connection for this user, which serves a project, too

const COMMANDS = {
  recall: "@recall_command@",
  review: "@review_command@",
  undo: "@undo_command@",
}

type Given = Record<string, unknown>

// What a hook of mdmem says to an event, as text for the context; "" if it says nothing, fails or is late.
function hook(event: string, seconds: number, given: Given): Promise<string> {
  return new Promise((resolve) => {
    let said = ""
    const child = spawn("@python@", ["-IS", LAUNCHER, "hook", event], { stdio: ["pipe", "pipe", "ignore"] })
    const late = setTimeout(() => child.kill(), seconds * 1000)
    const end = () => {
      clearTimeout(late)
      try {
        const answer = JSON.parse(said)
        resolve(answer.hookSpecificOutput?.additionalContext ?? answer.additionalContext ?? "")
      } catch {
        resolve("")
      }
    }
    child.on("error", end)
    child.on("close", end)
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => (said += part))
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...given }))
  })
}

// The MCP server of mdmem, which pi itself cannot start. A request is rejected when it ends.
function server() {
  const waiting = new Map<number, { resolve: (result: any) => void; reject: (error: Error) => void }>()
  const child = spawn("@python@", ["-IS", LAUNCHER, "mcp"], { stdio: ["pipe", "pipe", "ignore"] })
  let rest = ""
  let number = 0
  const end = () => {
    for (const { reject } of waiting.values()) reject(new Error("mdmem has ended"))
    waiting.clear()
  }
  child.on("error", end)
  child.on("close", end)
  child.stdin.on("error", () => {})
  child.stdout.setEncoding("utf8")
  child.stdout.on("data", (part: string) => {
    const lines = (rest + part).split("\n")
    rest = lines.pop() ?? ""
    for (const message of lines.filter(Boolean).map((line) => JSON.parse(line))) {
      const asked = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.error) asked?.reject(new Error(message.error.message))
      else asked?.resolve(message.result)
    }
  })
  const send = (message: Given) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const ask = (method: string, params: Given): Promise<any> =>
    new Promise((resolve, reject) => {
      if (child.exitCode !== null) return reject(new Error("mdmem has ended"))
      const id = ++number
      waiting.set(id, { resolve, reject })
      setTimeout(() => waiting.delete(id) && reject(new Error("mdmem did not answer")), 60000).unref()
      send({ id, method, params })
    })
  const tools = async (): Promise<any[]> => {
    const clientInfo = { name: "@client@", version: "1" }
    await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo })
    send({ method: "notifications/initialized" })
    return (await ask("tools/list", {})).tools
  }
  return { ask, tools, close: () => child.stdin.end() }
}

export default function (pi: any) {
  if (FOR_USER && existsSync(FOR_USER)) return
  const given = (ctx: any, more: Given): Given => ({
    session_id: ctx.sessionManager.getSessionId(),
    transcript_path: ctx.sessionManager.getSessionFile(),
    cwd: ctx.cwd,
    ...more,
  })
  let pack = ""
  let running: ReturnType<typeof server> | undefined

  // The tools of the server. Those of an older session know nothing of the new one: they are registered again.
  const offer = async (ctx: any) => {
    const started = (running = server())
    const session = { "mdmem/session": ctx.sessionManager.getSessionId() }
    for (const { name, description, inputSchema } of await started.tools().catch(() => [])) {
      pi.registerTool({
        name: `mdmem_${name}`, // pi has a tool `read` of its own
        label: `mdmem ${name}`,
        description,
        parameters: inputSchema,
        execute: async (_id: string, given: Given) => {
          const { content, isError } = await started.ask("tools/call", { name, arguments: given, _meta: session })
          if (isError) throw new Error(content.map((part: any) => part.text).join("\n"))
          return { content, details: {} }
        },
      })
    }
  }

  pi.on("session_start", async (event: any, ctx: any) => {
    const offered = offer(ctx)
    pack = await hook("SessionStart", 10, given(ctx, { source: event.reason === "resume" ? "resume" : "startup" }))
    await offered
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
    running?.close()
  })

  for (const [name, template] of Object.entries(COMMANDS)) {
    pi.registerCommand(`mdmem:${name}`, {
      description: { recall: "Find memories", review: "Review proposed memories", undo: "Undo a session" }[name],
      handler: async (args: string) => pi.sendUserMessage(template.replace("$ARGUMENTS", () => args)),
    })
  }
}
