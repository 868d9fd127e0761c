"""Whether what is read in a turn is right: quotes, what is kept, times and names.

- quotes: every statement in a store is, letter by letter, a span of its turn.
- keep: a quote is right when its words and those of a labelled span overlap by 0.7, one to one.
- times, names: labelled sentences and talks of the test part.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engram.evaluation.corpus import GoldSpan, LabelledTurn, NamedTalk, TimedSentence, sample
from engram.evaluation.put_in import role_of
from engram.evaluation.task_dates import LabelledSentence, score_dates
from engram.evaluation.task_report import ENGRAM, Bar, Figure, TaskLine, TaskReport, Unit, counted
from engram.evaluation.truth_stores import Tick, Truth, hear, report, share, statements_in
from engram.language.names.mentions import find_mentions
from engram.memory.reading import ReadStatement

LEAST_OVERLAP = 0.7  # intersection over union of words
_TOKEN = re.compile(r"\w+|[^\w\s]")
_MOST_EXAMPLES = 20
QUOTE_BARS = (Bar("exact quotes", 1.0),)
KEEP_BARS = (Bar("recall", 0.85), Bar("precision", 0.85))
TIME_BARS = (Bar("exact", 0.95), Bar("false alarms", 0.02, is_least=False))
NAME_BARS = (Bar("right", 0.90), Bar("junk", 0.05, is_least=False))
# What a label's type may be called by the rules, which know more kinds than the labels.
_COMPATIBLE = {
    "person": {"person"},
    "organisation": {"organization"},
    "place": {"place"},
    "project": {"project", "service", "technology"},
    "technology": {"technology", "service", "project"},
}


def measure_quotes(truth: Truth, tick: Tick) -> TaskReport:
    """Whether every statement is a span of its turn; the turns go through `observe`."""
    turns = [each.turn for each in sample(truth.corpus.turns(), truth.limit)]
    text_of = {turn.id: turn.text for turn in turns}
    right, wrong = 0, []
    tick(0, len(turns))
    with truth.open() as engram:
        hear(engram, turns)
        for memory in statements_in(engram):
            sources = engram.sources(memory.id)
            said = [text_of.get(str(each.turn.reference), "") for each in sources]
            spans = [text[slice(*each.place)] for text, each in zip(said, sources, strict=True)]
            if spans and all(span == memory.content for span in spans):
                right += 1
            else:
                wrong.append(", ".join(str(each.turn.reference) for each in sources))
    tick(len(turns), len(turns))
    line = TaskLine(
        ENGRAM,
        "all",
        right + len(wrong),
        (Figure("exact quotes", share(right, right + len(wrong))),),
    )
    material = counted(len(turns), "turn")
    return report("quotes", material, [line], {"all": QUOTE_BARS}, wrong[:_MOST_EXAMPLES])


@dataclass
class KeepScore:
    """Labelled spans and quotes, and how many of them meet."""

    gold: int = 0
    kept: int = 0
    matched: int = 0
    category_right: int = 0
    modality_right: int = 0
    kept_words: int = 0
    words: int = 0


def measure_keep(truth: Truth, tick: Tick) -> TaskReport:
    """How much of what is worth keeping is kept, and how much of what is kept is worth it."""
    turns = sample(truth.corpus.turns(), truth.limit)
    total, of_category = KeepScore(), Counter[str]()
    found_of: Counter[str] = Counter()
    with truth.open() as engram:
        for done, each in enumerate(turns, start=1):
            before = (each.before,) if each.before else ()
            read = engram.read(
                each.turn.text, speaker=each.turn.speaker, role=role_of(each.turn),
                at=each.turn.at, before=before,
            )  # fmt: skip
            pairs = match_spans(each, read.statements)
            _count(total, each, read.statements, pairs)
            of_category.update(span.category for span in each.kept)
            found_of.update(span.category for span, _ in pairs)
            tick(done, len(turns))
    lines = [_keep_line(total)]
    lines += [
        _category_line(name, found_of[name], count) for name, count in of_category.most_common()
    ]
    return report("keep", counted(len(turns), "turn"), lines, {"all": KEEP_BARS})


def _count(
    total: KeepScore,
    turn: LabelledTurn,
    statements: Sequence[ReadStatement],
    pairs: Sequence[tuple[GoldSpan, ReadStatement]],
) -> None:
    total.gold += len(turn.kept)
    total.kept += len(statements)
    total.matched += len(pairs)
    total.category_right += sum(span.category == each.category for span, each in pairs)
    total.modality_right += sum(span.modality == each.modality for span, each in pairs)
    total.kept_words += sum(len(each.content.split()) for each in statements)
    total.words += len(turn.turn.text.split())


def match_spans(
    turn: LabelledTurn, statements: Sequence[ReadStatement]
) -> list[tuple[GoldSpan, ReadStatement]]:
    """Labelled spans with the quotes that overlap them enough, one to one, the best first."""
    tokens = [each.span() for each in _TOKEN.finditer(turn.turn.text)]
    gold = [_inside(tokens, span.start, span.end) for span in turn.kept]
    read = [_inside(tokens, each.start, each.end) for each in statements]
    overlaps = sorted(
        ((_overlap(a, b), -i, -j) for i, a in enumerate(gold) for j, b in enumerate(read)),
        reverse=True,
    )
    found, taken = {}, set()
    for overlap, i, j in overlaps:
        if overlap >= LEAST_OVERLAP and -i not in found and -j not in taken:
            found[-i] = -j
            taken.add(-j)
    return [(turn.kept[i], statements[j]) for i, j in found.items()]


def _inside(tokens: Sequence[tuple[int, int]], start: int, end: int) -> frozenset[int]:
    return frozenset(
        place for place, (first, last) in enumerate(tokens) if first >= start and last <= end
    )


def _overlap(one: frozenset[int], other: frozenset[int]) -> float:
    return share(len(one & other), len(one | other))


def _keep_line(score: KeepScore) -> TaskLine:
    return TaskLine(
        ENGRAM,
        "all",
        score.gold,
        (
            Figure("recall", share(score.matched, score.gold)),
            Figure("precision", share(score.matched, score.kept)),
            Figure("kept", score.kept, Unit.COUNT),
            Figure("category", share(score.category_right, score.matched)),
            Figure("modality", share(score.modality_right, score.matched)),
            Figure("kept words", share(score.kept_words, score.words)),
        ),
    )


def _category_line(name: str, found: int, gold: int) -> TaskLine:
    return TaskLine(ENGRAM, name, gold, (Figure("recall", share(found, gold)),))


def measure_times(truth: Truth, tick: Tick) -> TaskReport:
    """Whether the times that sentences name are understood, and no others."""
    sentences = sample(truth.corpus.times(), truth.limit)
    tick(0, len(sentences))
    score = score_dates(list(map(_labelled, sentences)))
    wrong = [each.name for each in sentences if _is_missed(each)]
    figures = (
        Figure("exact", score.exact_share),
        Figure("false alarms", score.false_alarm_share),
        Figure("ends as labelled", score.exact_ends_share),
        Figure("precision", score.precision),
        Figure("silent", score.silent, Unit.COUNT),
    )
    tick(len(sentences), len(sentences))
    line = TaskLine(ENGRAM, "all", score.expected, figures)
    material = counted(len(sentences), "sentence")
    return report("times", material, [line], {"all": TIME_BARS}, wrong[:_MOST_EXAMPLES])


def _labelled(sentence: TimedSentence) -> LabelledSentence:
    expected = tuple((text, ((start, end),)) for text, start, end in sentence.times)
    return LabelledSentence(sentence.text, sentence.at, expected, not expected)


def _is_missed(sentence: TimedSentence) -> bool:
    score = score_dates([_labelled(sentence)])
    return score.exact < score.expected or score.false_alarms > 0


@dataclass
class NameScore:
    """Labelled names and found ones; each written form counts once in a talk."""

    gold: int = 0
    gold_found: int = 0
    found: int = 0
    right: int = 0
    junk: int = 0


def measure_names(truth: Truth, tick: Tick) -> TaskReport:
    """Whether what is taken for a name is one, of the right kind."""
    talks = sample(truth.corpus.names(), truth.limit)
    score = NameScore()
    tick(0, len(talks))
    for talk in talks:
        add_names(score, talk)
    tick(len(talks), len(talks))
    figures = (
        Figure("right", share(score.right, score.found)),
        Figure("junk", share(score.junk, score.found)),
        Figure("names found", share(score.gold_found, score.gold)),
        Figure("found", score.found, Unit.COUNT),
    )
    line = TaskLine(ENGRAM, "all", score.gold, figures)
    return report("names", counted(len(talks), "talk"), [line], {"all": NAME_BARS})


def add_names(score: NameScore, talk: NamedTalk) -> None:
    """Count one talk: right in words and type, junk when it is no part of any name."""
    people = {speaker for speaker, _ in talk.turns}
    found = {
        (mention.surface, mention.type.value)
        for _, text in talk.turns
        for mention in find_mentions(text, people=people)
    }
    # A speaker who is addressed by name is named, whether or not the labels list them.
    found = {each for each in found if each[0] not in people or _is_listed(each[0], talk)}
    score.gold += len(talk.mentions)
    score.found += len(found)
    score.right += sum(_is_right(surface, kind, talk) for surface, kind in found)
    score.junk += sum(not _touches(surface, talk) for surface, _ in found)
    score.gold_found += sum(
        any(surface == each and _fits(kind, label) for each, kind in found)
        for surface, label in talk.mentions
    )


def _is_listed(surface: str, talk: NamedTalk) -> bool:
    return any(surface == each for each, _ in talk.mentions)


def _is_right(surface: str, kind: str, talk: NamedTalk) -> bool:
    return any(surface == each and _fits(kind, label) for each, label in talk.mentions)


def _fits(kind: str, label: str) -> bool:
    return label not in _COMPATIBLE or kind in _COMPATIBLE[label]


def _touches(surface: str, talk: NamedTalk) -> bool:
    words = set(_words(surface))
    return any(words & set(_words(each)) for each, _ in talk.mentions)


def _words(text: str) -> list[str]:
    return re.findall(r"\w{2,}", text.lower())
