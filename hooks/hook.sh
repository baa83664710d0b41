#!/bin/sh
# mdmem-hook 2: runs the hook that was here before, then mdmem. `mdmem hooks uninstall` puts that one back.
[ -n "$MDMEM_HOOK" ] && exit 0 # a git command that mdmem itself started
name=@NAME@ # not that of the file: other tools set hooks aside under another name and run them from there
here=$PWD/${0%/*}/$name
[ "$MDMEM_CHAIN" = "$here" ] && exit 0 # the hook that was here before runs this one in turn
before=${0%/*}/$name.before-mdmem
status=0
if [ -x "$before" ]; then MDMEM_CHAIN=$here "$before" "$@" || status=$?; fi
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
