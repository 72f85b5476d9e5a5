"""The record of a piece of evidence as it can be shown: regions, page frame, text hash, and how it was drawn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.errors import Usage
from app.services.answers.reports import region_from_json
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.document import Page, SourceRecord
from verify.domain.geometry import Box
from verify.domain.ids import ElementId, Fingerprint, SourceId
from verify.report import CheckResult, Region, Role, region_json

CROP_SCHEMA = "pincite.crop/1"


@dataclass(frozen=True, slots=True)
class Rendering:
    """``dpi`` is what was drawn, ``padding`` (1/100 pt) what was added around the regions, 0 for a whole page."""

    renderer: str
    version: str
    dpi: int
    padding: int


@dataclass(frozen=True, slots=True)
class CropDescriptor:
    """Binds regions, page frame, text and, where there is one, the image. ``rendering`` None: descriptor only."""

    crop_id: str
    document_fingerprint: Fingerprint
    source_id: SourceId
    page_index: int
    page_label: str | None
    page_width: int
    page_height: int
    regions: tuple[Region, ...]
    element_ids: tuple[ElementId, ...]
    check_id: str | None
    text_sha256: str
    rendering: Rendering | None
    image_sha256: str | None
    image_width: int | None
    image_height: int | None

    def to_json(self) -> dict[str, Any]:
        r = self.rendering
        return {
            "schema": CROP_SCHEMA,
            "crop_id": self.crop_id,
            **_bound(self),
            "rendering": "descriptor_only"
            if r is None
            else {"renderer": r.renderer, "version": r.version, "dpi": r.dpi, "padding": r.padding},
            "image_sha256": self.image_sha256,
            "image_width": self.image_width,
            "image_height": self.image_height,
        }


def _bound(d: CropDescriptor) -> dict[str, Any]:
    """What a crop's id is the hash of: everything but the picture."""
    return {
        "document_fingerprint": d.document_fingerprint,
        "source_id": d.source_id,
        "page_index": d.page_index,
        "page_label": d.page_label,
        "page_width": d.page_width,
        "page_height": d.page_height,
        "regions": [region_json(r) for r in d.regions],
        "coordinate_origin": "top-left",
        "element_ids": list(d.element_ids),
        "check_id": d.check_id,
        "text_sha256": d.text_sha256,
    }


def describe_boxes(record: SourceRecord, page: Page, boxes: Sequence[Box]) -> CropDescriptor:
    """A descriptor of boxes on a page, or of the whole page for none. Raises Usage for a box that leaves the page."""
    for box in boxes:
        if not box.within(page.width, page.height):
            raise Usage(
                f"the box {','.join(map(str, box))} has no area or leaves the page (0,0,{page.width},{page.height})"
            )
    words = [w for w in page.words if w.visible and any(b.holds_centre_of(w.box) for b in boxes)]
    text = " ".join(w.text for w in words) if boxes else page.text
    elements = tuple(e.element_id for e in page.elements if any(b.overlaps(e.bbox) for b in boxes))
    regions = tuple(Region(page.index, box, Role.TEXT) for box in boxes)
    return _descriptor(record, page, regions, elements, None, text)


def describe_check(record: SourceRecord, page: Page, check: CheckResult) -> CropDescriptor:
    """A descriptor of a check's evidence on one of its pages. Raises ValueError for a check without evidence."""
    evidence = check.evidence
    if evidence is None:
        raise ValueError("a check without evidence has nothing to crop")
    regions = tuple(r for r in evidence.regions if r.page_index == page.index)
    own = {e.element_id for e in page.elements}
    elements = tuple(e for e in evidence.element_ids if e in own)
    return _descriptor(record, page, regions, elements, check.check_id, evidence.text or "")


def _descriptor(
    record: SourceRecord,
    page: Page,
    regions: tuple[Region, ...],
    elements: tuple[ElementId, ...],
    check_id: str | None,
    text: str,
) -> CropDescriptor:
    bare = CropDescriptor(
        "", record.fingerprint, record.source_id, page.index, page.label, page.width, page.height, regions, elements,
        check_id, sha256_of(text.encode()), None, None, None, None,
    )  # fmt: skip
    return replace(bare, crop_id=crop_id(bare))


def crop_name(check_id: str, page_index: int, pages: Sequence[int]) -> str:
    """The name of a check's picture in a bundle, without its ending: one a page, the first without a number."""
    return f"crops/{check_id}" if page_index == pages[0] else f"crops/{check_id}-{page_index}"


def crop_id(d: CropDescriptor) -> str:
    return "crop-" + sha256_of(canonical_json(_bound(d))).removeprefix("sha256:")[:24]


def crop_from_json(d: dict[str, Any]) -> CropDescriptor:
    """Raises KeyError, TypeError or ValueError for what ``CropDescriptor.to_json`` did not make."""
    if d["schema"] != CROP_SCHEMA or d["coordinate_origin"] != "top-left":
        raise ValueError("not a crop of this version")
    r = d["rendering"]
    return CropDescriptor(
        d["crop_id"], d["document_fingerprint"], d["source_id"], d["page_index"], d["page_label"], d["page_width"],
        d["page_height"], tuple(region_from_json(x) for x in d["regions"]), tuple(map(ElementId, d["element_ids"])),
        d["check_id"], d["text_sha256"], None if r == "descriptor_only" else Rendering(**r), d["image_sha256"],
        d["image_width"], d["image_height"],
    )  # fmt: skip
