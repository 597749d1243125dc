"""The workshop: check a board, try it by hand and enrol its pieces while its table is running.

The web pages show it. `companion doctor`, `companion board try` and `companion enroll` do the same in a terminal.
"""

from companion.workshop.bundle import support_bundle
from companion.workshop.enrolment import Enrolment
from companion.workshop.light_steps import LightStep, light_steps
from companion.workshop.recent import RecentLog
from companion.workshop.workshop import Parts, Workshop

__all__ = ["Enrolment", "LightStep", "Parts", "RecentLog", "Workshop", "light_steps", "support_bundle"]
