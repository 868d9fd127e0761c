"""Claims about files of this host: reported, looked at again, and taken back only then."""

from dataclasses import dataclass, field

import pytest
from dreaming import carried_out, night_of, planned_by

from engram import Engram, Scope
from engram.lifecycle.dreams.host import ThisHost
from engram.memory.dreams.artefact import ArtefactKind
from engram.memory.dreams.drift import paths_in, standing_of
from engram.memory.vocabulary import Status

CLAIM = "The deploy script is at /srv/ada/tools/deploy.sh."
SCRIPT = "/srv/ada/tools/deploy.sh"
AGENT = Scope(agent="coder")


@dataclass
class Disk:
    """A disk whose files a test names; what cannot be looked at is neither there nor gone."""

    files: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    name: str = "workbench"
    asked: list[str] = field(default_factory=list)

    def exists(self, path: str) -> bool | None:
        self.asked.append(path)
        if path in self.hidden:
            return None
        return any(each == path or each.startswith(path + "/") for each in self.files)


@pytest.fixture
def disk() -> Disk:
    return Disk({"/srv/ada/notes.txt", "/etc/hosts", "/usr/bin/git"})


@pytest.fixture
def agent(engram: Engram) -> Engram:
    """An agent, behind whose words no person stands."""
    from engram.memory.scopes import Principal

    return engram.seen_by(Principal.of(AGENT))


class Nights:
    """Dreams of drift on a disk, one after the other."""

    def __init__(self, engram: Engram, disk: Disk, clock, scope: Scope | None = None) -> None:
        self.engram, self.disk, self.clock, self.scope = engram, disk, clock, scope

    def plan(self, **options: object):
        night = night_of(self.engram, scope=self.scope, host=self.disk, **options)
        return night, planned_by(self.engram, "drift", night)

    def dream(self, **options: object):
        night, planned = self.plan(**options)
        carried_out(self.engram, planned, night)
        return planned

    def strikes(self) -> list[str]:
        with self.engram._view(self.scope) as see:
            return [each.key for each in see.artefacts.all(ArtefactKind.DRIFT)]


@pytest.fixture
def nights(engram: Engram, disk: Disk, clock) -> Nights:
    return Nights(engram, disk, clock, AGENT)


def status_of(engram: Engram, label: str, scope: Scope | None = AGENT) -> Status:
    return engram.get(label, scope=scope).status


def test_a_missing_file_is_reported_once_and_taken_back_on_a_later_night(
    engram, agent, nights, clock
):
    agent.remember(CLAIM)

    first = nights.dream()
    assert first.findings == ("mem-0001 names a file that is not there",)
    assert status_of(engram, "mem-0001") is Status.ACTIVE
    assert nights.strikes() == ["mem-0001"]

    clock.advance(hours=20)
    assert nights.dream().decisions == ()  # the same day proves nothing

    clock.advance(hours=5)
    second = nights.dream()
    assert len(second.decisions) == 1
    assert status_of(engram, "mem-0001") is Status.INVALIDATED
    assert nights.strikes() == []
    assert nights.dream().decisions == ()


def test_how_long_it_must_be_missing_is_a_setting(engram, agent, nights, clock):
    agent.remember(CLAIM)
    nights.dream(drift_strike_days=10)
    clock.advance(days=9)
    assert nights.plan(drift_strike_days=10)[1].decisions == ()

    clock.advance(days=2)
    nights.dream(drift_strike_days=10)

    assert status_of(engram, "mem-0001") is Status.INVALIDATED


def test_a_file_that_is_back_clears_what_was_noted(engram, agent, nights, disk, clock):
    agent.remember(CLAIM)
    nights.dream()
    disk.files.add(SCRIPT)
    clock.advance(days=2)

    nights.dream()

    assert nights.strikes() == []
    assert status_of(engram, "mem-0001") is Status.ACTIVE
    disk.files.discard(SCRIPT)
    clock.advance(days=2)
    nights.dream()
    assert status_of(engram, "mem-0001") is Status.ACTIVE  # it begins anew
    assert nights.strikes() == ["mem-0001"]


def test_taking_back_can_be_undone_exactly(engram, agent, nights, clock):
    agent.remember(CLAIM)
    nights.dream()
    clock.advance(days=2)
    night, planned = nights.plan()
    [change] = carried_out(engram, planned, night)

    engram.undo(change, scope=AGENT)

    assert status_of(engram, "mem-0001") is Status.ACTIVE
    assert nights.strikes() == ["mem-0001"]


def test_what_a_person_said_is_called_into_doubt_at_most(engram, disk, clock):
    nights = Nights(engram, disk, clock)
    engram.remember(CLAIM)
    nights.dream()
    clock.advance(days=2)

    nights.dream()
    assert engram.get("mem-0001").status is Status.CHALLENGED
    clock.advance(days=2)
    assert nights.dream().decisions == ()

    engram.verify("mem-0001")  # a person insists
    clock.advance(days=2)
    assert nights.dream().decisions == ()
    assert engram.get("mem-0001").status is Status.ACTIVE


@pytest.mark.parametrize("arguments", [{"pinned": True}, {"category": "decision"}])
def test_what_is_pinned_or_protected_stays_as_it_is(engram, agent, nights, clock, arguments):
    label = agent.remember(CLAIM, **arguments).memory.label
    before = engram.get(label, scope=AGENT)
    for _ in range(4):
        nights.dream()
        clock.advance(days=2)

    assert engram.get(label, scope=AGENT) == before
    assert any("a person decides" in each for each in nights.plan()[1].findings)


