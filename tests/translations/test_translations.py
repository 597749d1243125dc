"""Everything that players are told can be told in every language, whole, in the terms of their edition."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from string import Formatter
from typing import NamedTuple

import pytest
from babel.messages.pofile import read_po
from click.testing import CliRunner
from hypothesis import given

from companion.bots import LEVELS
from companion.bots.reasons import because
from companion.cli import main
from companion.cli.answers import folded, understand
from companion.doctor import Verdict
from companion.engine import CARDS, EDITIONS, PLACES, SEATS, TABLE, IllegalMove, Message, Move, Several
from companion.engine.messages import Field
from companion.engine.moves import _MOVES
from companion.engine.pieces import WHOLE_SET, Piece, PieceKind
from companion.engine.words import CARD_WORDS, move_words
from companion.storage.database import open_database
from companion.storage.journal import Journal
from companion.storage.tags import Answer, EnrolOutcome
from companion.table.moment import Moment
from companion.table.options import PACES, Options
from companion.table.phone_input import PLAYERS
from companion.table.refusals import trouble_words
from companion.translations import LANGUAGES, Translator, language_of
from companion.translations import catalogue as catalogue_module
from companion.translations.catalogue import FOLDER, catalogue
from companion.translations.colours import CHANCE, COLOURS, CONTROLS
from companion.translations.terms import EDITION_OF, TERMS, terms_of
from companion.translations.terms import PLACES as PLACE_WORDS
from hardware.ports import OVER, Fault, Tap, Trouble
from tests.support.arrange import turn_of
from tests.support.random_games import SEEDS, decisions, games
from tests.support.table_rig import INVENTORY, TAGS, TAP, TableRig, table_rig
from tools.messages import FINDINGS, ROOT, as_text, extracted, found_in, keywords_of, sources, updated
from web_remote.game_facts import game_facts
from web_remote.new_texts import NEW_TEXTS
from web_remote.page_state import SOURCES
from web_remote.rules_texts import RULES_TEXTS
from web_remote.texts import TEXTS as SHARED_TEXTS
from web_remote.workshop_texts import WORKSHOP_TEXTS

OTHERS = [language for language in LANGUAGES if language != "en"]
TEXTS = {found.text for found in extracted()}


def fields_of(text: str) -> set[str]:
    """The names in braces, whichever form of a word is asked for."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


# --- What is found in the source -------------------------------------------------------------------------------------


FILES = pytest.mark.parametrize(
    "file", [file.relative_to(ROOT).as_posix() for file in sources()], ids=lambda file: file.rpartition("/")[2]
)


def texts_by_syntax(source: str, file: str) -> Iterator[str]:
    """The texts as the syntax tree has them: another way to find what Babel should find."""
    keywords = keywords_of(file)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = str(getattr(node.func, "id", "") or getattr(node.func, "attr", ""))
            for argument in arguments_at(node, keywords.get(name, ())):
                if isinstance(argument, ast.Constant) and argument.value:
                    yield str(argument.value)


def arguments_at(call: ast.Call, positions: Iterable[int]) -> Iterator[ast.expr]:
    """The arguments at these positions, as many as there are."""
    yield from (call.args[position - 1] for position in positions if position <= len(call.args))


@FILES
def test_exactly_the_texts_for_people_are_found(file: str) -> None:
    source = (ROOT / file).read_text("utf-8")
    assert sorted(found.text for found in found_in(source, file)) == sorted(texts_by_syntax(source, file))


def test_a_finding_of_the_doctor_has_two_texts_and_elsewhere_a_warning_is_one_of_a_log() -> None:
    source = 'self.warning("It is {what}.", "Wait.", what="late")'
    assert [found.text for found in found_in(source, "companion/doctor/clock.py")] == ["It is {what}.", "Wait."]
    assert list(found_in(source, "companion/storage/journal.py")) == []


