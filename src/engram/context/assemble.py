"""Puts a prompt together: the budget first, then each section within its room.

No store, no clock: values in, a prompt out that takes no token more than it may, as the counter
counts the whole of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engram.context.budget import (
    HISTORY,
    IDENTITY,
    NOTES,
    RECALLED,
    SCHEMAS,
    SECTIONS,
    SKILLS,
    TRIM,
    WORKING,
    Budget,
    rooms,
)
from engram.context.cost import prompt_tokens, said_tokens
from engram.context.exchanges import Exchange, exchanges_of
from engram.context.history import History, Tiers, fitted, is_short, told_history
from engram.context.message import SYSTEM, ChatMessage
from engram.context.pack import needed
from engram.context.piece import Piece, wording
from engram.context.place import Placed, place
from engram.context.prompt import (
    BETWEEN,
    Prompt,
    joined_words,
    said_so_far,
    spoken,
    with_rules,
)
from engram.context.window import Context, Offered, PutIn, Section
from engram.errors import BudgetTooSmall, InvalidInput
from engram.memory.fencing import block, harmless
from engram.memory.tokens.counter import TokenCounter
from engram.providers.embedder import well_formed

PIECES = (RECALLED, SCHEMAS, SKILLS)
_ABOUT = {
    IDENTITY: "the person",
    WORKING: "in mind now",
    HISTORY: "earlier in this conversation",
    RECALLED: "recalled",
    SCHEMAS: "patterns",
    SKILLS: "skills that fit",
    NOTES: "what is not known",
}
_FRESH = 0.1  # of what stays: what may come up beside it, so that prompts begin alike
_LEAST_FRESH = 160  # tokens for that in any case
_SHORT, _REMEMBERED = 1_000, 4_096  # characters; texts whose count is not taken again
_TRIES = 3  # to shorten a section by what is too much, before it goes


@dataclass(frozen=True, slots=True)
class _Filled:
    """What stands in each section."""

    history: History
    placed: Placed
    lines: dict[str, tuple[str, ...]]  # of identity, working memory and notes


def assemble(offered: Offered, budget: Budget, counter: TokenCounter, tiers: Tiers) -> Context:
    """The best prompt for what is offered; never a token more than the budget."""
    return _Assembly(offered, budget, counter, tiers).made()


class _Assembly:
    """One prompt in the making."""

    def __init__(
        self, offered: Offered, budget: Budget, counter: TokenCounter, tiers: Tiers
    ) -> None:
        self.offered, self.budget, self.counter, self.tiers = offered, budget, counter, tiers
        self.count = remembered(counter)
        self.costs: dict[int, int] = {}  # of exchanges, each weighed once
        self.system, self.past, self.answered = parted(offered.messages, offered.system)
        self.told = told_history(self.past, tiers)
        self.is_short = is_short(self.past, tiers.whole_tokens, self._cost)
        self.granted: dict[str, int] = dict.fromkeys(SECTIONS, 0)

    def made(self) -> Context:
        bare = Prompt(self.system, "", (), "", self.answered)
        least = self._tokens_of(bare)
        if least > self.budget.tokens:
            raise BudgetTooSmall(
                hint=f"They take {least:,} tokens and there are {self.budget.tokens:,}. "
                + BudgetTooSmall.default_hint,
                least=least,
            )
        ruled = replace(bare, system=with_rules(self.system))
        fixed = self._tokens_of(ruled)
        if fixed >= self.budget.tokens:
            return self._context(bare, self._filled(), least)
        needs = self._needs()
        tags = sum(self.count(_block(name, ["-"])) for name in SECTIONS if needs[name])
        tags += self.count(said_so_far(["-"])) if needs[HISTORY] else 0
        available = max(0, self.budget.tokens - fixed - tags)
        self.granted = rooms(available, self.budget.shares, needs)
        return self._trimmed(bare, ruled)

    def _trimmed(self, bare: Prompt, ruled: Prompt) -> Context:
        """Fill, count the whole, and shorten what gives first until it fits."""
        tries = dict.fromkeys(SECTIONS, 0)
        while True:
            filled = self._filled()
            prompt = self._laid_out(ruled, filled)
            tokens = self._tokens_of(prompt)
            if tokens <= self.budget.tokens:
                return self._context(prompt, filled, tokens)
            used = self._used(filled)
            giving = next((name for name in TRIM if used[name] and tries[name] <= _TRIES), None)
            if giving is None:
                self.granted = dict.fromkeys(SECTIONS, 0)
                return self._context(bare, self._filled(), self._tokens_of(bare))
            tries[giving] += 1
            less = used[giving] - (tokens - self.budget.tokens)
            self.granted[giving] = max(0, less) if tries[giving] < _TRIES else 0

    def _tokens_of(self, prompt: Prompt) -> int:
        """What a prompt takes with its tools; no vocabulary finds more tokens than bytes."""
        tools = self.budget.tools
        enough = max(0, self.budget.tokens - tools) if self.counter.is_exact else 0
        return prompt_tokens(prompt, self.count, enough=enough) + tools

    def _needs(self) -> dict[str, int]:
        """What each section would take with all that is offered."""
        told, standing = self.told, self.offered.standing
        lines = () if self.is_short else (told.summary, *told.compressed)
        verbatim = self.past if self.is_short else told.verbatim
        said = self._said(verbatim)
        needs = {
            HISTORY: self._tokens(lines) + sum(map(self._cost, verbatim)),
            IDENTITY: self._tokens(self._lines(IDENTITY)),
            WORKING: needed(self.offered.working, self.count),
            NOTES: self._tokens(self._lines(NOTES)),
        }
        for name in PIECES:
            kept = standing.of(name) if standing else ()
            known = {each.piece.key for each in kept}
            fresh = [each for each in self._pieces(name, said) if each.key not in known]
            needs[name] = sum(each.tokens for each in kept) + needed(fresh, self.count)
        if not needs[RECALLED]:
            needs[RECALLED] = max(map(self.count, self.offered.overview), default=0)
        return needs

    def _filled(self) -> _Filled:
        granted = self.granted
        history = self._history(granted[HISTORY])
        said = self._said(history.verbatim)
        placed = place(
            {name: self._pieces(name, said) for name in PIECES},
            granted, self.offered.standing, self.offered.overview,
            count=self.count, most_fresh=self._most_fresh(history),
        )  # fmt: skip
        lines = {
            name: self._fitting(lines, granted[name])
            for name, lines in (
                (IDENTITY, self._lines(IDENTITY)),
                (WORKING, self._in_mind(placed, said)),
                (NOTES, self._lines(NOTES)),
            )
        }
        return _Filled(history, placed, lines)

    def _history(self, room: int) -> History:
        if self.is_short and sum(map(self._cost, self.past)) <= room:
            return History(verbatim=self.past)
        return fitted(self.told, room, least=self.tiers.verbatim, count=self.count, cost=self._cost)

    def _said(self, verbatim: Sequence[Exchange]) -> frozenset[str]:
        """The wordings that stand in the prompt as they were said."""
        spoken = (*_messages(verbatim), *self.answered)
        return frozenset(wording(message.text) for message in spoken)

    def _in_mind(self, placed: Placed, said: frozenset[str]) -> tuple[str, ...]:
        """What is in mind and does not stand in the prompt anyway."""
        there = [each.piece for name in PIECES for each in placed.all(name)]
        keys = {each.key for each in there}
        words = said | {wording(each.text) for each in there}
        return tuple(
            each.full_line()
            for each in self.offered.working
            if each.key not in keys and wording(each.text) not in words
        )

    def _most_fresh(self, history: History) -> int:
        """How much may come up beside what stands: a part of all that stays."""
        staying = sum(map(self._cost, history.verbatim)) + self._tokens(history.told)
        standing = self.offered.standing
        staying += sum(each.tokens for _, each in standing.packed) if standing else 0
        return max(_LEAST_FRESH, round(_FRESH * (staying + self.count(self.system))))

    def _laid_out(self, ruled: Prompt, filled: _Filled) -> Prompt:
        """What changes least comes first; what is for this message, right before it."""
        placed, lines = filled.placed, filled.lines
        front = (
            _block(IDENTITY, lines[IDENTITY]),
            *(_block(name, placed.front_lines(name)) for name in PIECES),
            _block(HISTORY, filled.history.told),
        )
        tail = (
            _block(WORKING, lines[WORKING]),
            *(_block(name, placed.tail_lines(name)) for name in PIECES),
            _block(NOTES, lines[NOTES]),
        )
        is_fenced = any((*front, *tail))
        return replace(
            ruled,
            system=ruled.system if is_fenced else self.system,
            front="\n".join(filter(None, front)),
            earlier=_messages(filled.history.verbatim),
            tail="\n".join(filter(None, tail)),
        )

    def _context(self, prompt: Prompt, filled: _Filled, tokens: int) -> Context:
        offered, placed = self.offered, filled.placed
        put_in = [
            PutIn(each.piece.memory, each.tier, each.piece.score)
            for name in PIECES
            for each in placed.all(name)
            if each.piece.memory is not None
        ]
        shown = set(filled.lines[NOTES])
        return Context(
            prompt=prompt,
            tokens=tokens,
            budget=self.budget.tokens,
            counted_by=self.counter.name,
            counter=self.counter,
            sections=self._sections(prompt, filled),
            memories=tuple(put_in),
            left_out=self._left_out(filled),
            notes=tuple(each for each in offered.notes if _line(each) in shown),
            questions=tuple(each for each in offered.questions if _line(each) in shown),
            topic=offered.topic,
            mode=offered.mode,
            degraded=offered.degraded,
            standing=None if offered.standing is None else placed.standing,
        )

    def _sections(self, prompt: Prompt, filled: _Filled) -> tuple[Section, ...]:
        answered = "\n".join(map(joined_words, self.answered))
        found = [Section("system", prompt.system, self.count(prompt.system), self.budget.tokens)]
        if self.budget.tools:
            found.append(Section("tools", "", self.budget.tools, self.budget.tokens))
        used = self._used(filled)
        for name in SECTIONS:
            text = "\n".join(self._text(name, filled))
            if text:
                found.append(Section(name, text, used[name], self.granted[name]))
        tokens = said_tokens(self.answered, self.count)
        return (*found, Section("message", answered, tokens, self.budget.tokens))

    def _text(self, name: str, filled: _Filled) -> tuple[str, ...]:
        if name == HISTORY:
            verbatim = map(joined_words, _messages(filled.history.verbatim))
            return (*filled.history.told, *filter(None, verbatim))
        if name in PIECES:
            return tuple(filled.placed.all_lines(name))
        return filled.lines[name]

    def _used(self, filled: _Filled) -> dict[str, int]:
        used = {
            name: self._tokens(self._text(name, filled)) for name in SECTIONS if name != HISTORY
        }
        verbatim = sum(map(self._cost, filled.history.verbatim))
        return {**used, HISTORY: verbatim + self._tokens(filled.history.told)}

    def _left_out(self, filled: _Filled) -> int:
        there = [each.piece for each in filled.placed.all(RECALLED)]
        keys, words = {each.key for each in there}, {wording(each.text) for each in there}
        wanted = self._pieces(RECALLED, self._said(filled.history.verbatim))
        return sum(each.key not in keys and wording(each.text) not in words for each in wanted)

    def _lines(self, name: str) -> tuple[str, ...]:
        offered = self.offered
        texts = {
            IDENTITY: offered.identity,
            NOTES: (*offered.notes, *offered.questions),
        }[name]
        return tuple(_line(text) for text in texts if text.strip())

    def _pieces(self, name: str, said: frozenset[str]) -> tuple[Piece, ...]:
        """What is offered; of memories, what does not stand in the conversation itself."""
        if name == RECALLED:
            return tuple(e for e in self.offered.recalled if wording(e.text) not in said)
        return self.offered.schemas if name == SCHEMAS else self.offered.skills

    def _fitting(self, lines: Sequence[str], room: int) -> tuple[str, ...]:
        """As many lines as there is room for; one that is too long leaves room for the next."""
        kept: list[str] = []
        left = room
        for line in lines:
            takes = self.count(f"{line}\n")
            if takes <= left:
                kept.append(line)
                left -= takes
        return tuple(kept)

    def _tokens(self, lines: Sequence[str]) -> int:
        return sum(self.count(f"{line}\n") for line in lines if line)

    def _cost(self, exchange: Exchange) -> int:
        """What an exchange takes as messages or within one text: the prompt has to fit as both."""
        known = self.costs.get(id(exchange))
        if known is None:
            lines = "\n".join(map(spoken, exchange.messages))
            known = max(said_tokens(exchange.messages, self.count), self.count(f"{lines}\n"))
            self.costs[id(exchange)] = known
        return known


def parted(
    messages: Sequence[ChatMessage], system: str
) -> tuple[str, tuple[Exchange, ...], tuple[ChatMessage, ...]]:
    """The system's words, the exchanges that are over, and the messages to be answered."""
    spoken = [each for each in messages if each.role != SYSTEM]
    exchanges = exchanges_of(spoken)
    if not any(each.asked for each in exchanges):
        raise InvalidInput(hint="`messages` holds nothing that a person said.")
    last = max(place for place, each in enumerate(exchanges) if each.asked)
    answered = tuple(message for each in exchanges[last:] for message in each.messages)
    texts = (well_formed(system), *(each.text for each in messages if each.role == SYSTEM))
    words = BETWEEN.join(dict.fromkeys(text.strip() for text in texts if text.strip()))
    return words, exchanges[:last], answered


def remembered(counter: TokenCounter) -> Callable[[str], int]:
    """Count each text once: a long one while this prompt is made, a short one for the next too."""
    known: dict[str, int] = {"": 0}

    def counted(text: str) -> int:
        if len(text) <= _SHORT:
            # mypy does not know that counters are values, or one object each
            return _count_of(counter, text) if text else 0  # type: ignore[arg-type]
        found = known.get(text)
        if found is None:
            found = known[text] = counter.count(text)
        return found

    return counted


@lru_cache(maxsize=_REMEMBERED)
def _count_of(counter: TokenCounter, text: str) -> int:
    return counter.count(text)


def _messages(exchanges: Sequence[Exchange]) -> tuple[ChatMessage, ...]:
    return tuple(message for each in exchanges for message in each.messages)


def _line(text: str) -> str:
    return f"- {harmless(text)}"


def _block(name: str, lines: Sequence[str]) -> str:
    return block(lines, about=_ABOUT[name])
