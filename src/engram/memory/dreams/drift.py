"""Which memories claim that a file of this host is there, and what it means when it is not.

Only absolute paths of this host are checked, and only where their absence means something: a drive
that is not mounted, another machine's disk or a route of an API are no missing files.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from engram.memory.dreams.artefact import Artefact
from engram.memory.record import Memory
from engram.memory.vocabulary import Kind, LearnedBy, MemoryType, Secrecy, SourceClass, Status

_PATH = re.compile(
    r"(?:(?<=^)|(?<=[\s\"'`(\[=,]))/(?:[\w.+@%-]+/)*[\w.+@%-]+/?(?=$|[\s\"'`)\],;:.!])"
)
_SYSTEM = frozenset({
    "etc", "usr", "var", "opt", "bin", "sbin", "lib", "lib64", "boot", "srv", "root",
    "Applications", "Library", "System", "private",
})  # fmt: skip
# Below these lie the folders of people: /home/ada is there, or nothing can be told.
_HOMES = frozenset({"home", "Users"})
# Nothing lasting lies here, or looking has effects of its own.
_NEVER = frozenset({"proc", "dev", "sys", "run", "tmp", "net", "afs", "nfs"})
_NEVER_IN_VAR = frozenset({"tmp", "run", "var", "folders"})
_ROUTE = re.compile(
    r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|\b(?:end ?points?|routes?|url|api|http\w*"
    r"|request\w*|web ?hook|redirect\w*|status code|[45]\d\d error)\b",
    re.IGNORECASE,
)
_NO_CLAIM = re.compile(
    r"\b(?:delet\w+|remov\w+|no longer|mov(?:e|ed|ing)|renam\w+|gone|missing|miss(?:es)?|not exist"
    r"|doesn't exist|does not|do not|don't|isn't|is not|creat\w+|will|would|should|could|might|may"
    r"|if|unless|used to|formerly|previously|was|were|had|example|e\.g|such as|for instance|instead"
    r"|never|without|to be|going to|plan\w*|want\w*|need\w*|todo|until|old|lost|wiped|cleaned?"
    r"|deprecat\w+|unmounted|when)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:on|from|at|inside|within|to|via) (?:(?:the|a|an|my|our|his|her|their|your) )?"
    r"(?:[\w.-]+ )?"
    r"(?:server|host|machine|laptop|desktop|vm|container|pod|cluster|nas|vps|box|node|instance|prod"
    r"|production|staging|ci|runner|image|cloud|raspberry|pi|colleague|remote|router|phone)\b"
    r"|\b(?:ssh|scp|rsync|docker|kubectl|sftp|chroot|remote|container|pod|dockerfile|vm|jenkins"
    r"|github actions|\w+'s (?:laptop|machine|mac|pc|computer))\b|@[\w-]+:",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"`([a-z][\w.-]*)(?: [^`]*)?`"
    r"|\brun(?:s|ning)? (npm|make|cargo|pytest|docker|git|python3?|pip|uv|poetry|yarn|pnpm|go)\b"
)
_SYMBOL = re.compile(r"`\w+\(\)`|\b(?:function|class|method|def|struct) `?\w+`?")
_FROM_ELSEWHERE = frozenset({LearnedBy.IMPORT, LearnedBy.BUS, LearnedBy.DREAM})
_FOREIGN = frozenset({SourceClass.WEB, SourceClass.IMPORT, SourceClass.DREAM})
_BY_KEY = ":key:"  # said by a caller with a key: that may have been anywhere
_FEWEST_OF_MANY = 5  # missing ones from which on it may be the disk and not the files

Exists = Callable[[str], bool | None]


@dataclass(frozen=True, slots=True)
class FileClaim:
    """What a memory says of the file system of this host."""

    memory: Memory
    paths: tuple[str, ...]
    symbols: int  # names of functions and classes beside; they are told of, and not checked


class Standing(StrEnum):
    """What became of the files that a memory names."""

    THERE = "there"
    GONE = "gone"  # all of them
    PARTLY = "partly"  # some are there
    UNKNOWN = "unknown"  # it cannot be told


class Verdict(StrEnum):
    """What to do with a memory whose files are gone."""

    STRIKE = "strike"  # note it, and look again on a later night
    WAIT = "wait"  # noted, and not long enough ago
    CHALLENGE = "challenge"
    INVALIDATE = "invalidate"
    LEAVE = "leave"  # only told: a person decides


def claim_in(memory: Memory, *, host: str) -> FileClaim | None:
    """What a memory claims of this host's files; None where there is nothing to be checked.

    A record of what happened claims nothing of now, nor does a sentence about a file that is gone,
    is planned, or lies elsewhere.
    """
    if not is_of_this_host(memory, host) or not _tells_of_now(memory):
        return None
    text = memory.content
    paths = tuple(dict.fromkeys(each for each in paths_in(text) if _is_checkable(each)))
    return FileClaim(memory, paths, len(_SYMBOL.findall(text))) if paths else None


def is_of_this_host(memory: Memory, host: str) -> bool:
    """Whether a memory speaks of this machine, as far as its origin and its words tell."""
    named = memory.metadata.get("host")
    if named is not None:
        return bool(host) and named == host
    is_foreign = memory.learned_by in _FROM_ELSEWHERE or memory.source_class in _FOREIGN
    return not is_foreign and _BY_KEY not in memory.source and not _ELSEWHERE.search(memory.content)


def _tells_of_now(memory: Memory) -> bool:
    is_record = memory.kind is Kind.EPISODE or memory.memory_type is MemoryType.NARRATIVE
    is_open = memory.secrecy is Secrecy.CLEARTEXT
    return is_open and not is_record and _NO_CLAIM.search(_without_paths(memory.content)) is None


def _without_paths(text: str) -> str:
    """The words alone: a folder called `old` says nothing."""
    return _PATH.sub(" ", text)


def paths_in(text: str) -> list[str]:
    """The absolute paths that a text names outright: no URLs, routes, patterns or placeholders."""
    if _ROUTE.search(_without_paths(text)):
        return []
    return [match[0].rstrip("/.,:;") for match in _PATH.finditer(text)]


def _is_checkable(path: str) -> bool:
    """Whether a path is one of a file system: by its first folder, or by how it ends."""
    parts = path.strip("/").split("/")
    is_passing = parts[0] in ("var", "private") and parts[1:2] and parts[1] in _NEVER_IN_VAR
    if parts[0] in _NEVER or is_passing or "%" in path or ".." in parts:
        return False
    if parts[0] in _SYSTEM | _HOMES | {"mnt", "media", "Volumes", "data", "work", "workspace"}:
        return len(parts) >= 2
    # Anything else needs a folder of its own and a name with an ending: /api/v1/users has none.
    return len(parts) >= 3 and re.fullmatch(r"[\w+-]+\.[A-Za-z]\w{0,5}", parts[-1]) is not None


def standing_of(path: str, is_there: Exists) -> bool | None:
    """Whether a path is there; None where its absence would mean nothing.

    The place it hangs on must be there: a home, a folder of the system, a folder below a mount. An
    unmounted drive leaves its empty mount behind, so that alone is not enough.
    """
    found = is_there(path)
    if found is not False:
        return found
    anchor = _anchor(path)
    return False if anchor is not None and is_there(anchor) else None


def _anchor(path: str) -> str | None:
    """What must be there for a missing path to be missing; None: nothing could tell."""
    parts = path.strip("/").split("/")
    depth = _depth_of_anchor(parts)
    return "/" + "/".join(parts[:depth]) if len(parts) > depth else None


def _depth_of_anchor(parts: list[str]) -> int:
    if parts[0] in _SYSTEM:
        return 1
    if parts[0] in _HOMES:
        return 2  # /home/ada
    if parts[0] == "media":
        return 4  # /media/ada/disk/photos
    if parts[0] in ("mnt", "Volumes"):
        return 3  # /mnt/disk/photos
    return 2  # a disk may be mounted at any folder below the root


def standing(claim: FileClaim, is_there: Exists) -> Standing:
    """What became of the files of a claim as a whole."""
    found = [standing_of(path, is_there) for path in claim.paths]
    if all(each is True for each in found):
        return Standing.THERE
    if all(each is False for each in found):
        return Standing.GONE
    return Standing.PARTLY if False in found else Standing.UNKNOWN


def is_too_much(gone: int, checked: int) -> bool:
    """Whether so much is missing at once that something else must be the matter.

    A store that was carried to another machine, or whose disk is away, must not lose its claims.
    """
    return gone >= _FEWEST_OF_MANY and gone * 2 > checked


def verdict(
    memory: Memory, strike: Artefact | None, now: datetime, *, days: int, is_protected: bool
) -> Verdict:
    """What follows when all files of a memory are gone, after what was noted on earlier nights."""
    if strike is None or strike.body.get("version") != memory.version:
        return Verdict.STRIKE
    if now - strike.made_at < timedelta(days=days):
        return Verdict.WAIT
    is_insisted = memory.last_verified_at is not None and memory.last_verified_at >= strike.made_at
    if memory.is_pinned or is_protected or is_insisted:
        return Verdict.LEAVE
    if memory.is_vouched_for:
        return Verdict.CHALLENGE if memory.status is Status.ACTIVE else Verdict.LEAVE
    return Verdict.INVALIDATE


def commands_in(memories: Iterable[Memory]) -> list[tuple[Memory, str]]:
    """The commands that memories of this host name, each with its memory."""
    found = []
    for memory in memories:
        for match in _COMMAND.finditer(memory.content):
            found.append((memory, match[1] or match[2]))
    return found
