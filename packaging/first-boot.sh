#!/bin/bash
# Installs the El Grande table from the card that the Pi started from. It needs neither a network nor anybody to log in.
#
#     first-boot.sh --enable    starts it with the Pi, from now on: what cloud-init calls
#     first-boot.sh             installs the release on the card, unless that was done: what systemd calls
#
# The Pi's own light blinks slowly while it works, shines when the table is ready, and blinks fast when something failed.
set -u

readonly UNIT=el-grande-card.service
# install.sh ends with this where a newer version is installed.
readonly NEWER_IS_THERE=3
# As in companion/network/hotspot.py: none that looks like another.
readonly LETTERS=abcdefghjkmnpqrstuvwxyz23456789
readonly PASSWORD_LENGTH=12
readonly MOST_TRIES=3
readonly READY_S=600
readonly FAILED_S=3600
readonly ANSWER_S=180
readonly CLOUD_INIT_S=900

card=$(cd "$(dirname "$0")" && pwd)
# Only tests have another root.
root=${EL_GRANDE_ROOT:-}
log=$card/install-log.txt
state_file=$card/state.txt
config=$(dirname "$card")/config.txt

say() { printf '%s\n' "$*"; }

# --- The light -------------------------------------------------------------------------------------------------------

light='' trigger_before=''

find_light() {
    for each in ACT led0; do
        [ -w "$root/sys/class/leds/$each/trigger" ] || continue
        light=$root/sys/class/leds/$each
        trigger_before=$(sed -n 's/.*\[\(.*\)\].*/\1/p' "$light/trigger")
        return
    done
}

# A light that cannot be set must not stop an installation.
set_light() { [ -z "$light" ] || printf '%s\n' "$2" 2> /dev/null > "$light/$1"; }

blink() {
    set_light trigger timer
    set_light delay_on "$1"
    set_light delay_off "$1"
}

shine() {
    set_light trigger none
    set_light brightness 1
}

restore_light() { set_light trigger "${trigger_before:-none}"; }

# --- What was done ---------------------------------------------------------------------------------------------------

# The file says `installed`, `restarting` or `failed`, how often that was tried, and with which release.
read_state() {
    state=new tries=0
    release=$(cut -d ' ' -f 1 "$card/release.sha256" 2> /dev/null)
    known='' was='' count=0
    [ ! -r "$state_file" ] || read -r was count known < "$state_file"
    if [ -n "$release" ] && [ "$known" = "$release" ]; then
        state=$was tries=$count
    fi
}

write_state() {
    printf '%s %s %s\n' "$1" "$tries" "$release" > "$state_file.new"
    mv "$state_file.new" "$state_file"
    sync
}

# --- Installing ------------------------------------------------------------------------------------------------------

# Chooses name and password of the table's own Wi-Fi, unless the card has them. Whoever has no screen reads them there.
name_the_wifi() {
    file=$card/hotspot.txt kept=$root/var/lib/el-grande-network/hotspot.txt
    [ ! -e "$file" ] || return 0
    if [ -s "$kept" ]; then
        cat "$kept"
    else
        printf 'name=El Grande %s\n' "$(tail -c 3 "$root/etc/machine-id" 2> /dev/null)"
        printf 'password=%s\n' "$(tr -dc "$LETTERS" < /dev/urandom | head -c "$PASSWORD_LENGTH")"
    fi > "$file.new"
    mv "$file.new" "$file"
    sync
}

failed() {
    say ""
    say "It stopped here: $1"
    [ -z "${2:-}" ] || say "$2"
    return 1
}

