#!/bin/sh
# mdmem-hook hub: refuses what holds history from before a purge. Works without mdmem; runs an earlier hook first.
pushed=$(cat)
before=${0%/*}/pre-receive.before-mdmem
if [ -x "$before" ]; then printf '%s\n' "$pushed" | "$before" "$@" || exit; fi
purges=$(git rev-parse --verify --quiet refs/mdmem/purges) || exit 0
old=$(git cat-file blob "$purges:first-changed") || exit
printf '%s\n' "$pushed" | while read -r was new ref; do
  case $ref in
    refs/mdmem/purges)
      git merge-base --is-ancestor "$purges" "$new" 2>/dev/null && continue
      echo "refused: $ref tells what was purged and only grows; run: mdmem sync" >&2
      exit 1 ;;
  esac
  if git rev-list "$new" 2>/dev/null | grep -qxF "$old"; then
    echo "refused: $ref holds history from before a purge; run: mdmem sync" >&2
    exit 1
  fi
done
