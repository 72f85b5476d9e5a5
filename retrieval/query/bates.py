"""Bates numbers as values: a prefix and a figure, however the zeros and hyphens between them are written."""

import re
from collections.abc import Iterable
from functools import lru_cache

_NUMBER = re.compile(r"(.*?)[\s_.-]*0*(\d+)\s*$", re.DOTALL)


@lru_cache(maxsize=100_000)
def value(number: str) -> tuple[str, int] | None:
    """``("ABC", 123)`` of "ABC-000123"; None for what does not end with figures."""
    match = _NUMBER.match(number.strip().upper())
    return None if match is None else (re.sub(r"[\W_]+", "", match[1]), int(match[2] or 0))


def within(number: str, ranges: Iterable[tuple[str, str]]) -> bool:
    """Whether it lies in one of the ranges, both ends included. The second end may be figures alone."""
    here = value(number) if number else None
    if here is None:
        return False
    for first, last in ranges:
        low, high = value(first), value(last)
        if low is None or high is None or here[0] != low[0] or high[0] not in ("", low[0]):
            continue
        if low[1] <= here[1] <= high[1]:
            return True
    return False
