"""The faults that end a command: a closed list of codes, each with its exit status (contract, section 2).

PinciteError
├── Usage                exit 2
├── InvalidRequest       exit 2
├── InputMissing         exit 3
├── InputUnreadable      exit 3
├── EngineUnavailable    exit 4 (model_unavailable or ocr_unavailable)
├── AccessDenied         exit 5
└── StoreFault           exit 6 (store_locked, store_damaged or store_newer)
"""

import errno
from enum import StrEnum


class ErrorCode(StrEnum):
    USAGE = "usage"
    INVALID_REQUEST = "invalid_request"
    INPUT_MISSING = "input_missing"
    INPUT_UNREADABLE = "input_unreadable"
    MODEL_UNAVAILABLE = "model_unavailable"
    OCR_UNAVAILABLE = "ocr_unavailable"
    ACCESS_DENIED = "access_denied"
    STORE_LOCKED = "store_locked"
    STORE_DAMAGED = "store_damaged"
    STORE_NEWER = "store_newer"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


EXIT_STATUS: dict[ErrorCode, int] = {
    ErrorCode.USAGE: 2,
    ErrorCode.INVALID_REQUEST: 2,
    ErrorCode.INPUT_MISSING: 3,
    ErrorCode.INPUT_UNREADABLE: 3,
    ErrorCode.MODEL_UNAVAILABLE: 4,
    ErrorCode.OCR_UNAVAILABLE: 4,
    ErrorCode.ACCESS_DENIED: 5,
    ErrorCode.STORE_LOCKED: 6,
    ErrorCode.STORE_DAMAGED: 6,
    ErrorCode.STORE_NEWER: 6,
    ErrorCode.INTERRUPTED: 130,
    ErrorCode.INTERNAL: 70,  # EX_SOFTWARE of sysexits.h; the contract names no number for it
}


class PinciteError(Exception):
    """``str(error)`` is one line for a person: what, which file or id, what to do. It never holds document text."""

    code = ErrorCode.INTERNAL

    def __init__(self, message: str, code: ErrorCode | None = None) -> None:
        super().__init__(" ".join(message.split()))
        if code is not None:
            self.code = code

    @property
    def exit_status(self) -> int:
        return EXIT_STATUS[self.code]


class Usage(PinciteError):
    code = ErrorCode.USAGE


class InvalidRequest(PinciteError):
    code = ErrorCode.INVALID_REQUEST


class InputMissing(PinciteError):
    code = ErrorCode.INPUT_MISSING


class InputUnreadable(PinciteError):
    code = ErrorCode.INPUT_UNREADABLE


class EngineUnavailable(PinciteError):
    code = ErrorCode.MODEL_UNAVAILABLE


class AccessDenied(PinciteError):
    code = ErrorCode.ACCESS_DENIED


class StoreFault(PinciteError):
    code = ErrorCode.STORE_DAMAGED


STORE_FULL = "the disk that holds the store is full; free some space and run the command again"


def is_full(error: OSError) -> bool:
    """Whether the disk, or the user's share of it, has no room left."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def unwritable_store(error: OSError) -> StoreFault:
    """In the same words wherever the store meets a full disk: in its database, a file beside it, or the lock."""
    if is_full(error):
        return StoreFault(STORE_FULL)
    return StoreFault(
        f"the store cannot be written ({error.strerror}); make it writable, or choose another with --store; what it "
        "holds can still be read"
    )
