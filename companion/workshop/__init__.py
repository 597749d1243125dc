"""The workshop: a board is looked over and tried by hand while its table is on, and its pieces are enrolled.

    workshop = Workshop(parts, case, table.post, lambda: table.tried, drawer)
    workshop.look()
    workshop.take()
    workshop.light(3)
    print(workshop.state(Translator("nl")))

The web pages show it; `companion doctor`, `companion board try` and `companion enroll` are its older relatives.
"""

from companion.workshop.bundle import support_bundle
from companion.workshop.enrolling import Drawer
from companion.workshop.recent import RecentLog
from companion.workshop.steps import Step, light_steps
from companion.workshop.workshop import Parts, Workshop

__all__ = ["Drawer", "Parts", "RecentLog", "Step", "Workshop", "light_steps", "support_bundle"]
