#!/bin/bash
# Installs the El Grande table on this machine: from a release, from a clone of the project, or from a prepared card.
# It can be run again at any time, and undone: see --help.
set -euo pipefail
# Everybody may run the program, whatever the settings of whoever installs it.
umask 022

readonly NAME="El Grande table"
readonly LOG=/var/log/el-grande-install.log
readonly PROGRAMS=/opt/el-grande
# A copy of this script, to undo what it did when the release is gone.
readonly KEPT_SCRIPT=$PROGRAMS/install.sh
readonly LINK=/usr/local/bin/companion
readonly DATA=/var/lib/el-grande
readonly UNITS=/etc/systemd/system
# What `companion install-service` writes: the same files are in companion/installation/system_files.py.
readonly SYSTEM_FILES=(
    "$UNITS/el-grande-table.service"
    "$UNITS/el-grande-table.socket"
    "$UNITS/el-grande-update.service"
    /etc/udev/rules.d/99-el-grande.rules
    /etc/avahi/services/el-grande-table.service
    "$UNITS/el-grande-network.service"
    "$UNITS/el-grande-network.socket"
    /etc/NetworkManager/dnsmasq-shared.d/el-grande.conf
)
# What first-boot.sh on a card writes, to install another release that is put there.
readonly CARD_UNIT=el-grande-card.service
# A Pi that nobody named gets our name. The unit keeps it known, and shows that we gave it.
readonly OUR_NAME=elgrande
readonly PIS_OWN_NAME=raspberrypi
readonly NAME_UNIT=el-grande-name.service
readonly CLOUD_SETTINGS=/etc/cloud/cloud.cfg.d/99-el-grande.cfg
# The profile of the table's own Wi-Fi, and where netplan may have moved it.
readonly HOTSPOT=(
    /etc/NetworkManager/system-connections/el-grande-hotspot.nmconnection
    /etc/netplan/90-NM-6f1d7c1e-0b0e-4f0a-9d6a-e16a4de00001.yaml
)
readonly PICOS='/dev/serial/by-id/usb-MicroPython_*'
readonly NEEDED_MB=200
readonly STEPS=6
# The exit code where a newer version is installed.
readonly NEWER_IS_THERE=3

here=$(cd "$(dirname "$0")" && pwd)
dry_run='' uninstall='' purge='' yes='' no_start='' program_only='' downgrade='' keep_name='' step=0

usage() {
    cat << END
Installs the $NAME on this machine and starts it.

    sudo ./install.sh               install it, or bring it up to date
    sudo ./install.sh --uninstall   remove it again; games stay in $DATA
    sudo ./install.sh --uninstall --purge   remove the games too

Options:
    --dry-run    only say what would be done
    --yes        do not ask
    --no-start   do not start the table now
    --downgrade  install it although a newer version is installed
    --help       show this text

What it did is written to $LOG. It keeps a copy of itself in $KEPT_SCRIPT, to undo it later.
END
}

say() { printf '%s\n' "$*"; }

fail() {
    printf '\nIt stopped here: %s\n' "$1" >&2
    [ -z "${2:-}" ] || printf '%s\n' "$2" >&2
    exit "${3:-1}"
}

next() {
    step=$((step + 1))
    say "[$step/$STEPS] $*"
}

# Runs a command, or only shows it.
run() {
    if [ -n "$dry_run" ]; then say "    would run: $*"; else "$@"; fi
}

# Writes a file completely or not at all, with what comes in.
write() {
    if [ -n "$dry_run" ]; then
        say "    would write: $1"
    else
        cat > "$1.new"
        mv "$1.new" "$1"
    fi
}

# --- What is there ---------------------------------------------------------------------------------------------------

source_kind() {
    if [ -d "$here/wheels" ]; then echo release
    elif [ -f "$here/pyproject.toml" ]; then echo clone
    else echo none; fi
}

# The model of a Raspberry Pi; nothing on other machines, some of which report a model too.
model() { [ ! -r /proc/device-tree/model ] || tr '\000' '\n' < /proc/device-tree/model | grep '^Raspberry Pi' || true; }

# A Python that is new enough; for a release, one that it has packages for.
find_python() {
    for each in python3 python3.13 python3.12 python3.11; do
        path=$(command -v "$each") || continue
        version=$("$path" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2> /dev/null) || continue
        if [ "$kind" = release ]; then
            ! grep -qw "$version" "$here/PYTHONS" || { echo "$path"; return; }
        elif "$path" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
            echo "$path"
            return
        fi
    done
}

version_of_source() {
    if [ "$(source_kind)" = release ]; then cat "$here/VERSION"; return; fi
    base=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/pyproject.toml")
    commit=$(git -c safe.directory='*' -C "$here" rev-parse --short HEAD 2> /dev/null || date +%Y%m%d%H%M%S)
    # Two installations of changed files must not be taken for each other.
    git -c safe.directory='*' -C "$here" diff --quiet HEAD 2> /dev/null || commit="$commit.$(date +%Y%m%d%H%M%S)"
    echo "$base+$commit"
}

