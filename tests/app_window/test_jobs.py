"""Long work in a process of its own: events, cancelling, killing, crashing, over a real pipe."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from stand_in_backend import Count, Crash, Dawdle, Hang, Refuse, stand_in

from app import jobs
from app.backend.protocol import Failed
from app.errors import ErrorCode
from app.jobs import Jobs


class Heard:
    """Collects what a job's callbacks were given."""

    def __init__(self) -> None:
        self.events: list[Any] = []
        self.done: list[Any] = []
        self.failed: list[Failed] = []
        self.cancelled = 0

    def _stopped(self) -> None:
        self.cancelled += 1

    def start(self, work: Jobs, request: object) -> int:
        return work.start(request, self.done.append, self.failed.append, self.events.append, self._stopped)

    @property
    def ended(self) -> bool:
        return bool(self.done or self.failed or self.cancelled)


@pytest.fixture
def work(qtbot: QtBot) -> Iterator[Jobs]:
    running = Jobs(stand_in)
    yield running
    running.stop()


def test_events_then_the_result(work: Jobs, qtbot: QtBot) -> None:
    heard = Heard()
    heard.start(work, Count(3))
    qtbot.waitUntil(lambda: heard.ended, timeout=10_000)
    assert (heard.events, heard.done) == ([0, 1, 2], ["done"])
    assert work.active == 0


def test_cancelling_ends_the_generator(work: Jobs, qtbot: QtBot) -> None:
    heard, after = Heard(), Heard()
    job = heard.start(work, Dawdle())
    after.start(work, Count(1))
    qtbot.waitUntil(lambda: len(heard.events) > 1, timeout=10_000)
    assert not after.events  # the same lane: one after another
    work.cancel(job)
    qtbot.waitUntil(lambda: after.ended, timeout=10_000)
    assert heard.cancelled == 1 and not heard.done
    assert after.done == ["done"]


def test_lanes_run_side_by_side(work: Jobs, qtbot: QtBot) -> None:
    slow, quick = Heard(), Heard()
    slow.start(work, Hang())
    qtbot.waitUntil(lambda: slow.events == ["begun"], timeout=10_000)
    quick.start(work, Count(2))
    qtbot.waitUntil(lambda: quick.ended, timeout=10_000)
    assert quick.done == ["done"]


def test_a_job_that_does_not_end_is_killed_and_the_backend_runs_again(
    work: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "GRACE_MS", 100)
    hung, after = Heard(), Heard()
    job = hung.start(work, Hang())
    qtbot.waitUntil(lambda: hung.events == ["begun"], timeout=10_000)
    with qtbot.waitSignal(work.restarted, timeout=10_000):
        work.cancel(job)
    assert [f.code for f in hung.failed] == [ErrorCode.INTERRUPTED]
    after.start(work, Count(1))
    qtbot.waitUntil(lambda: after.ended, timeout=10_000)
    assert after.done == ["done"]


def test_a_refusal_comes_in_its_own_words(work: Jobs, qtbot: QtBot) -> None:
    heard = Heard()
    heard.start(work, Refuse())
    qtbot.waitUntil(lambda: heard.ended, timeout=10_000)
    assert [(f.code, f.message, f.report) for f in heard.failed] == [(ErrorCode.USAGE, "Give another folder.", None)]


def test_a_crash_is_told_without_the_documents_words(work: Jobs, qtbot: QtBot) -> None:
    heard = Heard()
    heard.start(work, Crash())
    qtbot.waitUntil(lambda: heard.ended, timeout=10_000)
    (failed,) = heard.failed
    assert failed.code is ErrorCode.INTERNAL
    assert "secret" not in failed.message and "ValueError" in failed.message
    assert failed.report is not None
    from pathlib import Path

    report = Path(failed.report).read_text("utf-8")
    assert "secret" not in report
    assert "builtins.ValueError" in report and "_crash" in report
    assert oct(Path(failed.report).stat().st_mode & 0o777) == "0o600"


def test_an_unknown_request_fails_and_nothing_else(work: Jobs, qtbot: QtBot) -> None:
    heard = Heard()
    heard.start(work, ("not", "a", "request"))
    qtbot.waitUntil(lambda: heard.ended, timeout=10_000)
    assert heard.failed[0].code is ErrorCode.INTERNAL


def test_nothing_is_left_when_it_stops(qtbot: QtBot) -> None:
    running = Jobs(stand_in)
    heard = Heard()
    heard.start(running, Hang())
    qtbot.waitUntil(lambda: heard.events == ["begun"], timeout=10_000)
    process: Callable[[], bool] = lambda: running._link.running  # noqa: E731
    assert process()
    running.stop()
    assert not process()
    assert not heard.ended


def test_a_process_that_was_lost_just_before_the_stop_is_not_started_again(work: Jobs, qtbot: QtBot) -> None:
    """Its end is told through the event loop, which comes round only after the stop."""
    heard = Heard()
    heard.start(work, Hang())
    qtbot.waitUntil(lambda: heard.events == ["begun"], timeout=10_000)
    reader = work._link._reader
    assert reader is not None
    work._link.kill()
    reader.join(5)
    work.stop()
    qtbot.wait(50)
    assert not work._link.running
    assert not heard.ended
