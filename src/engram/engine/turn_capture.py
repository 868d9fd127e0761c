"""What is kept of a turn: what was asked, what tools said and the answer, all of it or nothing."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engram.capture.results import is_trivial, result_arguments
from engram.context.truncation import shortened_text
from engram.engine.steps import Steps
from engram.engine.turn_report import Captured
from engram.engine.turn_setting import ASKED_BY, Said, Told, TurnSetting
from engram.engine.turn_words import keepable
from engram.errors import EngramError

if TYPE_CHECKING:
    from engram.engine.facade import Engram

_TOOL_TOKENS = 1_000  # of a tool's answer that are kept
_Item = dict[str, object]


def fit_to_keep(told: Told, max_bytes: int, steps: Steps) -> Told:
    """What was said, by its beginning and end where the store takes no more."""

    def kept(said: Said, name: str) -> Said:
        text = keepable(said.text, max_bytes)
        if text != said.text:
            steps.do_without(
                "capture", f"{name} is too long to keep; its beginning and end are kept"
            )
        return replace(said, text=text)

    answer = None if told.answer is None else kept(told.answer, "the answer")
    return replace(told, asked=kept(told.asked, "what was asked"), answer=answer)


def capture(
    engram: "Engram", setting: TurnSetting, told: Told, steps: Steps
) -> tuple[Captured, ...]:
    """Keep what was said, in one transaction; what became of each."""
    # All of it or nothing: half a turn would be told as if the other side were silent.
    with steps.tolerating("capture", EngramError):
        items = list(_to_observe(setting, told))
        observed = engram.observe_many([item for _, item in items])
        return tuple(
            Captured(role, each.kind, each.memory.id)
            for (role, _), each in zip(items, observed, strict=True)
        )
    return ()


def _to_observe(setting: TurnSetting, told: Told) -> Iterator[tuple[str, _Item]]:
    runner = setting.runner
    by = None if runner.speaks_for_a_person else {ASKED_BY: runner.name}
    yield (
        "asked",
        _item(setting, told.asked, role=runner.asked_as, source=runner.asked_source, metadata=by),
    )
    for tool in told.tools:
        text = shortened_text(tool.text, _TOOL_TOKENS, setting.counter)
        yield "tool", _item(setting, replace(tool, text=text), role="tool", speaker=tool.tool)
    if told.answer is not None and told.answer.text.strip():
        yield "answer", _answer_item(setting, told.answer)


def _answer_item(setting: TurnSetting, answer: Said) -> _Item:
    runner = setting.runner
    if runner.result_kind is None or is_trivial(answer.text):
        return _item(setting, answer, role="assistant")
    name = setting.session.removeprefix(runner.prefix)
    given = result_arguments(runner.result_kind, name, answer.outcome, {})
    return _item(setting, answer, **given)


def _item(setting: TurnSetting, said: Said, **given: object) -> _Item:
    return {
        "text": said.text, "at": said.at, "session": setting.session, "scope": setting.scope,
        **given,
    }  # fmt: skip
