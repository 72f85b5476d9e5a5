"""Whether letters are told from what lies behind them, by the colours that a file states."""

_LIGHT = 0xF4
"""Of each channel: so light that it is not told from the white page."""
_NEAR = 12
"""Letters that differ less from their ground in every channel are not seen."""
_DARK = 0x40


def channels(colour: str) -> bytes:
    """Of "rrggbb", with or without "#"; none for what is no such colour."""
    try:
        parts = bytes.fromhex(colour.removeprefix("#"))
    except ValueError:
        return b""
    return parts if len(parts) == 3 else b""


def is_light(colour: str) -> bool:
    """So light that letters of it are not seen on a white page."""
    parts = channels(colour)
    return bool(parts) and min(parts) >= _LIGHT


def is_dark(colour: str) -> bool:
    """So dark that black letters are not seen on it."""
    parts = channels(colour)
    return bool(parts) and max(parts) < _DARK


def are_alike(colour: str, ground: str) -> bool:
    """Whether letters of one colour are not told from a ground of the other."""
    one, other = channels(colour), channels(ground)
    return bool(one and other) and all(abs(a - b) < _NEAR for a, b in zip(one, other, strict=True))
