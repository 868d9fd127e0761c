"""Transcripts and repositories come in once, survive a crash, and can be looked at beforehand."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engram import Engram, Scope
from engram.capture.transcripts.read import TURNS_PER_MARK
from engram.errors import AccessDenied, InvalidInput, MemoryNotFound
from engram.failpoints import arm, disarm

SAID = "The staging cluster {} runs on port {} in Lisbon."


@pytest.fixture(autouse=True)
def _unarmed():
    yield
    disarm()


def line(text: str, *, role: str = "user", **more: object) -> str:
    return json.dumps({"role": role, "content": text, "session": "s1", **more}) + "\n"


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """A talk of two turns in a project of its own."""
    path = tmp_path / "talks" / "one.jsonl"
    path.parent.mkdir()
    first = line(SAID.format("A", 4001), id="1", project="Acme API", at="2026-02-01T10:00:00Z")
    path.write_text(first + line("Ada Byrne will rotate the keys by 2026-04-01.", role="assistant"))
    return path


def turns(engram: Engram, **conditions: object) -> list:
    return engram.list(category="turn", limit=10_000, **conditions)


def test_what_was_said_comes_in_with_its_origin(engram, transcript):
    report = engram.harvest("generic", folder=transcript)

    spoken = turns(engram)[-1]
    assert (report.kept, report.known, len(report.files)) == (2, 0, 1)
    assert spoken.source == "harness:generic:acme-api"
    assert (spoken.session, spoken.reference) == ("s1", "s1:1")
    assert spoken.metadata["project"] == "acme-api"
    assert spoken.at.isoformat() == "2026-02-01T10:00:00+00:00"
    assert (spoken.learned_by, spoken.source_class) == ("harvest", "agent")


def test_what_it_states_is_learnt_before_the_call_returns(engram, transcript):
    report = engram.harvest("generic", folder=transcript)

    assert report.learnt.turns == 2
    assert engram.unread() == 0
    (found,) = [
        each for each in engram.list() if "4001" in each.content and each.category != "turn"
    ]
    (source,) = engram.sources(found.id)
    assert source.turn.reference == "s1:1"
    assert source.words in source.turn.content
    assert found.id in {memory.id for memory in engram.drawn(source.turn.id)}


def test_a_second_harvest_takes_in_what_was_added_since(engram, transcript):
    engram.harvest("generic", folder=transcript)
    with transcript.open("a") as file:
        file.write(line("The deploy script lives in tools/ship.sh."))

    again = engram.harvest("generic", folder=transcript)
    third = engram.harvest("generic", folder=transcript)

    assert (again.kept, again.known) == (1, 0)
    assert (third.kept, third.known) == (0, 0)
    assert len(turns(engram)) == 3
    assert all(turn.usage.confirmations == 0 for turn in turns(engram))


def test_a_transcript_that_was_rewritten_is_met_again_without_a_double(engram, transcript):
    engram.harvest("generic", folder=transcript)
    lines = transcript.read_text().splitlines(keepends=True)
    transcript.write_text(line("Said before all the others, as it seems.") + "".join(lines))

    again = engram.harvest("generic", folder=transcript)

    assert again.files[0].is_rewritten
    assert (again.kept, again.known) == (1, 2)
    assert len(turns(engram)) == 3


@pytest.mark.failure("F44")
@pytest.mark.parametrize("killed_at", range(1, 7))
def test_a_crash_at_any_commit_loses_no_turn_and_doubles_none(engram, tmp_path, killed_at):
    count = 2 * TURNS_PER_MARK + 10
    path = tmp_path / "long.jsonl"
    path.write_text("".join(line(f"note {n}", id=n) for n in range(count)))
    commits = 0

    def crash() -> None:
        nonlocal commits
        commits += 1
        if commits == killed_at:
            raise KeyboardInterrupt

    # Odd: the transaction is lost. Even: it is kept, and the program ends right after.
    arm("before_commit" if killed_at % 2 else "after_commit", crash)
    with pytest.raises(KeyboardInterrupt):
        engram.harvest("generic", folder=path)
    disarm()
    engram.harvest("generic", folder=path)

    kept = turns(engram)
    assert len(kept) == count
    assert all(turn.usage.confirmations == 0 for turn in kept)
    assert engram.unread() == 0


def test_two_who_read_one_transcript_at_a_time_keep_each_turn_once(open_store, tmp_path):
    one, other = open_store(), open_store()
    count = 2 * TURNS_PER_MARK
    path = tmp_path / "long.jsonl"
    path.write_text("".join(line(f"note {n}", id=n) for n in range(count)))
    reports = []

    def overtake(done: int, total: int) -> None:
        if not reports:
            reports.append(other.harvest("generic", folder=path))

    first = one.harvest("generic", folder=path, progress=overtake)

    kept = turns(one)
    assert first.unreadable[0].problem == "another process is reading it"
    assert first.kept + reports[0].kept == count == len(kept)
    assert all(turn.usage.confirmations == 0 for turn in kept)


def test_a_dry_run_tells_and_keeps_nothing(engram, transcript):
    seen: list[tuple[int, int]] = []

    report = engram.harvest(
        "generic", folder=transcript, dry_run=True, progress=lambda *step: seen.append(step)
    )

    size = transcript.stat().st_size
    assert (report.is_dry_run, report.kept, report.plan) == (True, 2, None)
    assert seen[-1] == (size, size)
    assert engram.list(status="any") == []
    assert engram.harvest("generic", folder=transcript).kept == 2


def test_what_tools_print_is_left_out_and_counted(engram, tmp_path):
    path = tmp_path / "mixed.jsonl"
    path.write_text(line("total 48", role="tool") + line("The build needs 8 GB.") + "nonsense\n")

    report = engram.harvest("generic", folder=path)

    assert report.kept == 1
    assert report.left_out == {"tool output": 1}
    assert report.bad_lines == {"not JSON": 1}


def test_a_turn_that_is_too_long_for_one_memory_is_split_and_stops_no_other(open_store, tmp_path):
    engram = open_store(settings={"capture": {"max_input_bytes": 1024, "max_content_bytes": 512}})
    path = tmp_path / "long.jsonl"
    path.write_text(line("x" * 2000) + line("The build needs 8 GB."))

    report = engram.harvest("generic", folder=path)

    assert report.kept == 2
    assert sum(report.left_out.values()) == 0
    assert len(turns(engram)) > 2


def test_one_project_can_be_taken_in_alone_and_the_others_later(engram, transcript):
    other = transcript.with_name("two.jsonl")
    other.write_text(line("The shop sells pears.", project="orchard"))

    first = engram.harvest("generic", folder=transcript.parent, project="ACME api")
    then = engram.harvest("generic", folder=transcript.parent)

    assert (first.kept, then.kept) == (2, 1)
    assert {turn.metadata["project"] for turn in turns(engram)} == {"acme-api", "orchard"}


def test_the_usual_place_of_a_harness_is_below_the_home_folder(engram, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".claude" / "projects" / "-work-shop"
    folder.mkdir(parents=True)
    record = {
        "type": "user", "uuid": "u1", "sessionId": "abc", "cwd": "/nowhere/shop",
        "timestamp": "2026-02-01T10:00:00Z",
        "message": {"role": "user", "content": "The shop closes at six."},
    }  # fmt: skip
    (folder / "abc.jsonl").write_text(json.dumps(record) + "\n")

    report = engram.harvest("claude-code")

    assert report.kept == 1
    assert turns(engram)[0].source == "harness:claude-code:shop"
    assert engram.harvest("codex").files == ()


@pytest.mark.parametrize(
    ("harness", "folder"),
    [("nonsense", None), ("generic", None), ("generic", "gone"), ("codex", "")],
)
def test_a_harvest_that_makes_no_sense_is_refused(engram, tmp_path, harness, folder):
    place = tmp_path / folder if folder else folder

    with pytest.raises(InvalidInput):
        engram.harvest(harness, folder=place)


def test_a_transcript_read_into_one_scope_is_still_new_to_another(open_store, transcript):
    owner = open_store()
    owner.harvest("generic", folder=transcript)

    acme = owner.harvest("generic", folder=transcript, scope=Scope("acme"))

    assert acme.kept == 2
    assert owner.unread(scope=Scope("acme")) == 0
    assert len(turns(owner, scope=Scope("acme"))) == 4
    with pytest.raises(AccessDenied):
        open_store(scope=Scope("beta")).harvest("generic", folder=transcript, scope=Scope("acme"))


# Repositories


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "orchard"
    (root / "src").mkdir(parents=True)
    (root / "src" / "pears.py").write_text('"""Counts pears."""\n\ndef count(tree): ...\n')
    (root / "src" / "plums.py").write_text('"""Counts plums."""\n\ndef count_plums(tree): ...\n')
    (root / "Makefile").write_text("test:\n\tpytest\n")
    return root


def codebase(engram: Engram, **conditions: object) -> dict[str, object]:
    found = engram.list(layer="codebase", limit=1000, **conditions)
    return {f"{each.metadata['part']}:{each.metadata['path']}": each for each in found}


def test_a_repository_is_kept_as_codebase_memories(engram, repository):
    report = engram.scan(repository)

    kept = codebase(engram)
    pears = kept["module:src/pears.py"]
    assert {"module:src/pears.py", "module:src/plums.py", "tree:./", "commands:Makefile"} <= set(
        kept
    )
    assert report.counts["added"] == len(kept)
    assert (pears.category, pears.layer) == ("technical", "codebase")
    assert pears.reference == "orchard:src/pears.py#module"
    assert (pears.source, pears.source_class) == ("result:scan:orchard", "tool")
    assert "count(tree)" in pears.content
    assert engram.recall("where are plums counted?")[0].memory.id == kept["module:src/plums.py"].id


def test_a_scan_of_the_same_changes_nothing(engram, repository):
    first = engram.scan(repository)
    before = codebase(engram)

    again = engram.scan(repository)

    assert again.entries == ()
    assert again.unchanged == first.counts["added"]
    assert codebase(engram) == before


def test_a_file_that_changed_is_another_version_of_its_memory(engram, repository, clock):
    engram.scan(repository)
    clock.advance(days=1)
    old = codebase(engram)["module:src/pears.py"]
    (repository / "src" / "pears.py").write_text('"""Counts pears."""\n\ndef weigh(tree): ...\n')

    report = engram.scan(repository)

    changed = codebase(engram)["module:src/pears.py"]
    assert [(each.what, each.path) for each in report.entries] == [("changed", "src/pears.py")]
    assert (changed.id, changed.version) == (old.id, 2)
    assert "weigh" in changed.content
    assert engram.history(old.id)[0].memory.content == old.content
    engram.undo(changed.change_id)
    assert engram.get(old.id).content == old.content


def test_a_file_whose_outline_stays_keeps_its_wording(engram, repository):
    engram.scan(repository)
    (repository / "src" / "pears.py").write_text('"""Counts pears."""\n\ndef count(tree): pass\n')

    report = engram.scan(repository)

    assert [each.what for each in report.entries] == ["same"]
    assert codebase(engram)["module:src/pears.py"].version == 1
    assert engram.scan(repository).entries == ()


def test_a_file_that_is_gone_leaves_recall_and_can_come_back(engram, repository, clock):
    engram.scan(repository)
    clock.advance(days=1)
    gone = codebase(engram)["module:src/plums.py"]
    content = (repository / "src" / "plums.py").read_text()
    (repository / "src" / "plums.py").unlink()

    report = engram.scan(repository)

    retired = engram.get(gone.id)
    assert ("gone", "src/plums.py") in [(each.what, each.path) for each in report.entries]
    assert retired.status == "invalidated"
    assert engram.history(gone.id)[-1].change.reason == "file gone"
    assert all(hit.memory.id != gone.id for hit in engram.recall("where are plums counted?"))
    (repository / "src" / "plums.py").write_text(content)
    engram.scan(repository)
    assert codebase(engram)["module:src/plums.py"].status == "active"


def test_the_retiring_of_a_file_can_be_undone(engram, repository):
    engram.scan(repository)
    gone = codebase(engram)["module:src/plums.py"]
    (repository / "src" / "plums.py").unlink()
    engram.scan(repository)

    engram.undo(engram.get(gone.id).change_id)

    assert engram.get(gone.id).status == "active"


def test_what_a_person_forgot_stays_forgotten(engram, repository):
    engram.scan(repository)
    forgotten = codebase(engram)["module:src/pears.py"]
    engram.forget(forgotten.id)
    (repository / "src" / "pears.py").write_text("def weigh(tree): ...\n")

    report = engram.scan(repository)

    assert [(each.what, each.path) for each in report.entries] == [("left", "src/pears.py")]
    assert "module:src/pears.py" not in codebase(engram)
    assert engram.get(forgotten.id).status == "archived"


def test_what_could_not_be_read_is_told_and_not_forgotten(engram, repository):
    (repository / "package.json").write_text('{"scripts": {"start": "node ."}}')
    engram.scan(repository)
    (repository / "package.json").write_text("{")

    report = engram.scan(repository)

    assert [(each.what, each.path) for each in report.entries] == [("unread", "package.json")]
    assert "commands:package.json" in codebase(engram)


def test_a_scan_of_one_folder_leaves_the_rest_of_the_project_alone(engram, repository):
    (repository / ".git").mkdir()
    engram.scan(repository)
    whole = len(engram.list(layer="codebase"))

    part = engram.scan(repository / "src")

    assert part.counts["gone"] == 0
    assert len(engram.list(layer="codebase")) == whole + part.counts["added"]
    assert engram.scan(repository).entries == ()


def test_two_folders_of_one_name_are_two_codebases(engram, repository, tmp_path):
    other = tmp_path / "elsewhere" / "orchard"
    other.mkdir(parents=True)
    (other / "apples.py").write_text("def count_apples(): ...\n")
    engram.scan(repository)
    before = len(engram.list(layer="codebase"))

    report = engram.scan(other)

    assert report.counts["gone"] == report.counts["changed"] == 0
    assert len(engram.list(layer="codebase")) == before + report.counts["added"]


def test_a_dry_scan_lists_and_keeps_nothing(engram, repository):
    seen: list[tuple[int, int]] = []

    report = engram.scan(repository, dry_run=True, progress=lambda *step: seen.append(step))

    assert report.is_dry_run
    assert ("added", "module", "src/pears.py") in [
        (each.what, each.kind, each.path) for each in report.entries
    ]
    assert seen[-1] == (3, 3)
    assert engram.list(status="any") == []


def test_a_secret_in_a_repository_is_not_kept(engram, repository):
    key = "AKIA" + "Q3EGRIJ7LZPNX4WD"
    (repository / "Makefile").write_text(f"deploy:\n\tAWS_ACCESS_KEY_ID={key} ship now\n")

    engram.scan(repository)

    assert all(key not in memory.content for memory in engram.list(layer="codebase", limit=1000))


def test_a_codebase_does_not_turn_stale_by_itself(engram, repository, clock):
    engram.scan(repository)
    clock.advance(days=2000)

    assert {memory.status for memory in engram.list(layer="codebase")} == {"active"}


def test_a_missing_folder_forgets_nothing(engram, repository, tmp_path):
    engram.scan(repository)

    with pytest.raises(InvalidInput):
        engram.scan(tmp_path / "gone")

    assert codebase(engram)


def test_an_agent_scans_into_its_own_scope(open_store, repository):
    agent = open_store(scope=Scope("acme", agent="coder"))

    agent.scan(repository)
    (repository / "src" / "pears.py").write_text("def weigh(tree): ...\n")
    changed = agent.scan(repository)

    assert changed.counts["changed"] == 1
    with pytest.raises(AccessDenied):
        agent.scan(repository, scope=Scope("acme"))


# Where things come from


def test_who_cannot_see_a_turn_does_not_see_it_as_a_source(open_store):
    owner = open_store()
    observed = owner.observe("My sister Ines Moreau moved to Porto.", scope=Scope("acme"))
    owner.flush()
    drawn = owner.drawn(observed.memory.id, scope=Scope("acme"))
    assert drawn

    other = open_store(scope=Scope("beta"))

    for name in (observed.memory.id, drawn[0].id, "mem-9999"):
        with pytest.raises(MemoryNotFound):
            other.sources(name)
        with pytest.raises(MemoryNotFound):
            other.drawn(name)


def test_an_estimate_without_a_model_costs_nothing_and_keeps_nothing(engram):
    assert engram.estimate(["I moved to Porto.", {"text": "ok", "role": "assistant"}]) is None
    assert engram.list(status="any") == []
    with pytest.raises(InvalidInput):
        engram.estimate("one text")
    with pytest.raises(InvalidInput):
        engram.estimate([{"text": "x", "role": "nobody"}])


@pytest.fixture
def priced(open_store) -> Callable[..., Engram]:
    model = {
        "kind": "openai", "url": "http://127.0.0.1:9/v1", "model": "any",
        "price_in": 1.0, "price_out": 2.0,
    }  # fmt: skip
    return lambda **options: open_store(settings={"model": {**model, **options}})


def test_an_estimate_with_a_model_grows_with_what_is_said(priced):
    engram = priced()

    short = engram.estimate(["I moved to Porto."])
    long = engram.estimate(
        [{"text": f"I moved to Porto. {n}", "session": str(n)} for n in range(5)]
    )

    assert (short.calls, long.calls) == (1, 5)
    assert 0 < short.cost < long.cost
    assert engram.spending().calls == 0  # nobody was asked


def test_a_dry_harvest_tells_what_reading_would_cost(priced, transcript):
    report = priced().harvest("generic", folder=transcript, dry_run=True)

    assert report.plan.calls == 1
    assert report.plan.cost > 0
