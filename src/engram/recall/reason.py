"""Answers that no single memory holds: ask, see what is missing and who else was named, ask again.

No model is asked. A chain of memories is followed by the names they share: who asks for the brother
of Ada's manager is told first who the manager is, and that name is then asked for together with the
words of the question that nothing has covered yet. It ends when one chain covers the question, when
nothing new comes, or when as much was asked as was allowed; the result says which.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engram.language.lexicon import query_terms
from engram.language.names.keys import key_of
from engram.memory.record import Memory
from engram.recall.bridges import (
    is_told_of,
    names_in,
    names_told,
    question_words,
    said,
    same_entity,
    those_talking,
    without_clitics,
    words_standing,
)
from engram.recall.budget import tokens, within_budget
from engram.recall.confidence import CONFIDENT, assessment
from engram.recall.reasoned import (
    CALLS_PER_HOP,
    CALLS_USED,
    COVERED,
    DEPTH_REACHED,
    NOTHING_MORE,
    TIME_USED,
    Evidence,
    Limits,
    Linked,
    Look,
    Reasoning,
    Step,
    StepKind,
)
from engram.recall.result import Hit, RecallResult
from engram.text.strings import folded
from engram.text.terms import standing_terms

_WIDTH = 4  # chains that are followed at once
_LOOKED_AT = 5  # of the hits of one question: what stands lower seldom leads anywhere
_NAMES_PER_MEMORY = 3
_STRANGE = 2  # finds without any word that was open: a few are worth a look
_NAMES_IN_PAIRS = 2  # a question that names two asks about both


@dataclass(frozen=True, slots=True)
class _Node:
    """A memory in its chain."""

    hit: Hit
    step: Step
    rank: int
    covers: frozenset[str]
    covered: frozenset[str]  # by it and those before it
    before: "_Node | None" = None
    through: str | None = None
    is_direct: bool = False  # what was asked for is told of whom was asked, not the other way round

    @property
    def chain(self) -> tuple["_Node", ...]:
        return (*self.before.chain, self) if self.before else (self,)

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(each.hit.memory.number for each in self.chain)


@dataclass(frozen=True, slots=True)
class _Move:
    """A question worth asking next."""

    query: str
    name: str | None
    before: _Node | None


def reason(question: str, look: Look, limits: Limits) -> Reasoning:
    """Recall in several steps until one chain covers the question, or no more is to be had."""
    search = _Search(question, look, limits)
    search.begin()
    depth, stopped = 0, ""
    while not (stopped := search.why_to_stop(depth)):
        depth += 1
        if not search.go_on(depth):
            stopped = NOTHING_MORE
            break
    return search.result(stopped)


class _Search:
    """What is known so far: the steps taken, the memories found and how they hang together."""

    def __init__(self, question: str, look: Look, limits: Limits) -> None:
        self._question = question
        self._look = look
        self._limits = limits
        self._words = question_words(question)
        self._named = frozenset(word for word in self._words if word[:1].isupper())
        self._own_names = {word for each in names_in(question) for word in each.split()}
        self._own_names |= {folded(word) for word in self._words}
        self._aliases = look.aliases()
        self._called = {word: same_entity(word, self._aliases) for word in self._named}
        self._steps: list[Step] = []
        self._nodes: list[_Node] = []
        self._latest: list[_Node] = []
        self._asked: set[str] = set()
        self._results: list[RecallResult] = []

    def begin(self) -> None:
        """Ask the question itself."""
        result, step = self._ask(_Move(self._question, None, None), depth=0)
        self._latest = [
            self._node(hit, step, rank, None, None) for rank, hit in enumerate(result.hits)
        ]
        self._nodes = list(self._latest)
        self._own_names |= those_talking([hit.memory for hit in result.hits])

    def why_to_stop(self, depth: int) -> str:
        """Why nothing more is to be asked, or nothing."""
        if not self._words or not self._latest:
            return NOTHING_MORE
        if self._is_covered():
            return COVERED
        if depth >= self._limits.depth:
            return DEPTH_REACHED
        return self._used_up()

    def _used_up(self) -> str:
        if len(self._asked) >= self._limits.calls:
            return CALLS_USED
        return TIME_USED if self._limits.is_time_up() else ""

    def go_on(self, depth: int) -> bool:
        """Follow the best chains by one hop; whether anything came of it."""
        found = self._by_links(depth)
        for move in self._moves()[:CALLS_PER_HOP]:
            if self._used_up():
                break
            found += self._followed(move, depth)
        self._latest = found
        self._nodes += found
        return bool(found)

    def _followed(self, move: _Move, depth: int) -> list[_Node]:
        """What came of a question: what adds a word that was open, else the best that is strange.

        Other words may say the same: what is told of whom was asked for is worth reading even
        where it has none of the question's own.
        """
        result, step = self._ask(move, depth)
        known = self._found_numbers()
        hits = result.hits[:_LOOKED_AT]
        about = [
            node
            for node in (
                self._node(hit, step, rank, move.before, move.name) for rank, hit in enumerate(hits)
            )
            if _is_about(node)
        ]
        adding = [node for node in about if _adds(node)]
        strange = [node for node in about if node.hit.memory.number not in known]
        return adding or strange[:_STRANGE]

    def _found_numbers(self) -> set[int]:
        return {node.hit.memory.number for node in self._nodes}

    def _by_links(self, depth: int) -> list[_Node]:
        """What the best finds are tied to: what adds a word that was open, and some of the rest.

        A memory between two that matter often has no word of the question itself.
        """
        best = {node.hit.memory.number: node for node in reversed(self._best())}
        ties = self._look.linked([node.hit for node in best.values()])
        if not ties:
            return []
        step = self._note_links(best, ties, depth)
        nodes = [self._tied(each, best[each.of], step, rank) for rank, each in enumerate(ties)]
        fresh = [node for node in nodes if node.before and not _is_in(node, node.before)]
        adding = [node for node in fresh if _adds(node)]
        others = [node for node in fresh if not _adds(node)]
        return [*adding, *others[:_STRANGE]]

    def _tied(self, tie: Linked, before: _Node, step: Step, rank: int) -> _Node:
        return self._node(tie.hit, step, rank, before, tie.relation)

    def _note_links(self, best: Mapping[int, _Node], ties: Sequence[Linked], depth: int) -> Step:
        labels = dict.fromkeys(best[each.of].hit.memory.label for each in ties)
        step = Step(
            len(self._steps), depth, self._question, None, None, len(ties), StepKind.LINKS,
            detail=", ".join(labels),
        )  # fmt: skip
        self._steps.append(step)
        return step

    def _moves(self) -> list[_Move]:
        """What to ask next, the most promising first, and nothing twice."""
        best = self._best()
        behind = self._look.behind([node.hit for node in best])
        moves = [*self._about_other_names(), *self._about_open_words()]
        for node in best:
            turns = behind.get(node.hit.memory.number, ())
            moves += self._about_names_in(node, turns)
        once = {folded(move.query): move for move in reversed(moves)}
        return [move for key, move in reversed(once.items()) if key not in self._asked]

    def _best(self) -> list[_Node]:
        """The finds to go on from: those that tell of whom the question names come first."""
        order = sorted(
            self._latest,
            key=lambda node: (
                not self._is_anchored(node),
                -_directness(node),
                -len(node.covered),
                node.rank,
            ),
        )
        return order[:_WIDTH]

    def _is_anchored(self, node: _Node) -> bool:
        return not self._named or not self._named.isdisjoint(node.chain[0].covers)

    def _about_names_in(self, node: _Node, turns: Sequence[Memory]) -> Iterator[_Move]:
        """Whom a memory names and the question does not, with what is still open."""
        open_words = [word for word in self._words if word not in node.covered]
        texts = [node.hit.memory, *turns]
        told = dict.fromkeys(name for memory in texts for name in names_told(memory))
        known = {word for each in node.chain for word in folded(each.through or "").split()}
        strange = [name for name in told if not self._is_known(name, known)]
        for name in strange[:_NAMES_PER_MEMORY]:
            for called in (name, *same_entity(name, self._aliases)):
                yield _Move(" ".join([called, *open_words]), called, node)

    def _about_other_names(self) -> Iterator[_Move]:
        """The question once more, by what those it names are called as well."""
        for word, others in self._called.items():
            rest = [each for each in self._words if each != word]
            for other in others[:_NAMES_PER_MEMORY]:
                yield _Move(" ".join([other, *rest]), None, None)

    def _is_known(self, name: str, reached_by: set[str]) -> bool:
        words = set(key_of(name).split()) | set(folded(name).split())
        return not words - self._own_names or not words - reached_by

    def _about_open_words(self) -> Iterator[_Move]:
        """What no find contains, asked for by itself: the other half of a double question."""
        open_words = self._gaps()
        if open_words and len(open_words) < len(self._words):
            yield _Move(" ".join(open_words), None, None)

    def _ask(self, move: _Move, depth: int) -> tuple[RecallResult, Step]:
        result = self._look.ask(move.query)
        after = move.before.hit.memory.label if move.before else None
        step = Step(len(self._steps), depth, move.query, move.name, after, len(result.hits))
        self._asked.add(folded(move.query))
        self._steps.append(step)
        self._results.append(result)
        return result, step

    def _node(
        self, hit: Hit, step: Step, rank: int, before: _Node | None, through: str | None
    ) -> _Node:
        told = said(hit.memory)
        covers = words_standing(self._words, told) | {
            word for word in self._words if self._names_otherwise(word, told)
        }
        covered = covers | before.covered if before else covers
        names = [through] if through else sorted(self._named)
        is_direct = is_told_of(names, covers, hit.memory)
        return _Node(hit, step, rank, covers, covered, before, through, is_direct)

    def _names_otherwise(self, word: str, told: str) -> bool:
        """Whether a text names by another name whom a word of the question names."""
        others = (query_terms(other) for other in self._called.get(word, ()))
        return any(terms and len(standing_terms(terms, told)) == len(terms) for terms in others)

    def _gaps(self) -> list[str]:
        covered = frozenset().union(*(node.covers for node in self._nodes))
        return [word for word in self._words if word not in covered]

    def _best_chain(self) -> _Node | None:
        if not self._nodes:
            return None
        # Of equal chains the one that begins with whom was asked about, the shorter, the better.
        return max(
            self._nodes,
            key=lambda node: (
                len(node.covered), self._is_anchored(node), _directness(node), -len(node.chain),
                -sum(each.rank for each in node.chain),
            ),
        )  # fmt: skip

    def _is_covered(self) -> bool:
        """Whether one chain covers the question, or each of several names has one of its own."""
        best = self._best_chain()
        if best is not None and len(best.covered) == len(self._words):
            return True
        if len(self._named) < _NAMES_IN_PAIRS:
            return False
        of_names = [node.covers for node in self._nodes if not self._named.isdisjoint(node.covers)]
        together = frozenset().union(*of_names)
        return bool(self._words) and len(together) == len(self._words)

    def result(self, stopped: str) -> Reasoning:
        """Everything that was found, in the order to be read."""
        best = self._best_chain()
        is_sufficient = bool(self._words) and self._is_covered()
        kept = [_evidence(node) for node in self._in_order(best)]
        shown = within_budget(
            kept[: self._limits.limit], self._limits.budget, lambda each: tokens(each.memory)
        )
        first = self._results[0]
        confidence = max(first.confidence, CONFIDENT) if is_sufficient else first.confidence
        confidence = confidence if shown else 0.0
        return Reasoning(
            question=self._question,
            evidence=tuple(shown),
            chain=tuple(_evidence(node) for node in best.chain) if best else (),
            steps=tuple(self._steps),
            gaps=tuple(self._gaps()),
            is_sufficient=is_sufficient and bool(shown),
            confidence=confidence,
            assessment=assessment(confidence, has_hits=bool(shown)),
            stopped=stopped,
            level=first.level,
            degraded=tuple(dict.fromkeys(why for each in self._results for why in each.degraded)),
            milliseconds=sum(each.quality.milliseconds for each in self._results),
        )

    def _leads_away(self, node: _Node) -> bool:
        """Whether a chain covers the question by what is told of others than those it names.

        What tells of these themselves the question alone has found, and has ranked well.
        """
        later = frozenset().union(*(each.covers for each in node.chain[1:]))
        # A word that stands nowhere cannot tell one chain from another.
        is_whole = len(node.covered) == len(self._words) - len(self._gaps())
        return node.before is not None and is_whole and self._named.isdisjoint(later)

    def _in_order(self, best: _Node | None) -> list[_Node]:
        """A chain that covers the question first; then the hits, and among them the other finds."""
        leading = list(best.chain) if best is not None and self._leads_away(best) else []
        hits = [node for node in self._nodes if not node.step.depth and not node.before]
        others = [node for node in self._nodes if node.step.depth or node.before]
        others.sort(key=lambda node: (-len(node.covered), node.step.depth, node.rank))
        return _each_once([*leading, *hits, *others])


def _each_once(nodes: Sequence[_Node]) -> list[_Node]:
    kept: dict[int, _Node] = {}
    for node in nodes:
        kept.setdefault(node.hit.memory.number, node)
    return list(kept.values())


def _adds(node: _Node) -> bool:
    """Whether a find covers a word that was open before it in its chain."""
    return node.before is not None and node.covered > node.before.covered


def _is_in(node: _Node, chain: _Node) -> bool:
    return node.hit.memory.number in chain.numbers


def _evidence(node: _Node) -> Evidence:
    return Evidence(
        hit=node.hit,
        step=node.step.number,
        asked=node.step.query,
        through=node.through,
        after=node.before.hit.memory.label if node.before else None,
        covers=tuple(sorted(node.covers)),
    )


def _is_about(node: _Node) -> bool:
    """Whether a find tells of whom it was asked for, and is not in its chain already."""
    memory = node.hit.memory
    if node.before is not None and memory.number in node.before.numbers:
        return False
    if node.through is None:
        return bool(node.covers)
    # Who says it is not enough: in a conversation that would be every other memory.
    about = " ".join(filter(None, (memory.content, memory.subject)))
    return bool(standing_terms(query_terms(node.through), without_clitics(about)))


def _directness(node: _Node) -> float:
    """The share of a chain's memories that tell what was asked of whom was asked about."""
    return sum(each.is_direct for each in node.chain) / len(node.chain)
