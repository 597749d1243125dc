"""The workshop: a board is looked over and tried by hand while its table is on, and its pieces are enrolled.

The web pages show it. `companion doctor`, `companion board try` and `companion enroll` do the same at a terminal.
"""

from companion.workshop.bundle import support_bundle
from companion.workshop.enrolment import Enrolment
from companion.workshop.light_steps import LightStep, light_steps
from companion.workshop.recent import RecentLog
from companion.workshop.workshop import Parts, Workshop

__all__ = ["Enrolment", "LightStep", "Parts", "RecentLog", "Workshop", "light_steps", "support_bundle"]
