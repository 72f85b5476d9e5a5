"""What a cell of a table shows at a glance."""

import pytest

from app.services.table.table_json import Shows, shows
from models.answering.found import Found, State
from models.language.kinds import Kind
from verify.domain.claim import Release


@pytest.mark.parametrize(
    ("found", "releases", "shown"),
    [
        (Found(Kind.YES_NO, State.STATED, "Yes: the Tenant shall insure."), [Release.SHOW], Shows.YES),
        (Found(Kind.YES_NO, State.STATED, "No: it may not be assigned."), [Release.SHOW], Shows.NO),
        (Found(Kind.FACT, State.STATED, "60 days."), [Release.SHOW], Shows.VALUE),
        (Found(Kind.FACT, State.STATED, "60 days."), [Release.NEEDS_REVIEW], Shows.LOOK),
        (Found(Kind.FACT, State.CONFLICTING, "60 or 90 days."), [Release.SHOW], Shows.LOOK),
        (Found(Kind.YES_NO, State.SILENT), [], Shows.SILENT),
        (None, [], Shows.LOOK),
    ],
)
def test_a_cell_shows(found: Found | None, releases: list[Release], shown: Shows) -> None:
    assert shows(found, releases) is shown
