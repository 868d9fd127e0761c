"""Which function plans which pass."""

from engram.lifecycle.dreams.archive import archive
from engram.lifecycle.dreams.boxes import boxes
from engram.lifecycle.dreams.bridges import bridges
from engram.lifecycle.dreams.confidence_map import confidence_map
from engram.lifecycle.dreams.contradictions import contradictions
from engram.lifecycle.dreams.drift import drift
from engram.lifecycle.dreams.entities import entities
from engram.lifecycle.dreams.expire import expire
from engram.lifecycle.dreams.gaps import gaps
from engram.lifecycle.dreams.infer import infer
from engram.lifecycle.dreams.merge import merge
from engram.lifecycle.dreams.night import Plan
from engram.lifecycle.dreams.patterns import patterns
from engram.lifecycle.dreams.probe import probe
from engram.lifecycle.dreams.profile import profile
from engram.lifecycle.dreams.promote import promote
from engram.lifecycle.dreams.prune import prune
from engram.lifecycle.dreams.quantise import quantise
from engram.lifecycle.dreams.reflections import reflections
from engram.lifecycle.dreams.replay import replay
from engram.lifecycle.dreams.topics import topics
from engram.lifecycle.dreams.tree import tree
from engram.memory.dreams.report import Step

_PLANS: dict[Step, Plan] = {
    Step.EXPIRE: expire,
    Step.CONTRADICTIONS: contradictions,
    Step.MERGE: merge,
    Step.PATTERNS: patterns,
    Step.PROMOTE: promote,
    Step.ARCHIVE: archive,
    Step.DRIFT: drift,
    Step.ENTITIES: entities,
    Step.PROFILE: profile,
    Step.REFLECTIONS: reflections,
    Step.BOXES: boxes,
    Step.TOPICS: topics,
    Step.INFER: infer,
    Step.BRIDGES: bridges,
    Step.PROBE: probe,
    Step.REPLAY: replay,
    Step.TREE: tree,
    Step.GAPS: gaps,
    Step.MAP: confidence_map,
    Step.QUANTISE: quantise,
    Step.PRUNE: prune,
}


def pass_of(step: Step) -> Plan:
    """The function that plans a pass."""
    return _PLANS[step]
