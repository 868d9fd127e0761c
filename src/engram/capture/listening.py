"""Listens to conversations: keeps turns, has them read in time, and hands over what was learnt."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from engram.capture.draft import DraftRules
from engram.capture.echoes import Echoes
from engram.capture.extract import ExtractRules, read_session
from engram.capture.handed_facts import HandedFact, read_handed_facts
from engram.capture.learn import from_fact, learn
from engram.capture.observe import TurnDraft, keep_turn, read_turn_draft, read_turn_item
from engram.capture.occurrences import known_beginning
from engram.capture.reading_worker import OneReader
from engram.capture.results import is_trivial, result_arguments
from engram.errors import InvalidInput
from engram.memory.boxes import topics_of
from engram.memory.outcomes import Extracted, Observed, Outcome
from engram.memory.record import Memory
from engram.memory.scopes import Principal, Scope
from engram.providers.language_model import LanguageModel
from engram.providers.model_options import ModelOptions
from engram.providers.text_reader import TextReader
from engram.storage.names import make_names
from engram.storage.store import Store
from engram.storage.turns import UnreadSession, count_capture
from engram.storage.unit import UnitOfWork

Progress = Callable[[int, int], None]
_FAR_AHEAD = datetime(9000, 1, 1, tzinfo=UTC)  # by then everything is due
_AFTER_TROUBLE_SECONDS = 60.0
_READ_SECONDS = 30.0
_MOST_COMPARED = 5_000  # turns of a session that is handed in anew


@dataclass(frozen=True, slots=True)
class Ears:
    """What listening works with."""

    store: Store
    principal: Principal
    clock: Callable[[], datetime]
    rules: Callable[[datetime], DraftRules]
    echoes: Echoes
    reader: TextReader
    model: Callable[[Scope], LanguageModel] | None  # None: the reader alone reads turns
    model_options: Callable[[], ModelOptions]
    one_reader: OneReader


class Listener:
    """Takes turns in for one caller; safe to use from any number of threads."""

    def __init__(self, ears: Ears) -> None:
        self._ears = ears
        self._store = ears.store

    def observe(
        self,
        text: object,
        arguments: Mapping[str, object],
        facts: Sequence[Mapping[str, object]] | None,
    ) -> Observed:
        """Keep one turn; it is read with the next turns of its session, in the background."""
        now = self._ears.clock()
        rules = self._ears.rules(now)
        turn = read_turn_draft(text, arguments, rules)
        echo = self._ears.echoes.find(turn.draft.text, now) if facts is None else None
        if echo is not None and echo.scope == turn.draft.scope:
            return Observed(echo, "echo", "recalled a moment ago", "none")
        handed = None if facts is None else read_handed_facts(facts, rules.registry)
        return self._keep([turn], rules, handed)[0]

    def observe_many(
        self, turns: object, *, rows_per_commit: int, progress: Progress | None
    ) -> list[Observed]:
        """Keep many turns in few transactions; all are checked before the first is kept."""
        rules = self._ears.rules(self._ears.clock())
        if isinstance(turns, str | bytes | Mapping) or not isinstance(turns, Iterable):
            raise InvalidInput(hint="`turns` is a list of strings or of dictionaries with `text`.")
        drafts = [read_turn_item(item, index, rules) for index, item in enumerate(turns)]
        drafts = self._known_again(drafts, rules)
        observed: list[Observed] = []
        for start in range(0, len(drafts), rows_per_commit):
            observed += self._keep(drafts[start : start + rows_per_commit], rules)
            if progress is not None:
                progress(len(observed), len(drafts))
        return observed

    def observe_result(
        self, kind: object, text: object, name: str | None, outcome: object,
        arguments: Mapping[str, object],
    ) -> Observed | None:  # fmt: skip
        """Keep what a task came to, and let it wait to be read; None when it tells nothing."""
        rules = self._ears.rules(self._ears.clock())
        given = result_arguments(kind, name, outcome, arguments)
        turn = read_turn_draft(text, given, rules)
        if is_trivial(turn.draft.text):
            return None
        return self._keep([turn], rules)[0]

    def flush(self, progress: Progress | None = None) -> Extracted:
        """Read everything that waits; stops when a model is away and the turns wait for it."""
        make_names(self._store)
        found: list[Extracted] = []
        done, total = 0, sum(each.turns for each in self._waiting(_FAR_AHEAD))
        while sessions := self._waiting(_FAR_AHEAD):
            begun = len(found)
            for read in (each for session in sessions for each in self._read_whole(session)):
                found.append(read)
                done += read.turns
                if progress is not None:
                    progress(done, max(total, done))
            latest = found[begun:]
            if any(each.problem for each in latest) and not any(each.turns for each in latest):
                break  # what another process has just read is no reason to stop
        return Extracted.joined(found)

    def read_due(self) -> float | None:
        """Read the sessions whose time has come; says in how many seconds the next one's comes."""
        while True:
            now = self._ears.clock()
            options = self._ears.rules(now).options
            patience = timedelta(minutes=options.read_after_minutes)
            waiting = self._waiting(now)
            due = [
                each for each in waiting
                if each.is_urgent or each.turns >= options.read_after_turns
                or now - each.waiting_since >= patience
            ]  # fmt: skip
            read = [self._read_in_turn(each, now) for each in due]
            if any(each.turns for each in read):
                continue
            if not waiting:
                return None
            oldest = min(each.waiting_since for each in waiting)
            rest = (oldest + patience - now).total_seconds()
            return max(rest, _AFTER_TROUBLE_SECONDS if due else 0.0)

    def _keep(
        self,
        turns: Sequence[TurnDraft],
        rules: DraftRules,
        handed: list[HandedFact] | None = None,
    ) -> list[Observed]:
        principal = rules.principal
        kept: list[Observed] = []
        for scope, group in groupby(turns, key=lambda turn: turn.draft.scope):
            reach = principal.writing_reach(scope)
            with self._store.write(reach, actor=principal.actor, now=rules.now) as unit:
                for turn in group:
                    observed = keep_turn(turn, unit, rules, is_queued=handed is None)
                    if handed and observed.kind in ("kept", "known"):
                        learnt = _learn_handed(handed, observed, unit, rules)
                        observed = dataclasses.replace(observed, learnt=learnt)
                    kept.append(observed)
        return kept

    def _known_again(self, turns: list[TurnDraft], rules: DraftRules) -> list[TurnDraft]:
        """The turns, with those marked that a conversation handed in anew begins with."""
        sessions: dict[tuple[str, str], list[int]] = {}
        for place, turn in enumerate(turns):
            if turn.draft.session is not None and rules.principal.can_see(turn.draft.scope):
                key = turn.draft.scope.path, turn.draft.session
                sessions.setdefault(key, []).append(place)
        marked = list(turns)
        for (_, session), places in sessions.items():
            drafts = [turns[place].draft for place in places]
            kept = self._kept_of(session, drafts[0].scope, rules)
            known = known_beginning(drafts, kept, rules.options.max_content_bytes)
            for place in places[:known]:
                draft = dataclasses.replace(turns[place].draft, is_again=True)
                marked[place] = dataclasses.replace(turns[place], draft=draft)
        return marked

    def _kept_of(self, session: str, scope: Scope, rules: DraftRules) -> list[Memory]:
        reach = rules.principal.reach(scope)
        with self._store.read(reach, timeout_seconds=_READ_SECONDS) as see:
            return see.turns.handed_in_by(
                rules.principal.actor, session, scope, limit=_MOST_COMPARED
            )

    def _read_whole(self, session: UnreadSession) -> Iterator[Extracted]:
        """Read all that waited in a session, without asking after each step what waits."""
        left = session.turns
        while left > 0:
            read = self._read_in_turn(session, _FAR_AHEAD)
            yield read
            left = left - read.turns if read.turns else 0

    def _read_in_turn(self, session: UnreadSession, due_by: datetime) -> Extracted:
        with self._ears.one_reader:
            return self._read(session, due_by)

    def _read(
        self, session: UnreadSession, due_by: datetime, only: Sequence[int] = ()
    ) -> Extracted:
        now = self._ears.clock()
        rules = ExtractRules(
            self._ears.rules(now),
            self._ears.reader,
            [memory.content for memory in self._ears.echoes.recent(now)],
            self._ears.model,
            self._ears.model_options(),
        )
        return read_session(self._store, session, rules, due_by=due_by, only=only)

    def _waiting(self, due_by: datetime) -> list[UnreadSession]:
        principal = self._ears.principal
        # What the owner kept in any scope waits for the owner too.
        reach = principal.review_reach(None)
        with self._store.read(reach, timeout_seconds=_READ_SECONDS) as see:
            return [
                each for each in see.turns.unread_sessions(due_by)
                if principal.may_change_in(each.scope)
            ]  # fmt: skip


def _learn_handed(
    handed: list[HandedFact], observed: Observed, unit: UnitOfWork, rules: DraftRules
) -> tuple[Outcome, ...]:
    counts: Counter[tuple[str, str]] = Counter()
    turn = observed.memory
    topics = topics_of(turn.content)
    learnt = [learn(from_fact(fact, turn, topics), unit, rules, counts) for fact in handed]
    count_capture(unit.transaction, turn.scope, unit.now, counts)
    return tuple(each for each in learnt if each is not None)
