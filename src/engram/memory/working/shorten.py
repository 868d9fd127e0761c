"""Shorter versions of a thing in mind: by tiers where a memory is behind it, else by sentences."""

from collections.abc import Mapping
from dataclasses import replace

from engram.memory.ids import MemoryId
from engram.memory.tiers import ContentTiers, tiers
from engram.memory.tokens.counter import TokenCounter
from engram.memory.working.slots import TIERS, Focus, SlotTier

# The four lengths of the memories behind things in mind; read from the store when asked for.
Lengths = Mapping[MemoryId, ContentTiers]
_CATEGORY = "context"


def text_at(lengths: ContentTiers, tier: SlotTier) -> str:
    """A content at one of its lengths."""
    match tier:
        case SlotTier.FULL:
            return lengths.full.text
        case SlotTier.SUMMARY:
            return lengths.summary.text
        case SlotTier.KEY_FACT:
            return lengths.key_fact.text
        case SlotTier.TAG:
            return lengths.tag.text


def at_tier(focus: Focus, tier: SlotTier, lengths: Lengths, counter: TokenCounter) -> Focus:
    """The same thing at another length; what was left out is not brought back without a memory."""
    if focus.memory_id is not None:
        if focus.memory_id not in lengths:
            return focus
        text = text_at(lengths[focus.memory_id], tier)
    elif TIERS.index(tier) <= TIERS.index(focus.tier):
        return focus
    else:
        text = text_at(tiers(focus.text, _CATEGORY), tier)
    return replace(focus, text=text, tokens=counter.count(text), tier=tier)


def one_tier_down(focus: Focus, lengths: Lengths, counter: TokenCounter) -> Focus | None:
    """The next length that takes fewer tokens; None when there is none."""
    for tier in TIERS[TIERS.index(focus.tier) + 1 :]:
        shorter = at_tier(focus, tier, lengths, counter)
        if shorter.tokens < focus.tokens:
            return shorter
    return None


def within(focus: Focus, most_tokens: int, lengths: Lengths, counter: TokenCounter) -> Focus | None:
    """The longest version that takes at most so many tokens; None when there is none."""
    if focus.memory_id is None:
        told = sentences_within(focus.text, most_tokens)
        tokens = counter.count(told) if told else 0
        if 0 < tokens <= most_tokens:
            tier = max(focus.tier, SlotTier.SUMMARY, key=TIERS.index)
            return replace(focus, text=told, tokens=tokens, tier=tier)
    shorter: Focus | None = focus
    while shorter is not None and shorter.tokens > most_tokens:
        shorter = one_tier_down(shorter, lengths, counter)
    return shorter


def sentences_within(text: str, most_tokens: int) -> str:
    """The sentences of a text that tell most, in their order; empty when none fits."""
    # Imported here: what is never too long needs no summary.
    from engram.memory.dreams.summaries import Weighed, summary

    return summary([Weighed(text)], most_tokens=most_tokens)