# The version that is installed completely and runs; nothing if there is none.
installed_version() { [ ! -e "$PROGRAMS/current/complete" ] || basename "$(readlink "$PROGRAMS/current")"; }

# Whether one version is older than another, by what stands before the + of a commit.
is_older() {
    one=$(sortable "$1") other=$(sortable "$2")
    [ "$one" != "$other" ] && [ "$(printf '%s\n' "$one" "$other" | sort -V | head -n 1)" = "$one" ]
}

# A version as `sort -V` takes it: 0.2.0rc1 comes before 0.2.0.
sortable() { sed -E 's/[+].*//; s/[.]?(a|b|rc|dev)([0-9])/~\1\2/' <<< "$1"; }

is_unnamed_pi() { [ "$(cat /etc/hostname 2> /dev/null)" = "$PIS_OWN_NAME" ]; }

# Whether any of these files is there.
any_of() {
    for each in "$@"; do
        if [ -e "$each" ] || [ -L "$each" ]; then return 0; fi
    done
    return 1
}

free_mb() {
    folder=$1
    while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
    df --output=avail -m "$folder" | tail -n 1 | tr -d ' '
}

# --- Installing ------------------------------------------------------------------------------------------------------

check() {
    kind=$(source_kind)
    [ "$kind" != none ] || fail "there is nothing to install beside this script." \
        "Run it from an unpacked release or a clone of the project; or remove the table with --uninstall."
    [ -d /run/systemd/system ] || [ -n "$dry_run" ] || fail "this machine does not run systemd." \
        "The table can be played all the same: python3 -m pip install . && companion play"
    python=$(find_python)
    wanted='3.11 or later'
    [ "$kind" != release ] || wanted=$(sed 's/ / or /g' "$here/PYTHONS")
    [ -n "$python" ] || fail "there is no Python $wanted." \
        "Raspberry Pi OS has one since Debian 12: sudo apt install python3. Older systems are not supported."
    [ "$kind" != release ] || [ "$(uname -m)" = aarch64 ] || fail "this release is for 64-bit Raspberry Pis, and this is $(uname -m)." \
        "Install the wheel beside it instead: pipx install el_grande_table-*.whl, then companion play"
    found=$(free_mb "$PROGRAMS")
    [ "$found" -ge "$NEEDED_MB" ] || fail "only $found MB are free, and $NEEDED_MB MB are needed." \
        "Make room, then run this again."
    version=$(version_of_source)
    target=$PROGRAMS/versions/$version
    there=$(installed_version)
    [ -z "$there" ] || [ -n "$downgrade" ] || ! is_older "$version" "$there" ||
        fail "version $there is installed, and this is $version, which is older." \
            "To go back to the version before: sudo companion rollback
To install this one all the same, though it may not be able to read games of the newer one: --downgrade" "$NEWER_IS_THERE"
}

plan() {
    machine=$(model)
    say "$NAME $version, from a $kind, with $("$python" --version), on ${machine:-a machine that is not a Raspberry Pi}"
    say ""
    say "This will:"
    say "  - put the program into $target, and the command companion into $LINK"
    say "  - make a user el-grande, who owns the games in $DATA, in those of the groups gpio, spi and dialout"
    say "    that this machine has"
    ! getent group gpio > /dev/null || say "  - let the group gpio use the PIO of a Pi 5, with a udev rule"
    say "  - start the table with the machine: its pages on port 80 and, by HTTPS, on port 8443"
    [ ! -d /etc/avahi ] || say "  - announce the table on the network, by avahi"
    ! is_unnamed_pi || say "  - call this Pi $OUR_NAME instead of $PIS_OWN_NAME, so that the table is at http://$OUR_NAME.local"
    if [ -n "$machine" ]; then
        say "  - switch on SPI for the lights in config.txt"
        say "  - open the table's own Wi-Fi whenever the Pi is in no network, if NetworkManager looks after it"
        say "  - put the hubs' firmware on Picos that are plugged in, unless another program is on them"
    else
        say "  - simulate the board: this is not a Raspberry Pi"
    fi
    say "Undo it with: sudo $KEPT_SCRIPT --uninstall"
    say ""
}

ask() {
    [ -z "$yes$dry_run" ] && [ -t 0 ] || return 0
    printf 'Go on? [Y/n] '
    read -r answer
    case $answer in [nN]*) say "Nothing was changed."; exit 1 ;; esac
}

verify() {
    next "Checking the files"
    if [ "$kind" = release ]; then
        run sh -c "cd '$here' && sha256sum --quiet --check SHA256SUMS" ||
            fail "a file is damaged or incomplete." "Copy or download the release again."
    fi
}

