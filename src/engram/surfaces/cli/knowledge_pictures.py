"""What is known, drawn for people: tables, and a tree for how a belief came to be."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from engram.memory.knowledge.epistemic import (
    Consensus,
    Epistemic,
    Hearsay,
    Inferred,
    Observed,
    Reported,
)
from engram.memory.knowledge.reconcile import Contested, Held, Retracted
from engram.memory.knowledge.story import RevisionKind
from engram.memory.tagged import TAG, as_object
from engram.surfaces.cli import pictures
from engram.surfaces.cli.terminal import styled

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from engram.memory.knowledge.belief import Belief, Node
    from engram.memory.knowledge.learned import Learned, Support
    from engram.memory.knowledge.reconcile import BeliefState
    from engram.memory.knowledge.story import Revision
    from engram.memory.knowledge.views import Answer, Conclusion, NodeView, Reached

_KIND_STYLES = {
    "learned": "green", "replaced": "green", "confirmed": "cyan", "contested": "yellow",
    "challenged": "yellow", "held": "yellow", "refused": "red",
}  # fmt: skip
_STANDS, _CONTESTED, _ENDED = "●", "◐", "○"
_BEGUN = {
    RevisionKind.ADDITION: "learnt",
    RevisionKind.CORRECTION: "put in the place of what was believed",
    RevisionKind.CONTEST: "set against what was believed",
}
_BECAME = {
    RevisionKind.ADDITION: "learnt",
    RevisionKind.REINFORCEMENT: "said again",
    RevisionKind.CORRECTION: "corrected",
    RevisionKind.CONTEST: "contested",
    RevisionKind.RETRACTION: "withdrawn",
    RevisionKind.UNDOING: "taken back",
    RevisionKind.RESTORATION: "restored",
}
_FEW = 8  # beliefs that stand below a profile


def nodes(found: "Sequence[Node]") -> "RenderableType":
    """Who and what is known."""
    if not found:
        return styled("Nobody and nothing is known yet.", "dim")
    made = pictures.table("name", "type", "scope", whole=("type",))
    for each in found:
        name = styled(each.title, "bold")
        made.add_row(name, styled(each.type, "cyan"), styled(each.scope.path, "dim"))
    return made


def node(view: "NodeView") -> "RenderableType":
    """Somebody or something, with all that is believed of it."""
    lines: list[RenderableType] = [styled(f"{view.node.title} ({view.type})", "bold")]
    if view.aliases:
        lines.append(styled(f"  also: {', '.join(view.aliases)}", "dim"))
    told = [each.belief for each in view.properties]
    lines.append(_beliefs([*told, *view.beliefs_out, *view.beliefs_in]))
    if view.conclusions:
        lines.append(conclusions(view.conclusions))
    return pictures.stack(*lines)


def _beliefs(found: "Iterable[Belief]", title: str = "") -> "Table":
    made = pictures.table(
        "force", "label", "belief and grounds", title=title, whole=("force", "label")
    )
    for each in found:
        made.add_row(_share(each.force), styled(each.memory.label, "bold"), _told(each))
    return made


def _told(belief: "Belief") -> "RenderableType":
    sentence = styled(pictures.shortened(belief.memory.content))
    return pictures.stack(sentence, styled(_about(belief), "dim"))


def _about(belief: "Belief") -> str:
    """On which grounds, since when, and what else one has to know of a belief."""
    memory = belief.memory
    parts = [grounds(belief.epistemic)]
    if belief.support > 1:
        parts.append(f"{belief.support} independent voices")
    if memory.valid_from:
        parts.append(f"from {pictures.moment(memory.valid_from)}")
    if memory.valid_until:
        parts.append(f"until {pictures.moment(memory.valid_until)}")
    if memory.status != "active":
        parts.append(memory.status)
    if not belief.is_learned:
        parts.append("read off its text")
    return ", ".join(parts)


def grounds(epistemic: Epistemic) -> str:
    """On which grounds something is believed, in a few words."""
    match epistemic:
        case Observed():
            return f"observed by {epistemic.observer}"
        case Reported():
            return f"reported by {epistemic.source}"
        case Inferred():
            return f"inferred from {pictures.counted(len(epistemic.premises), 'belief')}"
        case Consensus():
            return f"agreed on by {pictures.counted(len(epistemic.sources), 'source')}"
        case Hearsay():
            return f"hearsay from {epistemic.chain[0]}"
        case _:
            return str(as_object(epistemic)[TAG])


def state(found: "BeliefState") -> "RenderableType":
    """What is believed about one thing."""
    match found:
        case Held():
            rest = (
                [_beliefs(found.alternatives, "weaker, against it")] if found.alternatives else []
            )
            return pictures.stack(styled("Believed.", "bold green"), _beliefs(found.beliefs), *rest)
        case Contested():
            head = styled("Contested: these cannot all hold.", "bold yellow")
            return pictures.stack(head, _beliefs(found.positions))
        case Retracted():
            why = f"Withdrawn {pictures.moment(found.at)}: {found.reason}"
            return pictures.stack(styled(why, "bold red"), _beliefs([found.belief]))
        case _:
            return styled("Nothing is believed about this.", "dim")


def history(
    about: str, revisions: "Sequence[Revision]", state_now: "BeliefState"
) -> "RenderableType":
    """A tree: a branch for everything that was ever said, on it what became of that."""
    from rich.tree import Tree

    if not revisions:
        return styled("Nothing was ever believed about this.", "dim")
    standing = _standing(state_now)
    is_contested = isinstance(state_now, Contested)
    open_mark, open_style = (_CONTESTED, "bold yellow") if is_contested else (_STANDS, "bold green")
    tree = Tree(styled(about, "bold"), guide_style="dim")
    for memory_id, steps in _by_memory(revisions).items():
        stands = memory_id in standing
        mark, style = (open_mark, open_style) if stands else (_ENDED, "dim")
        branch = tree.add(
            styled(f"{mark} ", style).append(
                styled(pictures.shortened(steps[0].statement), "" if stands else "dim")
            )
        )
        for place, step in enumerate(steps):
            branch.add(_step(step, is_first=place == 0))
    counts = Counter(each.kind for each in revisions)
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    means = "contested" if is_contested else "stands now"
    legend = f"{open_mark} {means}" if standing else "nothing of it stands now"
    return pictures.stack(tree, styled(f"{legend}; {told}", "dim"))


def _standing(found: "BeliefState") -> set[str]:
    match found:
        case Held():
            return {each.id for each in found.beliefs}
        case Contested():
            return {each.id for each in found.positions}
        case _:
            return set()


def _by_memory(revisions: "Sequence[Revision]") -> "Mapping[str, list[Revision]]":
    found: dict[str, list[Revision]] = {}
    for each in revisions:
        found.setdefault(each.memory_id, []).append(each)
    return found


def _step(revision: "Revision", *, is_first: bool) -> "Text":
    words = _BEGUN.get(revision.kind) if is_first else None
    line = styled(f"{pictures.moment(revision.at)}  ", "dim")
    line.append(styled(words or _BECAME[revision.kind], "cyan"))
    line.append(styled(f" by {revision.actor}"))
    return line.append(styled(f": {revision.reason}" if revision.reason else "", "dim"))


def support(found: "Support") -> "RenderableType":
    """Who says a belief."""
    made = pictures.table("voice", "grounds", "when (UTC)", whole=("when (UTC)",))
    for each in found.sayings:
        when = styled(pictures.moment(each.at), "dim")
        made.add_row(styled(each.voice, "bold"), styled(grounds(each.epistemic)), when)
    voices = pictures.counted(found.voices, "independent voice")
    return pictures.stack(made, styled(f"{voices}, confidence {found.confidence:.0%}"))


def reached(
    found: "Sequence[Reached]", empty: str = "Nothing lies there.", *, is_activation: bool = False
) -> "RenderableType":
    """Where one came to, and by which beliefs."""
    if not found:
        return styled(empty, "dim")
    scored = "activation" if is_activation else "force"
    made = pictures.table(scored, "name", "by", whole=(scored,))
    for each in found:
        kind = f"{each.node.type}, follows" if each.conclusion else each.node.type
        name = pictures.stack(styled(each.node.title, "bold"), styled(kind, "dim"))
        score = each.score if is_activation else _force(each.score, each.way)
        made.add_row(_share(score), name, _way(each.way))
    return made


def answers(found: "Sequence[Answer]") -> "RenderableType":
    """Who and what a question is about."""
    if not found:
        return styled("Nothing known is about this.", "dim")
    made = pictures.table("score", "name", "by", whole=("score",))
    for each in found:
        told = f"{each.node.type}, confidence {each.confidence:.0%}, {grounds(each.epistemic)}"
        name = pictures.stack(styled(each.node.title, "bold"), styled(told, "dim"))
        made.add_row(styled(f"{each.score:.2f}", "cyan"), name, _way(each.way))
    return made


def _way(way: "Sequence[Belief]") -> "RenderableType":
    lines = [
        styled(f"{each.memory.label} ", "dim").append(
            styled(pictures.shortened(each.memory.content), "")
        )
        for each in way
    ]
    return pictures.stack(*lines)


def conclusions(found: "Sequence[Conclusion]") -> "RenderableType":
    """What follows, and from what."""
    if not found:
        return styled("Nothing follows.", "dim")
    made = pictures.table("force", "follows", "from", whole=("force",))
    for each in found:
        said = f"{each.source.title} {each.relation.replace('_', ' ')} {each.target.title}"
        force = _force(each.confidence, each.premises)
        made.add_row(_share(force), styled(said, "bold"), _way(each.premises))
    return made


def _force(confidence: float, way: "Sequence[Belief]") -> float:
    """What several beliefs in a row are worth: no better than the weakest grounds among them."""
    return confidence * min((each.strength for each in way), default=1.0)


def learned(found: "Learned", again: str = "") -> "RenderableType":
    """What became of a claim, and of what it was held against."""
    memory = found.belief.memory
    line = styled(found.kind.capitalize(), f"bold {_KIND_STYLES[found.kind]}")
    if found.kind == "refused":
        return line.append(styled(f": {found.reason}", ""))
    line.append(styled(f" {memory.label} ({found.reason}): ", ""))
    line.append(styled(pictures.shortened(memory.content), ""))
    lines = [line, styled(f"  {grounds(found.belief.epistemic)}, {memory.scope.path}", "dim")]
    lines += [
        styled(f"  against {each.label}: {pictures.shortened(each.content)}", "yellow")
        for each in found.rivals
    ]
    lines.append(pictures.undo_hint(found.change_id, again))
    if found.kind == "held":
        lines.append(styled("  waiting for a person: engram review", "yellow"))
    return pictures.stack(*lines)


def learned_many(found: "Sequence[Learned]", again: str = "") -> "RenderableType":
    """What became of many claims: those that need a look, and how many there were of each kind."""
    shown = [learned(each, again) for each in found if each.kind not in ("learned", "confirmed")]
    return pictures.stack(*shown, pictures.outcomes(Counter(each.kind for each in found)))


def below_profile(found: "Sequence[Belief]", name: str) -> "list[Text]":
    """What is believed of somebody, in a few lines; none when nothing is."""
    if not found:
        return []
    lines = [styled("believed", "bold")]
    for each in found[:_FEW]:
        told = f" (force {each.force:.0%}, {_about(each)}; {each.memory.label})"
        sentence = styled(f"  {pictures.shortened(each.memory.content)}", "")
        lines.append(sentence.append(styled(told, "dim")))
    left = len(found) - _FEW
    if left > 0:
        lines.append(styled(f"  and {left} more: engram knowledge show {quote(name)}", "dim"))
    return lines


def _share(value: float) -> "Text":
    return styled(f"{value:.0%}", "cyan")
