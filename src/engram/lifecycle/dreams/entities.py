"""Keeps who and what a scope tells of: certain aliases, a profile each, a card where there is more.

A card takes the place of the one before. What was decided by somebody about a name is not touched.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from engram.language.names.kinds import EntityType
from engram.lifecycle.dreams.asked import Asking
from engram.lifecycle.dreams.made import Made, fresh, labels, made
from engram.lifecycle.dreams.named import mentions_in_scope, statements_by_number
from engram.lifecycle.dreams.night import Decision, Night, Planned
from engram.memory.changes import Action
from engram.memory.dreams.artefact import Artefact, ArtefactKind
from engram.memory.dreams.cards import (
    FEWEST_FOR_PROFILE,
    Mentioned,
    Named,
    Related,
    card_of,
    centroids,
    entities_named,
    entity_lines,
    names_counted,
    profile_of,
)
from engram.memory.dreams.counts import counted
from engram.memory.dreams.lines import lines_in, weight
from engram.memory.dreams.namesakes import Namesake, is_free, namesakes, proposal_of
from engram.memory.entities.nearby import propose
from engram.memory.knowledge.belief import Belief, node_id
from engram.memory.record import Memory
from engram.memory.trust import may_enter_unasked
from engram.memory.vocabulary import Secrecy
from engram.storage.conditions import Moments
from engram.storage.entities import Alias, decide_alias
from engram.storage.reader import StoreReader
from engram.storage.unit import UnitOfWork

_KINDS = (ArtefactKind.ENTITY_PROFILE, ArtefactKind.PEER_CARD)
_SORTS = {
    EntityType.PERSON: "a person whom",
    EntityType.ORGANIZATION: "an organization that",
    EntityType.PROJECT: "a project that",
    EntityType.TECHNOLOGY: "a technology that",
    EntityType.FILE: "a file that",
    EntityType.SERVICE: "a service that",
    EntityType.PLACE: "a place that",
    EntityType.CONCEPT: "a concept that",
    EntityType.UNKNOWN: "something that",
}
_TOKENS_PER_WORD = 1.5  # of a card: names take more than one


def entities(night: Night, see: StoreReader) -> Planned:
    """Plan the aliases, profiles and cards of one scope."""
    statements = statements_by_number(see, night)
    mentions = mentions_in_scope(see, night)
    night.breathe()
    decided = see.entities.aliases_around(night.scope)
    same = _undisputed(namesakes(names_counted(mentions, statements), decided), see, night)
    # As it will be once these are decided, so that another dream right after finds nothing to do.
    meant = {**decided, **{each.name: each.entity for each in same}}
    everyone = entities_named(mentions, statements, meant, fewest=1)
    enough = [each for each in everyone if len(each.members) >= FEWEST_FOR_PROFILE]
    named = enough[: night.options.entity_profiles]
    writer = _Writer(night, see, Asking(night.model), _related(see, statements))
    decisions = [
        *(_alias(each, night, statements, mentions) for each in same),
        *_ended(named, see, night),
        *_made(named, writer, statements),
        *_proposed(everyone, named, see, night, meant),
    ]
    most = night.options.decisions_per_pass
    return Planned(
        tuple(decisions[:most]),
        looked_at=len(statements),
        skipped=writer.asking.skipped,
        is_whole=len(decisions) <= most,
    )


# Aliases


def _undisputed(found: Iterable[Namesake], see: StoreReader, night: Night) -> list[Namesake]:
    """Without those of which beliefs tell on both sides: whether they are one, a person sees."""
    knowledge = see.knowledge
    if not knowledge.has_edges():
        return list(found)
    moments = Moments(now=night.now)

    def is_told(name: str) -> bool:
        ids = [node_id(name)]
        return bool(knowledge.edges_at(ids, moments=moments, limit=1, typed=False))

    return [each for each in found if not (is_told(each.name) and is_told(each.entity))]


def _alias(
    namesake: Namesake,
    night: Night,
    statements: Mapping[int, Memory],
    mentions: Iterable[Mentioned],
) -> Decision:
    numbers = tuple(
        sorted({
            each.number for each in mentions
            if each.name == namesake.name and each.number in statements
        })
    )  # fmt: skip
    why = f"A name in {labels(numbers)} is another way to write a more usual one."

    def carry_out(unit: UnitOfWork) -> bool:
        naming = unit.see.entities.naming([namesake.name], limit=1)
        if not naming or not is_free(namesake, unit.see.entities.aliases_around(night.scope)):
            return False
        change = unit.begin_change(Action.RENAME, night.scope, why)
        alias = Alias(night.scope, namesake.name, namesake.entity)
        decide_alias(unit.transaction, change, alias, "dream")
        unit.touch(naming[0])
        return True

    # Which of the two is the more usual one may change; whether they are one was decided.
    both = " = ".join(sorted((namesake.name, namesake.entity)))
    return Decision(f"alias {both}", why, numbers, carry_out)


# Names that may mean the same


def _proposed(
    everyone: Sequence[Named],
    named: Sequence[Named],
    see: StoreReader,
    night: Night,
    decided: Mapping[str, str],
) -> Iterable[Decision]:
    """Proposals to put two entities together, for a person to confirm; those gone by are ended."""
    by_key = {each.entity.key: each for each in everyone}
    numbers = {key: {memory.number for memory in each.members} for key, each in by_key.items()}
    proposals = propose(
        {key: each.entity.type for key, each in by_key.items()},
        beside=lambda one, other: not numbers[one].isdisjoint(numbers[other]),
        nearness=_nearness(named, see, night),
    )
    planned = [
        proposal_of(each, by_key[each.name], by_key[each.entity], scope=night.scope, now=night.now)
        for each in proposals
        if each.name not in decided
    ]
    statements = {memory.number: memory for each in everyone for memory in each.members}
    for artefact in fresh(see, planned):
        why = f"Names in {labels(artefact.sources)} may mean the same: {artefact.body['reason']}."
        yield made(Made(f"proposal {artefact.key}", (artefact,)), why, night.scope, statements)
    keys = {each.key for each in planned}
    for each in see.artefacts.all(ArtefactKind.NAME_PROPOSAL, scope=night.scope):
        if each.key not in keys:
            why = f"Whether names in {labels(each.sources)} mean the same is no question any more."
            yield made(Made(f"proposal {each.key}", end=(each,)), why, night.scope, {})


def _nearness(
    named: Sequence[Named], see: StoreReader, night: Night
) -> Callable[[str, str], float] | None:
    """How near two entities are by the middles of their statements; None: nothing is embedded."""
    vectors = night.vectors(see)
    if not vectors:
        return None
    middles = centroids(named, vectors)

    def nearness(one: str, other: str) -> float:
        both = one in middles and other in middles
        return float(middles[one] @ middles[other]) if both else -1.0

    return nearness


# Profiles and cards


@dataclasses.dataclass(slots=True)
class _Writer:
    """What is needed to write profiles and cards, and how many a model has written."""

    night: Night
    see: StoreReader
    asking: Asking
    related: Callable[[Named], Sequence[Related]]
    written: int = 0

    def artefacts(self, named: Named) -> list[Artefact]:
        """What there is to keep of an entity."""
        night = self.night
        lines = entity_lines(named)
        found = [profile_of(named, lines, self.related(named), scope=night.scope, now=night.now)]
        card = card_of(
            named, lines, scope=night.scope, now=night.now, most_words=night.options.card_words
        )
        if card is not None:
            found.append(self._in_words(card, named))
        return found

    def _in_words(self, card: Artefact, named: Named) -> Artefact:
        """The card as a model writes it, where one can be asked; as it stands, where it fails."""
        before = self.see.artefacts.find(card.kind, card.scope, card.key)
        written = before if before and before.body.get("is_written") is True else None
        is_said = written is not None and written.body.get("lines") == card.body["lines"]
        if written is not None and is_said and not self.night.is_rebuild:
            return _as_written(card, written.text)
        if self.night.model is None or card.secrecy is not Secrecy.CLEARTEXT:
            return card
        text = self._asked(card, named)
        return _as_written(card, text) if text is not None else written or card

    def _asked(self, card: Artefact, named: Named) -> str | None:
        if self.written >= self.night.options.written_cards or not self.asking.has_model:
            return None
        self.written += 1
        by_number = {each.number: each for each in named.members}
        lines = sorted(
            lines_in(card.body, "lines"), key=lambda each: by_number[each.number].at, reverse=True
        )
        most = int(self.night.options.card_words * _TOKENS_PER_WORD)
        texts = [each.text for each in lines]
        return self.asking.card(named.entity.name, texts, most_tokens=most)


def _as_written(card: Artefact, text: str) -> Artefact:
    return dataclasses.replace(card, text=text, body={**card.body, "is_written": True})


def _made(
    named: Iterable[Named], writer: _Writer, statements: Mapping[int, Memory]
) -> Iterable[Decision]:
    scope = writer.night.scope
    for each in named:
        writer.night.breathe()
        planned = writer.artefacts(each)
        keep = fresh(writer.see, planned)
        end = _without_card(planned, writer.see)
        if keep or end:
            what = Made(f"entity {each.entity.key}", keep, end)
            yield made(what, _why(each, what), scope, statements)


def _why(named: Named, what: Made) -> str:
    """What is made or ended, of which kind of entity, and by how many memories."""
    kinds = {each.kind for each in what.keep}
    if ArtefactKind.PEER_CARD in kinds:
        made_of_it = "A card for"
    elif what.end:
        made_of_it = "No card any more for"
    else:
        made_of_it = "A profile of"
    numbers = [each.number for each in named.members]
    count = counted(len(numbers), "memory", "memories")
    names = "names" if len(numbers) == 1 else "name"
    return f"{made_of_it} {_SORTS[named.entity.type]} {count} {names}: {labels(numbers)}."


def _without_card(planned: Sequence[Artefact], see: StoreReader) -> tuple[Artefact, ...]:
    """The card that stands where there is too little for one now."""
    profile = planned[0]
    if len(planned) > 1:
        return ()
    card = see.artefacts.find(ArtefactKind.PEER_CARD, profile.scope, profile.key)
    return (card,) if card is not None else ()


def _ended(named: Iterable[Named], see: StoreReader, night: Night) -> Iterable[Decision]:
    """What stands of entities that nothing, or too little, is said of now."""
    keys = {each.entity.key for each in named}
    gone: dict[str, list[Artefact]] = {}
    for kind in _KINDS:
        for each in see.artefacts.all(kind, scope=night.scope):
            if each.key not in keys:
                gone.setdefault(each.key, []).append(each)
    for key, artefacts in sorted(gone.items()):
        why = f"Too little is said any more of what {labels(artefacts[0].sources)} named."
        yield made(Made(f"entity {key}", end=tuple(artefacts)), why, night.scope, {})


# What beliefs tell of an entity


def _related(
    see: StoreReader, statements: Mapping[int, Memory]
) -> Callable[[Named], Sequence[Related]]:
    """How entities are related, by what is believed in the scope; nothing where nothing is."""
    if not see.knowledge.has_edges():
        return lambda _: ()
    by_name: dict[str, list[tuple[Belief, Related]]] = {}
    for each in see.knowledge.edges_of(statements):
        if each.target is None or each.memory.number not in statements:
            continue
        if not may_enter_unasked(each.memory):
            continue  # a card goes into prompts
        for here, there, is_inward in (
            (each.source, each.target, False), (each.target, each.source, True),
        ):  # fmt: skip
            said = Related(each.relation, there.title, each.memory.number, is_inward)
            by_name.setdefault(here.name, []).append((each, said))

    def related(named: Named) -> Sequence[Related]:
        found = [pair for key in named.entity.keys for pair in by_name.get(key, ())]
        found.sort(key=lambda pair: (-weight(pair[0].memory), pair[0].memory.number))
        return [pair[1] for pair in islice(found, 100)]

    return related
