"""Answers a hook of a harness: quickly, never blocking it, and never failing it.

A harness waits for its hooks, and some take a failure for a veto. So a hook ends in time and with
exit code 0 whatever happens: no store, one that is locked, damaged or busy, nonsense on stdin.
What went wrong is one line in the store's log.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engram.errors import Cancelled, EngramError
from engram.surfaces.harness.forms import (
    EVENTS,
    Heard,
    answer,
    heard,
    keeps_transcripts,
    takes_context,
)
from engram.surfaces.harness.watchdog import HOOK_SECONDS, Watchdog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engram.engine import Engram
    from engram.memory.record import Memory

# About 1,000 tokens once in a session, and 400 with every prompt: that is paid for each time.
MOST_CHARACTERS = {"session-start": 4_000, "prompt": 1_500}
CHECK = "--check"
_MOST_STDIN_BYTES = 16 * 1024 * 1024  # a prompt with files pasted into it; more is nobody's prompt
_MOST_PROMPT = 8_000  # characters that a question is made of: what is pasted behind it asks nothing
_LARGE_BYTES = 60_000_000  # a store whose wordings take longer to load than a hook has
# When a prompt gets anything, and what: set by hand, rather silent; not tuned on our evals.
_LEAST_CONFIDENCE = 0.35  # that the store holds an answer; below it prompts get nothing
_LEAST_PROBABILITY = 0.05  # of a memory to be the answer; below it it is a guess
_SHARE_OF_BEST = 0.25  # of the best one's probability: what is far behind it is no second answer
_HITS = 8  # as many as fit into a prompt's block, at the usual length of a memory
_LOOKED_AT = 2 * _HITS  # earlier questions resemble a prompt most, and are left out
_MOST_SESSION = 100  # characters of a session's name
_BEST_OF_REDUCED = 3  # without the measured figures: few, because nothing tells the good ones
_MARGIN_SECONDS = 0.25  # for closing the store


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One call of a hook."""

    event: str = ""
    harness: str = ""
    store: str | None = None
    scope: str | None = None
    limit_seconds: float = HOOK_SECONDS
    most_characters: int | None = None
    is_checking: bool = False  # a doctor asks: say what fails, and change nothing

    @property
    def most(self) -> int:
        """How long a block may be."""
        return self.most_characters or MOST_CHARACTERS.get(self.event, 0)


def read_arguments(words: Sequence[str]) -> Hook:
    """What was asked for. What is unknown is passed over: a usage error would be a veto to some."""
    hook = Hook()
    rest = iter(words)
    for word in rest:
        name, _, value = word.partition("=")
        if word == CHECK:
            hook = replace(hook, is_checking=True)
        elif name in _OPTIONS:
            hook = _OPTIONS[name](hook, value or next(rest, ""))
        elif not word.startswith("-") and not hook.event:
            hook = replace(hook, event=word)
    return hook


def _seconds(hook: Hook, value: str) -> Hook:
    try:
        return replace(hook, limit_seconds=min(max(float(value), 0.1), 600.0))
    except ValueError:
        return hook


def _characters(hook: Hook, value: str) -> Hook:
    return replace(hook, most_characters=int(value)) if value.isdecimal() else hook


_OPTIONS: dict[str, Callable[[Hook, str], Hook]] = {
    "--harness": lambda hook, value: replace(hook, harness=value),
    "--store": lambda hook, value: replace(hook, store=value or None),
    "--scope": lambda hook, value: replace(hook, scope=value or None),
    "--limit-seconds": _seconds,
    "--most-characters": _characters,
}


def run(hook: Hook) -> str:
    """Answer one hook. It returns in time, having printed one answer, whatever happens.

    What went wrong is given back, for whoever asked to know.
    """
    failure = ""
    watchdog = Watchdog(
        hook.limit_seconds,
        answer(hook.harness, hook.event),
        at_the_end=lambda: _note(hook, "hook_timeout", "E5006"),
        exit_code=1 if hook.is_checking else 0,
    )
    try:
        if hook.event in EVENTS:
            _answer(hook, _told(), watchdog)
    except EngramError as error:
        failure = str(error)
        _note(hook, "hook_failed", error.code)
    except Exception as error:  # noqa: BLE001  # the boundary: a harness must not suffer for us
        failure = type(error).__name__
        _note(hook, "hook_failed", failure)
    watchdog.finish()
    return failure


