#!/bin/bash
# Installs the El Grande table on this machine: from a release, from a clone of the project, or from a prepared card.
# It can be run again at any time, and undone: see --help.
set -euo pipefail

readonly NAME="El Grande table"
readonly LOG=/var/log/el-grande-install.log
readonly PROGRAMS=/opt/el-grande
readonly LINK=/usr/local/bin/companion
readonly DATA=/var/lib/el-grande
# What first-boot.sh on a card writes, to install another release that is put there.
readonly CARD_UNIT=/etc/systemd/system/el-grande-card.service
readonly NEEDED_MB=200
readonly STEPS=6

here=$(cd "$(dirname "$0")" && pwd)
dry_run='' uninstall='' purge='' yes='' no_start='' program_only='' step=0

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
    --help       show this text

What it did is written to $LOG.
END
}

say() { printf '%s\n' "$*"; }

fail() {
    printf '\nIt stopped here: %s\n' "$1" >&2
    [ -z "${2:-}" ] || printf '%s\n' "$2" >&2
    exit 1
}

next() {
    step=$((step + 1))
    say "[$step/$STEPS] $*"
}

# Runs a command, or only shows it.
run() {
    if [ -n "$dry_run" ]; then say "    would run: $*"; else "$@"; fi
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

free_mb() {
    folder=$1
    while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
    df --output=avail -m "$folder" | tail -n 1 | tr -d ' '
}

# --- Installing ------------------------------------------------------------------------------------------------------

check() {
    kind=$(source_kind)
    [ "$kind" != none ] || fail "there is nothing to install beside this script." \
        "Run it from an unpacked release or a clone of the project."
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
}

plan() {
    machine=$(model)
    say "$NAME $version, from a $kind, with $("$python" --version), on ${machine:-a machine that is not a Raspberry Pi}"
    say ""
    say "This will:"
    say "  - put the program into $target, and the command companion into $LINK"
    say "  - make a user el-grande, who owns the games in $DATA"
    say "  - start the table with the machine, with its pages on port 80"
    if [ -n "$machine" ]; then
        say "  - switch on SPI for the lights in config.txt"
    else
        say "  - simulate the board: this is not a Raspberry Pi"
    fi
    say "Undo it with: sudo $0 --uninstall"
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
    if [ -e "$target/complete" ]; then
        say "    $version is there already"
        return
    fi
    run rm -rf "$target"
    run mkdir -p "$PROGRAMS/versions"
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
    # With one rename: there is a version at any time, whatever happens.
    run ln -sfn "versions/$version" "$PROGRAMS/current.new"
    run mv -T "$PROGRAMS/current.new" "$PROGRAMS/current"
    run ln -sfn "$PROGRAMS/current/bin/companion" "$LINK"
}

service() {
    next "Setting up the service"
    start=''
    [ -z "$no_start" ] || start=--no-start
    # shellcheck disable=SC2086  # an empty word would be an argument
    run "$PROGRAMS/current/bin/companion" install-service --yes $start || fail "the service could not be set up." "See $LOG."
}

hubs() {
    next "Looking for hubs"
    if compgen -G '/dev/serial/by-id/usb-MicroPython_*' > /dev/null; then
        EL_GRANDE_HOME=$DATA run "$PROGRAMS/current/bin/companion" firmware install ||
            say "    Not all hubs could be installed. Later: sudo EL_GRANDE_HOME=$DATA companion firmware install"
    else
        say "    none is plugged in"
    fi
}

where() {
    next "Ready"
    [ -n "$no_start" ] || run "$PROGRAMS/current/bin/companion" where
}

install() {
    check
    plan
    ask
    verify
    put_program
    [ -z "$program_only" ] || return 0
    switch
    service
    hubs
    where
}

# --- Removing --------------------------------------------------------------------------------------------------------

remove() {
    if [ ! -e "$PROGRAMS" ]; then
        say "The $NAME is not installed here."
        return
    fi
    say "This removes the $NAME from this machine. Games in $DATA $([ -n "$purge" ] && echo 'are deleted too.' || echo 'stay.')"
    ask
    run "$PROGRAMS/current/bin/companion" install-service --remove --yes ||
        fail "the service could not be removed." "See $LOG."
    run rm -f "$CARD_UNIT" "${CARD_UNIT%/*}/multi-user.target.wants/${CARD_UNIT##*/}"
    run rm -rf "$PROGRAMS" "$LINK"
    if [ -n "$purge" ]; then
        run rm -rf "$DATA"
        ! id el-grande > /dev/null 2>&1 || run userdel el-grande
    fi
    say "Done."
}

for each in "$@"; do
    case $each in
        --dry-run) dry_run=yes ;;
        --uninstall) uninstall=yes ;;
        --purge) purge=yes ;;
        --yes) yes=yes ;;
        --no-start) no_start=yes ;;
        --program-only) program_only=yes ;;  # for companion update, which tries it before it switches
        -h | --help) usage; exit ;;
        *) usage >&2; printf '\nThere is no option %s.\n' "$each" >&2; exit 2 ;;
    esac
done
[ -z "$purge" ] || [ -n "$uninstall" ] || { usage >&2; printf '\n--purge goes with --uninstall.\n' >&2; exit 2; }
if [ "$(id -u)" != 0 ] && [ -z "$dry_run" ]; then
    fail "only root can do this." "Run:  sudo $0 $*   (--dry-run shows what it would do)"
fi

if [ -z "$dry_run" ]; then
    { say ""; date; say "$0 $*"; } >> "$LOG"
    exec > >(tee -a "$LOG") 2>&1
fi
if [ -n "$uninstall" ]; then remove; else install; fi
