"""Puts a prompt together: the budget first, then each section within its room.

No store, no clock: values in, a prompt out that takes no token more than it may, as the counter
counts the whole of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engram.context.budget import (
    HISTORY,
    IDENTITY,
    INSTRUCTIONS,
    MOST_INSTRUCTIONS,
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
from engram.context.pack import Packed, needed, pack
from engram.context.piece import TAG, Piece, wording
from engram.context.place import Placed, place
from engram.context.prompt import (
    BETWEEN,
    Prompt,
    joined_words,
    said_so_far,
    spoken,
    with_rules,
)
from engram.context.standing import Standing
from engram.context.window import Context, Offered, PutIn, Section
from engram.errors import BudgetTooSmall, InvalidInput
from engram.memory.fencing import BRIEF_RULES, KEEP_TO_RULES, RULES, block, harmless
from engram.memory.tokens.counter import TokenCounter
from engram.providers.embedder import well_formed

PIECES = (RECALLED, SCHEMAS, SKILLS)
_ABOUT = {
    IDENTITY: "the person",
    INSTRUCTIONS: "standing instructions",
    WORKING: "in mind now",
    HISTORY: "earlier in this conversation",
    RECALLED: "recalled",
    SCHEMAS: "patterns",
    SKILLS: "skills that fit",
    NOTES: "what is not known",
}
_FRESH = 0.1  # of what stays: what may come up beside it, so that prompts begin alike
_LEAST_FRESH = 160  # tokens for that in any case
_SCARCE = 400  # tokens beside what has to be there, below which the short rules are enough
_USED_UP = 0.95  # of a budget: until then nothing is left out that was found
_REFILLS = 12  # times that what is left over is offered to memories that were left out
_SHORT, _REMEMBERED = 1_000, 4_096  # characters; texts whose count is not taken again
_FEWEST_LETTERS = 8  # of a quote that is looked for in what was said
_TRIES = 3  # to shorten a section by what is too much, before it goes


@dataclass(frozen=True, slots=True)
class _Filled:
    """What stands in each section."""

    history: History
    placed: Placed
    lines: dict[str, tuple[str, ...]]  # of identity, instructions, working memory and notes


@dataclass(frozen=True, slots=True)
class _Draft:
    """A prompt that fits, and what stands in it."""

    prompt: Prompt
    filled: _Filled
    tokens: int


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
        self.instructions: tuple[Packed, ...] = ()
        self.contained: dict[tuple[str, frozenset[str]], bool] = {}

    def made(self) -> Context:
        bare = Prompt(self.system, "", (), "", self.answered)
        least = self._tokens_of(bare)
        if least > self.budget.tokens:
            raise BudgetTooSmall(
                hint=f"They take {least:,} tokens and there are {self.budget.tokens:,}. "
                + BudgetTooSmall.default_hint,
                least=least,
            )
        self.instructions = self._standing_instructions()
        ruled = replace(bare, system=with_rules(self.system, self._rules(least)))
        fixed = self._tokens_of(ruled)
        if fixed >= self.budget.tokens:
            self.instructions = ()
            return self._context(_Draft(bare, self._filled(), least))
        needs = self._needs()
        tags = sum(self.count(_block(name, ["-"])) for name in SECTIONS if needs[name])
        tags += self.count(said_so_far(["-"])) if needs[HISTORY] else 0
        first = needs[INSTRUCTIONS]
        available = max(0, self.budget.tokens - fixed - tags - first)
        granted = rooms(available, self.budget.shares, needs)
        self.granted = {**granted, INSTRUCTIONS: first}
        return self._context(self._filled_up(ruled, self._trimmed(bare, ruled), granted))

    def _standing_instructions(self) -> tuple[Packed, ...]:
        """As many as a part of the budget holds, in their order."""
        room = int(self.budget.tokens * MOST_INSTRUCTIONS)
        room -= self.count(_block(INSTRUCTIONS, ["-"]))
        found: list[Packed] = []
        for piece in self.offered.instructions:
            fitting = pack([piece], room, self.count)
            if fitting and fitting[0].tier != TAG:
                found += fitting
                room -= fitting[0].tokens
        return tuple(found)

    def _rules(self, least: int) -> str:
        """How to take what is fenced; in few words where more would take a memory's place."""
        rules = RULES if self.budget.tokens - least > _SCARCE else BRIEF_RULES
        return rules + KEEP_TO_RULES if self.instructions else rules

    def _filled_up(self, ruled: Prompt, draft: _Draft, shared: Mapping[str, int]) -> _Draft:
        """Give what is left over: what trimming took too much of gets its share back, and then
        memories that were found and left out get the rest, as long as it fits."""
        for name in (WORKING, IDENTITY):
            if self.granted[name] < shared[name]:
                draft = self._with_more(ruled, draft, name, most=shared[name])
        return self._with_more(ruled, draft, RECALLED, most=self.budget.tokens)

    def _with_more(self, ruled: Prompt, draft: _Draft, name: str, *, most: int) -> _Draft:
        """The prompt with as much more of one section as there is room for."""
        spare = self.budget.tokens - draft.tokens
        for _ in range(_REFILLS):
            is_used_up = draft.tokens >= _USED_UP * self.budget.tokens
            if is_used_up or spare <= 0 or (name == RECALLED and not self._left_out(draft.filled)):
                break
            before, used = self.granted, self._used(draft.filled)[name]
            self.granted = {**before, name: min(most, used + spare)}
            filled = self._filled()
            prompt = self._laid_out(ruled, filled)
            tokens = self._tokens_of(prompt)
            if draft.tokens < tokens <= self.budget.tokens:
                draft, spare = _Draft(prompt, filled, tokens), self.budget.tokens - tokens
            else:
                self.granted, spare = before, spare * 3 // 4
        return draft

    def _trimmed(self, bare: Prompt, ruled: Prompt) -> _Draft:
        """Fill, count the whole, and shorten what gives first until it fits."""
        tries = dict.fromkeys(SECTIONS, 0)
        while True:
            filled = self._filled()
            prompt = self._laid_out(ruled, filled)
            tokens = self._tokens_of(prompt)
            if tokens <= self.budget.tokens:
                return _Draft(prompt, filled, tokens)
            used = self._used(filled)
            order = (*TRIM, INSTRUCTIONS)
            giving = next((name for name in order if used[name] and tries[name] <= _TRIES), None)
            if giving is None:
                self.granted = dict.fromkeys(SECTIONS, 0)
                return _Draft(bare, self._filled(), self._tokens_of(bare))
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
            INSTRUCTIONS: sum(each.tokens for each in self.instructions),
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
            granted, self._still_standing(), self.offered.overview,
            count=self.count, most_fresh=self._most_fresh(history),
        )  # fmt: skip
        lines = {
            name: self._fitting(lines, granted[name])
            for name, lines in (
                (IDENTITY, self._lines(IDENTITY)),
                (INSTRUCTIONS, tuple(each.line for each in self.instructions)),
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
        there += [each.piece for each in self.instructions]
        words = said | {wording(each.text) for each in there}
        return tuple(
            each.full_line()
            for each in self.offered.working
            if wording(each.text) not in words
            and not self._is_said(each, said)
            and not any(each.tells_same_as(other) for other in there)
        )

    def _most_fresh(self, history: History) -> int:
        """How much may come up beside what stands before it joins it: a part of what stays."""
        staying = sum(map(self._cost, history.verbatim)) + self._tokens(history.told)
        standing = self.offered.standing
        staying += sum(each.tokens for _, each in standing.packed) if standing else 0
        return max(_LEAST_FRESH, round(_FRESH * (staying + self.count(self.system))))

    def _still_standing(self) -> Standing | None:
        """What stands already, less what is a standing instruction by now."""
        standing = self.offered.standing
        if standing is None or not self.instructions:
            return standing
        return Standing(
            tuple(each for each in standing.packed if not self._is_instruction(each[1].piece))
        )

    def _is_instruction(self, piece: Piece) -> bool:
        return any(piece.tells_same_as(each.piece) for each in self.instructions)

    def _is_said(self, piece: Piece, said: frozenset[str]) -> bool:
        """Whether a quote stands in the prompt within the words that it was taken from."""
        if piece.memory is None or not piece.memory.is_drawn:
            return False
        key = (piece.key, said)
        if key not in self.contained:
            words = wording(piece.text)
            self.contained[key] = any(_holds(text, words) for text in said)
        return self.contained[key]

    def _laid_out(self, ruled: Prompt, filled: _Filled) -> Prompt:
        """What changes least comes first; what is for this message, right before it."""
        placed, lines = filled.placed, filled.lines
        front = (
            _block(IDENTITY, lines[IDENTITY]),
            _block(INSTRUCTIONS, lines[INSTRUCTIONS]),
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

    def _context(self, draft: _Draft) -> Context:
        offered, prompt, filled = self.offered, draft.prompt, draft.filled
        placed, tokens = filled.placed, draft.tokens
        followed = set(filled.lines[INSTRUCTIONS])
        packed = [each for each in self.instructions if each.line in followed]
        packed += [each for name in PIECES for each in placed.all(name)]
        put_in = [
            PutIn(each.piece.memory, each.tier, each.piece.score)
            for each in packed
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
        words = {wording(each.text) for each in there}
        wanted = self._pieces(RECALLED, self._said(filled.history.verbatim))
        return sum(
            wording(each.text) not in words and not any(map(each.tells_same_as, there))
            for each in wanted
        )

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
            return tuple(
                each
                for each in self.offered.recalled
                if wording(each.text) not in said
                and not self._is_said(each, said)
                and not self._is_instruction(each)
            )
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


def _holds(text: str, words: str) -> bool:
    """Whether a text holds these words, and not only the beginning of longer ones."""
    place = text.find(words)
    if place < 0 or len(words) < _FEWEST_LETTERS:
        return False
    around = text[place - 1 : place] + text[place + len(words) : place + len(words) + 1]
    return not any(each.isalnum() for each in around)


def _line(text: str) -> str:
    return f"- {harmless(text)}"


def _block(name: str, lines: Sequence[str]) -> str:
    return block(lines, about=_ABOUT[name])
