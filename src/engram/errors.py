"""What can go wrong: one tree of errors, each with a code and a hint.

EngramError
├── StoreError            E10xx  the place where memories are kept
│   ├── StoreLocked       E1001  ├── StoreCorrupt      E1002  ├── DiskFull          E1003
│   ├── MigrationFailed   E1004  ├── WriteFailed       E1005  ├── StoreBusy         E1006
│   ├── StorePathInvalid  E1007  ├── SchemaTooNew      E1008  ├── StoreReadOnly     E1009
│   ├── NetworkFilesystem E1010  ├── StoreInUse        E1011  ├── BackupFailed      E1012
│   ├── UnsafeLibrary     E1013  ├── StoreClosed       E1014  ├── StoreMissing      E1015
│   └── NoStore           E1016
├── RecallError           E20xx  finding and changing memories
│   ├── SearchTimeout     E2001  ├── InvalidQuery      E2004  ├── MemoryNotFound    E2005
│   ├── IllegalTransition E2006  ├── ChangeNotFound    E2007  ├── UndoConflict      E2008
│   ├── IdempotencyConflict E2009             ├── StatementTaken    E2014
│   ├── VectorRefused     E2010  ├── MemoryChanged     E2015  ├── SlotNotFound      E2016
│   ├── BudgetTooSmall    E2017  ├── MemoryErased      E2018
│   └── CertificateInvalid E2019
├── ProviderError         E30xx  the models that embed, rerank and read
│   ├── EmbedderUnavailable E3001             ├── RerankerUnavailable E3005
│   ├── ModelUnavailable  E3006  └── ReaderUnavailable E3007
├── SecurityError         E40xx  what must not get in or out
│   ├── AccessDenied      E4001  ├── EncryptionFailed  E4002  ├── ContentTooLarge   E4004
│   ├── InvalidInput      E4005  ├── KeyUnknown        E4006  ├── TooManyRequests   E4007
│   ├── RequestRefused    E4008  ├── SignatureInvalid  E4009  ├── KeyNotFound       E4010
│   ├── ImportRefused     E4017  ├── FileUnreadable    E4018  ├── ExportRefused     E4019
│   ├── WebhookNotFound   E4011  ├── KeyringUnavailable E4012 ├── LastWayIn        E4013
│   ├── VaultUnreadable   E4015
└── ProcessError          E50xx  the process and its settings
    ├── ConfigInvalid     E5003  ├── HarnessUnreadable E5004  ├── Cancelled         E5005
    ├── RequestTimeout    E5006  ├── DreamRunning      E5007  └── TurnRunning       E5008

The first line of a class docstring is the message. A hint says what to do next.
Neither ever carries memory text, a query, a key or a token.
"""

from typing import ClassVar


class EngramError(Exception):
    """Something went wrong in Engram."""

    code: ClassVar[str] = "E0000"
    default_hint: ClassVar[str] = ""

    def __init__(self, *, hint: str | None = None) -> None:
        self.hint = self.default_hint if hint is None else hint
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """What went wrong, in one sentence."""
        return (type(self).__doc__ or "").strip().splitlines()[0]

    def __str__(self) -> str:
        return f"[{self.code}] {self.message} {self.hint}".rstrip()


class StoreError(EngramError):
    """The store could not do what was asked."""

    code = "E1000"


class StoreLocked(StoreError):
    """The store is encrypted and the key given is missing or wrong."""

    code = "E1001"
    default_hint = (
        "Give the passphrase, or set ENGRAM_PASSPHRASE, ENGRAM_KEY_FILE, ENGRAM_KEY, "
        "ENGRAM_KEYRING or ENGRAM_RECOVERY_KEY. "
        "Nothing was changed."
    )


class StoreCorrupt(StoreError):
    """The database is damaged."""

    code = "E1002"
    default_hint = "Run `engram doctor`; `engram restore` brings back a verified backup."


class DiskFull(StoreError):
    """There is no space left to write."""

    code = "E1003"
    default_hint = "Free some disk space and try again; nothing of this call was stored."


class MigrationFailed(StoreError):
    """The database could not be brought to this version's schema."""

    code = "E1004"
    default_hint = "The store is as it was before. A verified backup is in its backups folder."


class WriteFailed(StoreError):
    """The change could not be written."""

    code = "E1005"
    default_hint = "Nothing of this call was stored. Run `engram health`, then open the store anew."


class StoreBusy(StoreError):
    """Too many writers are waiting for this store."""

    code = "E1006"
    default_hint = "Nothing of this call was stored; try again in a moment."


