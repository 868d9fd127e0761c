"""Keeps a memory that is made from details, and the details beside it, in one transaction."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import TypeVar

from engram.capture.draft import Draft, DraftRules
from engram.capture.remember import remember
from engram.capture.screened import looked_over, refusal, without_secrets
from engram.memory.jsons import Json
from engram.memory.outcomes import Outcome
from engram.memory.record import Memory
from engram.memory.secrecy import is_protected
from engram.memory.tagged import as_json, from_json
from engram.memory.vocabulary import Secrecy
from engram.security.screening.screen import screen
from engram.storage.unit import UnitOfWork

_T = TypeVar("_T")
_SHORTEST_SECRET = 8  # characters; shorter texts are not looked over


def keep_record(
    draft: Draft,
    unit: UnitOfWork,
    rules: DraftRules,
    write_details: Callable[[Memory], None],
    *,
    details: object = None,
    inherited: Secrecy = Secrecy.CLEARTEXT,
) -> Outcome:
    """Look the text over and keep it; the details go beside it when it is stored or held.

    What is found in the details counts for its tier as well.
    """
    seen, screened = looked_over(draft, rules, inherited=inherited, details=as_json(details))
    if is_protected(seen.secrecy) and seen.named_if_protected is not None:
        seen = dataclasses.replace(seen, subject=seen.named_if_protected)
    refused = refusal(draft, screened, rules, unit)
    if refused is not None:
        return refused
    outcome = remember(seen, unit, principal=rules.principal, options=rules.options)
    if outcome.kind in ("stored", "held"):
        write_details(outcome.memory)
    return outcome


def fit_to_keep(value: _T, kind: object, rules: DraftRules, *, name: str) -> _T:
    """Details of some class, or union, as they may be kept: secrets in any text are masked."""
    document = as_json(value)
    masked = without_secrets_in(document, rules)
    if masked == document:
        return value
    read: _T = from_json(kind, masked, name=name)
    return read


def without_secrets_in(value: Json, rules: DraftRules) -> Json:
    """Details as they may be kept: secrets in any of their texts are masked, as in turns."""
    if isinstance(value, str):
        return _without_secrets(value, "", rules)
    if isinstance(value, Mapping):
        return {
            key: _without_secrets(item, f"{key}: ", rules)
            if isinstance(item, str)
            else without_secrets_in(item, rules)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_secrets_in(item, rules) for item in value]
    return value


def _without_secrets(text: str, before: str, rules: DraftRules) -> str:
    """A text without secrets; what stands before it may tell that it is one, as in `password: `."""
    if len(text) < _SHORTEST_SECRET:
        return text
    masked = without_secrets(before + text, screen(before + text), rules)
    if masked.startswith(before):
        return masked.removeprefix(before)
    return without_secrets(text, screen(text), rules)