def makers_of_messages(tree: ast.AST, file: str) -> Iterator[ast.expr]:
    """What stands for the text where messages are made; where one of two is chosen, both."""
    findings = FINDINGS if keywords_of(file).keys() >= FINDINGS.keys() else {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = ast.unparse(node.func)
            if name in ("Message", "Message.using") or name.endswith(".in_words"):
                yield from chosen_of(node.args[0])
            for argument in arguments_at(node, findings.get(name.removeprefix("self."), ())):
                yield from chosen_of(argument)


def chosen_of(text: ast.expr) -> Iterator[ast.expr]:
    if isinstance(text, ast.IfExp):
        for branch in (text.body, text.orelse):
            assert not isinstance(branch, ast.Constant), f"{ast.unparse(branch)} is not marked by phrase(...)"
            yield from chosen_of(branch)
    else:
        yield text


@FILES
def test_no_text_is_glued_together_or_left_unmarked(file: str) -> None:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    plain = {
        ast.unparse(target)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    }
    for text in makers_of_messages(tree, file):
        assert not isinstance(text, ast.JoinedStr | ast.BinOp), ast.unparse(text)
        assert ast.unparse(text) not in plain, f"{ast.unparse(text)} is not marked by phrase(...)"


# --- The catalogues --------------------------------------------------------------------------------------------------


def translated(language: str) -> dict[str, str]:
    with (FOLDER / f"{language}.po").open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file) if message.id}


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_has_its_translation_and_none_is_left_over(language: str) -> None:
    found = translated(language)
    assert TEXTS - found.keys() == set(), "make messages, and translate these"
    assert found.keys() - TEXTS == set(), "make messages"
    assert [text for text, words in found.items() if not words] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_file_is_as_make_messages_writes_it_and_nothing_is_fuzzy(language: str) -> None:
    catalog = updated(language)
    assert [message.id for message in catalog if message.fuzzy and message.id] == []
    assert as_text(catalog) == (FOLDER / f"{language}.po").read_bytes()


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_exactly_the_fields_of_its_text(language: str) -> None:
    for text, words in translated(language).items():
        assert fields_of(words) == fields_of(text), text


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_asks_only_for_forms_that_there_are(language: str) -> None:
    forms = {
        **dict.fromkeys(("place", "origin", "king", "region", "where"), ("", "name", "in", "to", "from")),
        "which": ("", "word", "piece"),
    }
    for text, words in translated(language).items():
        for _, name, form, _ in Formatter().parse(words):
            assert name is None or form in forms.get(name, ("",)), text


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_ends_as_its_text_does(language: str) -> None:
    for text, words in translated(language).items():
        assert (text[-1] in ".?") == (words[-1] in ".?"), text


TYPED = re.compile(r"(?:sudo|pip install|companion) [\w-]+|--[a-z]+|\bEL_GRANDE_\w+|\w+\.\w+(?= = )|\w+\.txt")


def test_a_sentence_begins_with_a_capital_but_a_command_does_not() -> None:
    assert Translator().in_words("saved") == "Saved"
    for command in ("sudo raspi-config nonint do_spi 0, then sudo reboot", "companion doctor"):
        assert Translator().in_words(command) == command


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_typed_stays_as_it_is_and_begins_no_translation_for_that_gets_a_capital(language: str) -> None:
    for text, words in translated(language).items():
        assert sorted(TYPED.findall(words)) == sorted(TYPED.findall(text)), text
        assert not re.match(r"(sudo|pip|companion) |\{install\}", words), text


@pytest.mark.parametrize("language", OTHERS)
def test_every_term_in_a_translation_is_one_of_each_edition(language: str) -> None:
    used = {term for words in translated(language).values() for term in re.findall("<(.*?)>", words)}
    for edition in EDITIONS.values():
        if edition.language == language:
            assert used == TERMS.get(edition.name, {}).keys()


# --- The pages -------------------------------------------------------------------------------------------------------

