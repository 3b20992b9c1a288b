#!/bin/sh
# usage: with-keyring.sh COMMAND…
# Runs a command in a D-Bus session of its own with an unlocked, temporary gnome-keyring: for tests of the real keychain
# on machines without a desktop. Needs dbus-run-session and gnome-keyring-daemon. Leaves nothing behind.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/data" "$folder/run" "$folder/cache" "$folder/config"
chmod 700 "$folder/run"
export XDG_DATA_HOME="$folder/data" XDG_RUNTIME_DIR="$folder/run" XDG_CACHE_HOME="$folder/cache" XDG_CONFIG_HOME="$folder/config"
# An empty password is one line break: empty standard input would leave the keyring locked.
status=0
dbus-run-session -- sh -c 'printf "\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null; exec "$@"' sh "$@" || status=$?
exit "$status"
