"""No false mutant of a true quotation verifies: a bounded share of ``tests/benchmarks/bench_mutants.py``."""

from pathlib import Path

import pytest
from verify_mutants import run


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_false_mutant_verifies(shared: Path) -> None:
    tally = run(shared, 4000, seed=29)
    assert tally.tried >= 4000
    assert tally.faults == []
