"""Keeps skills: looked over as all that is told, one of a name in a scope, never in circles."""

import dataclasses
import hashlib
from collections.abc import Iterable, Sequence
from itertools import count, islice

from engram.capture.draft import Draft, DraftRules, read_draft
from engram.capture.recorded import fit_to_keep, keep_record
from engram.capture.screened import HOSTILE, reworded
from engram.capture.seal_kept import secrecy_of
from engram.errors import AccessDenied, InvalidInput, MemoryNotFound, StatementTaken
from engram.memory.changes import Action
from engram.memory.episodes.episode import WholeEpisode
from engram.memory.jsons import Json
from engram.memory.links import Relation
from engram.memory.people import person_named
from engram.memory.record import Memory
from engram.memory.scopes import Scope
from engram.memory.secrecy import highest
from engram.memory.skills.circles import Placed, check_ends
from engram.memory.skills.experience import TELLING_KINDS
from engram.memory.skills.known import KnownSkill, SkillKept
from engram.memory.skills.outline import outline
from engram.memory.skills.skill import Skill, SkillRun, invoked, name_key
from engram.memory.staleness import status_at
from engram.memory.status import IN_FORCE, REVISABLE, check_rewording
from engram.memory.tagged import as_json, read_as
from engram.memory.trust import SOURCE_TRUST, Provenance, passed_on, provenance, unlabelled
from engram.memory.vocabulary import LearnedBy, Secrecy, SourceClass
from engram.security.raising import raised
from engram.security.screening.protected import summary_for
from engram.security.screening.screen import screen, without_orders
from engram.storage.reader import StoreReader
from engram.storage.sameness import people_of, same_statement
from engram.storage.skills import StoredSkill, keep_skill
from engram.storage.tied import tie
from engram.storage.unit import UnitOfWork

CATEGORY = "skill"
DERIVED = "dream:episodes"  # nobody said it: it was concluded from what happened
_MOST_NAMES = 100


@dataclasses.dataclass(frozen=True, slots=True)
class Sources:
    """The episodes that a skill is learnt from."""

    episodes: tuple[WholeEpisode, ...]

    @property
    def memories(self) -> list[Memory]:
        """The memories that tell them."""
        return [each.episode.memory for each in self.episodes]


def add_skill(skill: Skill, scope: Scope, unit: UnitOfWork, rules: DraftRules) -> SkillKept:
    """Keep a skill that somebody hands in."""
    fit = fit_to_keep(skill, Skill, rules, name="skill")
    return _keep(fit, _draft(fit, scope, rules), unit, rules)


def add_learnt(
    skill: Skill, sources: Sources, scope: Scope, unit: UnitOfWork, rules: DraftRules
) -> SkillKept:
    """Keep a skill concluded from episodes: tied to them, and believed no more than they are."""
    for memory in sources.memories:
        if not memory.scope.contains(scope):
            raise AccessDenied(hint="An episode lies in a narrower scope: learn it there.")
    fit = fit_to_keep(skill, Skill, rules, name="skill")
    draft = _draft(fit, scope, rules)
    origin = _derived(sources.memories)
    sureness = min(origin.trust, SOURCE_TRUST[SourceClass.DREAM])
    draft = dataclasses.replace(
        draft, provenance=origin, confidence=sureness, made_of=people_of(unit, sources.memories)
    )
    kept = _keep(fit, draft, unit, rules, highest(each.secrecy for each in sources.memories))
    if kept.skill is not None and kept.kind in ("stored", "held"):
        for memory in sources.memories:
            tie(unit, kept.skill.memory, memory, Relation.DERIVED_FROM, "learnt from it")
    return kept


def free_name(name: str, scope: Scope, unit: UnitOfWork, skill: Skill) -> str:
    """The name itself, or with a number when another skill bears it."""
    names = (name if place == 1 else f"{name}-{place}" for place in count(1))
    for each in islice(names, _MOST_NAMES):
        known = same_statement(unit, _identity(each), person_named(scope.path, None), scope)
        stored = unit.see.skills.by_number(known.number) if known else None
        if stored is None or _is_same(stored.skill, dataclasses.replace(skill, name=each)):
            return each
    raise StatementTaken(hint="Too many skills have that name; give another.")


def revise_skill(
    stored: StoredSkill, skill: Skill, unit: UnitOfWork, rules: DraftRules, *, reason: str
) -> KnownSkill:
    """Give a skill its next version; the one before stays in its history and comes back by undo."""
    old = stored.memory
    rules.principal.check_may_change(old.scope)
    if status_at(old, unit.now) not in REVISABLE:
        raise InvalidInput(hint=f"A skill that is {old.status} cannot be revised; undo that first.")
    check_rewording(rules.principal, old)
    fit = fit_to_keep(skill, Skill, rules, name="skill")
    if fit.key != stored.skill.key:
        raise InvalidInput(hint="A skill keeps its name; add another under the other name.")
    if _reason_to_hold(fit, rules):
        raise InvalidInput(hint=f"It {HOSTILE}: a person has to say it.")
    _check_ends(fit, old.scope, unit)
    text, found = reworded(outline(fit), rules)
    unit.begin_change(Action.REVISE_SKILL, old.scope, reason)
    old = raised(unit, old, secrecy_of([text, as_json(fit)], rules))
    said_by = provenance(rules.principal, None) if rules.principal.is_person else None
    revised = unit.replace(
        old,
        content=text,
        version=unit.next_version(old.number),
        last_verified_at=unit.now if said_by else old.last_verified_at,
        source_class=said_by.source_class if said_by else old.source_class,
        trust=said_by.trust if said_by else old.trust,
        summary=summary_for(text, None, old.secrecy),
        metadata={**unlabelled(old), **found},
    )
    keep_skill(unit.transaction, revised, fit)
    return unit.see.skills.known(StoredSkill(revised, fit))