PAGE_TEXTS = {**SHARED_TEXTS, **NEW_TEXTS, **WORKSHOP_TEXTS, **RULES_TEXTS}
OWN_TEXTS = {
    "new": {**SHARED_TEXTS, **NEW_TEXTS},
    "workshop": {**SHARED_TEXTS, **WORKSHOP_TEXTS},
    "rules": RULES_TEXTS,
}
"""The texts of the pages that have some of their own, by the first word of their files."""
STATIC = ROOT / "web_remote/static"
SCRIPTS = {str(file.relative_to(STATIC)): file.read_text("utf-8") for file in sorted(STATIC.glob("*/*.js"))}
REST = {
    file.name: file.read_text("utf-8")
    for pattern in ("templates/*.html", "*.py")
    for file in sorted((ROOT / "web_remote").glob(pattern))
}

IN_SHORT = ("aim", "power", "turn", "place", "scoring", "more")
REASONS = ("wrong-code", "seat-taken", "failed")
NAMES_ASKED_FOR = {
    ("board/board.js", "name"): ("confirm", "undo"),
    ("board/buttons.js", "words"): ("hold-at", "button-of"),
    ("join/join.js", 'REASONS[status] ?? "failed"'): REASONS,
    ("new/new.js", "`pace-${pace}`"): tuple(f"pace-{pace}" for pace in PACES),
    ("new/new.js", "words"): ("press-white", "failed"),
    ("new/seats.js", "each"): LEVELS,
    ("phone/settings.js", "`short-${name}`"): tuple(f"short-{name}" for name in IN_SHORT),
    ("shared/pace.js", "`pace-${name}`"): tuple(f"pace-{pace}" for pace in PACES),
    ("phone/players.js", "name"): ("score", "court", "province", "hand"),
    ("table/manage.js", "each"): PLAYERS,
    ("workshop/checks.js", "words"): ("well", "left-out"),
    ("workshop/checks.js", "`verdict-${verdict}`"): tuple(f"verdict-{verdict.value}" for verdict in Verdict),
    ("workshop/enrol.js", "name"): ("pieces", "enrolled", "wanted"),
    ("workshop/try.js", "name"): ("place", "part-light", "part-button", "part-reader"),
    ("shared/unlock.js", "words"): ("wrong-table-code", "failed"),
    ("shared/result.js", "name"): ("score", *(f"source-{source}" for source in SOURCES)),
    ("table/round.js", "name"): ("court", "province", "hand"),
    ("table/round.js", "seat.player"): LEVELS,
}
"""Which texts a script may ask for where the name is not written there: by file and by what is."""


class Asked(NamedTuple):
    """A text that a page asks for: in which file, by which name, and with which fields."""

    file: str
    name: str
    fields: frozenset[str]


