// Written by `mdmem connect @client@`, and written again by it; `mdmem disconnect @client@` takes it away.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"

const LAUNCHER = "@launcher@"
const FOR_USER = "@for_user@" // the launcher of the connection for this user, which serves a project, too
const EDITS = ["edit", "write", "patch", "apply_patch", "multiedit"]
const COMMANDS = {
  recall: "@recall_command@",
  review: "@review_command@",
  undo: "@undo_command@",
}

// What a hook of mdmem says to an event, as text for the context; "" if it says nothing, fails or is late.
function hook(event, seconds, given) {
  return new Promise((resolve) => {
    let said = ""
    const child = spawn("@python@", ["-IS", LAUNCHER, "hook", event], {
      stdio: ["pipe", "pipe", "ignore"],
      detached: event === "SessionEnd", // `opencode run` does not wait for it
    })
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

export const Mdmem = async ({ directory }) => {
  if (FOR_USER && existsSync(FOR_USER)) return {}
  const packs = new Map() // session -> what it begins with
  const given = (session_id, more) => ({ session_id, cwd: directory, ...more })
  const pack = (id) => {
    if (!packs.has(id)) packs.set(id, hook("SessionStart", 10, given(id, { source: "startup" })))
    return packs.get(id)
  }
  return {
    config: async (config) => {
      config.mcp = { mdmem: { type: "local", command: ["@python@", "-IS", LAUNCHER, "mcp"], enabled: true }, ...config.mcp }
      for (const [name, template] of Object.entries(COMMANDS)) {
        const description = { recall: "Find memories", review: "Review proposed memories", undo: "Undo a session" }[name]
        config.command = { [`mdmem:${name}`]: { description, template }, ...config.command }
      }
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const text = sessionID ? await pack(sessionID) : ""
      if (text) output.system.push(text)
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      await pack(sessionID)
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = typed.map((part) => part.text).join("\n")
      const text = await hook("UserPromptSubmit", 5, given(sessionID, { prompt }))
      if (!text || !typed.length) return
      const id = `${typed.at(-1).id}m`
      parts.push({ id, sessionID, messageID: message.id, type: "text", synthetic: true, text })
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      if (!EDITS.includes(tool)) return
      const text = await hook("PreToolUse", 5, given(sessionID, { tool_name: tool, tool_input: args ?? {} }))
      if (text) output.output = `${output.output}\n\n${text}`
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await hook("PreCompact", 20, given(sessionID, { trigger: "auto" }))
    },
    event: async ({ event }) => {
      if (event.type === "session.idle") await hook("SessionEnd", 20, given(event.properties.sessionID, { reason: "idle" }))
    },
  }
}