put_program() {
    next "Installing the program (this takes a few minutes on a small Pi)"
    run mkdir -p "$PROGRAMS/versions"
    # First of all, so that half an installation can be undone too.
    write "$KEPT_SCRIPT" < "$0"
    run chmod 755 "$KEPT_SCRIPT"
    if [ -e "$target/complete" ]; then
        say "    $version is there already"
        return
    fi
    run rm -rf "$target"
    # A virtual environment without pip needs no package beside Python itself; a release brings its own pip.
    if [ "$kind" = release ]; then
        run "$python" -m venv --without-pip "$target"
        pip=$(echo "$here"/wheels/pip-*.whl)
        run "$target/bin/python" "$pip/pip" install --quiet --no-index --find-links "$here/wheels" --require-hashes \
            --requirement "$here/requirements.txt" || pip_failed
        run cp -r "$here/firmware" "$target/firmware"
    else
        run "$python" -m venv "$target" || fail "no virtual environment could be made." "sudo apt install python3-venv"
        extra=''
        [ -z "$machine" ] || extra='[pi,firmware]'
        run "$target/bin/python" -m pip --quiet --disable-pip-version-check install --prefer-binary "$here$extra" || pip_failed
    fi
    run "$target/bin/companion" --version > /dev/null || fail "the installed program does not start." "See $LOG."
    # After a power cut, a version that counts as complete must be so.
    run sync -f "$target"
    run touch "$target/complete"
}

pip_failed() {
    if [ "$kind" = release ]; then
        fail "the packages could not be installed." "Unpack the release again, then run this again. See $LOG."
    fi
    fail "the packages could not be installed." "Check the network, then run this again. See $LOG."
}

switch() {
    next "Switching to version $version"
    # For companion rollback.
    [ -z "$there" ] || [ "$there" = "$version" ] || link previous "$there"
    link current "$version"
    run ln -sfn "$PROGRAMS/current/bin/companion" "$LINK"
    run sync -f "$PROGRAMS"
}

# With one rename: there is a version at any time, whatever happens.
link() {
    run ln -sfn "versions/$2" "$PROGRAMS/$1.new"
    run mv -T "$PROGRAMS/$1.new" "$PROGRAMS/$1"
}

service() {
    next "Setting up the service"
    name_the_pi
    start=''
    [ -z "$no_start" ] || start=--no-start
    # shellcheck disable=SC2086  # an empty word would be an argument
    run "$PROGRAMS/current/bin/companion" install-service --yes $start || fail "the service could not be set up." "See $LOG."
}

# Gives a Pi our name that nobody has named, so that the table is at elgrande.local.
name_the_pi() {
    is_unnamed_pi || return 0
    # At every start, cloud-init would give it the name in user-data again.
    [ ! -d "${CLOUD_SETTINGS%/*}" ] || write "$CLOUD_SETTINGS" << END
# The El Grande table named this Pi.
preserve_hostname: true
END
    write "$UNITS/$NAME_UNIT" << END
# Keeps the name known that the El Grande table gave this Pi: cloud-init may write /etc/hosts at every start, with the name
# in user-data. Written by install.sh, and removed by install.sh --uninstall.

[Unit]
Description=Name of the El Grande table
ConditionHost=$OUR_NAME
After=cloud-init.service cloud-init-network.service

[Service]
Type=oneshot
ExecStart=/bin/bash $KEPT_SCRIPT --keep-name

[Install]
WantedBy=multi-user.target
END
    if ! run hostnamectl set-hostname "$OUR_NAME"; then
        say "    This Pi could not be called $OUR_NAME, and keeps its name."
        run rm -f "$UNITS/$NAME_UNIT" "$CLOUD_SETTINGS"
        return
    fi
    say "    This Pi is now called $OUR_NAME."
    run know_name "$OUR_NAME"
    run systemctl daemon-reload
    run systemctl enable "$NAME_UNIT"
    run systemctl try-restart avahi-daemon.service || true
}

# Has the machine find itself by a name, which is its own. Without, sudo and others would look for it in the network.
know_name() {
    ! grep -qw "$1" /etc/hosts || return 0
    sed -i '/^127\.0\.1\.1[[:space:]]/d' /etc/hosts
    printf '127.0.1.1\t%s\n' "$1" >> /etc/hosts
}

# While the table runs, it holds the ports. Its socket is stopped too, or the next phone would start it again.
hubs() {
    next "Looking for Picos to be hubs"
    if ! compgen -G "$PICOS" > /dev/null; then
        say "    none is plugged in"
        return
    fi
    stopped=''
    if systemctl is-active --quiet el-grande-table.service 2> /dev/null; then
        run systemctl stop el-grande-table.socket el-grande-table.service
        stopped=yes
    fi
    run "$target/bin/companion" firmware install --plugged-in ||
        say "    Not all of them could be installed. Later: sudo companion hubs"
    [ -z "$stopped" ] || run systemctl start el-grande-table.socket el-grande-table.service
}

