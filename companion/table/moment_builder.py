"""Builds moments from the live game; parts that did not change keep their identity."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.views import ScoringView, View
from companion.table import prompts, scene
from companion.table.hints import why_no_hint
from companion.table.lessons import Look, lesson_for
from companion.table.live_game import LiveGame
from companion.table.mixing import Mixing
from companion.table.moment import LessonWords, Moment, Prompt, PublicMoment, SeatMoment
from companion.table.seat_requests import SeatRequests
from companion.table.situation import Situation
from companion.table.workshop_hold import WorkshopHold
from hardware.ports import Scene


class MomentBuilder:
    """Builds the scene for the lights first, and then the moment around it."""

    def __init__(self, live: LiveGame, requests: SeatRequests, workshop: WorkshopHold, mixing: Mixing) -> None:
        self._live = live
        self._mixing = mixing
        self._requests = requests
        self._workshop = workshop
        self._last: Moment | None = None
        self._views_of: tuple[int, tuple[str, ...]] | None = None
        """The version and the seats the views were made for."""
        self._views: dict[str | None, View] = {}
        self._payouts: Mapping[str, ScoringView] = {}

    def situation(self) -> Situation:
        """Returns everything there is to show."""
        live, session, interaction = self._live, self._live.session, self._live.interaction
        proposal, access = interaction.proposal, self._requests.access
        return Situation(
            game=live.game,
            snapshot=live.game.snapshot(),
            options=session.options,
            active_seat=session.active_seat,
            motions=live.motions(),
            partial=interaction.partial,
            choices=interaction.choices,
            slots=interaction.slots,
            slot_place=interaction.touch.place if interaction.touch else "",
            steps=live.guide(),
            markers=live.markers(),
            roll_call=interaction.roll_call,
            undo_count=proposal.count if proposal else 0,
            undo_missing=proposal.missing(session.persons) if proposal else (),
            undo_by=proposal.by if proposal else "",
            made_by=session.made_by,
            fixed=session.fixed,
            held=bool(interaction.held),
            confirming=interaction.confirmations.by_phone,
            unsaved=session.trouble[0] if session.stuck else None,
            private=live.announcements.private,
            wrong=live.announcements.wrong,
            listing=live.pieces.listing,
            knocking=access.knock.seat if access.knock else None,
            knock_place=access.place,
            deadline_s=live.veto.due_s() if session.vetoing else None,
            waits_for_next=live.waits_for_next,
            frames_left=live.announcements.frames_left,
            scored=self._scored(),
        )

    def scene(self, now: Situation) -> Scene:
        """Returns what the lights show: the workshop's scene, a frame of the scoring show, or the situation."""
        frame = self._live.announcements.frame
        return self._workshop.scene or (frame.scene if frame else scene.scene(now, self._pointed(now)))

    def moment(self, now: Situation, lights: Scene) -> Moment:
        """Returns the moment. Parts that did not change are the same objects as before."""
        session, last = self._live.session, self._last
        self._make_views()
        seats: Mapping[str, SeatMoment] = {
            seat: self._seat(now, seat, prompts.prompt_of(now, seat)) for seat in session.persons
        }
        public = self._public(now, seats)
        if last is not None:
            if public == last.public:
                public = last.public
            if seats == last.seats:
                seats = last.seats
        self._last = Moment(
            session.id, session.version, public, seats, session.holders, lights, self._requests.managers
        )
        return self._last

    def _seat(self, now: Situation, seat: str, prompt: Prompt) -> SeatMoment:
        live = self._live
        after_scoring = bool(now.frames_left) and not prompts.is_interrupted(now, seat)
        lesson, hint = self._lesson(now, seat), live.hints.words(seat)
        suggested = lesson is not None and lesson.suggests  # two that advise differently help nobody
        return SeatMoment(
            self._views[seat],
            prompt,
            prompts.undo_offers(now, seat),
            lesson,
            live.session.teaches(seat),
            self._may_ask(now, seat) and hint is None and not after_scoring and not suggested,
            hint,
            after_scoring,
        )

    def _may_ask(self, now: Situation, seat: str) -> bool:
        """Returns whether a seat has something to decide that a bot could help with."""
        allowed = self._live.hints.possible and why_no_hint(now.game, now.options, seat) is None
        return allowed and not prompts.is_interrupted(now, seat)

    def _lesson(self, now: Situation, seat: str) -> LessonWords | None:
        """Returns what a seat is taught now. Nothing is explained while something else has to be read first."""
        session = self._live.session
        awaits_scoring = now.frames_left and not now.scored
        if not session.teaches(seat) or prompts.is_interrupted(now, seat) or awaits_scoring:
            return None
        self._make_views()
        advised = self._live.hints.words(seat) is not None
        look = Look(self._views[seat], now.scored, self._may_ask(now, seat), advised)
        return lesson_for(look, session.lessons.had(seat))

    def _pointed(self, now: Situation) -> str | None:
        """Returns the place that a lesson points at, for the lights: that of the active seat comes first."""
        persons = self._live.session.persons
        for seat in sorted(persons, key=lambda seat: seat != now.active_seat):
            lesson = self._lesson(now, seat)
            if lesson is not None and lesson.place is not None:
                return lesson.place
        return None

    def _scored(self) -> tuple[ScoringView, ...]:
        """Returns the places scored so far in the scoring that is being shown."""
        frame = self._live.announcements.frame
        if frame is None or not (frame.place or frame.totals):
            return ()
        self._make_views()
        shown = self._views[None]["scorings"][: frame.scorings]
        return tuple(scoring for scoring in shown if scoring["move"] == shown[-1]["move"])

    def _public(self, now: Situation, seats: Mapping[str, SeatMoment]) -> PublicMoment:
        live, session = self._live, self._live.session
        asked = [seen.prompt for seen in seats.values()]
        trouble, notices = session.trouble, live.announcements.notices
        frame = live.announcements.frame
        return PublicMoment(
            view=self._views[None],
            numbers=session.numbers,
            reasons=session.reasons,
            payouts=self._payouts,
            scorings_shown=len(session.game.scorings) if frame is None else frame.scorings,
            shows_scoring=frame is not None,
            scoring=frame.place if frame else None,
            shows_totals=frame is not None and frame.totals,
            options=session.options,
            waiting_for=prompts.waiting_for(now),
            touch=tuple(sorted({place for prompt in asked for place in prompt.touch})),
            origin=next((prompt.origin for prompt in asked if prompt.origin), None),
            guide=prompts.guide_of(now),
            step=now.steps[0].way if now.steps else None,
            notices=(
                *self._workshop.notices,
                *trouble,
                *live.leftovers.words(live.clock()),
                *(notice for notice in notices if notice not in trouble),
                *live.announcements.played,
            ),
            mentions=live.announcements.mentions,
            offers=prompts.offers_of(now),
            hints=session.hints,
            handovers=session.handovers.all,
            vote=prompts.vote_of(now),
            deal=prompts.deal_of(now),
            held_seats=tuple(session.holders),
            knocking=now.knocking,
            seats_open=bool(self._requests.access.open_until_s),
            fairness=session.fairness,
            mix_call=self._mixing.call,
            tried=self._workshop.held,
        )

    def _make_views(self) -> None:
        """Makes the views of the game once per version."""
        session = self._live.session
        views_of = (session.version, tuple(session.persons))
        if views_of != self._views_of:
            self._views_of = views_of
            self._views = {seat: session.game.view(seat, session.veiled(seat)) for seat in session.persons}
            self._views[None] = session.game.view(None)
            self._payouts = session.game.payouts()
