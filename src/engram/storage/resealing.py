"""Moves a memory to another tier: every state it ever had, and all that is derived from them."""

from collections.abc import Callable, Sequence
from typing import cast

from engram.memory.people import Person, each_once, first_subject, person_of
from engram.memory.record import Memory
from engram.memory.traits import traits_of
from engram.memory.vocabulary import Secrecy
from engram.storage.database import Transaction, Value
from engram.storage.entities import keep_mentions
from engram.storage.rows import MEMORY_COLUMNS, memory_from_row, metadata_text
from engram.storage.sealed_memories import people_behind, sealed_parts
from engram.storage.vault import blob_in
from engram.text.terms import index_text


def resealed(
    transaction: Transaction,
    number: int,
    secrecy: Secrecy,
    *,
    people: Sequence[Person] = (),
    summary: Callable[[Memory], str | None] = lambda memory: memory.summary,
    identity: Callable[[Memory], bytes] = lambda memory: memory.identity,
) -> int:
    """Put all states of a memory under another tier; return how many there are.

    The states say what they said, when they said it; only who can read them changes. `summary`
    tells what may be known of a state, `identity` under which value it is known again. Within the
    caller's transaction: all of it or nothing.
    """
    behind = (*people, *people_behind(transaction, number))
    states = transaction.rows("states_to_reseal", {"number": number})
    wordings: dict[int, Memory] = {}
    for row in states:
        old = memory_from_row(row)
        memory = old.replaced(secrecy=secrecy, summary=summary(old), identity=identity(old))
        everybody = each_once((person_of(memory), *behind))
        _rewrite(transaction, cast(int, row[MEMORY_COLUMNS]), memory, everybody)
        wordings[memory.version] = memory
    if wordings:
        _follow(transaction, number, wordings, behind)
    return len(states)


def _rewrite(
    transaction: Transaction, state: int, memory: Memory, people: Sequence[Person]
) -> None:
    """One state anew, and its line in the text index."""
    sealed = sealed_parts(transaction, memory, people)
    row: dict[str, Value] = {
        "state": state,
        "secrecy": memory.secrecy.value,
        # To whom somebody stands in a relation is sealed; only of whom it is told is not.
        "subject": memory.subject if sealed is None else first_subject(memory),
        "identity": memory.identity,
        "summary": memory.summary if sealed is None else sealed.summary,
        "metadata": metadata_text(dict(memory.metadata) if sealed is None else {}),
        "content": memory.content if sealed is None else None,
        "sealed_metadata": None if sealed is None else sealed.metadata,
        "sealed_content": None if sealed is None else sealed.content,
    }
    transaction.run("reseal_state", row)
    transaction.run("unindex_state", {"state": state})
    if memory.index_words is not None:
        text = index_text(memory.index_words)
        transaction.run("index_state", (state, text.words, text.fragments))


def _follow(
    transaction: Transaction,
    number: int,
    wordings: dict[int, Memory],
    behind: Sequence[Person],
) -> None:
    """What is derived from the wordings, and the evidence that was worded differently."""
    for query in ("drop_traits_of", "drop_mentions"):
        transaction.run(query, {"number": number})
    for version, memory in sorted(wordings.items()):
        if memory.index_words is not None:
            made = traits_of(memory.index_words)
            transaction.run("replace_traits", (number, version, made.tokens, made.flags))
    newest = wordings[max(wordings)]
    if newest.is_indexable:
        keep_mentions(transaction, newest)
    everybody = each_once((person_of(newest), *behind))
    _reseal_vectors(transaction, newest, everybody)
    _reseal_evidence(transaction, newest, everybody)
    # A line that is taken out of the index stays in its pages until they are written together.
    transaction.run("tidy_text_index", {})


def _reseal_vectors(transaction: Transaction, memory: Memory, people: Sequence[Person]) -> None:
    for id_, value in transaction.rows("vectors_to_reseal", {"number": memory.number}):
        vector = cast(bytes, value)
        if vector:  # one whose key is gone stays as it is
            kept = vector if memory.is_indexable else transaction.seal_bytes(vector, people)
            transaction.run("reseal_vector", {"id": id_, "vector": kept})


def _reseal_evidence(transaction: Transaction, memory: Memory, people: Sequence[Person]) -> None:
    for change_id, content in transaction.rows("evidence_to_reseal", {"number": memory.number}):
        text = cast(str, content)
        if text and blob_in(text) is None:
            kept = text if memory.is_indexable else transaction.seal(text, people)
            row: dict[str, Value] = {
                "number": memory.number, "change_id": change_id, "content": kept,
            }  # fmt: skip
            transaction.run("reseal_evidence", row)