where() {
    next "Ready"
    [ -n "$no_start" ] || run "$PROGRAMS/current/bin/companion" where
    say "To remove it again: sudo $KEPT_SCRIPT --uninstall"
}

install() {
    check
    plan
    ask
    verify
    put_program
    [ -z "$program_only" ] || return 0
    hubs
    switch
    service
    where
}

# --- Removing --------------------------------------------------------------------------------------------------------

remove() {
    data=("$DATA" "$DATA-updates" "$DATA-network")
    found=("$PROGRAMS" "$LINK" "$UNITS/$CARD_UNIT" "$UNITS/$NAME_UNIT" "$CLOUD_SETTINGS" "${SYSTEM_FILES[@]}")
    [ -z "$purge" ] || found+=("${data[@]}")
    if ! any_of "${found[@]}"; then
        say "The $NAME is not installed here."
        return
    fi
    say "This removes the $NAME from this machine. Games in $DATA $([ -n "$purge" ] && echo 'are deleted too.' || echo 'stay.')"
    ask
    remove_service
    give_name_back
    run rm -f "$UNITS/$CARD_UNIT" "$UNITS/multi-user.target.wants/$CARD_UNIT"
    run rm -rf "$PROGRAMS" "$LINK"
    if [ -n "$purge" ]; then
        run rm -rf "${data[@]}"
        ! id el-grande > /dev/null 2>&1 || run userdel el-grande
    fi
    say "Done."
    # It is still written to, but nobody will find it.
    [ -z "$purge" ] || run rm -f "$LOG"
}

remove_service() {
    any_of "${SYSTEM_FILES[@]}" || return 0
    program=$PROGRAMS/current/bin/companion
    if [ -x "$program" ] && run "$program" install-service --remove --yes; then return; fi
    say "    The program is not complete or does not work, so this is done without it."
    for file in "${SYSTEM_FILES[@]}"; do
        if [ "${file%/*}" = "$UNITS" ] && [ -e "$file" ]; then run systemctl disable --now "${file##*/}" || true; fi
    done
    run rm -f "${SYSTEM_FILES[@]}"
    run systemctl daemon-reload || true
    run udevadm control --reload || true
    if any_of "${HOTSPOT[@]}"; then
        run rm -f "${HOTSPOT[@]}"
        run nmcli connection reload || true
    fi
    for file in /boot/firmware/config.txt /boot/config.txt; do
        [ ! -f "$file" ] || run sed -i '/^# El Grande table: begin[.]/,/^# El Grande table: end[.]/d' "$file"
    done
}

# Undoes name_the_pi, if nobody has named the Pi since.
give_name_back() {
    any_of "$UNITS/$NAME_UNIT" "$CLOUD_SETTINGS" || return 0
    run systemctl disable "$NAME_UNIT" || true
    run rm -f "$UNITS/$NAME_UNIT" "$CLOUD_SETTINGS"
    [ "$(cat /etc/hostname)" = "$OUR_NAME" ] || return 0
    say "    This Pi is called $PIS_OWN_NAME again."
    run hostnamectl set-hostname "$PIS_OWN_NAME" || true
    run know_name "$PIS_OWN_NAME"
    run systemctl try-restart avahi-daemon.service || true
}

for each in "$@"; do
    case $each in
        --dry-run) dry_run=yes ;;
        --uninstall) uninstall=yes ;;
        --purge) purge=yes ;;
        --yes) yes=yes ;;
        --no-start) no_start=yes ;;
        --downgrade) downgrade=yes ;;
        --program-only) program_only=yes ;;  # for companion update, which tries it before it switches
        --keep-name) keep_name=yes ;;  # for our unit, at every start of a Pi that we named
        -h | --help) usage; exit ;;
        *) usage >&2; printf '\nThere is no option %s.\n' "$each" >&2; exit 2 ;;
    esac
done
[ -z "$purge" ] || [ -n "$uninstall" ] || { usage >&2; printf '\n--purge goes with --uninstall.\n' >&2; exit 2; }
if [ "$(id -u)" != 0 ] && [ -z "$dry_run" ]; then
    fail "only root can do this." "Run:  sudo $0 $*   (--dry-run shows what it would do)"
fi

if [ -n "$keep_name" ]; then
    run know_name "$OUR_NAME"
    exit
fi

if [ -z "$dry_run" ]; then
    { say ""; date; say "$0 $*"; } >> "$LOG"
    exec > >(tee -a "$LOG") 2>&1
fi
if [ -n "$uninstall" ]; then remove; else install; fi
