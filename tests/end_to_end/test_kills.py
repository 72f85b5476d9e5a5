"""A short share of tests/benchmarks/soak_kills.py: kill -9 at random moments of index, ask, review and export."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_nothing_is_lost_or_doubled_by_a_dozen_kills(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    from soak_kills import soak

    done = soak(kills=12, seed=3, ocr="never", say=lambda _: None)
    assert sum(done.values()) == 12
    assert any("killed" in name for name in done)