install_release() {
    say ""
    say "$(date): installing the El Grande table, try $((tries + 1)) of $MOST_TRIES"
    if [ "$(dpkg --print-architecture)" = armhf ]; then
        failed "this is a 32-bit Raspberry Pi OS." "Write a 64-bit one to the card, and prepare it again."
        return
    fi
    (cd "$card" && sha256sum --quiet --check release.sha256) ||
        failed "the release on the card is damaged." "Copy the files to the card again." || return
    name_the_wifi
    # Not in /tmp, which may lie in memory.
    folder=$(mktemp -d "$root/var/tmp/el-grande-card.XXXXXX") &&
        tar -xf "$card/release.tar" --no-same-owner -C "$folder" &&
        bash "$folder"/*/install.sh --yes
    status=$?
    rm -rf "$folder"
    if [ "$status" = "$NEWER_IS_THERE" ]; then
        say "The newer version stays."
        table_answers
        return
    fi
    [ "$status" = 0 ] || failed "install.sh ended with $status." "The lines above say why."
}

table_answers() {
    "$root/opt/el-grande/current/bin/companion" where --wait "$ANSWER_S" ||
        failed "the table is installed, but does not start." "Its log says why: journalctl -u el-grande-table"
}

# What cloud-init has begun, such as installing packages, must not be cut off.
wait_for_cloud_init() {
    for ((waited_s = 0; waited_s < CLOUD_INIT_S; waited_s += 5)); do
        systemctl is-active cloud-config.service cloud-final.service | grep -qx activating || return 0
        sleep 5
    done
}

restart() {
    say "Its settings have changed, so the Pi restarts once."
    write_state restarting
    wait_for_cloud_init
    sync
    systemctl reboot
}

ready() {
    say "$(date): the table is ready."
    tries=0
    write_state installed
    shine
    sleep "$READY_S"
    restore_light
}

not_ready() {
    tries=$((tries + 1))
    write_state failed
    if [ "$tries" -lt "$MOST_TRIES" ]; then
        say "It is tried again when the Pi starts next: switch it off and on."
    else
        say "That was try $tries of $MOST_TRIES, so it is not tried again."
        say "Write Raspberry Pi OS to the card again and prepare it again, or send this file to whoever can help."
    fi
}

show_failure() {
    sync
    blink 100
    sleep "$FAILED_S"
    restore_light
}

# Runs a step, with its words in the log on the card as well as in the journal.
logged() {
    "$@" 2>&1 | tee -a "$log"
    return "${PIPESTATUS[0]}"
}

main() {
    [ -e "$card/release.tar" ] || exit 0
    find_light
    read_state
    case $state in
        installed) exit 0 ;;
        restarting)
            blink 1000
            if logged table_answers; then logged ready; else fail; fi
            ;;
        *)
            if [ "$tries" -ge "$MOST_TRIES" ]; then
                show_failure
                exit 1
            fi
            blink 1000
            before=$(cksum < "$config")
            if ! logged install_release; then
                fail
            elif [ "$(cksum < "$config")" != "$before" ]; then
                logged restart
            else
                logged ready
            fi
            ;;
    esac
}

fail() {
    logged not_ready
    show_failure
    exit 1
}

# --- Starting with the Pi --------------------------------------------------------------------------------------------

unit() {
    cat << END
# Installs the El Grande table from the card, and brings it up to date when there is another release on it.
# Written by first-boot.sh on the card; removed by install.sh --uninstall.

[Unit]
Description=El Grande table, from the card
ConditionPathExists=$card/first-boot.sh
RequiresMountsFor=$card

[Service]
# Nothing waits for it: the start of the Pi goes on meanwhile.
Type=exec
ExecStart=/bin/bash $card/first-boot.sh

[Install]
WantedBy=multi-user.target
END
}

enable() {
    folder=$root/etc/systemd/system
    mkdir -p "$folder/multi-user.target.wants"
    unit > "$folder/$UNIT.new"
    mv "$folder/$UNIT.new" "$folder/$UNIT"
    # Not by `systemctl enable`: that has systemd read everything again, in the middle of its start.
    ln -sf "../$UNIT" "$folder/multi-user.target.wants/$UNIT"
    systemctl --no-block start "$UNIT"
}

case ${1:-} in
    --enable) enable ;;
    '') main ;;
    *) say "There is no option $1." >&2; exit 2 ;;
esac
