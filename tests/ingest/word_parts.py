"""Word files that tests put together part by part."""

import io
import zipfile

from flow_texts import details, texts

from ingest.formats.office.word import read_docx
from ingest.formats.opening import flow_of
from ingest.limits import Limits
from verify.domain.document import WarningCode

NS = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml" '
    'xmlns:w16se="http://schemas.microsoft.com/office/word/2015/wordml/symex"'
)
_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def relations(entries: dict[str, tuple[str, str]]) -> str:
    """``entries``: id to kind and target; a target with "://" lies outside."""
    rows = "".join(
        f'<Relationship Id="{key}" Type="{_TYPES}/{kind}" Target="{target}"'
        + (' TargetMode="External"' if "://" in target else "")
        + "/>"
        for key, (kind, target) in entries.items()
    )
    return f'<Relationships xmlns="{PACKAGE}">{rows}</Relationships>'


def docx(body: str, links: dict[str, tuple[str, str]] | None = None, **parts: str | bytes) -> bytes:
    """``parts`` by name without folder; "footnotes" is ``word/footnotes.xml`` with its own root. A name with a dot is
    taken as it is ("word/media/a.png")."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("[Content_Types].xml", "")
        archive.writestr("word/document.xml", f"<w:document {NS}><w:body>{body}</w:body></w:document>")
        if links:
            archive.writestr("word/_rels/document.xml.rels", relations(links))
        for name, text in parts.items():
            if "." in name:
                archive.writestr(name, text)
            else:
                archive.writestr(f"word/{name}.xml", f"<w:{name} {NS}>{text!s}</w:{name}>")
    return held.getvalue()


def p(text: str, properties: str = "") -> str:
    return f"<w:p>{properties}{r(text)}</w:p>"


def r(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"


def read(data: bytes) -> tuple[list[str], dict[WarningCode, list[str]]]:
    """Texts and warnings."""
    found = read_docx(data, Limits(), flow_of)
    return texts(found.flow), details(found.warnings)
