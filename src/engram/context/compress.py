"""Exchanges in a line each, and many of them in a paragraph: their own words, the telling ones.

Nothing is invented: a line is made of sentences that were said, cut short where they are long. What
stays is what later turns lean on: decisions, files, errors, figures, names. Code of more than a few
lines and what tools gave back go; that there was some is said.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engram.context.exchanges import Exchange
from engram.context.message import ChatMessage, Other
from engram.language.sentences import split_sentences

_SHARE = 0.28  # of what was said: what a line may take
_LEAST, _MOST = 48, 420  # characters of a line
_BOTH = 64  # characters that it takes to tell of both sides; below, the side that tells more
_ASKED = 0.4  # of a line, for what was asked
_READ = 6_000  # characters of one side that are looked at, half of them at its end
_REMEMBERED = 1_024  # sides of exchanges: the next prompt tells the same ones again
_IDLE = 1.0  # worth of an exchange that nobody will come back to
_SHORTEST = 16  # characters of a sentence that was cut
_CODE_LINES = 5
_CODE = re.compile(r"```|~~~")
_MARKUP = re.compile(r"^[^\S\n]*(?:[#>*-]+|\d+[.)])\s+|[*_]{2,}|`", re.MULTILINE)
_SPACES = re.compile(r"\s+")
_WORTH: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (weight, re.compile(pattern, re.IGNORECASE))
    for weight, pattern in (
        (3.0, r"\b(?:decid|agree|chose|choos|conclu|settled on|instead|deadline|must\b|never\b"
              r"|always\b|let's|we'll|we will|i'll|i will|going to|plan(?:ned|s)? to|prefer)"),
        (3.0, r"\b(?:error|exception|fail|traceback|denied|timed? ?out|not found|broke|crash|bug"
              r"|refused|invalid)"),
        (2.0, r"\b(?:add|creat|fix|remov|implement|wrote|install|deploy|renam|updat|chang|replac"
              r"|mov|ran|pass|finish|start|book|bought|sent|sign)(?:e?d|s|ing)?\b"),
        (2.0, r"[\w.-]/[\w.-]|\w\.(?:py|ts|js|md|sql|toml|ya?ml|json|rs|go|c|h|sh)\b|\w_\w|\w\(\)"),
        (1.5, r"\d"),
        (-4.0, r"^\W*(?:thanks?|thank you|ok(?:ay)?|sure|great|cool|nice|hello|hi|hey|got it|yes"
               r"|no problem|perfect|awesome|wow|of course|certainly|absolutely)\b[^.!?]{0,24}"
               r"[.!?]*$"),
    )
)  # fmt: skip
_WISH = re.compile(
    r"\?[^\w?]*$|^\W*(?:please|can|could|would|tell|show|make|write|explain|find|help)\b", re.I
)
_WORD = re.compile(r"\S+")
# Of one word without what stands around it: a figure, path, address, code, abbreviation.
_EXACT = re.compile(r"[\d/@_]|\w\.\w|^\.\w|^[A-Z]{2,}$")
_FOR_EXACT = 8  # characters that a cut line may be longer, so as to keep those
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
_ERROR = re.compile(r"^.*\b(?:error|exception|failed|denied|not found|timed out)\b.*$", re.I | re.M)


@dataclass(frozen=True, slots=True)
class Told:
    """An exchange in a line, and how much it tells."""

    text: str
    worth: float


def tell(exchange: Exchange, share: float = 1.0) -> Told:
    """What was asked and what came of it; empty where neither said anything to come back to.

    `share` is of the length that a line usually has.
    """
    asked, answered = _spoken(exchange.asked), _spoken(exchange.answered)
    tools = _tools(exchange.answered)
    least = 2 * _BOTH if tools else _LEAST
    room = round(min(_MOST, max(least, _SHARE * (len(asked) + len(answered)))) * share)
    if room < _BOTH:
        sides = (_telling(answered, room), _telling(asked, room))
        return _worthy(max(sides, key=lambda side: side.worth))
    first = _telling(asked, round(_ASKED * room) if answered else room)
    tools = _clipped(tools, room // 2)
    second = _telling(answered, max(_SHORTEST, room - len(first.text) - len(tools) - 3))
    done = " ".join(filter(None, (second.text, tools)))
    text = " → ".join(filter(None, (first.text, done)))
    return _worthy(Told(text, first.worth + second.worth + (2.0 if tools else 0.0)))


def _worthy(told: Told) -> Told:
    return told if told.worth > _IDLE else Told("", 0.0)


def summarise(told: Sequence[Told], *, most: int) -> str:
    """The lines that tell most, in the order they were said, within so many characters."""
    return "; ".join(each.text for each in most_telling(told, most) if each.text)


def most_telling(told: Sequence[Told], most: int) -> list[Told]:
    """The same, with those emptied for which so many characters leave no room, the least first."""
    kept: set[int] = set()
    left = most
    for place in sorted(range(len(told)), key=lambda each: (-told[each].worth, -each)):
        takes = len(told[place].text) + 2  # and what stands between two
        if told[place].text and takes <= left:
            kept.add(place)
            left -= takes
    return [each if place in kept else Told("", 0.0) for place, each in enumerate(told)]


def _spoken(messages: Iterable[ChatMessage]) -> str:
    """The words of one side, without long code; other parts are named."""
    pieces: list[str] = []
    for message in messages:
        if message.text:
            pieces.append(_without_code(message.text))
        others = Counter(part.kind for part in message.parts if isinstance(part, Other))
        pieces += [f"({kind.replace('_', ' ')})" for kind in others]
    spoken = "\n".join(pieces)
    if len(spoken) > _READ:
        spoken = f"{spoken[: _READ // 2]}\n{spoken[-_READ // 2 :]}"
    return spoken


def _without_code(text: str) -> str:
    """A text in which long code is only named; from mark to mark, so that each is read once."""
    kept: list[str] = []
    cursor = 0
    while opened := _CODE.search(text, cursor):
        begins = text.find("\n", opened.end()) + 1
        if not begins:
            break
        closed = _CODE.search(text, begins)
        ends, behind = closed.span() if closed else (len(text), len(text))
        kept += [text[cursor : opened.start()], _named_code(text[begins:ends])]
        cursor = behind
    return "".join(kept) + text[cursor:]


def _named_code(code: str) -> str:
    lines = code.strip("\n").count("\n") + 1
    return code if lines <= _CODE_LINES else f"({lines} lines of code)\n"


def _tools(messages: Iterable[ChatMessage]) -> str:
    """Which tools were used how often, and the first thing that went wrong."""
    used: Counter[str] = Counter()
    wrong = ""
    for message in messages:
        used.update(call.name for call in message.calls)
        for result in message.results:
            error = _ERROR.search(result.text[:_READ])
            if not wrong and (error or result.is_error):
                wrong = error.group() if error else result.text[:_MOST]
    if not used and not wrong:
        return ""
    named = ", ".join(f"{name} ×{times}" if times > 1 else name for name, times in used.items())
    told = f"used {named or 'a tool'}" + (f": {_SPACES.sub(' ', wrong).strip()}" if wrong else "")
    return f"({told})"


@lru_cache(maxsize=_REMEMBERED)
def _telling(text: str, most: int) -> Told:
    """The sentences that tell most, in their order, within so many characters."""
    plain = [_SPACES.sub(" ", each.text).strip() for each in split_sentences(_MARKUP.sub("", text))]
    rated = [(_worth(each), place, each) for place, each in enumerate(plain) if each]
    worthy = [each for each in rated if each[0] > 0]  # what is left out is thanks and the like
    kept: list[tuple[int, str]] = []
    left, worth = most, 0.0
    for value, place, sentence in sorted(worthy, key=_rank):
        if left < min(len(sentence), _SHORTEST):
            break
        kept.append((place, _clipped(sentence, left)))
        left -= len(kept[-1][1]) + 1
        worth += value
    return Told(" ".join(sentence for _, sentence in sorted(kept)), worth)


def _rank(rated: tuple[float, int, str]) -> tuple[float, int]:
    """What tells most first; a wish or a question before what is worth no more."""
    worth, place, sentence = rated
    return -worth - (1.5 if _WISH.search(sentence) else 0.0), place


def _worth(sentence: str) -> float:
    value = 0.5 + sum(weight for weight, pattern in _WORTH if pattern.search(sentence))
    return value + min(2.0, 0.75 * len(_NAME.findall(sentence)))


def _clipped(text: str, most: int) -> str:
    """A text cut short, with what is written exactly behind its end as far as there is room."""
    if len(text) <= most:
        return text
    cut = text.rfind(" ", most // 2, most - 1)
    plain = _head(text, cut if cut > 0 else most - 1)
    exact = _exact_words(text)
    if not exact:
        return plain
    ends = [place for place in range(most - 1, 3, -1) if text[place] == " "]
    for end in ends:
        lost = [word for place, word in exact if place > end]
        told = _with_lost(_head(text, end), lost)
        if len(told) <= most + (_FOR_EXACT if lost else 0):
            return told
    return _with_lost_fitting(text, ends, exact, most)


def _exact_words(text: str) -> list[tuple[int, str]]:
    """Figures, codes, paths and names, each with where it ends."""
    found: list[tuple[int, str]] = []
    before = "."
    for each in _WORD.finditer(text):
        word = each.group().rstrip(".,;:!?)\"'").lstrip("(\"'")
        is_name = word[:1].isupper() and len(word) > 1 and before[-1] not in ".!?:"
        if is_name or _EXACT.search(word):
            found.append((each.end(), word))
        before = each.group()
    return found


def _with_lost_fitting(
    text: str, ends: Sequence[int], exact: Sequence[tuple[int, str]], most: int
) -> str:
    """The shortest beginning, and as much behind it as there is room for."""
    end = ends[-1] if ends else most // 2
    kept: list[str] = []
    for place, word in exact:
        if place > end and len(_with_lost(_head(text, end), [*kept, word])) <= most + _FOR_EXACT:
            kept.append(word)
    return _with_lost(_head(text, end), kept)


def _head(text: str, end: int) -> str:
    return f"{text[:end].rstrip(' ,;:')}…"


def _with_lost(head: str, lost: Sequence[str]) -> str:
    return f"{head} {', '.join(dict.fromkeys(lost))}" if lost else head
