"""Looks a statement over before it is kept: secrets, personal details, orders to an agent."""

import dataclasses

from engram.capture.draft import Draft, DraftRules
from engram.capture.remember import remember
from engram.capture.seal_kept import tiered
from engram.capture.understanding import understood
from engram.errors import InvalidInput
from engram.memory.ids import ChangeId, MemoryId
from engram.memory.outcomes import Outcome, Refused
from engram.memory.record import Memory, MetadataValue
from engram.memory.vocabulary import Secrecy, SourceClass, Status
from engram.security.screening.screen import Screened, masked, screen
from engram.storage.turns import count_capture
from engram.storage.unit import UnitOfWork

HOSTILE = "looks like an order to an agent"
_NOBODY = MemoryId("0" * 26)  # of what was never stored


def labels(screened: Screened) -> dict[str, MetadataValue]:
    """What screening found, as a memory carries it: kinds, never the words."""
    found: dict[str, MetadataValue] = {}
    if screened.is_flagged:
        found["flags"] = ["injection"]
    if screened.personal:
        found["personal"] = sorted({str(span.kind) for span in screened.personal})
    if screened.secrets:
        found["secrets"] = secret_kinds(screened)
    return found


def secret_kinds(screened: Screened) -> list[str]:
    """What sorts of secrets were found."""
    return sorted({str(span.kind) for span in screened.secrets})


def without_secrets(text: str, screened: Screened, rules: DraftRules) -> str:
    """The text as it may be kept where it is not refused: secrets stay in sealed stores alone."""
    may_stay = rules.options.secrets == "seal" and rules.is_sealed
    return text if may_stay or not screened.secrets else masked(text, screened.secrets)


def looked_over(
    draft: Draft,
    rules: DraftRules,
    *,
    inherited: Secrecy = Secrecy.CLEARTEXT,
    details: object = None,
) -> tuple[Draft, Screened]:
    """The draft with its tier and with labels for what it holds; an order from no person waits.

    `inherited` is the tier of what it was made of, `details` is what will be kept beside it.
    """
    screened = screen(draft.text)
    said = (draft.text, screened)
    labelled = _labelled(draft, screened, rules)
    return tiered(labelled, said, rules, inherited=inherited, details=details), screened


def _labelled(draft: Draft, screened: Screened, rules: DraftRules) -> Draft:
    found = labels(screened)
    if not found:
        return draft
    is_persons = draft.provenance.source_class is SourceClass.PERSON
    reason = HOSTILE if screened.is_hostile and not is_persons else draft.reason_to_hold
    text = without_secrets(draft.text, screened, rules)
    metadata = {**draft.metadata, **found}
    return dataclasses.replace(draft, text=text, metadata=metadata, reason_to_hold=reason)


def refusal(
    draft: Draft, screened: Screened, rules: DraftRules, unit: UnitOfWork
) -> Refused | None:
    """Why a statement is not kept: it holds a secret, and the settings say not to keep those."""
    if not screened.secrets or rules.options.secrets == "mask":
        return None
    if rules.options.secrets == "seal" and rules.is_sealed:
        return None
    kinds = ", ".join(secret_kinds(screened))
    return Refused(_never_stored(draft, screened, unit), f"holds a secret: {kinds}")


def _never_stored(draft: Draft, screened: Screened, unit: UnitOfWork) -> Memory:
    return Memory(
        id=_NOBODY, number=0, scope=draft.scope, content=masked(draft.text, screened.secrets),
        category=draft.category.name, memory_type=draft.memory_type, layer=draft.layer,
        kind=draft.kind, status=Status.REJECTED, source=draft.provenance.source,
        source_class=draft.provenance.source_class, learned_by=draft.provenance.learned_by,
        speaker=draft.speaker, subject=draft.subject, session=draft.session,
        reference=draft.reference, confidence=draft.confidence, base_importance=draft.importance,
        trust=draft.provenance.trust, at=draft.at, learned_at=unit.now, recorded_at=unit.now,
        change_id=ChangeId(""),
    )  # fmt: skip


def take_in(draft: Draft, unit: UnitOfWork, rules: DraftRules) -> Outcome:
    """Look one statement over and keep it."""
    replaced = unit.see.memory(draft.replaces) if draft.replaces else None
    inherited = replaced.secrecy if replaced else Secrecy.CLEARTEXT
    seen, screened = looked_over(draft, rules, inherited=inherited)
    refused = refusal(draft, screened, rules, unit)
    if refused is not None:
        count_capture(unit.transaction, draft.scope, unit.now, {("refused", "secret"): 1})
        return refused
    return remember(
        understood(seen, unit, rules), unit, principal=rules.principal, options=rules.options
    )


def reworded(text: str, rules: DraftRules) -> tuple[str, dict[str, MetadataValue]]:
    """A new wording as it may be kept, and its labels; a refusal where it may not."""
    screened = screen(text)
    is_kept = rules.options.secrets == "mask" or (
        rules.options.secrets == "seal" and rules.is_sealed
    )
    if screened.secrets and not is_kept:
        kinds = ", ".join(secret_kinds(screened))
        raise InvalidInput(hint=f"It holds a secret ({kinds}): take that out first.")
    if screened.is_hostile and not rules.principal.is_person:
        raise InvalidInput(hint=f"It {HOSTILE}: a person has to say it.")
    return without_secrets(text, screened, rules), labels(screened)
