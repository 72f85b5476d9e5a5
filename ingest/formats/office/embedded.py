"""Files inside an Office document: embedded documents and pictures large enough to hold text."""

from collections.abc import Iterator
from io import BytesIO

from ingest.failures import Damaged
from ingest.formats.model import SMALL_PICTURE, Member
from ingest.formats.safe_xml import Package
from ingest.limits import Limits

_PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp")


def embedded_members(data: bytes, limits: Limits) -> Iterator[Member]:
    """Members of ``word/embeddings``, ``xl/embeddings`` … as the files that a person put in; of OpenDocument files
    those of ``Pictures`` and objects of other programs. Raises nothing."""
    package = Package(data, limits)
    for name in package.names():
        folder, _, file = name.rpartition("/")
        is_picture = folder.rpartition("/")[2] in ("media", "Pictures") and file.lower().endswith(_PICTURES)
        is_object = folder.endswith("/embeddings") or (not folder and file.startswith("Object "))
        if not (is_picture or is_object) or not file:
            continue
        try:
            content = package.read(name) or b""
        except Damaged as damage:
            yield Member(file, None, damage.detail)
            return
        if is_picture:
            if len(content) >= SMALL_PICTURE:
                yield Member(file, content)
        else:
            yield unwrapped(file, content)


def unwrapped(name: str, data: bytes) -> Member:
    """The file inside an OLE object, under its own name where the object tells it; else the object itself."""
    if not data.startswith(b"\xd0\xcf\x11\xe0"):
        return Member(name, data)
    import olefile

    try:
        with olefile.OleFileIO(BytesIO(data)) as ole:
            if ole.exists("CONTENTS"):
                return Member(name, ole.openstream("CONTENTS").read())
            if ole.exists("\x01Ole10Native"):
                return _package_object(name, ole.openstream("\x01Ole10Native").read())
    except Exception:  # olefile raises whatever a damaged file makes it trip over
        return Member(name, data)
    return Member(name, data)


def _package_object(name: str, stream: bytes) -> Member:
    """MS-OLEDS 2.3.6: a size, two bytes, label and file name ended by zeros, more names, a size, the file."""
    at = 6
    label, at = _text(stream, at)
    _, at = _text(stream, at)
    at += 4
    size = int.from_bytes(stream[at : at + 4], "little")
    at += 4 + size
    length = int.from_bytes(stream[at : at + 4], "little")
    content = stream[at + 4 : at + 4 + length]
    if not content:
        return Member(name, stream)
    return Member(label.replace("\\", "/").rpartition("/")[2] or name, content)


def _text(stream: bytes, at: int) -> tuple[str, int]:
    end = stream.index(b"\0", at)
    return stream[at:end].decode("cp1252", "replace"), end + 1