class StorePathInvalid(StoreError):
    """This path cannot hold an Engram store."""

    code = "E1007"
    default_hint = "Give a folder that is empty, missing, or already an Engram store."


class SchemaTooNew(StoreError):
    """This database was written by a newer version of Engram."""

    code = "E1008"
    default_hint = "Upgrade Engram, or open a backup made by this version."


class StoreReadOnly(StoreError):
    """The store cannot be written to."""

    code = "E1009"
    default_hint = "Open it without read_only, or check the permissions of its folder."


class NetworkFilesystem(StoreError):
    """The store lies on a network file system, where SQLite's locks cannot be trusted."""

    code = "E1010"
    default_hint = "Keep the store on a local disk, or use PostgreSQL to share it between machines."


class StoreInUse(StoreError):
    """Another process has this store open."""

    code = "E1011"
    default_hint = "Close the other Engram processes (servers, agents, shells) and try again."


class BackupFailed(StoreError):
    """The backup could not be made or does not hold what it should."""

    code = "E1012"
    default_hint = "Earlier backups are untouched. Run `engram doctor`."


class UnsafeLibrary(StoreError):
    """The SQLite library in this process is not safe for a store shared by processes."""

    code = "E1013"
    default_hint = "Reinstall Engram so that apsw-sqlite3mc 3.54 or newer is used."


class StoreClosed(StoreError):
    """This store has been closed."""

    code = "E1014"
    default_hint = "Open it again with Engram.open()."


class StoreMissing(StoreError):
    """A store was kept here, but its database is gone."""

    code = "E1015"
    default_hint = "Bring it back with `engram restore`; no empty store is started in its place."


class NoStore(StoreError):
    """There is no store at this path."""

    code = "E1016"
    default_hint = "Check the path; `engram remember` makes a new store."


class RecallError(EngramError):
    """The memory asked for could not be found or changed."""

    code = "E2000"


class SearchTimeout(RecallError):
    """The search took longer than allowed."""

    code = "E2001"
    default_hint = "Ask with fewer or rarer words, or raise recall.timeout_seconds."


class InvalidQuery(RecallError):
    """This query cannot be searched for."""

    code = "E2004"


class MemoryNotFound(RecallError):
    """There is no such memory that you may see."""

    code = "E2005"
    default_hint = "List what is there with `engram list`; check the id and the scope."


class IllegalTransition(RecallError):
    """A memory cannot move from its status to that one."""

    code = "E2006"


class ChangeNotFound(RecallError):
    """There is no such change that you may undo."""

    code = "E2007"
    default_hint = "`engram history ID` shows the change ids of a memory."


class UndoConflict(RecallError):
    """The memory has changed since, so this change cannot be taken back alone."""

    code = "E2008"


class IdempotencyConflict(RecallError):
    """This idempotency key was used before with other content."""

    code = "E2009"
    default_hint = "Use a fresh key for each distinct request."


class StatementTaken(RecallError):
    """Another memory of this scope already says this."""

    code = "E2014"  # E2010 to E2013 are taken by vector back ends in the taxonomy we follow


class MemoryChanged(RecallError):
    """The memory is no longer in the state that the change was meant for."""

    code = "E2015"
    default_hint = "Somebody has changed it since you read it; read it again."


class SlotNotFound(RecallError):
    """There is no such thing in mind in this session."""

    code = "E2016"
    default_hint = "It may have been let go; `engram working` shows what is in mind now."


class BudgetTooSmall(RecallError):
    """The system prompt and the message to answer do not fit into the budget."""

    code = "E2017"
    default_hint = (
        "Shorten the system prompt or the message, or allow more: a larger budget or, where none "
        "was given, a model with a larger window."
    )

    def __init__(self, *, hint: str | None = None, least: int = 0) -> None:
        super().__init__(hint=hint)
        self.least = least  # tokens that would do


class MemoryErased(RecallError):
    """It was erased, and nothing brings it back."""

    code = "E2018"
    default_hint = "An erasure cannot be undone: there is nothing left to undo it with."


class CertificateInvalid(RecallError):
    """This is no certificate of an erasure."""

    code = "E2019"
    default_hint = "Give the file that `engram erase --certificate FILE` wrote, as it was written."


class ProviderError(EngramError):
    """A model that Engram works with did not do its part."""

    code = "E3000"


class EmbedderUnavailable(ProviderError):
    """Texts cannot be turned into vectors just now."""

    code = "E3001"
    default_hint = "Nothing is lost: recall goes by text, and what is pending is embedded later."


class RerankerUnavailable(ProviderError):
    """The model that reorders hits cannot be used just now."""

    code = "E3005"  # E3002 to E3004 are taken by embedding in the taxonomy we follow
    default_hint = "Hits keep the order they had. Check the folder that holds the model."


