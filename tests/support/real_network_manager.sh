#!/bin/sh
# Runs a command beside a NetworkManager of its own, in a network and a file system that end with it:
#   unshare --net --mount sh tests/support/real_network_manager.sh COMMAND...
set -e
for folder in /run /etc/NetworkManager /var/lib/NetworkManager; do mount -t tmpfs tmpfs "$folder"; done
mkdir -p /run/dbus /etc/NetworkManager/system-connections /etc/NetworkManager/conf.d
printf '[main]\nplugins=keyfile\ndns=none\n' > /etc/NetworkManager/NetworkManager.conf
ip link set lo up
dbus-daemon --system --nofork --nopidfile > /dev/null 2>&1 &
bus=$!
tries=0
until [ -S /run/dbus/system_bus_socket ] || [ $tries -ge 100 ]; do sleep 0.1; tries=$((tries + 1)); done
NetworkManager --no-daemon > /dev/null 2>&1 &
manager=$!
trap 'kill $manager $bus 2> /dev/null' EXIT
tries=0
until nmcli general > /dev/null 2>&1 || [ $tries -ge 100 ]; do sleep 0.1; tries=$((tries + 1)); done
"$@"
