"""Whether a time in a text lies behind or ahead, by the verbs that stand nearest to it."""

import re
from bisect import bisect_left
from functools import cached_property
from itertools import accumulate

from engram.language.when.lexicons import Lexicon
from engram.text.calendar import Tense

_TOKEN = re.compile(
    r"[\u4e00-\u9fff]|[^\W\d_\u4e00-\u9fff]+(?:['’][^\W\d_]+)*|\d+"
    r"|[.!?;:,\n\u3002\uff01\uff1f\uff1b\uff0c]"
)
_SENTENCE_ENDS = frozenset(".!?\n\u3002\uff01\uff1f")
_PAUSES = frozenset(",;:\uff0c\uff1b")
_ACROSS = 6  # words that a comma or an "and" between a verb and a time counts for
_BEHIND = 2  # words that a verb behind a time is further off than one before it
_LATE_PARTICIPLE = 12  # words between "habe" and "getroffen"
_LONGEST = 24
_AFTER_STATE = frozenset({"on", "at", "in", "from", "until", "till", "for"})
_OPEN = frozenset({"please", "pls", "if", "?"})  # in what is still to be done
_UNITS = frozenset("UWwPMmvSHpQ")  # tags of what comes back: every week, each spring
_BEFORE = 48  # characters in which a preposition and its verb stand


