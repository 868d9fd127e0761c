"""Episodes, knowledge, skills and working memory for asynchronous programs: the same calls."""

from engram.awaited import Awaited
from engram.engine.episodes import Episodes
from engram.engine.knowing import Path
from engram.engine.knowledge import Knowledge
from engram.engine.skills import Skills
from engram.engine.working import Working
from engram.memory.knowledge.graph import Direction


class AsyncEpisodes:
    """What happened, awaited."""

    def __init__(self, episodes: Episodes) -> None:
        self.awaited = episodes

    begin = Awaited(Episodes.begin)
    add = Awaited(Episodes.add)
    end = Awaited(Episodes.end)
    abandon = Awaited(Episodes.abandon)
    record = Awaited(Episodes.record)
    get = Awaited(Episodes.get)
    events = Awaited(Episodes.events)
    ongoing = Awaited(Episodes.ongoing)
    list = Awaited(Episodes.list)
    similar = Awaited(Episodes.similar)
    at = Awaited(Episodes.at)
    before = Awaited(Episodes.before)
    between = Awaited(Episodes.between)
    sequence = Awaited(Episodes.sequence)
    by_outcome = Awaited(Episodes.by_outcome)
    by_participant = Awaited(Episodes.by_participant)
    consolidate = Awaited(Episodes.consolidate)


class AsyncPath:
    """A way through what is known; laid out at once, awaited where it is gone."""

    def __init__(self, path: Path) -> None:
        self.awaited = path

    def follow(self, relation: str | None = None, direction: str = Direction.OUT) -> "AsyncPath":
        """One step along a relation, or along any: "out", "in" or "both" ways."""
        return AsyncPath(self.awaited.follow(relation, direction))

    def where(
        self,
        *,
        type: str | None = None,  # noqa: A002  # it is what callers call it
        label: str | None = None,
        confidence: float | None = None,
        epistemic: str | None = None,
    ) -> "AsyncPath":
        """Conditions on the last step: the node it comes to, and the belief it goes by."""
        return AsyncPath(
            self.awaited.where(type=type, label=label, confidence=confidence, epistemic=epistemic)
        )

    find = Awaited(Path.find)


class AsyncKnowledge:
    """What is believed, awaited."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.awaited = knowledge

    def path(self, start: str, **options: object) -> AsyncPath:
        """A way from somebody or something, to be laid out with `follow` and gone with `find`."""
        return AsyncPath(self.awaited.path(start, **options))  # type: ignore[arg-type]  # its own

    learn = Awaited(Knowledge.learn)
    learn_many = Awaited(Knowledge.learn_many)
    propose = Awaited(Knowledge.propose)
    alias = Awaited(Knowledge.alias)
    retract = Awaited(Knowledge.retract)
    belief = Awaited(Knowledge.belief)
    history = Awaited(Knowledge.history)
    support = Awaited(Knowledge.support)
    node = Awaited(Knowledge.node)
    nodes = Awaited(Knowledge.nodes)
    neighbours = Awaited(Knowledge.neighbours)
    activate = Awaited(Knowledge.activate)
    infer = Awaited(Knowledge.infer)
    query = Awaited(Knowledge.query)


class AsyncSkills:
    """How tasks are done, awaited."""

    def __init__(self, skills: Skills) -> None:
        self.awaited = skills
        # Nothing to wait for.
        self.register_check = skills.register_check
        self.register_extractor = skills.register_extractor

    add = Awaited(Skills.add)
    get = Awaited(Skills.get)
    list = Awaited(Skills.list)
    # mypy reads `**changes` as if it could swallow `self`
    revise = Awaited(Skills.revise)  # type: ignore[arg-type]  # `self` is meant
    retire = Awaited(Skills.retire)
    match = Awaited(Skills.match)
    feedback = Awaited(Skills.feedback)
    runs = Awaited(Skills.runs)
    warnings = Awaited(Skills.warnings)
    learn_from = Awaited(Skills.learn_from)
    record_flow = Awaited(Skills.record_flow)


class AsyncWorking:
    """What should be in mind, awaited."""

    def __init__(self, working: Working) -> None:
        self.awaited = working

    gather = Awaited(Working.gather)
