"""Ctrl-C and a stop by the machine: heard whatever the main thread waits for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from queue import SimpleQueue

import pytest

from companion.cli.signals import SIGNALS, stopping

WAITING_WHEN_IT_CAME = """
import os, signal, threading
from queue import SimpleQueue
from companion.cli.signals import stopping

signal.signal(signal.{name}, signal.SIG_DFL)  # whoever started the tests may have it ignored
queue = SimpleQueue()
with stopping(lambda: queue.put("stopped")):
    # To another thread: so it comes just as if the main thread had not begun to wait yet, and is not woken by it.
    other = threading.Thread(target=lambda: signal.pthread_kill(threading.get_ident(), signal.{name}))
    threading.Timer(0.2, other.start).start()
    print(queue.get())
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_is_heard_though_it_does_not_wake_the_main_thread(number: signal.Signals) -> None:
    program = WAITING_WHEN_IT_CAME.format(name=number.name)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=20)
    assert (done.stdout, done.stderr) == ("stopped\n", "")


def test_a_program_that_shall_outlive_its_terminal_does() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        heard: SimpleQueue[str] = SimpleQueue()
        with stopping(lambda: heard.put("stop")):
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        assert heard.empty()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_second_signal_is_ctrl_c_as_usual_and_afterwards_all_is_as_before() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    heard: SimpleQueue[str] = SimpleQueue()
    with stopping(lambda: heard.put("stop")):
        os.kill(os.getpid(), signal.SIGINT)
        assert heard.get(timeout=10) == "stop"
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
    assert heard.empty()
    assert [signal.getsignal(number) for number in SIGNALS] == before
    assert signal.set_wakeup_fd(-1) == -1
    assert not [thread for thread in threading.enumerate() if thread.name == "stopping"]
