"""From what a person has to the keys of a store: one master key, wrapped, and keys made of it."""

from engram.security.keys.credentials import (
    KEY_BYTES,
    Credentials,
    Kind,
    parse_key,
    read_key_file,
)
from engram.security.keys.keyrings import (
    is_in_keyring,
    key_from_keyring,
    key_named_in,
    put_key_into_keyring,
)
from engram.security.keys.recovery import (
    looks_like_recovery_key,
    make_recovery_key,
    parse_recovery_key,
)
from engram.security.keys.slot_file import read_slot, write_slot
from engram.security.keys.slots import (
    KeySlot,
    MasterKey,
    StoreUse,
    Use,
    Wrapping,
    database_key,
    fresh_name,
    fresh_slot,
    made_slot,
    master_key,
    opened_by,
    rewrapped,
    store_keys,
    with_fresh_master,
    with_next_versions,
    with_wrapping,
    without_wrapping,
)

__all__ = [
    "KEY_BYTES",
    "Credentials",
    "KeySlot",
    "Kind",
    "MasterKey",
    "StoreUse",
    "Use",
    "Wrapping",
    "database_key",
    "fresh_name",
    "fresh_slot",
    "is_in_keyring",
    "key_from_keyring",
    "key_named_in",
    "looks_like_recovery_key",
    "made_slot",
    "make_recovery_key",
    "master_key",
    "opened_by",
    "parse_key",
    "parse_recovery_key",
    "put_key_into_keyring",
    "read_key_file",
    "read_slot",
    "rewrapped",
    "store_keys",
    "with_fresh_master",
    "with_next_versions",
    "with_wrapping",
    "without_wrapping",
    "write_slot",
]