def fit_run(run: SkillRun, rules: DraftRules) -> SkillRun:
    """A run as it may be kept: without secrets, and without what looks like an order to an agent.

    What is told of a failure comes back as a step of the procedure, so it must not give orders.
    """
    fit = fit_to_keep(run, SkillRun, rules, name="run")
    if rules.principal.is_person:
        return fit
    return read_as(SkillRun, _without_orders(as_json(fit)), name="run")


def run_secrecy(run: SkillRun, rules: DraftRules, told_by: Memory | None = None) -> Secrecy:
    """How a run is to be protected: by what it says, and like the episode that tells of it."""
    inherited = told_by.secrecy if told_by is not None else Secrecy.CLEARTEXT
    return highest((inherited, secrecy_of(as_json(run), rules)))


def read_sources(see: StoreReader, episode_ids: Iterable[str]) -> Sources:
    """The episodes that are named, each once, as far as a skill looks at them."""
    found: dict[int, WholeEpisode] = {}
    for episode_id in episode_ids:
        memory = see.memory(episode_id)
        whole = see.episodes.whole(memory.number, kinds=TELLING_KINDS) if memory else None
        if memory is None or whole is None:
            raise MemoryNotFound(hint="There is no such episode.")
        if memory.status not in IN_FORCE or whole.episode.is_ongoing:
            raise InvalidInput(hint=f"{memory.label} is {memory.status} or has not ended yet.")
        found[memory.number] = whole
    return Sources(tuple(found.values()))


def _keep(
    skill: Skill,
    draft: Draft,
    unit: UnitOfWork,
    rules: DraftRules,
    inherited: Secrecy = Secrecy.CLEARTEXT,
) -> SkillKept:
    _check_free(skill, draft.scope, unit)
    _check_ends(skill, draft.scope, unit)
    outcome = keep_record(
        draft, unit, rules, lambda memory: keep_skill(unit.transaction, memory, skill),
        details=skill, inherited=inherited,
    )  # fmt: skip
    if outcome.kind == "refused":
        return SkillKept("refused", None, outcome.reason, None)
    stored = unit.see.skills.by_number(outcome.memory.number)
    if stored is None:
        raise StatementTaken(hint=f"{outcome.memory.label} says the same and is no skill.")
    known = unit.see.skills.known(stored)
    return SkillKept(outcome.kind, known, outcome.reason, outcome.change_id)


def _draft(skill: Skill, scope: Scope, rules: DraftRules) -> Draft:
    if not rules.principal.can_see(scope):
        raise AccessDenied(hint="A skill is added where whoever adds it can read it.")
    arguments = {"category": CATEGORY, "scope": scope}
    return dataclasses.replace(
        read_draft(outline(skill), arguments, rules),
        identity=_identity(skill.name),
        action=Action.ADD_SKILL,
        reason_to_hold=_reason_to_hold(skill, rules),
    )


def _identity(name: str) -> bytes:
    """A scope holds one skill of a name."""
    return hashlib.sha256(f"skill\x1f{name_key(name)}".encode()).digest()


def _check_free(skill: Skill, scope: Scope, unit: UnitOfWork) -> None:
    known = same_statement(unit, _identity(skill.name), person_named(scope.path, None), scope)
    stored = unit.see.skills.by_number(known.number) if known else None
    if stored is not None and not _is_same(stored.skill, skill):
        label = stored.memory.label
        raise StatementTaken(hint=f"{label} has that name; revise it, or choose another name.")


def _is_same(one: Skill, other: Skill) -> bool:
    """Whether two skills say the same; how the episodes went that they came from does not count."""
    return dataclasses.replace(one, learnt_from=()) == dataclasses.replace(other, learnt_from=())


def _check_ends(skill: Skill, scope: Scope, unit: UnitOfWork) -> None:
    if not invoked(skill):
        return  # it leads nowhere
    check_ends(Placed(scope, skill), unit.see.skills.placed())


def _reason_to_hold(skill: Skill, rules: DraftRules) -> str:
    """Why a person should look first: the outline shows little of a long skill, so all is read."""
    if rules.principal.is_person and not skill.source_episodes:
        return ""
    is_hostile = any(screen(text).is_hostile for text in _texts(as_json(skill)))
    return HOSTILE if is_hostile else ""


def _texts(value: Json) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _without_orders(value: Json) -> Json:
    if isinstance(value, str):
        return without_orders(value)
    if isinstance(value, dict):
        return {key: _without_orders(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_orders(item) for item in value]
    return value


def _derived(memories: Sequence[Memory]) -> Provenance:
    """Concluded, so a dream's; trusted as the least of what it was concluded from."""
    least = min(memories, key=passed_on)
    source_class = min((least.source_class, SourceClass.DREAM), key=SOURCE_TRUST.__getitem__)
    trust = min(passed_on(least), SOURCE_TRUST[SourceClass.AGENT])
    return Provenance(DERIVED, source_class, LearnedBy.DREAM, trust)
