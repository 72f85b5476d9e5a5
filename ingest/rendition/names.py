"""What names a rendition: a PDF made once of a file without pages, bound to the original's fingerprint."""

from verify.domain.document import SourceRecord
from verify.domain.ids import Fingerprint

RENDITION_PROFILE = "r5"
"""Changes when the same text would give another PDF, or a PDF is read in another way; the last part of the profile of
what is read through one."""


def rendered_profile(profile: str) -> str:
    return f"{profile}/{RENDITION_PROFILE}"


def rendition_key(fingerprint: Fingerprint, profile: str) -> str:
    """The rendition's name among the blobs: the original's fingerprint and the profile of the record's parser."""
    return f"{fingerprint}/{profile}"


def is_rendered(record: SourceRecord) -> bool:
    """True if the record's pages are those of a rendition, to be drawn from the blob of ``rendition_key``."""
    return RENDITION_PROFILE in record.parser.profile.split("/")
