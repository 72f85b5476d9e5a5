"""Long work that is driven: its events are handed on or passed over, its end is reached once, closing cancels it."""

from collections.abc import Generator

from verify.domain.progress import drive, finish


def counting(closed: list[str]) -> Generator[int, None, str]:
    try:
        yield 1
        yield 2
        return "done"
    finally:
        closed.append("closed")


def test_events_are_translated_and_the_result_returned() -> None:
    closed: list[str] = []
    steps = drive(counting(closed), lambda number: number * 10)
    assert [next(steps), next(steps)] == [10, 20]
    assert finish(steps) == "done"
    assert closed == ["closed"]


def test_closing_cancels_the_work_inside() -> None:
    closed: list[str] = []
    steps = drive(counting(closed), str)
    next(steps)
    steps.close()
    assert closed == ["closed"]


def test_finish_passes_over_what_happens() -> None:
    assert finish(counting([])) == "done"
