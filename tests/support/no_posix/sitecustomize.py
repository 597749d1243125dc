"""Takes away from Python what Windows does not have. With its folder in PYTHONPATH, Python imports it as it starts.

It holds for child processes too. Everything is taken from our own code; libraries that look at `os.name` and then use
what POSIX has would do otherwise on Windows, so they keep it.
"""

from __future__ import annotations

import builtins
import functools
import os
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

MODULES = {"fcntl", "termios", "pwd", "grp", "tty", "pty", "resource", "readline", "curses", "syslog", "spwd"}
KEEP_THEM = {"serial", "click", "subprocess", "waitress"}
"""The packages that have another way on Windows, which they choose by `os.name`."""
MISSING: dict[Any, str] = {
    os: (
        "openpty forkpty fork geteuid getuid getgid getegid getgroups getpgid getpgrp setsid setpgid killpg nice "
        "getpriority setpriority sched_yield sched_getaffinity sched_setaffinity mkfifo mknod uname getloadavg ttyname "
        "fstatvfs get_blocking chown fchown lchown fchmod chroot pipe2 sync posix_spawn confstr sysconf initgroups "
        "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_SYNC"
    ),
    signal: (
        "SIGUSR1 SIGUSR2 SIGHUP SIGALRM SIGKILL SIGPIPE SIGCHLD SIGQUIT SIGTSTP SIGCONT SIGSTOP SIGWINCH "
        "pthread_sigmask pthread_kill setitimer getitimer alarm pause sigwait sigpending siginterrupt"
    ),
    select: "poll epoll kqueue",
    socket: "AF_UNIX TCP_USER_TIMEOUT TCP_KEEPIDLE SO_REUSEPORT SCM_RIGHTS MSG_NOSIGNAL MSG_DONTWAIT send_fds recv_fds",
}


def is_socket(fd: object) -> bool:
    number = fd if isinstance(fd, int) else fd.fileno()  # type: ignore[attr-defined]
    return stat.S_ISSOCK(os.fstat(number).st_mode)


def called_by(*modules: str) -> bool:
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in modules:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


real_import, real_select, real_open = builtins.__import__, select.select, os.open
real_set_blocking, real_popen = os.set_blocking, subprocess.Popen.__init__


def import_(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:  # noqa: A002
    importer = str((globals or {}).get("__name__", "")).partition(".")[0]
    if level == 0 and name.partition(".")[0] in MODULES and importer not in KEEP_THEM | MODULES:
        raise ModuleNotFoundError(f"No module named '{name}', as on Windows", name=name)
    return real_import(name, globals, locals, fromlist, level)


def select_(reading: Any, writing: Any, errors: Any, timeout: float | None = None) -> Any:
    """Waits for sockets only; it refuses an empty wait, as Windows does."""
    if not called_by(*KEEP_THEM):
        waited = [*reading, *writing, *errors]
        if not waited or not all(map(is_socket, waited)):
            raise OSError(10038, "An operation was attempted on something that is not a socket")
    return real_select(reading, writing, errors, timeout)


def set_blocking(fd: int, blocking: bool) -> None:
    """Python 3.11 does not have it on Windows."""
    if not called_by(*KEEP_THEM):
        raise AttributeError("module 'os' has no attribute 'set_blocking'")
    real_set_blocking(fd, blocking)


def open_(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return real_open(path, flags, mode, dir_fd=dir_fd)


def popen(self: Any, args: Any, *more: Any, **options: Any) -> None:
    for name in ("preexec_fn", "pass_fds", "process_group", "umask", "user", "group"):
        if options.get(name):
            raise ValueError(f"{name} is not supported on Windows platforms")
    for name in ("stdin", "stdout", "stderr"):
        end = options.get(name)
        if end is not None and (not isinstance(end, int) or end >= 0) and is_socket(end):
            raise OSError(6, "The handle is invalid")
    if "-S" in args:
        # It would not import this file, so it is told to.
        module = args[args.index("-m") + 1]
        here = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import sitecustomize; sys.path.pop(0)"
        run = f"import runpy; runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
        args = [*args[: args.index("-m")], "-c", f"{here}; {run}"]
    real_popen(self, args, *more, **options)


def socketpair(family: int = socket.AF_INET, kind: int = socket.SOCK_STREAM, proto: int = 0) -> Any:
    """Two sockets joined over the loopback, as Python makes them on Windows."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        other, _ = server.accept()
    return one, other


for module, names in MISSING.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
for name in MODULES:
    sys.modules.pop(name, None)
sys.modules.pop("selectors", None)
builtins.__import__ = import_
select.select = functools.partial(select_)  # a plain function would become a method of a selector
socket.socketpair = socketpair  # type: ignore[assignment]
os.open, os.set_blocking = open_, set_blocking
shutil._use_fd_functions = False  # type: ignore[attr-defined]
subprocess.Popen.__init__ = popen  # type: ignore[method-assign]
subprocess.Popen.kill = lambda self: self.send_signal(9)  # type: ignore[method-assign]
import selectors  # noqa: E402  # again, without `poll`

assert not hasattr(selectors, "PollSelector")