def _told() -> Heard:
    """What the harness wrote on stdin; too much of it is read to its end and passed over."""
    if sys.stdin is None or sys.stdin.isatty():
        return Heard()
    content = sys.stdin.buffer.read(_MOST_STDIN_BYTES)
    while sys.stdin.buffer.read(1024 * 1024):
        content = b""
    document = json.loads(content) if content.strip() else {}
    return heard(document) if isinstance(document, Mapping) else Heard()


def _answer(hook: Hook, told: Heard, watchdog: Watchdog) -> None:
    from engram.storage.place import is_store

    folder = _folder(told)
    is_reading = takes_context(hook.harness, hook.event)
    is_listening = _listens(hook, told)
    if hook.is_checking:
        _check_place(_store_path(hook))
    if not is_listening and not is_store(_store_path(hook)):
        return  # a question alone makes no store
    with _opened(hook, folder, watchdog) as engram:
        if is_reading:
            context = _context(engram, hook, told, folder)
            watchdog.say(answer(hook.harness, hook.event, context))
        if hook.event == "session-start" and not hook.is_checking:
            _refresh_blocks(engram, folder)
        if is_listening:
            _listen(engram, hook, told, folder, watchdog)


def _check_place(path: Path) -> None:
    """Where no store is yet: whether one could be made there, and the key be used."""
    from engram.errors import StorePathInvalid
    from engram.settings import credentials
    from engram.storage.place import DATABASE

    credentials()
    if path.exists() and not path.is_dir():
        raise StorePathInvalid(hint=f"{path} is not a folder.")
    if (path / DATABASE).exists() and not (path / DATABASE).is_file():
        raise StorePathInvalid(hint=f"{path / DATABASE} is not a file.")


def _listens(hook: Hook, told: Heard) -> bool:
    """Whether there is something to take in."""
    if keeps_transcripts(hook.harness):
        return hook.event in ("stop", "session-end") and bool(told.transcript)
    return hook.event in ("prompt", "stop") and bool(told.prompt or told.response)


def _folder(told: Heard) -> Path:
    folder = Path(told.folder) if told.folder else Path.cwd()
    return folder if folder.is_absolute() else Path.cwd()


def _store_path(hook: Hook) -> Path:
    from engram.settings import default_store

    return Path(hook.store).expanduser() if hook.store else default_store()


@contextmanager
def _opened(hook: Hook, folder: Path, watchdog: Watchdog) -> "Iterator[Engram]":
    from engram.memory.scopes import Principal
    from engram.surfaces.harness.project import scope_here
    from engram.wiring import open_engram

    path = _store_path(hook)
    scope = scope_here(hook.scope or _scope_of_environment(), folder)
    patience = max(watchdog.left_seconds - _MARGIN_SECONDS, 0.1)
    settings = {
        # No model is loaded and nothing is embedded or backed up here: others have the time.
        "embedder": {"kind": "none"},
        "recall": {"warm": False, "in_memory": not _is_large(path), "timeout_seconds": patience},
        "storage": {"busy_timeout_seconds": patience, "backup_every_hours": 0.0},
    }
    with open_engram(path, principal=Principal.of(scope), settings=settings) as engram:
        yield engram


def _scope_of_environment() -> str | None:
    from engram.settings import named_scope

    return named_scope()


def _is_large(folder: Path) -> bool:
    from engram.storage.place import DATABASE, is_store

    return is_store(folder) and (folder / DATABASE).stat().st_size > _LARGE_BYTES


