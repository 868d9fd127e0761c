"""How much shorter a long conversation gets: `python -m benchmarks.context.shortening [FOLDER …]`.

Conversations of a hundred turns, made up, and, where a folder of them is named, those in it:
the tokens of all that was said beside those of what is left of it in a prompt with room for all.
"""

import argparse
import statistics
from pathlib import Path

from benchmarks.context.prefix import exchanges
from engram.context.cost import said_tokens
from engram.context.exchanges import exchanges_of
from engram.context.history import Tiers, fitted, told_history
from engram.context.message import ChatMessage, read_messages
from engram.context.options import ContextOptions
from engram.evaluation.conversations import read_conversation
from engram.providers.tokenizers import counter_for

BAR = 4.0
_TURNS = 100
_ROOM = 1_000_000


def ratio(messages: tuple[ChatMessage, ...]) -> float:
    """Tokens of a conversation for each token of what a prompt tells of it."""
    options, count = ContextOptions(), counter_for("o200k").count
    tiers = Tiers(options.verbatim_exchanges, options.compressed_exchanges, options.history_step)
    told = told_history(exchanges_of(messages), tiers)
    left = fitted(
        told, _ROOM, least=tiers.verbatim, count=count,
        cost=lambda each: said_tokens(each.messages, count),
    )  # fmt: skip
    kept = [message for each in left.verbatim for message in each.messages]
    return said_tokens(messages, count) / (
        said_tokens(kept, count) + sum(count(f"{line}\n") for line in left.told)
    )


def made_up(seed: int, turns: int = _TURNS) -> tuple[ChatMessage, ...]:
    """A conversation of so many turns about one project."""
    said = [message for exchange in exchanges(turns // 2, seed=seed) for message in exchange]
    return read_messages(said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folders", type=Path, nargs="*", help="of files as `engram eval` reads them"
    )
    options = parser.parse_args()
    met = [_tell("made up", [ratio(made_up(seed)) for seed in range(20)])]
    for length in (140, 200, 400):
        met.append(
            _tell(f"made up, {length} turns", [ratio(made_up(seed, length)) for seed in range(5)])
        )
    met += [_tell(folder.name, _of_folder(folder)) for folder in options.folders]
    print(f"the bar is {BAR:.0f} : 1 for each; " + ("met" if all(met) else "MISSED"))
    return 0 if all(met) else 1


def _of_folder(folder: Path) -> list[float]:
    """Each hundred turns of each conversation; who speaks first is the person."""
    found = []
    for path in sorted(folder.glob("*.json")):
        turns = read_conversation(path).turns
        for begin in range(0, len(turns) - _TURNS + 1, _TURNS):
            hundred = turns[begin : begin + _TURNS]
            said = [
                {
                    "role": "user" if turn.speaker == hundred[0].speaker else "assistant",
                    "content": turn.text,
                }
                for turn in hundred
            ]
            found.append(ratio(read_messages(said)))
    return found


def _tell(what: str, ratios: list[float]) -> bool:
    if not ratios:
        print(f"{what}: no conversation of {_TURNS} turns")
        return False
    print(
        f"{what}: {len(ratios)} conversations, {statistics.mean(ratios):.2f} : 1, "
        f"least {min(ratios):.2f} : 1"
    )
    return min(ratios) >= BAR


if __name__ == "__main__":
    raise SystemExit(main())
