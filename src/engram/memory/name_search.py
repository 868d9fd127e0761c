"""Looks for somebody's whole name in texts, in whichever case, never for a part of one."""

import json
import re
from collections.abc import Callable, Iterable, Iterator

HoldsName = Callable[[str, str], bool]  # whether a text, in a scope, has the name of whom is meant

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = r"(?:\s+|[._\-/+,'’]\s?)"  # what may stand between the words of a name
_BEFORE, _AFTER = r"(?<![^\W_])", r"(?![^\W_])"
_AFTER_DIGIT = r"(?![^\W_]|[.,:/\-]\d)"  # "user 1" is not in "user 1.5"
_SHORTEST = 3  # letters of a name that is looked for by itself, wherever it stands
MOST_WORDS = 6  # of a name that is looked for by its tag


def name_words(text: str) -> list[str]:
    """The words of a text, in one case."""
    return _WORD.findall(text.casefold())


def in_words(name: str) -> str:
    """A name as its words alone, with single spaces."""
    return " ".join(name_words(name))


class NameSearch:
    """Finds names in texts; `others` are longer names, in which one of these is only a part.

    A name of one ordinary word ("Will") counts only where it is read as a name.
    """

    def __init__(self, names: Iterable[str], others: Iterable[str] = ()) -> None:
        self._names = frozenset(names)
        words = {in_words(name): name_words(name) for name in self._names}
        words.pop("", None)
        self._first = tuple({each[0] for each in words.values()})
        many = [each for each in words.values() if len(each) > 1]
        alone = [each for each in words.values() if len(each) == 1 and _is_telling(each[0])]
        self._many, self._alone = _pattern(many), _pattern(alone)
        single = {each[0] for each in words.values() if len(each) == 1}
        longer = (name_words(other) for other in others)
        self._longer = _pattern(
            [each for each in longer if len(each) > 1 and not single.isdisjoint(each)
             and " ".join(each) not in words]
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"NameSearch({len(self._names)})"

    def stands_in(self, text: str) -> bool:
        """Whether one of the names stands in a text as a whole."""
        plain = text.casefold()
        if not any(word in plain for word in self._first):
            return False
        if self._many is not None and self._many.search(plain):
            return True
        if self._alone is not None and self._alone.search(plain):
            rest = _without_longer(text, self._names).casefold()
            if self._longer is not None:
                rest = self._longer.sub("\0", rest)
            if self._alone.search(rest):
                return True
        return self._is_mentioned(text)

    def _is_mentioned(self, text: str) -> bool:
        from engram.language.names.mentions import find_mentions

        longer = [each.span() for each in self._longer.finditer(text)] if self._longer else []
        return any(
            each.key in self._names
            and not any(start <= each.place[0] < end for start, end in longer)
            for each in find_mentions(text)
        )


def _is_telling(word: str) -> bool:
    from engram.language.word_kinds import is_also_a_name, is_ordinary

    return len(word) >= _SHORTEST and not is_ordinary(word) and not is_also_a_name(word)


def _pattern(names: Iterable[list[str]]) -> re.Pattern[str] | None:
    forms = [_form(words) for words in names]
    either = "|".join(sorted(forms, key=len, reverse=True))
    return re.compile(either, re.IGNORECASE) if forms else None


def _form(words: list[str]) -> str:
    after = _AFTER_DIGIT if words[-1][-1].isdigit() else _AFTER
    return _BEFORE + _BETWEEN.join(map(re.escape, words)) + after


def _without_longer(text: str, names: frozenset[str]) -> str:
    """A text without the longer names in it; what is shouted does not tell where a name ends."""
    from engram.language.names.mentions import find_mentions

    for each in reversed(find_mentions(text)):
        if each.key not in names and " " in each.key and not each.surface.isupper():
            start, end = each.place
            text = f"{text[:start]}\0{text[end:]}"
    return text


def runs_of_words(text: str, most: int = MOST_WORDS) -> Iterator[str]:
    """Every run of words in a text that could be a name; one ordinary word by itself is none."""
    words = _WORD.findall(text)
    plain = [word.casefold() for word in words]
    for place in range(len(words)):
        if words[place] != plain[place] or _is_telling(plain[place]):
            yield plain[place]
        for length in range(2, min(most, len(words) - place) + 1):
            yield " ".join(plain[place : place + length])


def readable(text: str) -> str:
    """A text without the escapes of JSON, in which a name could hide."""
    if "\\" not in text:
        return text
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        return text
