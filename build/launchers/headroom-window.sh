#!/bin/sh
# Starts the window. Electron's helpers would inherit the key before the first line of Headroom runs.

self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in /*) self=$target ;; *) self=${self%/*}/$target ;; esac
done
if [ -n "${HEADROOM_KEY-}" ]; then
  echo 'HEADROOM_KEY is for the command line only: the window does not use it.' >&2
fi
unset HEADROOM_KEY
# A core dump would hold a key.
ulimit -S -c 0
exec "$self.bin" "$@"
