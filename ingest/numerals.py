"""Numbers as page labels and lists write them: arabic, roman, letters."""

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip

_SIGNS = {sign: value for value, sign in _ROMAN if len(sign) == 1}

_MOST_SIGNS = 26_000
"""The number up to which letters and roman thousands repeat; a file may start at two thousand million."""

_REPEATING = ("R", "r", "A", "a")


def roman(number: int) -> str:
    """Lower-case roman numeral of a positive number (thousands repeat "m", as in MuPDF)."""
    out = []
    for value, sign in _ROMAN:
        out.append(sign * (number // value))
        number %= value
    return "".join(out)


def roman_value(text: str) -> int | None:
    """The number of a well-formed roman numeral in one case, else None."""
    lower = text.lower()
    if not lower or (text != lower and text != text.upper()) or set(lower) - set("ivxlcdm"):
        return None
    values = [_SIGNS[c] for c in lower]
    total = sum(-v if i + 1 < len(values) and v < values[i + 1] else v for i, v in enumerate(values))
    return total if roman(total) == lower else None


def number_text(style: str, number: int) -> str:
    """A positive number in a label style; the empty string for a style that prints none."""
    if style == "D":
        return str(number)
    if number > _MOST_SIGNS and style in _REPEATING:
        return str(number)
    if style in ("R", "r"):
        text = roman(number)
        return text.upper() if style == "R" else text
    if style in ("A", "a"):
        letter = chr(ord(style) + (number - 1) % 26)
        return letter * ((number - 1) // 26 + 1)
    return ""
