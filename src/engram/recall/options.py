"""The numbers of recall, each with its range and meaning."""

from dataclasses import dataclass
from enum import StrEnum

from engram.memory.options import option


class Rerank(StrEnum):
    """How the candidates are put in order in the end."""

    NONE = "none"
    RRF = "rrf"
    MMR = "mmr"
    RRF_THEN_MMR = "rrf_then_mmr"
    CROSS_ENCODER = "cross_encoder"


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """How much is looked at and given back."""

    limit: int = option(
        10, low=1, high=1_000, meaning="Hits returned when the caller names no limit and no budget."
    )
    candidates: int = option(
        200,
        low=1,
        high=5_000,
        meaning="Most hits when only a budget is named, and what the text index gathers.",
    )
    timeout_seconds: float = option(
        5.0, low=0.05, high=600.0, meaning="A search that takes longer is given up with an error."
    )
    wait_seconds: float = option(
        0.5,
        low=0.0,
        high=60.0,
        meaning="How long a question waits for a few texts said just now to be embedded.",
    )
    max_query_bytes: int = option(
        16_384,
        low=256,
        high=1_048_576,
        meaning="How much of a question is read; the result says so where it was cut.",
    )
    trust_weight: float = option(
        0.15,
        low=0.0,
        high=0.5,
        meaning="How much less a hit counts whose source is not trusted.",
    )
    freshness_weight: float = option(
        0.05, low=0.0, high=0.5, meaning="How much less a hit counts that has faded."
    )
    importance_weight: float = option(
        0.05, low=0.0, high=0.5, meaning="How much a hit's importance lifts or lowers it."
    )
    affect_weight: float = option(
        0.03, low=0.0, high=0.5, meaning="How much a hit that was felt strongly counts more."
    )
    rerank: str = option(
        "none",
        choices=tuple(each.value for each in Rerank),
        meaning="How hits are put in order in the end; none keeps the fitted order.",
    )
    reranker_folder: str = option(
        "", meaning="A folder with model.onnx and tokenizer.json, for rerank = cross_encoder."
    )
    read_answers: bool = option(
        True,
        meaning="Read the first hits beside the question, to know which of them answers it; takes "
        "10 to 30 ms, and 90 MB once.",
    )
    in_memory: bool = option(
        True,
        meaning="Rank in memory; without it only the database's own text index is asked.",
    )
    warm: bool = option(
        True,
        meaning="Load in the background what the first question needs, a second after the first "
        "memory was told or listed.",
    )
    model_reasons: bool = option(
        True,
        meaning="Let the language model, where one is set, judge and answer when `reason` is "
        "asked.",
    )
    reason_seconds: float = option(
        20.0,
        low=0.1,
        high=3_600.0,
        meaning="How long reasoning with the model may take; then rules reason with what is there.",
    )
