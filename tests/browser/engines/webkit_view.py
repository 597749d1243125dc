"""A window with nothing in it but a page, for WebKitWebDriver: the system's Python runs it, with the system's GTK.

MiniBrowser, which the driver starts otherwise, cannot be narrower than its bar of buttons.
"""

from __future__ import annotations

import sys
from typing import Any


def main(width: int, height: int, still: bool) -> None:
    """Shows the window until the driver closes it."""
    import gi

    gi.require_version("Gtk", "3.0")
    gi.require_version("WebKit2", "4.1")
    from gi.repository import Gtk, WebKit2

    Gtk.init([])
    Gtk.Settings.get_default().set_property("gtk-enable-animations", not still)
    context = WebKit2.WebContext.new_ephemeral()
    context.set_automation_allowed(True)
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    window = Gtk.Window(decorated=False)
    window.set_default_size(width, height)
    window.add(view)
    window.connect("destroy", Gtk.main_quit)
    view.connect("close", lambda _: window.destroy())

    def started(_: Any, session: Any) -> None:
        session.connect("create-web-view", lambda _: view)

    context.connect("automation-started", started)
    window.show_all()
    Gtk.main()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), "still" in sys.argv[3:])
