"""The numbers of dreams, each with its range and meaning."""

from dataclasses import dataclass

from engram.memory.options import option


@dataclass(frozen=True, slots=True)
class DreamOptions:
    """What happens while nobody asks, and how much of it at a time."""

    seconds_per_pass: float = option(
        30.0, low=0.1, high=86_400.0, meaning="Seconds a pass may take in one scope."
    )
    rows_per_pass: int = option(
        20_000, low=1, high=10_000_000, meaning="Memories a pass looks at in one scope at most."
    )
    decisions_per_pass: int = option(
        2_000, low=1, high=1_000_000, meaning="Decisions a pass makes in one scope at most."
    )
    merge_at_least: int = option(
        5, low=2, high=1_000, meaning="Memories that say the same before a dream makes them one."
    )
    merge_similarity: float = option(
        0.8, low=0.5, high=1.0, meaning="Cosine to their centre above which memories may be merged."
    )
    pattern_at_least: int = option(3, low=2, high=1_000, meaning="Memories that make a pattern.")
    pattern_similarity: float = option(
        0.75,
        low=0.3,
        high=1.0,
        meaning="Cosine to their centre above which memories are a pattern.",
    )
    pattern_confidence: float = option(
        0.8,
        low=0.0,
        high=1.0,
        meaning="Combined confidence above which a pattern becomes knowledge.",
    )
    start: str = option(
        "auto",
        choices=("auto", "never"),
        meaning="Whether the process in the background dreams by itself.",
    )
    every_hours: float = option(
        24.0, low=0.0, high=8_760.0, meaning="Hours between whole dreams; 0: none by itself."
    )
    after_extractions: int = option(
        3, low=0, high=100_000,
        meaning="Readings of turns after which some passes are done; 0: never.",
    )  # fmt: skip
    rest_minutes: float = option(
        2.0, low=0.0, high=10_080.0, meaning="Minutes without a change before a dream begins."
    )
    # what is pruned; nothing of it is a memory, and it cannot be undone
    keep_requests_days: int = option(
        30,
        low=1,
        high=36_500,
        meaning="Days for which a request that is sent again under its key counts once.",
    )
    keep_artefacts_days: int = option(
        90,
        low=1,
        high=36_500,
        meaning="Days for which earlier versions of what dreams made of memories are kept; dreams "
        "can be undone exactly for as long.",
    )
    keep_dream_reports_days: int = option(
        365,
        low=1,
        high=36_500,
        meaning="Days for which it is kept what a dream saw and left as it was.",
    )
    keep_audit_days: int = option(
        0,
        low=0,
        high=36_500,
        meaning="Days for which lines of the audit are kept; 0 keeps them for ever. The chain is "
        "verified from a sealed checkpoint on.",
    )
    model_helps: bool = option(
        True, meaning="Whether a language model, where one is set up, helps with words in dreams."
    )
    # promotion and demotion
    working_minutes: int = option(
        30, low=0, high=10_080, meaning="Minutes after which working memory becomes an episode."
    )
    working_accesses: int = option(
        2, low=1, high=1_000, meaning="Uses by which working memory becomes an episode at once."
    )
    promote_importance: float = option(
        0.7, low=0.0, high=1.0, meaning="Importance from which an episode becomes knowledge."
    )
    promote_accesses: int = option(
        5, low=1, high=10_000, meaning="Uses an episode needs to become knowledge."
    )
    doubted_days: int = option(
        90,
        low=1,
        high=3_650,
        meaning="Days unused until doubted knowledge made by machines may fade.",
    )
    # archival
    archive_days: int = option(
        90, low=1, high=36_500, meaning="Days until a faded memory may be archived."
    )
    archive_retention: float = option(
        0.15, low=0.0, high=1.0, meaning="How vivid a memory must still be to stay."
    )
    archive_importance: float = option(
        0.3, low=0.0, high=1.0, meaning="Importance from which a faded memory stays."
    )
    archive_accesses: int = option(
        3, low=1, high=10_000, meaning="Uses by which a faded memory stays."
    )
    archive_facts: bool = option(
        False, meaning="Whether facts that do not fade are archived too, by the next three."
    )
    archive_facts_days: int = option(
        90, low=1, high=36_500, meaning="Days until an unimportant fact is archived."
    )
    archive_facts_importance: float = option(
        0.3, low=0.0, high=1.0, meaning="Importance from which a fact stays."
    )
    archive_facts_accesses: int = option(
        2, low=0, high=10_000, meaning="Uses at most of a fact that is archived."
    )
    archive_remembered: bool = option(
        False, meaning="Whether what a person asked to remember outright may be archived too."
    )
    sparing_importance: float = option(
        0.7, low=0.0, high=1.0, meaning="Importance given with a memory that keeps it for good."
    )
    sparing_arousal: float = option(
        0.5, low=0.0, high=1.0, meaning="Arousal that keeps a memory for good."
    )
    moment_days: int = option(
        30,
        low=1,
        high=36_500,
        meaning="Days until a faded moment drawn from a turn may be archived, if nobody used it.",
    )
    keep_moments: int = option(
        2_000,
        low=0,
        high=10_000_000,
        meaning="Statements a scope may hold before moments that passed are archived.",
    )
    keep_turns: int = option(
        5_000,
        low=0,
        high=10_000_000,
        meaning="Turns a scope may hold in recall; only beyond that any is archived.",
    )
    chatter_days: int = option(
        30, low=1, high=36_500, meaning="Days unused until small talk is archived."
    )
    drawn_turn_days: int = option(
        60,
        low=1,
        high=36_500,
        meaning="Days unused until a turn is archived that memories drawn from it tell whole.",
    )
    passing_turn_days: int = option(
        45,
        low=1,
        high=36_500,
        meaning="Days unused until requests and what agents and tools said may be archived.",
    )
    turn_days: int = option(
        365,
        low=1,
        high=36_500,
        meaning="Days unused until what a person told of something in particular may be archived.",
    )
    entity_profiles: int = option(
        200, low=0, high=100_000, meaning="Entities of one scope that have a profile at most."
    )
    card_words: int = option(
        300, low=20, high=2_000, meaning="Words on the card of an entity at most."
    )
    written_cards: int = option(
        10, low=0, high=10_000, meaning="Cards a model writes in one scope in one night at most."
    )
    profile_lines: int = option(
        60, low=2, high=2_000, meaning="Lines of the behavioural profile, headings among them."
    )
    reflection_bytes: int = option(
        8_192,
        low=256,
        high=10_000_000,
        meaning="Bytes of a scope's identity memories from which on they are put together.",
    )
    # what sums up, doubts and goes through again
    tree_summaries: int = option(
        20, low=0, high=10_000, meaning="Nodes of the tree a model puts into words in one night."
    )
    bridges_per_night: int = option(
        5, low=0, high=1_000, meaning="Guesses in one night that two things are connected."
    )
    probes_per_night: int = option(
        5, low=0, high=10_000, meaning="Old beliefs that are doubted in one night."
    )
    probe_days: int = option(
        14, low=1, high=36_500, meaning="Days a belief goes unused before it may be doubted."
    )
    replay_budget: int = option(
        50, low=0, high=100_000, meaning="Memories that are gone through again in one night."
    )
    # gaps and questions
    gap_uses: int = option(
        3, low=1, high=100_000, meaning="Uses from which a memory counts as much used."
    )
    gap_days: int = option(
        90,
        low=1,
        high=36_500,
        meaning="Days unverified after which it is asked whether a much used memory still holds.",
    )
    gap_horizon_days: int = option(
        14,
        low=0,
        high=3_650,
        meaning="Days before a much used memory turns stale from which on it is asked about.",
    )
    gaps_per_scope: int = option(
        50, low=0, high=10_000, meaning="Questions that wait in one scope at most."
    )
    questions_per_session: int = option(
        2, low=0, high=100, meaning="Questions that are put in one session at most."
    )
    question_days: int = option(
        7, low=1, high=3_650, meaning="Days until the same question is put again."
    )
    # claims about the file system
    drift_strike_days: int = option(
        1,
        low=1,
        high=3_650,
        meaning="Days a file must have been missing until what names it is taken back.",
    )
    # what follows from beliefs
    inferences_per_night: int = option(
        50,
        low=0,
        high=10_000,
        meaning="Conclusions written down in one scope in one night at most.",
    )
    inference_strength: float = option(
        0.5, low=0.0, high=1.0, meaning="What the grounds of a premise must be worth."
    )
    # vectors of what fades
    quantise_from: int = option(
        50_000,
        low=0,
        high=100_000_000,
        meaning="Vectors above which those of fading memories are kept in fewer bits; 0: never.",
    )
