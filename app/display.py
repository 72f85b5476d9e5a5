"""Whether a window can be shown here. Qt ends the whole process where none can, so it is asked before Qt is loaded."""

import ctypes
import os
import sys


def has_display() -> bool:
    """False too where ``DISPLAY`` names a server that does not answer: a login over ssh that has ended leaves one."""
    if sys.platform in ("win32", "darwin") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    return bool(os.environ.get("DISPLAY")) and _answers()


def _answers() -> bool:
    """Asks the library that Qt itself uses (xcb_connect(3): never null, to be disconnected even after an error)."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed
