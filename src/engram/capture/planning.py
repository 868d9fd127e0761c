"""What having turns read by the model would take, before anybody is asked."""

from collections.abc import Iterable, Sequence

from engram.capture.extract import AT_ONCE
from engram.capture.model_extraction import ReadingPlan, plan_reading
from engram.capture.observe import TurnDraft
from engram.capture.turns import Turn
from engram.memory.categories import CategoryRegistry
from engram.providers.model_options import ModelOptions
from engram.providers.price import estimated_cost


def plan_turns(
    turns: Iterable[TurnDraft], options: ModelOptions, registry: CategoryRegistry
) -> ReadingPlan:
    """The most that reading these turns can take, session by session as they would be read."""
    sessions: dict[str, list[Turn]] = {}
    for turn in turns:
        if turn.is_read:
            sessions.setdefault(turn.draft.session or "", []).append(_as_turn(turn))
    plans = [
        plan_reading(batch, options=options, registry=registry)
        for session in sessions.values()
        for batch in (session[at : at + AT_ONCE] for at in range(0, len(session), AT_ONCE))
    ]
    return added_up(plans, options)


def added_up(plans: Sequence[ReadingPlan], options: ModelOptions) -> ReadingPlan:
    """Several plans as one."""
    calls = sum(plan.calls for plan in plans)
    tokens_in = sum(plan.tokens_in for plan in plans)
    tokens_out = sum(plan.tokens_out for plan in plans)
    return ReadingPlan(calls, tokens_in, tokens_out, estimated_cost(tokens_in, tokens_out, options))


def _as_turn(turn: TurnDraft) -> Turn:
    draft = turn.draft
    return Turn(
        text=draft.text,
        role=turn.role,
        speaker=draft.speaker,
        listener=None,
        at=draft.at,
        session=draft.session,
    )
