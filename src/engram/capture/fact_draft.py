"""A fact as it was handed in: every argument checked before anything is written."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from engram.capture.draft import Draft, DraftRules, read_draft
from engram.capture.recorded import fit_to_keep, without_secrets_in
from engram.errors import ContentTooLarge, EngramError, InvalidInput
from engram.memory.changes import Action
from engram.memory.jsons import Json, checked_json
from engram.memory.knowledge.belief import NodeName, is_node_id, read_name, read_type, value_text
from engram.memory.knowledge.epistemic import (
    Contested,
    Epistemic,
    Reported,
    Retracted,
    read_epistemic,
)
from engram.memory.knowledge.relations import PROPERTY, RelationRule, read_relation
from engram.memory.knowledge.sentences import sentence
from engram.memory.record import check_share
from engram.memory.tagged import as_json
from engram.memory.trust import Provenance
from engram.security.screening.screen import screen
from engram.text.strings import checked_name

STATE = "has_state"
_LARGEST_VALUE = 65_536  # characters of its JSON
_PASSED_ON = (
    "confidence", "valid_from", "valid_until", "at", "source", "scope", "idempotency_key",
    "reference", "session", "metadata", "secrecy",
)  # fmt: skip
ARGUMENTS = frozenset(_PASSED_ON) | {
    "subject", "relation", "object", "property", "value", "subject_type", "object_type",
    "epistemic", "weight", "custom", "functional", "distinct",
}  # fmt: skip

NamedBy = NodeName | str
"""A name, or the id of a node, which is looked up when the store is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A checked claim about somebody or something, ready to be learnt."""

    source: NamedBy
    rule: RelationRule
    target: NamedBy | None
    property_name: str
    value: Json
    source_type: str | None
    target_type: str | None
    epistemic: Epistemic
    weight: float
    draft: Draft
    is_proposed: bool = False  # a model's guess: it never takes the place of anything


def read_fact(
    arguments: Mapping[str, object], rules: DraftRules, *, is_proposed: bool = False
) -> Fact:
    """Check every argument of `learn`; refuse what is wrong, naming it."""
    given = {name: value for name, value in arguments.items() if value is not None}
    unknown = sorted(str(name) for name in given if name not in ARGUMENTS)
    if unknown:
        raise InvalidInput(hint=f"learn() takes: {', '.join(sorted(ARGUMENTS))}.")
    is_custom = _flag(given, "custom")
    rule, is_reversed = _relation(given, is_custom)
    source = _named(given.get("subject"), "subject", given.get("distinct"), rules)
    target, property_name, value = _object(given, rule, rules)
    types = [_type(given.get(name), is_custom) for name in ("subject_type", "object_type")]
    if is_reversed:
        if target is None:
            raise InvalidInput(hint="The other end of this relation is an `object` with a name.")
        source, target = target, source
        types.reverse()
    if target is None and types[1] is not None:
        raise InvalidInput(hint="`object_type` is for an `object`, not for a value.")
    draft = _draft(given, rule, source, target, property_name, value, rules)
    return Fact(
        source=source,
        rule=rule,
        target=target,
        property_name=property_name,
        value=value,
        source_type=types[0],
        target_type=types[1],
        epistemic=_grounds(given.get("epistemic"), draft.provenance, given, rules),
        weight=check_share(given.get("weight", 1.0), name="weight"),
        draft=draft,
        is_proposed=is_proposed,
    )


def read_fact_item(item: object, index: int, rules: DraftRules) -> Fact:
    """Check one of many items; an error names which."""
    try:
        if not isinstance(item, Mapping):
            raise InvalidInput(hint="An item is a dictionary with the arguments of learn().")
        return read_fact(item, rules)
    except EngramError as error:
        error.hint = f"Item {index}: {error.hint}"
        raise


def fact_sentence(fact: Fact, source: NodeName, target: NodeName | None) -> str:
    """What the memory of a fact says."""
    said = _title(target) if target else value_text(fact.value)
    return sentence(fact.rule, _title(source), said, property_name=fact.property_name)


def _title(name: NamedBy) -> str:
    if isinstance(name, str):
        return name
    return f"{name.label} ({name.note})" if name.note else name.label


def _relation(given: Mapping[str, object], is_custom: bool) -> tuple[RelationRule, bool]:
    named = given.get("relation")
    if named is None and "property" not in given:
        raise InvalidInput(hint="Name a `relation`, or a `property` and its `value`.")
    is_functional = _flag(given, "functional")
    read = read_relation(named or PROPERTY, is_custom=is_custom, is_functional=is_functional)
    if is_functional and not read.rule.is_functional:
        hint = f"`{read.rule.name}` is known to have several values; `functional` is for your own."
        raise InvalidInput(hint=hint)
    return read.rule, read.is_reversed


def _named(value: object, name: str, distinct: object, rules: DraftRules) -> NamedBy:
    if isinstance(value, str) and is_node_id(value):
        return value
    read = read_name(value, name=name, distinct=distinct)
    if not _holds_secret(read.label) and not (read.note and _holds_secret(read.note)):
        return read
    return NodeName(
        str(without_secrets_in(read.label, rules)), str(without_secrets_in(read.note, rules))
    )


@lru_cache(maxsize=8192)
def _holds_secret(label: str) -> bool:
    """Whether a name does; asked once for each, since the same names come again and again."""
    return bool(screen(label).secrets)


def _object(
    given: Mapping[str, object], rule: RelationRule, rules: DraftRules
) -> tuple[NamedBy | None, str, Json]:
    """What is said of the subject: another node, or a value and which property it is of."""
    if rule.name == PROPERTY:
        if "property" not in given:
            raise InvalidInput(hint="`has_property` needs a `property` and a `value`.")
        value = given["value"] if "value" in given else given.get("object")
        name = checked_name(given["property"], name="property")
        return None, " ".join(name.casefold().split()), _value(value, rules)
    if "property" in given:
        raise InvalidInput(hint=f"A `property` belongs to `{PROPERTY}`, not to `{rule.name}`.")
    if rule.name == STATE and "value" in given and "object" not in given:
        return None, "", _value(given["value"], rules)
    if "value" in given:
        raise InvalidInput(hint=f"`{rule.name}` has an `object`; a `value` is for properties.")
    return _named(given.get("object"), "object", None, rules), "", None


def _value(value: object, rules: DraftRules) -> Json:
    if value is None or value == "":
        raise InvalidInput(hint="A property has a `value`.")
    checked = checked_json(value, name="value")
    size = len(json.dumps(checked, ensure_ascii=False))
    if size > _LARGEST_VALUE:
        raise ContentTooLarge(hint=f"`value` has {size} characters; {_LARGEST_VALUE} are allowed.")
    return without_secrets_in(checked, rules)


def _type(value: object, is_custom: bool) -> str | None:
    return None if value is None else read_type(value, is_custom=is_custom)


def _flag(given: Mapping[str, object], name: str) -> bool:
    value = given.get(name, False)
    if not isinstance(value, bool):
        raise InvalidInput(hint=f"`{name}` is true or false.")
    return value


def _grounds(
    value: object, provenance: Provenance, given: Mapping[str, object], rules: DraftRules
) -> Epistemic:
    """On which grounds it is believed; nobody reports with more trust than they have."""
    if value is None:
        teller = provenance.source if given.get("source") else rules.principal.actor
        return Reported(teller, provenance.trust)
    read = read_epistemic(value)
    if isinstance(read, Contested | Retracted):
        raise InvalidInput(hint="Contested and retracted follow from what is said; say the claim.")
    read = fit_to_keep(read, Epistemic, rules, name="epistemic")
    if isinstance(read, Reported) and read.trust > provenance.trust:
        return Reported(read.source, provenance.trust)
    return read


def _draft(
    given: Mapping[str, object],
    rule: RelationRule,
    source: NamedBy,
    target: NamedBy | None,
    property_name: str,
    value: Json,
    rules: DraftRules,
) -> Draft:
    said = value_text(value) if target is None else _title(target)
    text = sentence(rule, _title(source), said, property_name=property_name)
    is_of_two = rule.name == "knows" and target is not None
    arguments: dict[str, object] = {name: given[name] for name in _PASSED_ON if name in given}
    arguments["category"] = "relationship" if is_of_two else "fact"
    draft = read_draft(text, arguments, rules)
    return dataclasses.replace(
        draft, action=Action.LEARN_FACT, body=_body(given) if draft.idempotency_key else b""
    )


def _body(given: Mapping[str, object]) -> bytes:
    """A hash of all that was handed in, to recognise the same request again."""
    document = json.dumps({name: _plain(value) for name, value in given.items()}, sort_keys=True)
    return hashlib.sha256(document.encode()).digest()


def _plain(value: object) -> object:
    try:
        return as_json(value)
    except EngramError:
        return str(value)