@pytest.mark.parametrize(
    "text",
    [
        "The deploy script is at tools/deploy.sh.",
        "The handler is in ./src/app.py and ../lib/b.py.",
        "Users are listed at /api/v1/users.",
        "POST /srv/ada/login.php answers with a cookie.",
        "The endpoint /usr/local/share is slow.",
        "The manual is at https://example.org/srv/ada/manual.html.",
        "Configs live in /etc/<service>/config.yaml.",
        "Configs live in /etc/${NAME}/config.yaml.",
        "Logs are in /srv/ada/logs/*.log.",
        "The socket is /dev/ttyUSB7.",
        "The build log is at /tmp/build.log.",
        "The file /srv/ada/gone.txt was deleted.",
        "Create /srv/ada/later.txt before the release.",
        "If /srv/ada/flag.txt is there, the job stops.",
        "The script is at /srv/ada/tools/deploy.sh on the build server.",
        "Use ssh to read /srv/ada/remote.txt.",
        "In the container the code is at /srv/ada/code/app.py.",
        "The photos are at /mnt/backup/photo.jpg.",
        "The photos are at /Volumes/Archive/2024/photo.jpg.",
        "The table is at /home/bob/table.csv.",
    ],
)
def test_what_is_no_file_of_this_host_is_never_struck(agent, nights, text):
    agent.remember(text)

    planned = nights.dream()

    assert planned.decisions == ()
    assert not any("not there" in each for each in planned.findings)


def test_a_drive_that_is_not_mounted_takes_nothing_with_it(agent, nights, disk):
    disk.files.add("/mnt/backup/x")
    agent.remember("The album is at /mnt/backup/albums/first.jpg.")
    assert nights.plan()[1].decisions == ()  # the mount is there, and nothing below it

    disk.files.add("/mnt/backup/albums/second.jpg")

    assert len(nights.plan()[1].decisions) == 1


def test_what_may_not_be_looked_at_is_no_evidence(agent, nights, disk):
    disk.hidden.add(SCRIPT)
    agent.remember(CLAIM)

    assert nights.plan()[1].decisions == ()


@pytest.mark.parametrize("source", ["import:notes", "bus:other", "web:page"])
def test_what_came_from_elsewhere_is_not_checked(engram, disk, clock, source):
    engram.remember(CLAIM, source=source)
    nights = Nights(engram, disk, clock)

    assert nights.plan()[1].decisions == ()
    assert SCRIPT not in disk.asked


def test_only_claims_that_name_this_host_or_none_are_checked(agent, nights, disk):
    agent.remember(CLAIM, metadata={"host": "elsewhere"})
    assert nights.plan()[1].decisions == ()

    agent.remember("The key file is at /srv/ada/keys/id.pub.", metadata={"host": disk.name})

    [decision] = nights.plan()[1].decisions
    assert decision.numbers == (2,)


def test_a_memory_of_which_one_file_is_there_is_only_told_of(agent, nights):
    agent.remember("The notes are in /srv/ada/notes.txt and /srv/ada/more.txt.")

    planned = nights.dream()

    assert planned.decisions == ()
    assert planned.findings == ("mem-0001 names several files, and not all of them are there",)


def test_many_files_missing_at_once_mean_another_machine(agent, nights):
    for number in range(6):
        agent.remember(f"Part {number} is kept in /srv/ada/parts/{number}.txt.")

    planned = nights.dream()

    assert planned.decisions == ()
    assert "another machine" in planned.findings[0]


def test_commands_and_symbols_are_told_of_and_nothing_else(agent, nights):
    agent.remember("Run `frobnicate --all` for the nightly report.")
    agent.remember("Run `git status` first.")
    agent.remember("The class Runner is in /srv/ada/src/runner.py.")

    planned = nights.dream()

    assert (
        "mem-0001 names a command that is in none of this host's usual folders" in planned.findings
    )
    assert not any("mem-0002" in each for each in planned.findings)
    assert "mem-0003 names a file that is not there, and a symbol beside it" in planned.findings
    assert [each.numbers for each in planned.decisions] == [(3,)]


def test_a_wording_that_changed_begins_anew(engram, agent, nights, clock):
    agent.remember(CLAIM)
    nights.dream()
    clock.advance(days=2)
    agent.revise("mem-0001", "The deploy script is at /srv/ada/tools/ship.sh.")

    nights.dream()

    assert status_of(engram, "mem-0001") is Status.ACTIVE


def test_the_real_disk_tells_what_is_there_and_what_cannot_be_told(tmp_path):
    host = ThisHost()
    (tmp_path / "here").write_text("x")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")

    assert host.exists(str(tmp_path / "here")) is True
    assert host.exists(str(tmp_path / "dangling")) is True
    assert host.exists(str(tmp_path / "gone")) is False
    assert host.exists(str(tmp_path / "here" / "below")) is False
    assert host.exists("relative/path") is None
    assert host.exists("/proc/self/nothing") is None
    assert host.exists("/dev/nothing") is None
    assert host.exists("/a\x00b") is None
    assert host.name


def test_a_path_ends_where_its_sentence_does():
    assert paths_in("See (/etc/hosts), `/etc/fstab`; also /etc/passwd.") == [
        "/etc/hosts", "/etc/fstab", "/etc/passwd",
    ]  # fmt: skip


def test_absence_means_something_only_below_a_place_that_is_there():
    assert standing_of("/etc/x/y.conf", Disk({"/etc/hosts"}).exists) is False
    assert standing_of("/srv/ada/x.txt", Disk({"/etc/hosts"}).exists) is None
    assert standing_of("/data/set.csv", Disk({"/data/other.csv"}).exists) is None
    assert standing_of("/data/a/set.csv", Disk({"/data/a/other.csv"}).exists) is False