def _context(engram: "Engram", hook: Hook, told: Heard, folder: Path) -> str:
    """The block that goes before the model; empty when nothing is worth it."""
    from engram.memory.attribution import newer_first, replacement_marks
    from engram.surfaces.harness import shown_record
    from engram.surfaces.harness.fence import fenced
    from engram.surfaces.harness.matter import what_matters
    from engram.surfaces.harness.places import places_here
    from engram.surfaces.harness.project import project_here

    scope = engram.principal.scope
    places, store, session = places_here(), _store_path(hook), told.session[:_MOST_SESSION]
    begins = hook.event == "session-start"
    if begins:
        about = f"what matters now in {project_here(folder) or 'general'}"
        memories = what_matters(engram, None, now=datetime.now(UTC))
    else:
        about = "this prompt"
        shown = shown_record.load(places, store, session)
        memories = [each for each in _relevant(engram, told) if each.number not in shown]
    place = "" if scope is None or scope.project is None else f"project={scope.project}"
    changes = engram.replacements(memories)
    by_number = {memory.number: memory for memory in memories}
    ordered = [by_number[number] for number in newer_first(by_number, changes)]
    made = fenced(
        ordered, about=about, most=hook.most, scope=place, marks=replacement_marks(changes)
    )
    numbers = [each.number for each in ordered if f"\n- {each.label} (" in made]
    if not hook.is_checking and (numbers or begins):
        shown_record.note(places, store, session, numbers, begins=begins)
    return made


def _relevant(engram: "Engram", told: Heard) -> "list[Memory]":
    """What is known about a prompt and may enter it unasked; nothing rather than guesses."""
    if not told.prompt.strip():
        return []
    result = engram.recall(told.prompt[:_MOST_PROMPT], automatic=True, limit=_LOOKED_AT)
    hits = [hit for hit in result.hits if not _is_echo(hit.memory, told.session)][:_HITS]
    if result.assessment == "unknown" or not hits:
        return []
    if result.level == "reduced":
        return [hit.memory for hit in hits[:_BEST_OF_REDUCED]]
    if result.confidence < _LEAST_CONFIDENCE:
        return []
    least = max(_LEAST_PROBABILITY, _SHARE_OF_BEST * hits[0].probability)
    return [hit.memory for hit in hits if hit.probability >= least]


def _is_echo(memory: "Memory", session: str) -> bool:
    """Whether a memory only gives back what was asked, or what this very session has said."""
    from engram.language.asking import states_something
    from engram.memory.categories import TURN

    if memory.category != TURN:
        return False
    is_own = bool(session and memory.session == session[:_MOST_SESSION])
    return is_own or not states_something(memory.content)


def _refresh_blocks(engram: "Engram", folder: Path) -> None:
    from engram.surfaces.harness.blocks import refresh
    from engram.surfaces.harness.places import places_here

    refresh(engram, folder, places_here())


def _listen(engram: "Engram", hook: Hook, told: Heard, folder: Path, watchdog: Watchdog) -> None:
    """Take in what was said since the last time; stops at a seam when time is nearly up.

    What a model is to read is kept and waits for a process that has the time to ask it.
    """
    has_model = engram.settings.model.kind != "none"

    def go_on(done: int, total: int) -> None:
        if watchdog.left_seconds < _MARGIN_SECONDS or (has_model and done >= total):
            raise Cancelled

    if not keeps_transcripts(hook.harness):
        _observe(engram, hook, told, folder)
        if hook.event == "stop" and not has_model:
            with suppress(Cancelled):
                engram.flush(progress=go_on)
    elif Path(told.transcript).is_file():
        with suppress(Cancelled):
            engram.harvest(hook.harness, folder=told.transcript, progress=go_on)


def _observe(engram: "Engram", hook: Hook, told: Heard, folder: Path) -> None:
    from engram.surfaces.harness.project import project_here

    project = project_here(folder) or "none"
    for role, text in (("user", told.prompt), ("assistant", told.response)):
        if text:
            engram.observe(
                text,
                role=role,
                session=told.session[:_MOST_SESSION] or None,
                source=f"harness:{hook.harness}:{project}",
                metadata={"project": project},
                idempotency_key=_key(hook.harness, told, role, text),
            )


def _key(harness: str, told: Heard, role: str, text: str) -> str:
    """The same turn told twice, by two hooks or again, counts once."""
    import hashlib

    parts = [harness, told.session, told.turn, role, text]
    return "hook-" + hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:40]


def _note(hook: Hook, event: str, code: str) -> None:
    """One line in the log of the store, if there is one: no words of anybody."""
    from engram.security.logs import EventLog

    try:
        logs = _store_path(hook) / "logs"
        if logs.is_dir():
            known = hook.event if hook.event in EVENTS else "unknown"
            EventLog(logs, days=1).write(event, datetime.now(UTC), hook=known, code=code)
    except (OSError, ValueError, EngramError):
        return  # a log that cannot be written is no reason to fail a harness
