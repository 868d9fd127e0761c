"""What a turn leaves in mind: working memory, where the talk is heading, what may be asked next."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram.engine.steps import Steps
from engram.engine.turn_setting import Told, TurnSetting
from engram.errors import EngramError

if TYPE_CHECKING:
    from engram.engine.facade import Engram


def bring_to_mind(
    engram: "Engram", setting: TurnSetting, told: Told, steps: Steps, *, is_kept: bool
) -> None:
    """Working memory, momentum and what may be asked next; each does without the others."""
    session, scope = setting.session, setting.scope
    both = ((setting.runner.asked_as, told.asked), ("assistant", told.answer))
    spoken = [(role, said.text) for role, said in both if said and said.text.strip()]
    with steps.tolerating("topic", EngramError):
        shift = engram._topic_shift(session, told.asked.text, scope=scope)
        engram.working.topic(shift, session=session, scope=scope)
    for role, text in spoken:
        with steps.tolerating("working memory", EngramError):
            engram.working.hear(text, role, session=session, scope=scope)
        if not is_kept:  # the store will not tell of it
            with steps.tolerating("momentum", EngramError):
                engram._note_turn(session, text, scope=scope)
    with steps.tolerating("anticipation", EngramError):
        engram._anticipate(session, scope=scope)


def turn_back(engram: "Engram", setting: TurnSetting, questions: Sequence[str]) -> None:
    """Let the conversation not go on from questions that were taken back."""
    key = engram._trajectory_key(setting.session, setting.scope)
    texts = [engram._question(each).text for each in questions]
    engram._parts.trajectories.take_back(key, texts)
