"""The workshop: a board is looked over and tried by hand while its table is on, and its pieces are enrolled.

    workshop = Workshop(parts, case, table.post, enrolment, tags)
    workshop.look()
    workshop.take()
    workshop.light(3)
    print(workshop.state(Translator("nl")))

The web pages show it; `companion doctor`, `companion board try` and `companion enroll` are its older relatives.
"""

from companion.workshop.bundle import support_bundle
from companion.workshop.enrolment import Enrolment
from companion.workshop.light_steps import LightStep, light_steps
from companion.workshop.recent import RecentLog
from companion.workshop.workshop import Parts, Workshop

__all__ = ["Enrolment", "LightStep", "Parts", "RecentLog", "Workshop", "light_steps", "support_bundle"]
