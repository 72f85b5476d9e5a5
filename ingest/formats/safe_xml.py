"""XML of untrusted files: no entity is expanded, nothing is fetched, a document type declaration is refused."""

import re
import zipfile
from io import BytesIO

from lxml import etree

from ingest.failures import Damaged
from ingest.limits import Limits

Node = etree._Element
"""lxml offers no public name for the type of its elements."""


def parse_xml(data: bytes) -> Node:
    """Raises Damaged for what is not well formed, nested deeper than 256 (libxml2's limit), or declares a DTD."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        tree = etree.parse(BytesIO(data), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Damaged(f"a part of the file is no well-formed XML ({type(error).__name__})") from None
    if tree.docinfo.internalDTD is not None:
        raise Damaged("a part of the file declares entities of its own, which are not read")
    return tree.getroot()


def canonical_xml(data: bytes) -> bytes:
    """The one form (C14N) of XML that says the same, comments and processing instructions aside. Raises Damaged."""
    return bytes(etree.tostring(parse_xml(data), method="c14n"))


_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")


def as_transitional(data: bytes) -> bytes:
    """A part of a file in Office's strict form (ISO/IEC 29500) under the names of the usual one."""
    if b"http://purl.oclc.org/ooxml/" not in data[:100_000]:
        return data
    return _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", data)


class Package:
    """An Office or OpenDocument file: XML parts in a ZIP. No part may be larger than ``limits.xml_bytes``."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        """Raises Damaged."""
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError) as error:
            raise Damaged(f"the file's container is damaged ({type(error).__name__})") from None
        self._limits = limits
        self._left = limits.xml_bytes

    def names(self) -> list[str]:
        return self._zip.namelist()

    def read(self, name: str) -> bytes | None:
        """A part's bytes, None if there is no such part. Raises Damaged; also once all parts read so far together
        pass the limit, whatever the directory claims of their size."""
        try:
            with self._zip.open(name) as part:
                data = part.read(self._left + 1)
        except KeyError:
            return None
        except (zipfile.BadZipFile, OSError, ValueError, EOFError, NotImplementedError, RuntimeError) as error:
            raise Damaged(f"a part of the file cannot be unpacked ({type(error).__name__})") from None
        except Exception as error:  # zlib.error and lzma.LZMAError have no common base
            raise Damaged(f"a part of the file cannot be unpacked ({type(error).__name__})") from None
        self._left -= len(data)
        if self._left < 0:
            raise Damaged("the file unpacks to more than is read of one file")
        return data

    def with_parts(self, changed: dict[str, bytes]) -> bytes:
        """The file with other bytes in some of its parts. Raises Damaged as ``read`` does."""
        held = BytesIO()
        with zipfile.ZipFile(held, "w") as copy:
            for name in dict.fromkeys(self.names()):
                copy.writestr(name, changed[name] if name in changed else self.read(name) or b"")
        return held.getvalue()

    def xml(self, name: str) -> Node | None:
        data = self.read(name)
        return None if data is None else parse_xml(as_transitional(data))
