"""Equations of Office (OMML) on one line, as Word's own linear form writes them: (a+b)/c, x^2, √(x)."""

from ingest.formats.safe_xml import Node

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_DEPTH = 60


def linear(node: Node, depth: int = 0) -> str:
    """The characters of an equation in reading order; what is nested deeper than 60 is "…"."""
    if depth > _DEPTH:
        return "…"
    tag = node.tag
    if tag == f"{M}t":
        return node.text or ""
    if not isinstance(tag, str) or tag.endswith("Pr"):
        return ""
    name = tag.removeprefix(M)
    if name in _ROWS:
        return "; ".join(linear(row, depth + 1) for row in node if row.tag in (f"{M}mr", f"{M}e"))
    if name == "mr":
        return ", ".join(linear(cell, depth + 1) for cell in node.iterfind(f"{M}e"))
    if name == "d":
        return _fenced(node, depth)
    if name not in _FORMS:
        return "".join(linear(child, depth + 1) for child in node)
    return _formed(node, name, {str(c.tag).removeprefix(M): linear(c, depth + 1) for c in node})


_ROWS = ("m", "eqArr")
_FORMS = ("f", "sSup", "sSub", "sSubSup", "rad", "limLow", "limUpp", "nary", "bar", "acc")


def _formed(node: Node, name: str, parts: dict[str, str]) -> str:
    base, above, below = (parts.get(part, "") for part in ("e", "sup", "sub"))
    match name:
        case "nary":
            return _nary(node, parts)
        case "bar" | "acc":
            return base + (_property(node, "chr") or ("\u0305" if name == "bar" else "\u0302"))
        case "f":
            return f"{_grouped(parts.get('num', ''))}/{_grouped(parts.get('den', ''))}"
        case "sSup":
            return f"{base}^{_grouped(above)}"
        case "sSub":
            return f"{base}_{_grouped(below)}"
        case "sSubSup":
            return f"{base}_{_grouped(below)}^{_grouped(above)}"
        case "rad":
            return f"{parts.get('deg', '')}√({base})"
    return f"{base}({parts.get('lim', '')})"


def _grouped(text: str) -> str:
    return text if len(text) == 1 or text.isalnum() else f"({text})"


def _nary(node: Node, parts: dict[str, str]) -> str:
    sign = _property(node, "chr") or "∫"
    below = f"_{_grouped(parts['sub'])}" if parts.get("sub") else ""
    above = f"^{_grouped(parts['sup'])}" if parts.get("sup") else ""
    return f"{sign}{below}{above} {parts.get('e', '')}"


def _fenced(node: Node, depth: int) -> str:
    begin, end = _property(node, "begChr"), _property(node, "endChr")
    between = _property(node, "sepChr") or "|"
    inner = between.join(linear(child, depth + 1) for child in node.iterfind(f"{M}e"))
    return f"{'(' if begin is None else begin}{inner}{')' if end is None else end}"


def _property(node: Node, name: str) -> str | None:
    found = node.find(f"{M}{node.tag.removeprefix(M)}Pr/{M}{name}")
    return None if found is None else found.get(f"{M}val", "")
