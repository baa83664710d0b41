#!/bin/sh
# Written by `mdmem connect @client@`, and written again by it; `mdmem disconnect @client@` takes it away.
#
# The settings of the client name this file, not the program mdmem: when that is gone or does not start, a hook still
# succeeds, with nothing to add, and the server has no tools and says why. So the client starts and answers.
program=@program_in_shell@
for_user=@for_user_in_shell@ # this file of the connection for this user, which serves a project, too
sorry=@sorry_in_shell@
MDMEM_CLIENT=@client@ MDMEM_VAULT=@vault_in_shell@
export MDMEM_CLIENT MDMEM_VAULT

# An MCP server without tools, which gives the reason; it ends with its input.
serve_nothing() {
  while IFS= read -r line; do
    case $line in *'"id"'*) ;; *) continue ;; esac
    id=${line#*'"id":'}
    id=${id# }
    id=${id%%[,\}]*}
    version=2025-06-18
    case $line in
    *'"initialize"'*)
      about='"capabilities":{"tools":{}},"serverInfo":{"name":"mdmem","version":"0"}'
      answer="\"result\":{\"protocolVersion\":\"$version\",$about,\"instructions\":\"$1\"}"
      ;;
    *'"tools/list"'*) answer='"result":{"tools":[]}' ;;
    *'"ping"'*) answer='"result":{}' ;;
    *) answer="\"error\":{\"code\":-32601,\"message\":\"$1\"}" ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$answer"
  done
}

if [ -n "$for_user" ] && [ -e "$for_user" ]; then
  case $1-$MDMEM_CLIENT in
  hook-*) echo '{}' && exit ;;
  mcp-claude-code) # the only client that would have the tools of both
    serve_nothing 'Its tools are those of the other server called mdmem.'
    exit
    ;;
  esac
fi

case $1 in
hook)
  "$program" "$@" --client @client@ 2>/dev/null && exit
  case $2-$MDMEM_CLIENT in
  SessionStart-claude-code | SessionStart-codex) printf '{"systemMessage":"%s"}\n' "$sorry" ;;
  SessionStart-copilot | SessionStart-opencode | SessionStart-pi) printf '{"additionalContext":"%s (tell the user)"}\n' "$sorry" ;;
  SessionStart-* | UserPromptSubmit-qwen)
    printf '{"hookSpecificOutput":{"hookEventName":"%s","additionalContext":"%s (tell the user)"}}\n' "$2" "$sorry"
    ;;
  *) echo '{}' ;;
  esac
  ;;
mcp)
  if [ -d .claude-plugin ]; then # Copilot CLI starts it in the plugin's folder; the session is where the client is
    cd "$({ readlink "/proc/$PPID/cwd" || lsof -a -p "$PPID" -d cwd -Fn | sed -n 's/^n//p'; } 2>/dev/null)" || :
  fi
  "$program" "$@" && exit
  printf '%b\n' "$sorry" >&2
  serve_nothing "$sorry (tell the user)"
  ;;
*) exec "$program" "$@" ;;
esac
