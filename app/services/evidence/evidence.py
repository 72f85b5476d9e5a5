"""Where evidence stands on its page, and the page or a crop with it marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import InputMissing, InputUnreadable
from app.services.evidence.crops import CropDescriptor, describe_boxes, describe_check
from app.services.evidence.drawing import DEFAULT_DPI, draw
from app.services.matter.matter import Matter
from app.services.matter.originals import drawable
from verify.domain.document import Page, SourceRecord
from verify.domain.geometry import Box
from verify.domain.ids import Fingerprint, SourceId
from verify.report import CheckResult, Region


@dataclass(frozen=True, slots=True)
class PageGeometry:
    """The displayed page that boxes refer to; sizes in 1/100 pt. ``rotation`` is what the file declares."""

    source_id: SourceId
    path: str
    fingerprint: Fingerprint
    page_index: int
    page_label: str | None
    width: int
    height: int
    rotation: int
    page_count: int


def page_geometry(matter: Matter, source_id: SourceId, page_index: int) -> PageGeometry:
    """Raises InputMissing for a page that is not there, InputUnreadable for one that could not be read."""
    record = matter.source(source_id)
    page = _page(matter, record, page_index)
    return PageGeometry(
        source_id, record.path, record.fingerprint, page_index, page.label, page.width, page.height, page.rotation,
        record.page_count,
    )  # fmt: skip


def _page(matter: Matter, record: SourceRecord, index: int) -> Page:
    if not 0 <= index < record.page_count:
        raise InputMissing(f"{record.source_id} has no page of index {index}; it has {record.page_count} pages")
    page = matter.pages.get(record, index)
    if page is None:
        raise InputUnreadable(f"page {index} of {record.source_id} could not be read")
    return page


def boxes_for(check: CheckResult) -> tuple[Region, ...]:
    """One for each line of the evidence, or a cell with its headers; none for a check without evidence."""
    return () if check.evidence is None else check.evidence.regions


def crop(
    matter: Matter,
    source_id: SourceId,
    page_index: int,
    boxes: Sequence[Box] = (),
    *,
    cut: bool = False,
    dpi: int = DEFAULT_DPI,
    password: str | None = None,
) -> tuple[CropDescriptor, bytes]:
    """The page (``cut``: the part around the boxes) with the boxes marked, as a PNG, and its descriptor.

    The file is hashed again first; if it changed nothing is drawn. Raises InputMissing, InputUnreadable (also
    ``originals.SourceChanged``), AccessDenied, or Usage for a box that leaves the page.
    """
    record, pdf = drawable(matter, source_id)
    described = describe_boxes(record, _page(matter, record, page_index), boxes)
    return draw(described, pdf, cut=cut, dpi=dpi, password=password)


def crop_of_check(
    matter: Matter, check: CheckResult, page_index: int, *, dpi: int = DEFAULT_DPI, password: str | None = None
) -> tuple[CropDescriptor, bytes]:
    """The part of a page around a check's evidence, marked. Raises as ``crop``; ValueError without evidence there."""
    if check.evidence is None or all(r.page_index != page_index for r in check.evidence.regions):
        raise ValueError("the check has no evidence on this page")
    record, pdf = drawable(matter, check.evidence.source_id)
    described = describe_check(record, _page(matter, record, page_index), check)
    return draw(described, pdf, cut=True, dpi=dpi, password=password)
