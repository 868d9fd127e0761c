"""How memories are told in an export: one JSON object a line, or Markdown for people to read."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime

from engram.memory.record import Memory
from engram.memory.status import IN_FORCE
from engram.storage.carrying import ExportedState

FORMAT_VERSION = 1
HEADER = "engram_export"  # the key by which the first line is known
_PADDING_LINE = 1_000


def header_line(made_at: datetime, *, scope: str | None, subject: str | None) -> bytes:
    """The first line: which format this is, when it was made and what of."""
    return line(
        {HEADER: FORMAT_VERSION, "made_at": made_at.isoformat(), "scope": scope, "subject": subject}
    )


def end_line(counts: Mapping[str, int]) -> bytes:
    """The last line: how much there is, by which a file that was cut short is known."""
    return line({"kind": "end", "counts": dict(counts)})


def line(record: Mapping[str, object]) -> bytes:
    """One record as one line."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"


def state_record(state: ExportedState, *, is_current: bool) -> dict[str, object]:
    """One state of a memory with all that is known of it, but for vectors."""
    memory, change = state.memory, state.change
    until = memory.recorded_until
    record: dict[str, object] = {
        "kind": "memory",
        "id": memory.id,
        "number": memory.number,
        "version": memory.version,
        "current": is_current,
        "text": memory.content,
        **_sort(memory),
        **_origin(memory),
        **_standing(memory),
        **_times(memory),
        "recorded_until": None if is_current or until is None else until.isoformat(),
        "metadata": dict(memory.metadata),
    }
    if change is not None:
        record["change"] = {
            "id": change.id,
            "action": change.action.value,
            "at": change.at.isoformat(),
            "actor": change.actor,
            "reason": change.reason,
        }
    return record


def _sort(memory: Memory) -> dict[str, object]:
    return {
        "summary": memory.summary,
        "category": memory.category,
        "memory_type": memory.memory_type.value,
        "layer": memory.layer.value,
        "secrecy": memory.secrecy.value,
        "scope": memory.scope.path,
    }


def _origin(memory: Memory) -> dict[str, object]:
    return {
        "source": memory.source,
        "source_class": memory.source_class.value,
        "learned_by": memory.learned_by.value,
        "speaker": memory.speaker,
        "subject": memory.subject,
        "session": memory.session,
        "reference": memory.reference,
    }


def _standing(memory: Memory) -> dict[str, object]:
    return {
        "status": memory.status.value,
        "superseded_by": memory.superseded_by,
        "confidence": memory.confidence,
        "importance": memory.base_importance,
        "trust": memory.trust,
        "valence": memory.valence,
        "arousal": memory.arousal,
        "surprise": memory.surprise,
        "pinned": memory.is_pinned,
        "horizon": memory.horizon,
        "confirmations": memory.usage.confirmations,
        "accesses": memory.usage.accesses,
    }


def _times(memory: Memory) -> dict[str, object]:
    moments = {
        "at": memory.at,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
        "learned_at": memory.learned_at,
        "verified_at": memory.last_verified_at,
        "recorded_at": memory.recorded_at,
    }
    return {name: each and each.isoformat() for name, each in moments.items()}


def markdown_head(made_at: datetime, *, scope: str | None, subject: str | None) -> bytes:
    """How a file for people to read begins."""
    about = f"\n- about: {_one_line(subject)}" if subject else ""
    where = f"\n- scope: {_one_line(scope)}" if scope else ""
    return f"# Memories\n\n- made: {made_at.isoformat()}{where}{about}\n".encode()


def markdown(state: ExportedState, *, is_current: bool) -> bytes:
    """One memory that stands, as a quotation with where it is from; nothing for any other state."""
    memory = state.memory
    if not is_current or memory.status not in IN_FORCE:
        return b""
    told = [memory.category, memory.at.date().isoformat(), memory.source]
    told += [f"{name}: {value}" for name, value in
             (("by", memory.speaker), ("about", memory.subject)) if value]  # fmt: skip
    quoted = "\n".join(f"> {each}" for each in memory.content.splitlines())
    title = f"{memory.label} ({', '.join(map(_one_line, told))})"
    return f"\n## {title}\n\n{quoted}\n".encode("utf-8", "surrogatepass")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def padding(size: int) -> Iterator[bytes]:
    """Empty lines up to the next size that is told: how large the export is shows only roughly.

    Padmé: of a size only its highest bits are kept, which adds at most 12 %, and less the larger
    it is.
    """
    whole, rest = divmod(padded_size(size) - size, _PADDING_LINE)
    for _ in range(whole):
        yield b" " * (_PADDING_LINE - 1) + b"\n"
    if rest:
        yield b" " * (rest - 1) + b"\n"


def padded_size(size: int) -> int:
    """The next size with few significant bits."""
    if size < 2:
        return size
    exponent = size.bit_length() - 1
    lowest = exponent - exponent.bit_length()
    mask = (1 << max(lowest, 0)) - 1
    return (size + mask) & ~mask
