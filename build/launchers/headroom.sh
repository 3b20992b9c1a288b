#!/bin/sh
# Starts the command line on the runtime beside it. Nothing else is started, except readlink where this file is
# reached through a symbolic link.

stop() {
  trap - EXIT
  printf 'headroom: %s Install Headroom again, from the package for this computer.\n' "$1" >&2
  exit 3
}

self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self") || stop "$self cannot be read."
  case $target in /*) self=$target ;; *) self=${self%/*}/$target ;; esac
done
case $self in */*) ;; *) self=./$self ;; esac
folder=$(CDPATH= cd -P "${self%/*}/.." && pwd) || stop "$self cannot be read."
runtime=$folder/runtime/node
program=$folder/program/out/main/cli.js

# Sets $kind to the processor that an ELF file is for; shells leave out the zeros of its head.
read_kind() {
  kind=
  IFS= read -r head <"$1" || :
  case $head in ?ELF*) ;; *) return ;; esac
  kind=${head#???????}
  two=$(printf '\002') three=$(printf '\003')
  while :; do case $kind in "$two"* | "$three"*) kind=${kind#?} ;; *) break ;; esac; done
  kind=${kind%"${kind#?}"}
}

for file in "$runtime" "$program"; do
  [ -f "$file" ] && [ -s "$file" ] && [ -r "$file" ] || stop "$file is missing or damaged."
done
IFS= read -r first <"$runtime" || :
case $first in placeholder:*) stop "$runtime is a placeholder: this package is incomplete." ;; esac
[ -x "$runtime" ] || stop "$runtime cannot be executed."
# The shell itself is a program of this computer.
if [ -r /proc/self/exe ]; then
  read_kind /proc/self/exe
  own=$kind
  read_kind "$runtime"
  [ "$kind" = "$own" ] || stop "$runtime is for another system."
fi

# Some shells end when exec fails, others go on.
trap 'stop "$runtime cannot be executed."' EXIT
[ -z "${BASH_VERSION-}" ] || shopt -s execfail
# A core dump would hold a key.
ulimit -S -c 0
exec "$runtime" --disable-warning=ExperimentalWarning "$program" "$@"
stop "$runtime cannot be executed."