def arguments(source: str) -> list[str]:
    """The arguments of a call, or the entries of an object, from behind its opening bracket on.

    >>> arguments('t("round", {number, rounds: of("a, b")}) + 1'.partition("(")[2])
    ['"round"', '{number, rounds: of("a, b")}']
    """
    parts, depth, quote = [""], 0, ""
    for character in source:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'`":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth < 0:
                break
        elif character == "," and depth == 0:
            parts.append("")
            continue
        parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def calls_in(source: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Every `t(name, {field: value})` of a script: what stands for the name, and the fields."""
    for call in re.finditer(r"(?<![\w.$])(?<!function )t\(", source):
        name, *fields = arguments(source[call.end() :])
        entries = arguments(fields[0].removeprefix("{")) if fields else []
        yield name, frozenset(re.split(r"\W", entry)[0] for entry in entries)


def names_of(file: str, argument: str) -> tuple[str, ...]:
    """The names that may stand there: one that is written, one of two, or those that we know of."""
    written = re.fullmatch(r'(?:[^"?]+ \? "([\w-]+)" : )?"([\w-]+)"', argument)
    if written:
        return tuple(name for name in written.groups() if name)
    assert (file, argument) in NAMES_ASKED_FOR, f"{file} asks for t({argument}): which texts are these?"
    return NAMES_ASKED_FOR[file, argument]


def asked_for() -> Iterator[Asked]:
    """Every text that the pages ask for."""
    for file, source in SCRIPTS.items():
        for argument, fields in calls_in(source):
            yield from (Asked(file, name, fields) for name in names_of(file, argument))
    for file, source in REST.items():
        yield from (Asked(file, name, frozenset()) for name in re.findall(r'\btexts\["([\w-]+)"\]', source))


def test_the_pages_ask_only_for_texts_that_there_are_and_give_them_their_fields() -> None:
    for file, name, fields in asked_for():
        texts = OWN_TEXTS.get(re.split(r"\W", file)[0], SHARED_TEXTS)
        assert name in texts, f"{file} asks for '{name}'"
        assert fields == fields_of(texts[name]), f"{file} asks for '{name}'"


@pytest.mark.parametrize("file", [*SCRIPTS, *(name for name in REST if name.endswith(".html"))])
def test_a_page_asks_for_its_texts_only_in_the_ways_that_are_looked_for_here(file: str) -> None:
    known = re.escape("[name] ?? name") if file == "shared/page.js" else r'\["[\w-]+"\]' if file in REST else "(?!)"
    assert re.findall(rf"\btexts(?!{known})[\[.].*", SCRIPTS.get(file) or REST[file]) == []


def test_the_pages_ask_for_every_text_that_there_is() -> None:
    assert PAGE_TEXTS.keys() - {asked.name for asked in asked_for()} == set(), "no page uses these"


def test_where_a_script_asks_for_a_name_that_it_was_given_a_script_or_the_pages_data_holds_it() -> None:
    found = {(file, argument) for file, source in SCRIPTS.items() for argument, _ in calls_in(source)}
    assert NAMES_ASKED_FOR.keys() - found == set(), "not asked for any more"
    data = json.dumps(game_facts())
    for names in NAMES_ASKED_FOR.values():
        for name in names:
            written = f'"{re.sub("^(source|verdict|short|pace)-", "", name)}"'
            assert any(written in source for source in (*SCRIPTS.values(), data)), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_of_the_pages_have_only_plain_fields_since_scripts_know_no_forms(language: str) -> None:
    said = translated(language) if language in OTHERS else {}
    for text in PAGE_TEXTS.values():
        words = said.get(text, text)
        assert not re.search("[{}]", re.sub(r"\{\w+\}", "", words)), words


# --- Names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_colours_controls_and_cards_have_names_in_every_language(language: str) -> None:
    for edition in EDITIONS:
        assert PLACE_WORDS[terms_of(language, edition)].keys() == {*PLACES, "court"}
    assert COLOURS[language].keys() == set(SEATS)
    assert CONTROLS[language].keys() == {"confirm", "undo"}
    assert language in CHANCE
    words = Translator(language)
    titles = {words.card(card).title for card in CARDS}
    assert len(titles) == len({CARD_WORDS[card].title for card in CARDS})
    assert all(words.card(card).text for card in CARDS)


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_an_edition_of_its_own_for_its_terms(language: str) -> None:
    assert EDITIONS[EDITION_OF[language]].language == language


def test_each_edition_uses_its_own_terms() -> None:
    classic, big_box = Translator("nl", "classic-nl"), Translator("nl", "bigbox-nl")
    assert (classic.place("castilla-la-vieja"), big_box.place("castilla-la-vieja")) == (
        "Oud-Castilië",
        "Castilla la Vieja",
    )
    assert classic.move("red dial ?") == "Rood stelt de draaischijf in"
    assert big_box.move("red dial ?") == "Rood stelt de kiesschijf in"
    assert (classic.card("tile").title, big_box.card("tile").title) == ("Waardetabel", "Scoretegel")


def test_a_language_whose_edition_is_another_uses_its_own_usual_terms() -> None:
    assert Translator("nl", "classic-fr").move("red dial ?") == Translator("nl", "bigbox-nl").move("red dial ?")
    assert Translator("fr", "bigbox-de").place("sevilla") == "Séville"
    assert Translator("en", "classic-fr").place("sevilla") == "Sevilla"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Blue places one in the castillo"),
        ("nl", "Blauw zet er een in het Castillo"),
        ("de", "Blau setzt einen ins Castillo"),
        ("fr", "Bleu en place un dans le Castillo"),
        ("es", "Azul despliega uno en el castillo"),
    ],
)
def test_a_colour_is_a_player_and_a_place_takes_the_form_that_the_sentence_needs(language: str, words: str) -> None:
    assert Translator(language).move("blue place castillo") == words
    assert Translator(language, names={"blue": "Ann"}).move("blue place castillo") == words.replace(
        str(COLOURS[language]["blue"]), "Ann"
    )


def test_the_parts_of_a_message_are_put_into_words_one_by_one() -> None:
    pieces = Several((Message("the King", {}), Message("{count} {which}", {"count": 2, "which": "yellow"})))
    lies = Message("{place}: {pieces}", {"place": "castillo", "pieces": pieces})
    assert Translator("en").say(lies) == "The castillo: the King, 2 yellow"
    assert Translator("de").say(lies) == "Castillo: der König, 2 \u00d7 Gelb"
    assert Translator("fr", names={"yellow": "Ann"}).say(lies) == "Castillo\u00a0: le roi, 2 \u00d7 jaune"
    seats = Message("it is not {seat}'s turn: {actors} must act", {"seat": TABLE, "actors": Several(("red", "blue"))})
    assert Translator("es", names={"red": "Ana"}).say(seats) == "No le toca a la mesa; turno de: Ana, Azul"


# --- It never fails --------------------------------------------------------------------------------------------------


def test_what_is_not_translated_is_said_in_english() -> None:
    unknown = Message("{seat} dances in {place}", {"seat": "red", "place": "aragon"})
    assert Translator("de").say(unknown) == "Rot dances in Aragón"
    assert Translator("tlh").move("red end") == "Red ends the turn"
    assert Translator("nl", "no-such-edition").place("aragon") == "Aragón"


def test_a_message_that_does_not_fit_its_fields_is_shown_as_it_is() -> None:
    assert Translator("de").say(Message("{seat} ends the turn", {})) == "{seat} ends the turn"


def test_a_translation_that_does_not_fit_gives_way_to_the_english_text(monkeypatch: pytest.MonkeyPatch) -> None:
    words = Translator("de")
    monkeypatch.setattr(words, "_texts", {"{seat} ends the turn": "{seat:9x} {nobody} geht"})
    assert words.move("red end") == "Rot ends the turn"


@pytest.mark.parametrize("content", [None, b"", b'msgid "broken\nmsgstr', b"\xff\xfe\x00"])
def test_without_its_file_a_language_is_english(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is not None:
        (tmp_path / "de.po").write_bytes(content)
    monkeypatch.setattr(catalogue_module, "FOLDER", tmp_path)
    for cached in (catalogue, catalogue_module._texts):
        cached.cache_clear()
    try:
        assert Translator("de").move("red end") == "Rot ends the turn"
    finally:
        for cached in (catalogue, catalogue_module._texts):
            cached.cache_clear()


def test_threads_may_begin_to_speak_at_the_same_time() -> None:
    catalogue.cache_clear()
    catalogue_module._texts.cache_clear()
    start, said = threading.Barrier(8), []

    def speak(language: str) -> None:
        start.wait()
        said.append(Translator(language).move("red end"))

    threads = [threading.Thread(target=speak, args=(OTHERS[number % 4],)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(said) == {Translator(language).move("red end") for language in OTHERS}
    assert len(said) == 8


@pytest.mark.parametrize(
    "program",
    [
        "import companion.bots.worker",
        "import companion.cli.play; from companion.translations import Translator; Translator('en').move('red end')",
    ],
    ids=["a bot", "a table that speaks English"],
)
def test_who_needs_no_translation_does_not_wait_for_babel(program: str) -> None:
    check = f"{program}; import sys; sys.exit('babel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


# --- What is told in games -------------------------------------------------------------------------------------------


def unknown_texts(message: Message) -> set[str]:
    """The texts of a message, and of those within it, that no catalogue has."""
    found = {message.text} - TEXTS - {""}
    for value in message.fields.values():
        found |= unknown_in(value)
    return found


def unknown_in(value: Field) -> set[str]:
    if isinstance(value, Message):
        return unknown_texts(value)
    if isinstance(value, Several):
        return {text for each in value for text in unknown_in(each)}
    return set()


def test_a_text_that_no_catalogue_has_is_noticed() -> None:
    inner = Message("nobody wrote this down", {})
    assert unknown_texts(Message("{place}: {pieces}", {"place": "aragon", "pieces": Several((inner,))})) == {inner.text}


ALL_MOVES = list(_MOVES.values())
MOVES_OF_SEAT = {seat: [move for move in ALL_MOVES if move.seat == seat] for seat in (TABLE, *SEATS)}
WORDS_TO_THE_TABLE = ("undo", "undo turn", "agree", "disagree", "yes", "no", "board is right")


def told_in(seed: int) -> Iterator[Message]:
    """All that a game has to say: questions, moves, the bots' reasons, and why some other moves are refused."""
    rng = Random(seed)
    for game, move in decisions(seed):
        yield from (message for question in game.questions for message in (question.message, question.yours))
        yield move_words(move)
        if move.seat != TABLE and rng.random() < 0.1 and (reason := because(game.view(move.seat), move)):
            yield reason
        # Moves of any seat, and such as the acting one might try.
        tried = [*rng.sample(ALL_MOVES, 2), rng.choice(MOVES_OF_SEAT[move.seat])]
        lines = [*map(str, tried), f"{move.seat} {move.verb} {rng.choice(PLACES)}", f"{move.seat} {move.verb} 99"]
        for line in lines:
            try:
                Move.parse(line)
                if Move.parse(line) not in game.legal_moves():
                    game.copy().play(line)
            except IllegalMove as refused:
                yield refused.message


def check_game(seed: int) -> None:
    speakers = [Translator(language, edition) for language in LANGUAGES for edition in EDITIONS]
    rng = Random(seed)
    for message in told_in(seed):
        assert unknown_texts(message) == set()
        words = rng.choice(speakers).say(message)
        assert not re.search("[{}<>]", words), words


@games(10)
@given(SEEDS)
def test_nothing_that_a_game_says_is_missing_in_the_catalogues(seed: int) -> None:
    check_game(seed)


@pytest.mark.games
@games(100)
@given(SEEDS)
def test_nothing_that_many_games_say_is_missing_in_the_catalogues(seed: int) -> None:
    check_game(seed)


def told_by(moment: Moment) -> Iterator[Message]:
    """All that phones are shown."""
    public = moment.public
    yield from (*public.guide, *public.notices, *(offer.words for offer in public.offers))
    yield from (choice.words for seen in moment.seats.values() for choice in seen.undo)
    if public.vote is not None:
        yield from (public.vote.words, *public.vote.moves)
    for prompt in moment.prompts.values():
        yield from (choice.words for choice in (*prompt.choices, *prompt.places))
        yield from prompt.details
        yield from (message for message in (prompt.asked, prompt.notice) if message is not None)


def clumsy_hands(rig: TableRig, rng: Random) -> None:
    """Somebody plays, as often as not wrongly, and the board has its troubles."""
    prompts = [prompt for prompt in rig.moment.prompts.values() if prompt.asked]
    seat = rng.choice(rig.game.seats)
    match rng.randrange(10):
        case 0:
            rig.press(rng.choice((*PLACES, "undo")))
        case 1:
            rig.table.post(Tap(rng.choice(list(TAGS)), rng.choice(PLACES), rng.random() < 0.5))
        case 2:
            rig.say(seat, rng.choice(WORDS_TO_THE_TABLE))
            rig.change_player("red", "nobody")
        case 3:
            rig.say(seat, str(rng.choice(ALL_MOVES)).partition(" ")[2])
        case 4:
            fault = rng.choice(list(Fault))
            rig.table.post(Trouble(fault, rng.choice(PLACES), "out", over=fault in OVER and rng.random() < 0.5))
        case 5:
            rig.press("confirm")
            rig.pass_s(6)
        case _ if prompts:
            prompt = rng.choice(prompts)
            choices = [*prompt.choices, *prompt.places]
            if choices:
                rig.say(prompt.seat, rng.choice(choices).line)
            rig.press(*(["confirm"] * 3 if rig.public.guide else []))
        case _:
            rig.press("confirm")


@pytest.mark.slow
@pytest.mark.parametrize("modes", [None, TAP, INVENTORY], ids=["buttons", "tap", "inventory"])
def test_nothing_that_a_table_says_in_whole_games_is_missing_in_the_catalogues(
    modes: dict[str, str] | None, tmp_path: Path
) -> None:
    speakers = [Translator(language) for language in LANGUAGES]
    said: set[str] = set()
    for seed in range(3):
        rng = Random(seed)
        game = turn_of("king", SEATS[: 3 + seed])
        with table_rig(tmp_path, game, Options(real_cards=seed == 2), modes, resumed=True) as rig:
            while not game.over:
                clumsy_hands(rig, rng)
            for message in (message for board in rig.display.moments for message in told_by(board)):
                assert unknown_texts(message) == set()
                words = rng.choice(speakers).say(message)
                assert not re.search("[{}<>]", words), words
                said.add(message.text)
    assert len(said) > 70


def test_every_trouble_of_the_board_is_told_in_every_language() -> None:
    for fault in Fault:
        for over in (False, True) if fault in OVER else (False,):
            words = trouble_words(Trouble(fault, "castillo", "why", over))
            assert unknown_texts(words) == set()
            assert len({Translator(language).say(words) for language in LANGUAGES}) == len(LANGUAGES)


def test_what_comes_of_a_tap_is_told_in_every_language() -> None:
    for outcome in EnrolOutcome:
        for piece in WHOLE_SET:
            told = Answer(outcome, "04AB12CD", piece).message
            assert unknown_texts(told) == set()
            words = {Translator(language).say(told) for language in LANGUAGES}
            assert len(words) == len(LANGUAGES)
            assert not any(re.search("[{}<>]", each) for each in words)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "the red caballeros"),
        ("nl", "rode caballero's"),
        ("de", "Caballeros von Rot"),
        ("fr", "Caballeros rouges"),
        ("es", "caballeros de color rojo"),
    ],
)
def test_a_piece_is_put_into_words_within_the_answer_to_its_tap(language: str, words: str) -> None:
    answer = Answer(EnrolOutcome.ENOUGH, "04AB12CD", Piece(PieceKind.CABALLERO, "red"))
    assert words in Translator(language).say(answer.message)


