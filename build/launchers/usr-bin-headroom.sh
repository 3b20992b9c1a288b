#!/bin/sh
exec /opt/Headroom/resources/cli/bin/headroom "$@"
