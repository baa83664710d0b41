#!/bin/sh
# mdmem-hook 1: runs the hook that was here before, then mdmem. `mdmem hooks uninstall` puts that one back.
[ -n "$MDMEM_HOOK" ] && exit 0 # a git command that mdmem itself started
name=${0##*/}
status=0
if [ -x "$0.before-mdmem" ]; then "$0.before-mdmem" "$@" || status=$?; fi
case $name in pre-*) [ "$status" -eq 0 ] || exit "$status" ;; esac
mdmem=@MDMEM@
[ -x "$mdmem" ] || mdmem=$(command -v mdmem)
if [ -z "$mdmem" ]; then
  echo "mdmem is not installed any more: its $name hook did nothing" >&2
  exit "$status"
fi
"$mdmem" hook-impl "$name" "$@" </dev/null
[ $? -eq 10 ] && exit 1 # the vault is strict and a staged memory cannot be read
exit "$status"
