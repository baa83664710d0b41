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

  // What mdmem says beside its answer, such as that a note is a near match, is for the model, too.
  const command = async (words: string[]) => {
    const { code, text, error } = await run(["--vault", VAULT, ...words], 60)
    if (code !== 0) throw new Error(error || text || "mdmem failed")
    return [text, error].filter(Boolean).join("\n")
  }
  const who = () => ["--actor", "@client@", ...(current ? ["--session", current.sessionManager.getSessionId()] : [])]
  const text = (description: string) => ({ type: "string", description })
  const texts = (description: string) => ({ type: "array", items: { type: "string" }, description })
  const option = (name: string, value: unknown) => (value === undefined ? [] : [`${name}=${value}`])

  // name -> its description, its arguments, those that are required, and the commands that do it
  const tools: Record<string, [string, Given, string[], (params: any) => string[][]]> = {
    recall: [
      "Find memories by words. Use it before you answer or act on what earlier sessions may have settled.",
      { query: text("Question or words"), filter: text("Such as type=decision"), as_of: text("Date, to see what was then") },
      ["query"],
      ({ query, filter, as_of }) => [
        ["recall", "--format", "markdown", ...option("--where", filter), ...option("--as-of", as_of), "--", ...String(query).split(/\s+/)],
      ],
    ],
    read: [
      "Whole notes by name or title; with history what was done to them.",
      { names: texts("Names"), history: { type: "boolean" } },
      ["names"],
      ({ names, history }) => names.map((name: string) => [history ? "log" : "show", "--", name]),
    ],
    brief: [
      "What to know as a session starts: what always matters, open tasks, news, what fits the context.",
      { context: text("What the session is about") },
      [],
      ({ context }) => [["session", "start", ...option("--context", context), ...who()]],
    ],
    remember: [
      "Keep one fact for later sessions, in a sentence that will make sense without this conversation.",
      {
        text: text("The fact"),
        title: text("Title"),
        type: { ...text("What it is"), enum: ["fact", "preference", "pattern", "note", "decision"] },
        tags: texts("Tags"),
        project: text('"none" for all; default: this one, for a preference none'),
        replaces: text("Name of the memory that it replaces"),
      },
      ["text"],
      (item) => [
        [
          "remember",
          ...option("--title", item.title),
          ...option("--type", item.type),
          ...(item.tags ?? []).flatMap((tag: string) => option("--tag", tag)),
          ...option("--project", item.project),
          ...option("--supersedes", item.replaces),
          ...who(),
          "--",
          String(item.text),
        ],
      ],
    ],
    revise: [
      "Correct a note; done: end a task. When the world has changed, remember with replaces instead.",
      { name: text("Name"), old: text("Text it has once"), new: text("In its place; alone: a paragraph to add"), set: { type: "object" }, done: { type: "boolean" } },
      ["name"],
      (note) => note.done ? [["done", ...who(), "--", String(note.name)]] : [
        [
          "update",
          ...(note.old === undefined ? option("--append", note.new) : ["--replace", String(note.old), String(note.new ?? "")]),
          ...Object.entries(note.set ?? {}).flatMap(([key, value]) => (value === null ? option("--unset", key) : option("--set", `${key}=${value}`))),
          ...who(),
          "--",
          String(note.name),
        ],
      ],
    ],
    forget: [
      "Delete notes that are wrong or unwanted; restore brings them back.",
      { names: texts("Names"), reason: text("Why") },
      ["names", "reason"],
      ({ names, reason }) => [["forget", ...option("--reason", reason), ...who(), "--", ...names]],
    ],
    restore: [
      "Bring back notes that were forgotten.",
      { names: texts("Names") },
      ["names"],
      ({ names }) => names.map((name: string) => ["restore", ...who(), "--", name]),
    ],
  }
  for (const [name, [description, properties, required, commands]] of Object.entries(tools)) {
    pi.registerTool({
      name,
      label: name[0].toUpperCase() + name.slice(1),
      description,
      parameters: { type: "object", properties, required },
      execute: async (_id: string, params: any) => {
        const told = []
        for (const words of commands(params)) told.push(await command(words))
        return { content: [{ type: "text", text: told.join("\n") }], details: {} }
      },
    })
  }
  for (const [name, template] of Object.entries(COMMANDS)) {
    pi.registerCommand(`mdmem:${name}`, {
      description: { recall: "Find memories", review: "Review proposed memories", undo: "Undo a session" }[name],
      handler: async (args: string) => pi.sendUserMessage(template.replace("$ARGUMENTS", () => args)),
    })
  }
}
