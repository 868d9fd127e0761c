"""The process in the background: one per store, never in the way, gone when it should be."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from harness_waiting import wait_until

from engram import Engram
from engram.engine.background import BackgroundWork, leaves_work, seat_kept_free, seated
from engram.errors import StoreBusy, StoreInUse, StoreMissing
from engram.security.keys import Credentials
from engram.surfaces.daemon.leaving import Reason
from engram.surfaces.daemon.run import work_in_background
from engram.surfaces.daemon.start import start, start_if_needed
from engram.surfaces.handing_over import read, written
from engram.wiring import restore_store

NO_SECRET = Credentials()


def leave_work_behind(store: Path, count: int = 3, **options: object) -> None:
    """Memories without vectors, as a command that ended at once leaves them."""
    with Engram.open(store, settings={"embedder": {"kind": "none"}}, **options) as engram:
        engram.remember_many([f"Ada keeps tool number {number}." for number in range(count)])
    Engram.open(store, **options).close()  # whose embedder these are left to


def wait_until_embedded(store: Path, *, but: int = 0, **options: object) -> None:
    """Until no more than so many texts wait; opening a store alone embeds nothing."""
    with Engram.open(store, **options) as engram:
        work = BackgroundWork.of(engram)
        wait_until(lambda: work.waiting().texts <= but)


def has_begun(store: Path) -> bool:
    """Whether it has the store open."""
    return has_noted(store, "daemon_began")


def is_removed(store: Path) -> bool:
    """Whether the folder could be removed; the daemon may be writing a backup into it just then."""
    shutil.rmtree(store, ignore_errors=True)
    return not store.exists()


def has_noted(store: Path, event: str) -> bool:
    """Whether the log tells of it."""
    return any(event in each.read_text() for each in (store / "logs").glob("*"))


def process_of(store: Path) -> int:
    """The number of the one in the seat, which it notes as soon as it sits."""
    wait_until(lambda: seated(store) is not None and seated(store).process is not None)
    return seated(store).process


def test_it_embeds_what_a_command_left_behind(store, run_daemon):
    leave_work_behind(store)

    run_daemon()

    wait_until_embedded(store)


def test_it_reads_turns_that_wait(store, run_daemon):
    with Engram.open(store) as engram:
        engram.observe("It rained all day, so we stayed in.", speaker="Ada", session="s")
        assert engram.unread() == 1

        run_daemon(ENGRAM_CAPTURE__READ_AFTER_MINUTES="0")

        wait_until(lambda: engram.unread() == 0)


def test_it_tells_webhooks_what_has_changed(store, run_daemon):
    heard: list[bytes] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as receiver:
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        with Engram.open(store) as engram:
            address = f"http://127.0.0.1:{receiver.server_port}/"
            engram.add_webhook("ours", address, allow_plain_http=True)
            engram.remember("Ada likes tea.")
            assert BackgroundWork.of(engram).waiting().webhooks == 1

        run_daemon()

        wait_until(lambda: bool(heard))
        receiver.shutdown()
    assert b"remember" in heard[0]
    assert b"tea" not in heard[0]


def test_it_notes_that_webhooks_cannot_be_told_and_stays(store, monkeypatch):
    def fail(*_: object) -> float:
        raise StoreBusy

    monkeypatch.setattr(Engram, "deliver_due", fail)
    told = threading.Event()
    thread = threading.Thread(
        target=work_in_background, args=(store, lambda: Engram.open(store), told)
    )
    thread.start()
    wait_until(lambda: has_noted(store, "daemon_sends_nothing"))
    is_staying = seated(store) is not None
    told.set()
    thread.join(10)

    assert is_staying
    assert not thread.is_alive()


@pytest.mark.failure("F66")
def test_a_killed_one_is_in_nobodys_way(store, run_daemon):
    first = run_daemon()
    first.kill()
    first.wait()

    assert seated(store) is None
    second = run_daemon()

    assert process_of(store) == second.pid


@pytest.mark.failure("F66")
def test_a_process_number_left_in_the_file_means_nothing(store, run_daemon):
    (store / "daemon.lock").write_text(json.dumps({"process": os.getpid(), "since": "2020"}))

    assert seated(store) is None
    child = run_daemon()

    assert process_of(store) == child.pid


def test_of_many_that_start_at_once_one_stays(store, run_daemon):
    children = [run_daemon(is_awaited=False) for _ in range(5)]

    wait_until(lambda: sum(each.poll() is None for each in children) == 1)
    stayed = next(each for each in children if each.poll() is None)

    assert process_of(store) == stayed.pid
    assert [each.returncode for each in children if each is not stayed] == [0] * 4


def test_a_signal_ends_it_soon_with_everything_committed(store, run_daemon):
    leave_work_behind(store, 300)
    child = run_daemon()
    wait_until_embedded(store, but=299)

    began = time.monotonic()
    child.send_signal(signal.SIGTERM)
    child.wait(timeout=10)

    assert time.monotonic() - began < 5
    assert child.returncode == 0
    with Engram.open(store) as engram:
        assert engram.doctor().is_fine
        assert len(engram.list(limit=500)) == 300


def test_an_interrupt_ends_it_too(store, run_daemon):
    child = run_daemon()
    process_of(store)

    child.send_signal(signal.SIGINT)

    assert child.wait(timeout=30) == 0


def test_it_goes_when_there_is_nothing_to_do(store, run_daemon):
    child = run_daemon(ENGRAM_DAEMON__IDLE_SECONDS="1")

    assert child.wait(timeout=30) == 0


def test_it_goes_when_the_folder_is_gone(store, run_daemon):
    child = run_daemon()
    wait_until(lambda: has_begun(store))

    wait_until(lambda: is_removed(store))

    assert child.wait(timeout=30) == 0
    assert sorted(store.rglob("*")) == []


def test_it_goes_when_another_store_lies_in_its_place(store, run_daemon, tmp_path):
    Engram.open(tmp_path / "another").close()
    child = run_daemon()
    wait_until(lambda: has_begun(store))

    store.rename(tmp_path / "elsewhere")
    (tmp_path / "another").rename(store)

    assert child.wait(timeout=30) == 0
    assert seated(store) is None


def test_whoever_needs_the_store_alone_gets_it_in_two_seconds(store, run_daemon):
    child = run_daemon()

    began = time.monotonic()
    with seat_kept_free(store) as is_free:
        taken = time.monotonic() - began

        assert is_free
        assert taken < 2
        assert child.wait(timeout=1) == 0
        assert run_daemon(is_awaited=False).wait(timeout=10) == 0  # it does not sit down meanwhile

    run_daemon()


def test_a_restore_sends_it_away_and_back_in(store, run_daemon):
    with Engram.open(store) as engram:
        engram.remember("Ada likes tea.")
        engram.backup()
    child = run_daemon()
    wait_until(lambda: has_begun(store))

    began = time.monotonic()
    restore_store(store)

    assert time.monotonic() - began < 4
    assert child.wait(timeout=1) == 0
    run_daemon()


def test_encrypting_sends_it_away(store, run_daemon):
    child = run_daemon()
    wait_until(lambda: has_begun(store))

    with Engram.open(store) as engram:
        engram.upkeep.encrypt("correct horse")

    assert child.wait(timeout=1) == 0


def test_a_store_that_is_open_elsewhere_is_still_refused(store, run_daemon):
    with Engram.open(store) as engram, Engram.open(store):
        engram.backup()
        run_daemon()

        with pytest.raises(StoreInUse):
            restore_store(store)


def test_what_it_leaves_in_the_folder_is_taken_for_no_store(store):
    with seat_kept_free(store):
        pass
    (store / "engram.db").unlink()

    with pytest.raises(StoreMissing):
        Engram.open(store)


def test_in_a_folder_that_cannot_be_written_to_the_seat_is_free(tmp_path):
    with seat_kept_free(tmp_path / "nowhere") as is_free:
        assert is_free

    assert seated(tmp_path / "nowhere") is None


def test_a_pipe_in_the_seats_place_keeps_nobody_waiting(store):
    os.mkfifo(store / "daemon.lock")

    with seat_kept_free(store, 0.1) as is_free:
        assert is_free


def test_an_encrypted_store_is_opened_by_what_comes_through_the_pipe(tmp_path, run_daemon, store):
    shutil.rmtree(store)
    leave_work_behind(store, passphrase="correct horse")

    secret = written(Credentials(passphrase="correct horse"))
    child = run_daemon(secret, ENGRAM_SECURITY__HARDEN_PROCESS="false")  # its /proc is looked at

    wait_until_embedded(store, passphrase="correct horse")
    told = Path(f"/proc/{child.pid}/cmdline").read_bytes()
    told += Path(f"/proc/{child.pid}/environ").read_bytes()
    assert b"correct horse" not in told


def test_without_the_secret_it_is_not_even_started(tmp_path):
    Engram.open(tmp_path / "store", passphrase="correct horse").close()

    assert not start(tmp_path / "store", NO_SECRET)


def test_the_secret_comes_out_of_the_pipe_as_it_went_in():
    for secret in (Credentials(passphrase="é"), Credentials(key=b"\x01" * 32)):
        assert read(written(secret)) == secret
    assert read(written(NO_SECRET)) is None
    assert read(b"") is None


def test_a_wrong_secret_ends_it(tmp_path, run_daemon, store):
    shutil.rmtree(store)
    Engram.open(store, passphrase="correct horse").close()

    child = run_daemon(written(Credentials(passphrase="wrong")), is_awaited=False)

    assert child.wait(timeout=10) == 1


class TestStartingOnDemand:
    def test_a_command_that_leaves_work_behind_starts_it(
        self, store, monkeypatch, end_what_was_started
    ):
        monkeypatch.setenv("ENGRAM_DAEMON__START", "auto")
        monkeypatch.setenv("ENGRAM_SECURITY__HARDEN_PROCESS", "false")  # its /proc is looked at
        leave_work_behind(store)

        with Engram.open(store) as engram:
            is_started = start_if_needed(engram, store, NO_SECRET)

        assert is_started
        process = process_of(store)
        assert os.getsid(process) == process
        assert os.getpriority(os.PRIO_PROCESS, process) >= 10
        assert Path(f"/proc/{process}/cwd").readlink() == Path("/")
        handles = {Path(f"/proc/{process}/fd/{number}").readlink() for number in (1, 2)}
        assert handles == {Path("/dev/null")}
        wait_until_embedded(store)

    def test_the_command_line_does_so(self, store, monkeypatch, end_what_was_started):
        monkeypatch.setenv("ENGRAM_DAEMON__START", "auto")
        command = [sys.executable, "-m", "engram", "remember", "Ada likes tea.", "--store"]

        subprocess.run([*command, str(store)], check=True, capture_output=True, timeout=60)

        wait_until(lambda: seated(store) is not None)
        wait_until_embedded(store)

    def test_its_starter_may_be_killed(self, store, end_what_was_started):
        leave_work_behind(store)
        program = (
            "import sys, time; from pathlib import Path; from engram.security.keys import "
            "Credentials; from engram.surfaces.daemon.start import start; "
            "start(Path(sys.argv[1]), Credentials()); time.sleep(60)"
        )
        starter = subprocess.Popen([sys.executable, "-c", program, str(store)])
        wait_until(lambda: seated(store) is not None)

        starter.kill()
        starter.wait()

        wait_until_embedded(store)
        assert seated(store) is not None

    def test_it_takes_a_command_no_time(self, store, monkeypatch, end_what_was_started):
        monkeypatch.setenv("ENGRAM_DAEMON__START", "auto")
        leave_work_behind(store)

        with Engram.open(store) as engram:
            took = []
            for _ in range(5):
                began = time.thread_time()  # what it takes, however busy the machine is
                start_if_needed(engram, store, NO_SECRET)
                took.append(time.thread_time() - began)

        assert sorted(took)[2] < 0.01

    def test_it_is_not_started_where_nothing_waits(self, store, monkeypatch):
        monkeypatch.setenv("ENGRAM_DAEMON__START", "auto")

        with Engram.open(store) as engram:
            assert not leaves_work(engram)
            assert not start_if_needed(engram, store, NO_SECRET)

    def test_it_is_not_started_against_the_settings(self, store):
        leave_work_behind(store)

        with Engram.open(store) as engram:
            assert leaves_work(engram)
            assert not start_if_needed(engram, store, NO_SECRET)

    def test_a_store_that_is_only_read_leaves_no_work(self, store):
        leave_work_behind(store)

        with Engram.open(store, read_only=True) as engram:
            assert not leaves_work(engram)

    def test_where_no_process_can_be_started_nothing_fails(self, store, monkeypatch):
        monkeypatch.setenv("ENGRAM_DAEMON__START", "auto")
        leave_work_behind(store)
        monkeypatch.setattr(sys, "executable", "/nowhere/python")

        with Engram.open(store) as engram:
            assert not start_if_needed(engram, store, NO_SECRET)


def test_within_a_program_it_ends_when_told(store):
    told = threading.Event()
    left: list[Reason | None] = []

    def work() -> None:
        left.append(work_in_background(store, lambda: Engram.open(store), told))

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(lambda: seated(store) is not None)
    assert work_in_background(store, lambda: Engram.open(store), told) is None
    told.set()
    thread.join(10)

    assert left == [Reason.TOLD]
    assert seated(store) is None
