"""A skill drawn from episodes that went alike: when it fits, what it needs, and its steps."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import assert_never

from engram.errors import InvalidInput
from engram.language.lexicon import COMMON_WORDS
from engram.language.names.mentions import find_mentions
from engram.language.stems import stem
from engram.memory.episodes.episode import WholeEpisode
from engram.memory.episodes.events import Custom, Decision, ToolCall
from engram.memory.episodes.outcomes import Success
from engram.memory.jsons import Json, JsonObject
from engram.memory.skills.conditions import EnvironmentHas, Precondition, ToolAvailable, is_equal
from engram.memory.skills.experience import ActionEvent, run_of, worked_actions
from engram.memory.skills.procedure import (
    MOST_STEPS,
    Action,
    CallTool,
    CustomAction,
    Procedure,
    ProcedureStep,
    Recall,
    tools_in,
)
from engram.memory.skills.sequences import longest_shared, places_of
from engram.memory.skills.skill import Skill
from engram.memory.skills.triggers import (
    ContextProperty,
    Feature,
    KeywordPresent,
    TriggerPattern,
)
from engram.text.strings import folded

FEWEST_SUCCESSES = 3
FEWEST_STEPS = 2
SHARED_BY = 0.7  # of the successes: what fewer have in them is no feature
_MOST_ACTIONS = 400  # of one episode; a skill has no more steps than a person can read
_MOST_FEATURES = 20
_LEAST_IMPORTANCE = 0.1
_HEAD = 2  # words of a command that tell what is done, as in "git push"
_MOST_PARAMETERS = 3  # in the title of a step
_NAME_WORDS = 4
_MOST_NAME = 60
_MOST_DESCRIPTION = 400
_AROUND = re.compile(r"^[\W_]+|[\W_]+$")

_Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Seen:
    """One success as it is compared."""

    whole: WholeEpisode
    actions: list[ActionEvent]
    keys: list[_Key]


def skill_from(episodes: Sequence[WholeEpisode], *, name: str | None = None) -> Skill:
    """The skill that some episodes have in common; a refusal says what is lacking."""
    worked = [each for each in episodes if isinstance(each.episode.outcome, Success)]
    if len(worked) < FEWEST_SUCCESSES:
        raise InvalidInput(
            hint=f"A skill is learnt from at least {FEWEST_SUCCESSES} episodes that succeeded; "
            f"{len(worked)} of these {len(episodes)} did."
        )
    failed = [each for each in episodes if not isinstance(each.episode.outcome, Success)]
    features = shared_features(worked, failed)
    if not features:
        raise InvalidInput(hint="These episodes have nothing in common that tells when to do it.")
    steps = _shared_steps(worked)
    procedure = Procedure(steps=steps, estimated_duration=_usual_duration(worked))
    ordered = sorted(
        episodes, key=lambda each: (each.episode.started_at, each.episode.memory.number)
    )
    title = name or _title(worked, features, procedure)
    return Skill(
        name=title,
        description=_description(worked, title),
        trigger=TriggerPattern(features=features, description=_when(features)),
        preconditions=_preconditions(worked, procedure),
        procedure=_with_resources(procedure),
        source_episodes=tuple(each.episode.id for each in ordered),
        learnt_from=tuple(run_of(each) for each in ordered),
    )


def shared_features(
    worked: Sequence[WholeEpisode], failed: Sequence[WholeEpisode]
) -> tuple[Feature, ...]:
    """What most successes show; the less the failures show of it, the more it weighs."""
    there = _counted(worked)
    elsewhere = _counted(failed)
    found: list[Feature] = []
    for key, (feature, count) in there.items():
        share = count / len(worked)
        other = elsewhere[key][1] / len(failed) if key in elsewhere else 0.0
        importance = share * (1.0 - other / 2)
        if share >= SHARED_BY and importance > _LEAST_IMPORTANCE:
            found.append(Feature(feature.name, feature.extractor, round(importance, 4)))
    found.sort(key=lambda each: (-each.importance, each.name))
    return tuple(found[:_MOST_FEATURES])


def _counted(episodes: Sequence[WholeEpisode]) -> dict[str, tuple[Feature, int]]:
    counts: Counter[str] = Counter()
    kept: dict[str, Feature] = {}
    for each in episodes:
        for key, feature in _features_of(each).items():
            kept.setdefault(key, feature)
            counts[key] += 1
    return {key: (kept[key], count) for key, count in counts.items()}


def _features_of(whole: WholeEpisode) -> dict[str, Feature]:
    situation = whole.episode.situation
    told = situation.goal or situation.text
    found: dict[str, Feature] = {}
    for word in _telling_words(told):
        found.setdefault(f"word {stem(folded(word))}", _keyword(word))
    for mention in find_mentions(told):
        if len(mention.key.split()) > 1:  # single words are there already
            found.setdefault(f"name {mention.key}", _keyword(mention.surface))
    for key, value in situation.environment.items():
        if isinstance(value, str | int | float | bool):
            feature = Feature(f"{key} is {value}"[:_MOST_NAME], ContextProperty(key, value))
            found[f"environment {key} {folded(str(value))}"] = feature
    return found


def _keyword(word: str) -> Feature:
    return Feature(folded(word)[:_MOST_NAME], KeywordPresent((folded(word)[:_MOST_NAME],)))


def _telling_words(text: str) -> list[str]:
    # Only marks around a word go: "eu-west" and "push_image" are asked for as they are written.
    words = (_AROUND.sub("", word) for word in text.split())
    return [
        word
        for word in words
        if any(mark.isalpha() for mark in word) and folded(word) not in COMMON_WORDS
    ]


def _shared_steps(worked: Sequence[WholeEpisode]) -> tuple[ProcedureStep, ...]:
    """The actions that all successes share in the same order, made into steps."""
    done = [worked_actions(each.events)[:_MOST_ACTIONS] for each in worked]
    finer = _tools_with_subcommands(done)
    seen = [
        _Seen(each, actions, [_key(action, finer) for action in actions])
        for each, actions in zip(worked, done, strict=True)
    ]
    shared = longest_shared([each.keys for each in seen])[:MOST_STEPS]
    if len(shared) < FEWEST_STEPS:
        raise InvalidInput(
            hint=f"These episodes share {len(shared)} actions in the same order; "
            f"a skill takes at least {FEWEST_STEPS}."
        )
    aligned = [_actions_at(each, shared) for each in seen]
    return tuple(_step(list(together), finer) for together in zip(*aligned, strict=True))


def _actions_at(seen: _Seen, shared: Sequence[_Key]) -> list[ActionEvent]:
    places = places_of(shared, seen.keys) or []  # shared by all, so it is found in each
    return [seen.actions[place] for place in places]


def _tools_with_subcommands(done: Iterable[Sequence[ActionEvent]]) -> frozenset[str]:
    """Tools that do several things, as a shell: one episode calls them for more than one."""
    found: set[str] = set()
    for actions in done:
        heads: dict[str, set[str]] = {}
        for action in actions:
            if isinstance(action, ToolCall):
                heads.setdefault(action.tool, set()).add(_head(action.args))
        found |= {tool for tool, each in heads.items() if len(each) > 1}
    return frozenset(found)


def _key(action: ActionEvent, finer: frozenset[str]) -> _Key:
    """What makes two actions one: the tool, and where it does several things, which."""
    match action:
        case ToolCall(tool, args):
            return ("tool", tool, _head(args)) if tool in finer else ("tool", tool)
        case Decision(options, chosen):
            return ("decision", folded(options[chosen]))
        case Custom(type_name):
            return ("custom", type_name)
        case _:
            assert_never(action)


def _head(args: JsonObject) -> str:
    """The first words of the first text among the arguments."""
    texts = [value for _, value in sorted(args.items()) if isinstance(value, str)]
    return " ".join(texts[0].split()[:_HEAD]) if texts else ""


def _step(together: Sequence[ActionEvent], finer: frozenset[str]) -> ProcedureStep:
    first = together[0]
    action: Action
    match first:
        case ToolCall(tool):
            calls = [each.args for each in together if isinstance(each, ToolCall)]
            arguments = _generalised(calls)
            action = CallTool(tool, arguments)
            named = _told_arguments(calls[0], arguments, is_finer=tool in finer)
            return ProcedureStep(description=_call_text(tool, named), action=action)
        case Decision(options, chosen):
            decided = options[chosen]
            action = Recall(f"why {decided}")
            reasons = [each.reasoning for each in together if isinstance(each, Decision)]
            reason = next((each for each in reasons if each), "")
            told = f"Decide for {decided}" + (f": {reason}" if reason else "")
            return ProcedureStep(description=told, action=action)
        case Custom(type_name):
            return ProcedureStep(description=f"Do {type_name}", action=CustomAction(type_name))
        case _:
            assert_never(first)


def _call_text(tool: str, told: Sequence[str]) -> str:
    return f"Call {tool}: {', '.join(told)}" if told else f"Call {tool}"


def _told_arguments(call: JsonObject, arguments: JsonObject, *, is_finer: bool) -> list[str]:
    """What tells one call of a tool from another: the parameters, and for a tool that does several
    things, which. Of several arguments that are always the same none stands for the step."""
    parameters = list(dict.fromkeys(_parameters(call, arguments)))[:_MOST_PARAMETERS]
    is_telling = is_finer or (len(arguments) == 1 and not parameters)
    head = _head(arguments) if is_telling else ""
    return [*([head] if head and head not in parameters else []), *parameters]


def _parameters(call: JsonObject, arguments: JsonObject) -> Iterator[str]:
    """The arguments that took the place of different values."""
    for key, general in arguments.items():
        value = call[key]
        if isinstance(general, Mapping) and isinstance(value, Mapping):
            yield from _parameters(value, general)
        elif not is_equal(value, general):
            yield str(general)


def _generalised(calls: Sequence[JsonObject]) -> dict[str, Json]:
    """Arguments that all calls have: the same value stays, another becomes a parameter."""
    first, *rest = calls
    keys = [key for key in first if all(key in each for each in rest)]
    return {key: _general_value(key, [each[key] for each in calls]) for key in keys}


def _general_value(key: str, values: Sequence[Json]) -> Json:
    objects = [value for value in values if isinstance(value, Mapping)]
    if len(objects) == len(values):
        return _generalised(objects)
    is_one = all(is_equal(values[0], each) for each in values[1:])
    return values[0] if is_one else f"{{{key}}}"


def _preconditions(
    worked: Sequence[WholeEpisode], procedure: Procedure
) -> tuple[Precondition, ...]:
    """The tools it calls, and what every success had in its environment with another value."""
    tools = [Precondition(ToolAvailable(tool)) for tool in tools_in(procedure)]
    first, *rest = (each.episode.situation.environment for each in worked)
    varying = [
        key
        for key in sorted(first)
        if all(key in each for each in rest)
        and not all(is_equal(first[key], each[key]) for each in rest)
    ]
    return (*tools, *(Precondition(EnvironmentHas(key)) for key in varying))


def _with_resources(procedure: Procedure) -> Procedure:
    return Procedure(
        steps=procedure.steps,
        estimated_duration=procedure.estimated_duration,
        resources=tools_in(procedure),
    )


def _usual_duration(worked: Sequence[WholeEpisode]) -> timedelta | None:
    spans = [run.duration for run in map(run_of, worked) if run.duration is not None]
    return sum(spans, timedelta()) / len(spans) if spans else None


def _title(
    worked: Sequence[WholeEpisode], features: Sequence[Feature], procedure: Procedure
) -> str:
    """A name from the words that the goals share, in their order; else from the first tools."""
    words = {each.name for each in features if isinstance(each.extractor, KeywordPresent)}
    situation = worked[0].episode.situation
    told = _telling_words(situation.goal or situation.text)
    named = [folded(word) for word in told if folded(word) in words]
    chosen = list(dict.fromkeys(named))[:_NAME_WORDS] or [*tools_in(procedure)[:2]]
    return "-".join(chosen or ["learnt", "procedure"])[:_MOST_NAME].strip("-")


def _description(worked: Sequence[WholeEpisode], title: str) -> str:
    """The first goal, with a gap where the others have another word."""
    situations = [each.episode.situation for each in worked]
    goals = [each.goal or each.text for each in situations]
    shared = set.intersection(*({_root(word) for word in goal.split()} for goal in goals))
    told: list[str] = []
    for word in goals[0].split():
        shown = word if _root(word) in shared else "…"
        if told[-1:] != [shown] or shown != "…":
            told.append(shown)
    words = " ".join(told) if shared else title.replace("-", " ")
    return f"{words[:_MOST_DESCRIPTION]} (learnt from {len(worked)} episodes that succeeded)"


def _root(word: str) -> str:
    return stem(folded(word).strip(".,;:!?"))


def _when(features: Sequence[Feature]) -> str:
    return ", ".join(each.name for each in features[:8])
