"""What was said before, in tiers: the last exchanges word for word, some before them in a line
each, and one paragraph of everything earlier.

The borders between the tiers move several exchanges at once. Between two moves a longer
conversation begins exactly like the shorter one, which is what the caches of providers look for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engram.context.compress import Told, most_telling, summarise, tell
from engram.context.exchanges import Exchange
from engram.context.options import ContextOptions
from engram.memory.fencing import harmless

Count = Callable[[str], int]
CostOf = Callable[[Exchange], int]
_MOST_READ = 500  # exchanges that a summary is made of: those before are counted
_SUMMARY_SHARE = 0.05  # of what it stands for
_LEAST_SUMMARY, _MOST_SUMMARY = 200, 2_400  # characters
_LONG = 100  # messages, from which on a conversation becomes a quarter of what it was
_QUARTER = 0.235  # of it, in characters: what is told in few words takes more tokens a letter
_BESIDE = 16  # characters that a message counts beside its words: four tokens
_SHORTER = (1.0, 0.85, 0.7)  # lengths of lines that are tried before lines go
_KEPT = 0.15  # of it: what the exchanges take that are kept beside the last few
_LEAST_LINES = 0.4  # of what lines would take: where the last few take too much already


@dataclass(frozen=True, slots=True)
class Tiers:
    """How many exchanges at the end are kept as they are, and how many before them are told."""

    verbatim: int
    compressed: int
    step: int
    whole_tokens: int = 0  # what a conversation may take that is kept as it is, all of it

    @classmethod
    def of(cls, options: ContextOptions) -> "Tiers":
        """Those that are set."""
        return cls(
            options.verbatim_exchanges, options.compressed_exchanges, options.history_step,
            options.verbatim_tokens,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class History:
    """A conversation in tiers, as far as there is room."""

    summary: str = ""
    lines: tuple[str, ...] = ()
    verbatim: tuple[Exchange, ...] = ()
    left_out: int = 0  # exchanges of which nothing is told

    @property
    def told(self) -> tuple[str, ...]:
        """What stands in the block about earlier talk, a line each."""
        return ((f"- {self.summary}",) if self.summary else ()) + self.lines


@dataclass(frozen=True, slots=True)
class ToldHistory:
    """A conversation cut at its borders, with everything told that can be."""

    summary: str
    summarised: int
    compressed: tuple[str, ...]  # may hold empty ones: nothing was said in those
    verbatim: tuple[Exchange, ...]
    shorter: tuple[str, ...]  # the verbatim ones in a line each, where there is no room for more


def is_short(exchanges: Sequence[Exchange], tokens: int, cost: CostOf) -> bool:
    """Whether a conversation takes no more than that: then telling it would only lose."""
    left = tokens
    for each in exchanges:
        left -= cost(each)
        if left < 0:
            return False
    return bool(tokens)


def cut(exchanges: Sequence[Exchange], tiers: Tiers) -> tuple[int, int]:
    """Where the compressed exchanges begin and where the verbatim ones do."""
    verbatim = _stepped(len(exchanges) - tiers.verbatim, tiers.step)
    if not tiers.compressed:
        return verbatim, verbatim
    # Twice the step: when the summary changes, all behind it is read anew.
    return _stepped(verbatim - tiers.compressed, 2 * tiers.step), verbatim


def told_history(exchanges: Sequence[Exchange], tiers: Tiers) -> ToldHistory:
    """Everything that may be told of a conversation, before anybody asks what there is room for."""
    compressed, verbatim = cut(exchanges, tiers)
    most = None
    if sum(len(each.messages) for each in exchanges) >= _LONG:
        verbatim, most = _within_a_quarter(exchanges, verbatim, tiers)
    old = [tell(each) for each in exchanges[max(0, compressed - _MOST_READ) : compressed]]
    summary = _summary(old, compressed, sum(map(_size, exchanges[:compressed])))
    return ToldHistory(
        summary,
        compressed,
        _lines(exchanges[compressed:verbatim], None if most is None else most - len(summary)),
        tuple(exchanges[verbatim:]),
        tuple(_line(tell(each)) for each in exchanges[verbatim:]),
    )


def _within_a_quarter(
    exchanges: Sequence[Exchange], verbatim: int, tiers: Tiers
) -> tuple[int, int]:
    """Where a long conversation is kept as it was, and the characters for what is told before.

    Reckoned with as many exchanges as will be kept before the borders move, so that lines that
    stand in a prompt stand in the next one, too.
    """
    weights = [_weight(each) for each in exchanges]
    fewest = max(verbatim, len(exchanges) - tiers.verbatim) if tiers.compressed else verbatim
    while verbatim < fewest and sum(weights[verbatim:]) > _KEPT * sum(weights):
        verbatim += 1
    before = sum(weights[:verbatim])
    usual = before / max(1, verbatim) * (tiers.verbatim + tiers.step - 1)
    kept = max(min(usual, _KEPT * before), sum(weights[verbatim:]))
    return verbatim, round(_QUARTER * (before + kept) - kept)


def _lines(exchanges: Sequence[Exchange], most: int | None) -> tuple[str, ...]:
    """A line for each exchange; where they take too much, shorter ones, and then fewer."""
    told = [tell(each) for each in exchanges]
    if most is not None:
        most = max(most, round(_LEAST_LINES * _length(told)))
        for share in _SHORTER:
            told = [tell(each, share) for each in exchanges]
            if _length(told) <= most:
                break
        told = most_telling(told, most)
    return tuple(map(_line, told))


def _length(told: Sequence[Told]) -> int:
    return sum(len(_line(each)) + 1 for each in told if each.text)


def fitted(told: ToldHistory, room: int, *, least: int, count: Count, cost: CostOf) -> History:
    """As much as fits: the last few as they are, the paragraph, lines from the newest on, and
    then the rest of those that could be kept as they are."""
    kept = list(told.verbatim)
    costs = [cost(each) for each in kept]
    first = _first_that_fits(costs, room, at_most=least)
    left = room - sum(costs[first:])
    summary = told.summary if told.summary and count(f"- {told.summary}\n") <= left else ""
    left -= count(f"- {summary}\n") if summary else 0
    others = sum(costs[:first])
    if first > 0 and others + _all(told.compressed, count) <= left:
        first = 0  # there is room for everything
        left -= others
    lines = _newest((*told.compressed, *told.shorter[:first]), room=left, count=count)
    silent = len(told.compressed) + first - len(lines)
    left_out = silent + (0 if summary or not told.summary else told.summarised)
    return History(summary, tuple(filter(None, lines)), tuple(kept[first:]), left_out)


def _first_that_fits(costs: Sequence[int], room: int, *, at_most: int) -> int:
    """From which on, counted from the end, exchanges fit; no more of them than asked for."""
    first, left = len(costs), room
    while first > 0 and len(costs) - first < at_most and costs[first - 1] <= left:
        first -= 1
        left -= costs[first]
    return first


def _newest(lines: Sequence[str], *, room: int, count: Count) -> list[str]:
    kept: list[str] = []
    left = room
    for line in reversed(lines):
        takes = count(f"{line}\n") if line else 0
        if takes > left:
            break
        kept.append(line)
        left -= takes
    return kept[::-1]


def _all(lines: Sequence[str], count: Count) -> int:
    return sum(count(f"{line}\n") for line in lines if line)


def _stepped(exchanges: int, step: int) -> int:
    return max(0, exchanges // step * step)


def _line(told: Told) -> str:
    return f"- {harmless(told.text)}" if told.text else ""


def _summary(told: Sequence[Told], exchanges: int, size: int) -> str:
    most = round(min(_MOST_SUMMARY, max(_LEAST_SUMMARY, _SUMMARY_SHARE * size)))
    text = summarise(told, most=most)
    return harmless(f"Earlier, in {exchanges} exchanges: {text}") if text else ""


def _size(exchange: Exchange) -> int:
    return sum(len(message.text) for message in exchange.messages)


def _weight(exchange: Exchange) -> int:
    """About what an exchange takes as it was, with what tools were asked and answered."""
    return sum(
        _BESIDE
        + len(message.text)
        + sum(len(call.arguments) for call in message.calls)
        + sum(len(result.text) for result in message.results)
        for message in exchange.messages
    )