# --- At the terminal -------------------------------------------------------------------------------------------------


def run(folder: Path, *args: str, keys: str = "quit\n") -> str:
    fixed = ("--database", str(folder / "table.db"), "--board", "buttons-only", "--simulated", "--pace", "instant")
    return CliRunner().invoke(main, ["play", "--terminal", *fixed, *args], input=keys, catch_exceptions=False).stdout


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("nl", ("Ronde 1 van 9", "Open kaarten", "Speel een machtkaart", "er hoogstens 2", "Spel 1 is bewaard.")),
        ("de", ("Runde 1 von 9", "Offene Karten", "Spiel eine Machtkarte", "bis zu 2", "Spiel 1 ist gespeichert.")),
        ("fr", ("Manche 1 sur 9", "Cartes visibles", "Joue une carte de pouvoir", "jusqu'à 2", "La partie 1 est")),
        ("es", ("Ronda 1 de 9", "Cartas descubiertas", "Juega una carta de poder", "hasta 2", "La partida 1 está")),
    ],
)  # fmt: skip
def test_the_terminal_tells_and_asks_in_the_language_of_the_game(
    language: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    shown = run(tmp_path, "--language", language, "--seed", "5", keys="?\npower 99\nnonsense\ncards\npower 9\nquit\n")
    for part in words:
        assert part in shown
    for english in ("Round", "Open cards", "Your power", "plays", "takes", "is not", "That", "Type", "Move up to"):
        assert english not in shown


def test_a_game_goes_on_in_its_language_unless_another_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "nl_BE")
    assert "Ronde 1 van 9" in run(tmp_path, "--seed", "5")
    with open_database(tmp_path / "table.db") as database:
        kept = Journal(database).unfinished()
    assert kept is not None
    assert kept.options["language"] == "nl"
    monkeypatch.setenv("LANGUAGE", "de")
    assert "Spel 1 gaat verder" in run(tmp_path)
    assert "Spiel 1 geht weiter" in run(tmp_path, "--language", "de")


