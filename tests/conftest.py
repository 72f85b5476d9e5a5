"""Fixtures that every room's tests share."""

import os
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference material beside the checkout; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("PINCITE_SHARED", REPO.parent / "shared"))
    if not (folder / "README.md").is_file():
        pytest.skip(f"no reference material at {folder} (set PINCITE_SHARED)")
    return folder
