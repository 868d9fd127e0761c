"""What a turn knows before it begins: who runs it, where, for which model; and who said what."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from engram.context.runners import Runner, find_runner, session_name
from engram.context.running import SessionKey
from engram.engine.contexts import checked_words
from engram.memory.scopes import Scope
from engram.providers.model_registry import LanguageModelLimits, limits_of
from engram.providers.tokenizers import counter_for

if TYPE_CHECKING:
    from engram.engine.facade import Engram
    from engram.memory.tokens.counter import TokenCounter

ASKED_BY = "asked_by"  # on what a runner asked in nobody's name
# How the roles of what is kept are told to a model.
SPOKEN: Mapping[str, str] = {
    "user": "user", "assistant": "assistant", "result": "assistant", "system": "user",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that was said in the turn."""

    text: str
    at: datetime
    tool: str = ""
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What was said in a turn, as far as it is to be kept."""

    asked: Said
    tools: tuple[Said, ...] = ()
    answer: Said | None = None


@dataclass(frozen=True, slots=True)
class TurnSetting:
    """What a turn knows before it begins."""

    key: SessionKey
    runner: Runner
    scope: Scope | None
    place: Scope
    system: str | None
    model: str  # as the caller names it
    limits: LanguageModelLimits
    counter: "TokenCounter"

    @property
    def session(self) -> str:
        """The session, as its runner calls it."""
        return self.key[2]


def resolve(
    engram: "Engram",
    session: str,
    *,
    model: str,
    runner: str,
    system: str | None,
    scope: Scope | None,
) -> TurnSetting:
    """What a turn will go by; wrong use is refused here."""
    checked_words(system, name="system")
    kind = find_runner(runner)
    limits = limits_of(model, engram.settings.models)
    place = engram.principal.write_scope(scope)
    engram.principal.reach(scope)
    key = (engram.principal.holder, place.path, session_name(kind, session))
    counter = counter_for(limits.tokenizer)
    return TurnSetting(key, kind, scope, place, system, model, limits, counter)