def test_a_language_that_is_none_of_ours_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["play", "--language", "la", "--database", str(tmp_path / "table.db")])
    assert result.exit_code == 2
    assert "'la' is not one of" in result.stderr


def test_the_system_says_its_language_in_several_places() -> None:
    assert language_of({}) == "en"
    assert language_of({"LANG": "es"}) == "es"
    assert language_of({"LANG": "pl_PL.UTF-8"}) == "en"
    assert language_of({"LC_MESSAGES": "fr_CA.UTF-8", "LANG": "de_DE.UTF-8"}) == "fr"
    assert language_of({"LANGUAGE": "", "LC_ALL": "", "LANG": "nl_NL@euro"}) == "nl"


@pytest.mark.parametrize(
    ("language", "edition", "answer", "meant"),
    [
        ("nl", "classic-nl", "move blauw Oud-Castilië Baskenland", "red move blue castilla-la-vieja pais-vasco"),
        ("nl", "classic-nl", "move blauw aragon El Castillo", "red move blue aragon castillo"),
        ("de", "bigbox-de", "move Blau País Vasco Castillo", "red move blue pais-vasco castillo"),
        ("fr", "classic-fr", "move bleu vieille castille séville", "red move blue castilla-la-vieja sevilla"),
        ("es", "anniversary-es", "move azul aragón el castillo", "red move blue aragon castillo"),
        ("es", "anniversary-es", "move blue aragon castillo", "red move blue aragon castillo"),
    ],
)
def test_names_are_understood_in_ones_own_language(language: str, edition: str, answer: str, meant: str) -> None:
    game = turn_of("move-3", board={place: {"blue": 1} for place in ("castilla-la-vieja", "aragon", "pais-vasco")})
    game.play("red special")
    names = Translator(language, edition).understood()
    assert [str(move) for move in understand(answer, game.legal_moves(), (), names)] == [meant]
    assert folded("place Granada", names) == "place granada"


def test_a_game_that_was_told_in_a_language_is_replayed_in_it(tmp_path: Path) -> None:
    run(tmp_path, "--language", "es", "--name", "red=Ana", "--seed", "5", keys="power 9\nquit\n")
    args = ["replay", "1", "--speed", "1000", "--database", str(tmp_path / "table.db")]
    assert "Ana juega la carta de poder 9" in CliRunner().invoke(main, args, catch_exceptions=False).stdout
