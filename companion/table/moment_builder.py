"""Builds moments from the live game; parts that did not change keep their identity."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.views import View
from companion.table import prompts, scene
from companion.table.live_game import LiveGame
from companion.table.moment import Moment, PublicMoment, SeatMoment
from companion.table.seat_requests import SeatRequests
from companion.table.situation import Situation
from companion.table.workshop_hold import WorkshopHold
from hardware.ports import Scene


class MomentBuilder:
    """Builds the scene for the lights first, and then the moment around it."""

    def __init__(self, live: LiveGame, requests: SeatRequests, workshop: WorkshopHold) -> None:
        self._live = live
        self._requests = requests
        self._workshop = workshop
        self._last: Moment | None = None
        self._views_of: tuple[int, tuple[str, ...]] | None = None
        """The version and the seats the views were made for."""
        self._views: dict[str | None, View] = {}

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
            unsaved=session.trouble[0] if session.stuck else None,
            private=live.announcements.private,
            wrong=live.announcements.wrong,
            listing=live.pieces.listing,
            knocking=access.knock.seat if access.knock else None,
            knock_place=access.place,
            deadline_s=live.veto.due_s() if session.vetoing else None,
        )

    def scene(self, now: Situation) -> Scene:
        """Returns what the lights show: the workshop's scene, a frame of the scoring show, or the situation."""
        return self._workshop.scene or self._live.announcements.scene or scene.scene(now)

    def moment(self, now: Situation, lights: Scene) -> Moment:
        """Returns the moment. Parts that did not change are the same objects as before."""
        session, last = self._live.session, self._last
        self._make_views()
        seats: Mapping[str, SeatMoment] = {
            seat: SeatMoment(self._views[seat], prompts.prompt_of(now, seat)) for seat in session.persons
        }
        public = self._public(now, seats)
        if last is not None:
            if public == last.public:
                public = last.public
            if seats == last.seats:
                seats = last.seats
        self._last = Moment(session.id, session.version, public, seats, session.holders, lights)
        return self._last

    def _public(self, now: Situation, seats: Mapping[str, SeatMoment]) -> PublicMoment:
        live, session = self._live, self._live.session
        asked = [seen.prompt for seen in seats.values()]
        trouble, notices = session.trouble, live.announcements.notices
        return PublicMoment(
            view=self._views[None],
            numbers=session.numbers,
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
            offers=prompts.offers_of(now),
            deal=prompts.deal_of(now),
            held_seats=tuple(session.holders),
            knocking=now.knocking,
            seats_open=bool(self._requests.access.open_until_s),
            tried=self._workshop.held,
        )

    def _make_views(self) -> None:
        """Makes the views of the game once per version."""
        session = self._live.session
        views_of = (session.version, tuple(session.persons))
        if views_of != self._views_of:
            self._views_of = views_of
            self._views = {seat: session.game.view(seat) for seat in (None, *session.persons)}