class Tenses:
    """The tenses of one text; its verbs are looked up when the first one is asked for."""

    def __init__(self, text: str, words: Lexicon) -> None:
        self._text = text
        self._lexicon = words
        self._lists = words.lists
        found = list(_TOKEN.finditer(text))
        self._starts = [match.start() for match in found]
        self._written = [match[0][:_LONGEST] for match in found]
        self._words = [written.lower().replace("’", "'") for written in self._written]

    def at(self, start: int, end: int) -> Tense:
        """The tense of a time that stands at a place."""
        for name, tense in (("back", Tense.PAST), ("ahead", Tense.FUTURE)):
            if self.is_led_by(name, start):
                return tense
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        behind, ahead = self._verb_before[first], self._verb_after[last]
        until = map(self._lexicon.first, self._words[max(0, first - 2) : first])
        is_until = any(each is not None and each[0] == "u" for each in until)
        if max(behind, ahead) < 0:
            is_asked = self._word(self._sentences[first][0]) in self._lists["questions"]
            # "Lunch on Friday?" is ahead
            return Tense.PAST if is_asked else Tense.FUTURE if is_until else Tense.UNKNOWN
        is_vague = behind >= 0 and self._words[behind] in self._lists["unchanged"]
        # "We cut over" may be of either tense.
        to_behind = self._costs[first] - self._costs[behind] + _ACROSS * is_vague
        to_ahead = self._costs[ahead + 1] - self._costs[last] + _BEHIND
        is_behind = ahead < 0 or (behind >= 0 and to_behind <= to_ahead)
        tense = self._tenses[behind if is_behind else ahead] or Tense.UNKNOWN
        return Tense.FUTURE if is_until and tense is not Tense.PAST else tense

    def is_habit(self, start: int, *, in_clause: bool = False) -> bool:
        """Whether the sentence or clause around a place tells what is so again and again."""
        parts = self._clauses if in_clause else self._sentences
        first, last = parts[bisect_left(self._starts, start)]
        return self._habits[first] < self._habits[last] or self.is_led_by("habit", start)

    def is_told_after(self, place: int, start: int, end: int) -> bool:
        """Whether a time has no verb of its own, but the one before another time and a comma."""
        words = [bisect_left(self._starts, each) for each in (place, start, end)]
        is_apart = not _PAUSES.isdisjoint(self._words[words[0] : words[1]])
        is_verbless = self._verb_before[words[1]] < words[0] and self._verb_after[words[2]] < 0
        return is_apart and is_verbless and self.at(start, end) is Tense.PAST

    def is_verb(self, start: int) -> bool:
        """Whether the word at a place is a verb whose tense is known."""
        return self._tenses[bisect_left(self._starts, start)] is not None

    def is_led_by(self, pattern: str, start: int) -> bool:
        """Whether the words before a place fit a pattern of the language."""
        before = self._text[max(0, start - _BEFORE) : start]
        return self._lexicon.patterns[pattern].search(before) is not None

    def is_question(self, start: int) -> bool:
        """Whether the sentence around a place asks."""
        first, last = self._sentences[bisect_left(self._starts, start)]
        is_marked = self._word(last) in ("?", "\uff1f")
        return is_marked or self._word(first) in self._lists["questions"]

    @cached_property
    def _tenses(self) -> list[Tense | None]:
        return [self._tense(place) for place in range(len(self._words))]

    @cached_property
    def _habits(self) -> list[int]:
        """How many words up to each one tell a habit: always, every week; not "as always"."""
        lists = self._lists
        tags = [(self._lexicon.first(word) or " ")[0] for word in self._words]
        told = [
            (word in lists["habits"] and self._word(place - 1) != "as")
            or (word in lists["each"] and any(tag in _UNITS for tag in tags[place + 1 : place + 4]))
            for place, word in enumerate(self._words)
        ]
        return list(accumulate(told, initial=0))

    @cached_property
    def _costs(self) -> list[int]:
        """How far each word is from the beginning; a comma or an "and" puts words further apart."""
        breaks = self._lists["breaks"]
        costs = (_ACROSS if word in _PAUSES or word in breaks else 1 for word in self._words)
        return list(accumulate(costs, initial=0))

    @cached_property
    def _ends(self) -> list[bool]:
        """Where sentences end; the point of "5. März" or "3.30" ends none."""
        last = len(self._words) - 1
        return [
            word in _SENTENCE_ENDS
            and (word != "." or place == last or not self._word(place - 1).isdigit())
            for place, word in enumerate(self._words)
        ]

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        """The first word and the end of the sentence of each word, and of what comes after."""
        return _parts(self._ends)

    @cached_property
    def _clauses(self) -> list[tuple[int, int]]:
        """The same of clauses: "trimmed every six weeks, next on 14 March" has two."""
        pairs = zip(self._ends, self._words, strict=True)
        return _parts([is_end or word in _PAUSES for is_end, word in pairs])

    @cached_property
    def _verb_before(self) -> list[int]:
        """The nearest verb before each word in its sentence, or -1."""
        return self._nearest_verbs(range(len(self._words)))

    @cached_property
    def _verb_after(self) -> list[int]:
        """The nearest verb from each word on in its sentence, or -1."""
        return self._nearest_verbs(range(len(self._words))[::-1])[::-1]

    def _nearest_verbs(self, places: range) -> list[int]:
        found = [-1]
        for place in places:
            known = place if self._tenses[place] else found[-1]
            found.append(-1 if self._ends[place] else known)
        return found

    def _tense(self, place: int) -> Tense | None:
        """What a word says of the tense, if it is a verb or a word like it."""
        word, after, before = self._word(place), self._word(place + 1), self._word(place - 1)
        lists = self._lists
        if self._is_name(place) or before == "as":  # "as agreed"
            return None
        if word in lists["perfect"]:
            return self._perfect(place)
        is_participle = before in lists["present"] or before in lists["passive"]
        is_object = after in lists["objects"] or before in lists["subjects"]
        is_told = is_object and (word not in lists["ahead"] or after in lists["objects"])
        if word in lists["states"] and is_told and not is_participle | (before in lists["perfect"]):
            return Tense.PAST
        if word in lists["ahead"] or word.endswith("'ll"):
            is_other = before in lists["past"] and not word.endswith("'ll")
            is_other |= (word, after) == ("due", "to")
            return None if is_other else Tense.FUTURE  # "due to rain", "was supposed to"
        if (before in lists["perfect"] or before.endswith("'s")) and word in lists["had"]:
            return None
        if self._is_order(place):
            return Tense.FUTURE
        if word in lists["unchanged"]:
            is_told = before.isalpha() or self._is_elliptic(place)
            return Tense.PAST if is_told and before not in lists["unchanged_after"] else None
        is_participle |= word in lists["states"] and not is_object  # "Closed on Friday"
        if self._is_past(word) and not is_participle:
            return Tense.PAST
        if word in lists["present"]:
            return self._present(place)
        is_known = word in lists["adverbs"] or word in self._lexicon.words
        is_verb = word.isalpha() and not is_known
        is_told = is_verb and before in lists["subjects"] and not self._is_infinitive(place)
        is_third = is_verb and word.endswith("s") and word not in lists["third"]
        is_third &= before in lists["third"] or (after in lists["objects"] and self._opens(place))
        return Tense.PRESENT if is_told or is_third else None

    def _is_order(self, place: int) -> bool:
        """ "Call her", "can you come", "agreed to come"; "can you tell" asks for what is known."""
        word, lists = self._word(place), self._lists
        if word in lists["orders"] and self._word(place - 2) in lists["requests"]:
            return word not in lists["anything"]
        is_promise = word in lists["promises"] and "to" in self._words[place + 1 : place + 4]
        if word in lists["unchanged"] and self._is_elliptic(place, needs_report=True):
            return False
        return is_promise or (word in lists["orders"] and self._opens(place))

    def _is_elliptic(self, place: int, *, needs_report: bool = False) -> bool:
        """Whether a verb without a subject opens a report: "Read the contract on Monday"."""
        first, last = self._sentences[place]
        if first < place or self._word(place + 1) in _AFTER_STATE:  # "Shut on Thursday"
            return False
        words = self._words[first : last + 1]
        is_report = not needs_report or any(map(self._is_past, words))
        return is_report and _OPEN.isdisjoint(words)

    def _opens(self, place: int) -> bool:
        """Whether a word begins a sentence or a clause."""
        before = self._word(place - 1)
        return not before[:1].isalnum() or before in self._lists["orders_after"]

    def _present(self, place: int) -> Tense | None:
        """ "I am flying" is ahead; in "what did I do" the auxiliary tells the tense."""
        is_bare = self._is_infinitive(place) or self._word(place - 1) == "to"
        if self._word(place) in self._lists["bare"] and is_bare:
            return None
        after = self._word(place + 1)
        is_planned = after.endswith("ing") and len(after) > len("being")
        return Tense.FUTURE if is_planned else Tense.PRESENT

    def _is_name(self, place: int) -> bool:
        """Whether a word is written as a name inside a sentence: "we leave Split", "met Will"."""
        before = self._written[place - 1] if place else "."
        is_inside = before[0].islower() and self._written[place].istitle()
        return is_inside and len(self._written[place]) > 1 and "'" not in self._words[place]

    def _is_infinitive(self, place: int) -> bool:
        return any(self._word(place - step) in self._lists["inverted"] for step in (1, 2, 3, 4))

    def _perfect(self, place: int) -> Tense:
        """ "Have to go" is ahead, "have gone" is past, "have an exam" is now."""
        for word in self._words[place + 1 : place + _LATE_PARTICIPLE]:
            if word in self._lists["had"]:  # "I've got an exam"
                break
            if word == "to":
                return Tense.FUTURE
            if self._is_past(word):
                return Tense.PAST
            is_near = word in self._lists["subjects"] or word in self._lists["adverbs"]
            if word in _SENTENCE_ENDS or not (self._lexicon.is_ago_first or is_near):
                break
        return Tense.PRESENT

    def _is_past(self, word: str) -> bool:
        if word in self._lists["past"] or self._lexicon.patterns["participle"].fullmatch(word):
            return True
        is_regular = len(word) > 4 and word.endswith(tuple(self._lists["past_endings"]))
        return is_regular and word not in self._lists["not_past"]

    def _word(self, place: int) -> str:
        return self._words[place] if 0 <= place < len(self._words) else ""


def _parts(ends: list[bool]) -> list[tuple[int, int]]:
    """The first place and the end of the part of each place, and of what comes after."""
    found: list[tuple[int, int]] = []
    for place, is_end in enumerate(ends):
        if is_end:
            found += [(len(found), place)] * (place + 1 - len(found))
    return found + [(len(found), len(ends))] * (len(ends) + 1 - len(found))
