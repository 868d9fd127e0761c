"""The policy table of layers: how long each keeps and how much it weighs."""

from dataclasses import dataclass
from datetime import timedelta

from engram.errors import InvalidInput
from engram.memory.vocabulary import Layer


@dataclass(frozen=True, slots=True)
class LayerPolicy:
    """What a layer means for the memories in it."""

    half_life: timedelta | None  # None: does not fade
    weight: float  # the layer's part of importance, 0..1
    promotes_to: Layer | None
    demotes_to: Layer | None


LAYERS: dict[Layer, LayerPolicy] = {
    Layer.WORKING: LayerPolicy(
        half_life=timedelta(hours=4),
        weight=0.0,
        promotes_to=Layer.EPISODIC,
        demotes_to=None,
    ),
    Layer.EPISODIC: LayerPolicy(
        half_life=timedelta(days=30),
        weight=0.33,
        promotes_to=Layer.SEMANTIC,
        demotes_to=None,
    ),
    Layer.SEMANTIC: LayerPolicy(None, 1.0, promotes_to=None, demotes_to=Layer.EPISODIC),
    Layer.PROCEDURAL: LayerPolicy(None, 0.67, promotes_to=None, demotes_to=Layer.EPISODIC),
    Layer.CODEBASE: LayerPolicy(None, 0.33, promotes_to=None, demotes_to=None),
}


def parse_layer(value: Layer | str) -> Layer:
    """The layer of that name, or a refusal that lists them."""
    try:
        return Layer(value)
    except ValueError:
        raise InvalidInput(hint=f"Layer is one of: {', '.join(Layer)}.") from None


def promoted(layer: Layer) -> Layer:
    """The next more lasting layer, or a refusal when there is none."""
    target = LAYERS[layer].promotes_to
    if target is None:
        raise InvalidInput(hint=f"The layer {layer} has no more lasting one above it.")
    return target


def demoted(layer: Layer) -> Layer:
    """The next less lasting layer, or a refusal when there is none."""
    target = LAYERS[layer].demotes_to
    if target is None:
        raise InvalidInput(hint=f"The layer {layer} has no less lasting one below it.")
    return target