class ReaderUnavailable(ProviderError):
    """The model that reads turns cannot be used just now."""

    code = "E3007"
    default_hint = "Turns are kept and wait to be read. Check that Engram is installed whole."


class ModelUnavailable(ProviderError):
    """The language model gave no answer that can be used."""

    code = "E3006"
    default_hint = "Nothing is lost: what was said is kept, and rules read it meanwhile."

    def __init__(self, *, hint: str | None = None, is_unspent: bool = False) -> None:
        super().__init__(hint=hint)
        self.is_unspent = is_unspent  # certainly cost nothing: nobody was asked, or nobody read it


class VectorRefused(RecallError):
    """A vector does not fit the index it was meant for."""

    code = "E2010"


class SecurityError(EngramError):
    """The request was refused to keep the store safe."""

    code = "E4000"


class AccessDenied(SecurityError):
    """The caller may not do this."""

    code = "E4001"


class EncryptionFailed(SecurityError):
    """Encrypting or decrypting failed."""

    code = "E4002"


class ContentTooLarge(SecurityError):
    """The input is larger than allowed."""

    code = "E4004"


class InvalidInput(SecurityError, ValueError):
    """A value given is not valid."""

    code = "E4005"


class KeyUnknown(SecurityError):
    """No key that is valid here came with the request."""

    code = "E4006"
    default_hint = "Send `Authorization: Bearer KEY`; `engram keys issue` makes a key."


class TooManyRequests(SecurityError):
    """This key has made too many requests."""

    code = "E4007"
    default_hint = "Wait as long as `Retry-After` says, or ask for a key with a higher limit."


class RequestRefused(SecurityError):
    """The request comes by a way that is not served."""

    code = "E4008"
    default_hint = "Call the server by the name it was started with; web pages may not call it."


class SignatureInvalid(SecurityError):
    """The signature of a webhook is missing, wrong or too old."""

    code = "E4009"
    default_hint = "Sign the body with the webhook's secret, and send it within five minutes."


class KeyNotFound(SecurityError):
    """There is no key with this id."""

    code = "E4010"
    default_hint = "`engram keys list --all` lists them."


class WebhookNotFound(SecurityError):
    """There is no webhook with this id."""

    code = "E4011"
    default_hint = "`engram webhooks list` lists them."


class KeyringUnavailable(SecurityError):
    """The keyring of the operating system cannot be used."""

    code = "E4012"
    default_hint = "Unlock it, or open the store by its passphrase, key file or recovery key."


class LastWayIn(SecurityError):
    """This is the only way into the store besides its recovery key."""

    code = "E4013"
    default_hint = "Add another with `engram keys add` first. Nothing was changed."


class VaultUnreadable(SecurityError):
    """The store's vault cannot be used, so protected memories can be neither written nor read."""

    code = "E4015"
    default_hint = "`engram doctor` says what is wrong with vault.db. Nothing was changed."


class ImportRefused(SecurityError):
    """This file cannot be imported."""

    code = "E4017"
    default_hint = (
        "An import reads an export of Engram, JSON lines of objects with `text`, or a JSON list "
        "of them. Nothing was taken in."
    )


class FileUnreadable(SecurityError):
    """The encrypted file cannot be opened."""

    code = "E4018"
    default_hint = "The passphrase is missing or wrong, or the file is damaged or cut short."


class ExportRefused(SecurityError):
    """The export was not made."""

    code = "E4019"
    default_hint = "Nothing was written."


class ProcessError(EngramError):
    """The process or its settings are not in order."""

    code = "E5000"


class ConfigInvalid(ProcessError):
    """A setting is unknown or has a value that is not allowed."""

    code = "E5003"


class HarnessUnreadable(ProcessError):
    """A file of another program is not in a form that can be changed safely."""

    code = "E5004"
    default_hint = "Nothing was changed; `--dry-run` prints what to put into it by hand."


class Cancelled(ProcessError):
    """The caller took the request back."""

    code = "E5005"
    default_hint = "What was finished before stays; `engram audit` tells what that is."


class RequestTimeout(ProcessError):
    """The request took longer than it may."""

    code = "E5006"
    default_hint = "It may still come to its end; look before you send it again."


class DreamRunning(ProcessError):
    """Another dream is at work on this store."""

    code = "E5007"
    default_hint = "One at a time: wait for it, or look at `engram dream --list`."


class TurnRunning(ProcessError):
    """Another turn of this session is at work."""

    code = "E5008"
    default_hint = "One at a time: leave the first turn, or name another session."
