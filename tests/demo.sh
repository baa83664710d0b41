#!/bin/sh
# The main job of mdmem on real notes, in a temporary folder. Usage: demo.sh [FOLDER WITH eval/make_vault.py]
# Every step does what it says; if one fails, the demo fails.
set -eu
shared=${1:-}
[ -d "$shared" ] && shared=$(cd "$shared" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

say() { printf '\n# %s\n' "$*"; }
run() {
  line='$'
  for word; do case $word in *[\ \']*) line="$line \"$word\"" ;; *) line="$line $word" ;; esac; done
  printf '%s\n' "$line"
  "$@"
}
must() { "$@" >/dev/null || { echo "the demo failed: $*" >&2; exit 1; }; }
must_not() { if "$@" >/dev/null; then echo "the demo failed: not ($*)" >&2; exit 1; fi; }

if ! git config user.name >/dev/null; then
  export GIT_CONFIG_GLOBAL="$work/gitconfig"
  git config --global user.name "A Person" && git config --global user.email person@example.org
fi

say "A vault is a folder of Markdown files in git."
run mdmem init vault --examples
cd vault

if [ -f "$shared/eval/make_vault.py" ]; then
  say "Copy in the memories of a real conversation, as any tool or person might, and commit them with plain git."
  conversation=$(ls "$shared"/eval/locomo_dev/*.json | head -n 1)
  python3 "$shared/eval/make_vault.py" "$conversation" "$work/conversation" --unit observation >"$work/made.json"
  printf '$ cp conversation/*.md allmemories/\n'
  cp "$work"/conversation/vault/*.md allmemories/
  run git add allmemories
  run git commit --quiet -m "Memories of a conversation"
  question=$(python3 -c "import json,sys; print(json.loads(open(sys.argv[1]).readline())['question'])" \
    "$work/conversation/queries.jsonl")
  say "Ask something that was talked about."
  run mdmem recall "$question" --limit 3
else
  say "No conversation is at hand; the memories that ship with mdmem will do."
  run mdmem recall "who keeps the audit log" --limit 3
fi

say "Remember something new: one file, one commit."
run mdmem remember "User prefers tables over long paragraphs in reports." --title "User prefers tables" \
  --type preference --tag formatting
must test -f allmemories/user_prefers_tables.md

say "Edit a note with sed and commit it with git: the hook indexes it."
printf "\$ sed -i 's/tables over/tables and charts over/' allmemories/user_prefers_tables.md\n"
sed 's/tables over/tables and charts over/' allmemories/user_prefers_tables.md >"$work/edited"
cat "$work/edited" >allmemories/user_prefers_tables.md
run git commit --quiet --all -m "charts, too"

say "Recall finds the new memory, in its edited form, and where it stands."
run mdmem recall charts in reports --limit 1
must sh -c 'mdmem recall charts in reports --limit 1 --json | grep -q "tables and \*\*charts\*\*"'

say "An agent writes three wrong memories in one session ..."
for wrong in "User hates tables and never wants to see one" "All reports are due on Sunday night" \
  "The production server is called localhost"; do
  run mdmem remember "$wrong" --actor some-agent --session session-13 --twins ignore
done
must test -f allmemories/all_reports_due_sunday_night.md

say "... and one command takes back all of it, and nothing else."
run mdmem undo --session session-13
must_not test -f allmemories/all_reports_due_sunday_night.md
must test -f allmemories/user_prefers_tables.md

say "Forgetting is a commit, too; restoring brings the memory back with its id."
run mdmem forget user_prefers_tables --reason "a slip"
must_not test -f allmemories/user_prefers_tables.md
run mdmem trash
run mdmem restore user_prefers_tables
must test -f allmemories/user_prefers_tables.md

say "git is the audit trail: who did what, in which session, and why."
run mdmem log --limit 9
must sh -c 'test -z "$(git status --porcelain)"'
run git fsck --no-dangling
say "That was all real. Your own vault: mdmem init my-vault"
