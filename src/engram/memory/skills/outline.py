"""A skill in words: what is kept as the text of its memory, so that recall finds it."""

from engram.memory.skills.procedure import ProcedureStep, action_text
from engram.memory.skills.skill import Skill
from engram.memory.skills.triggers import (
    ContextProperty,
    CustomExtractor,
    EntityType,
    Extractor,
    GoalMatches,
    KeywordPresent,
    SemanticSimilarity,
)
from engram.text.strings import clipped

LONGEST = 1_900
_LINE = 160
_MOST_STEPS = 12
_MOST_FAILURES = 4


def outline(skill: Skill) -> str:
    """Name, purpose, when it fits, what it needs, its steps and what goes wrong, bounded."""
    parts = [f"How to {_decapitalised(skill.name)}: {clipped(skill.description, _LINE)}"]
    parts += _lines("When: ", [_when(skill)])
    parts += _lines("Needs: ", [each.told for each in skill.preconditions])
    parts += _steps(skill.procedure.steps)
    failures = [_failure_text(each.error, each.description) for each in skill.known_failures]
    parts += _lines("Goes wrong: ", failures[:_MOST_FAILURES])
    return _bounded("\n".join(parts))


def _steps(steps: tuple[ProcedureStep, ...]) -> list[str]:
    shown = [
        f"{place}. {clipped(_step_text(step), _LINE)}"
        for place, step in enumerate(steps[:_MOST_STEPS], start=1)
    ]
    rest = len(steps) - len(shown)
    return [*shown, f"and {rest} more steps"] if rest else shown


def _step_text(step: ProcedureStep) -> str:
    done = action_text(step.action)
    return step.description if done in step.description else f"{step.description} ({done})"


def _when(skill: Skill) -> str:
    if skill.trigger.description:
        return skill.trigger.description
    return ", ".join(_feature_text(each.extractor) for each in skill.trigger.features)


def _feature_text(extractor: Extractor) -> str:
    match extractor:
        case KeywordPresent(keywords):
            return " or ".join(keywords)
        case EntityType(kind):
            return f"a {kind} is named"
        case ContextProperty(key, expected):
            return f"{key} is {expected}"
        case GoalMatches(goal):
            return goal
        case SemanticSimilarity(description):
            return description
        case CustomExtractor(name):
            return name


def _failure_text(error: str, description: str) -> str:
    return f"{error} ({description})" if description else error


def _lines(title: str, texts: list[str]) -> list[str]:
    told = "; ".join(clipped(text, _LINE) for text in texts if text)
    return [f"{title}{told}"] if told else []


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _decapitalised(name: str) -> str:
    is_plain = name[:1].isupper() and name[1:2].islower()
    return name[0].lower() + name[1:] if is_plain else name
