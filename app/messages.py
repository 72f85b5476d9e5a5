"""Codes in words. Short, careful sentences: what happened and what to do. No other module words a code."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.errors import ErrorCode
from verify.domain.claim import ClaimType, Release, SupportLabel, WordingDifference
from verify.domain.document import SourceRecord, SourceStatus, TextSource, WarningCode

if TYPE_CHECKING:
    from app.services.answers.answers import UnmatchedWord, UnreadSource
    from models.triage.support import SupportResult
    from verify.report import CheckResult, Difference

STATUSES: dict[str, str] = {
    "verified": "Passage verified",
    "mismatch": "Does not match the page",
    "not_found": "Not found",
    "stale": "Document changed",
    "capability_limited": "Could not be checked",
    "invalid": "Citation is incomplete",
    "denied": "No access",
}

REASONS: dict[str, str] = {
    "text_mismatch": "the page has other words",
    "value_mismatch": "the page has another value",
    "unit_mismatch": "the page has another unit",
    "scale_mismatch": "the value is off by a power of ten",
    "label_mismatch": "the page has another number",
    "locator_conflict": "the parts of the citation point to different places",
    "header_mismatch": "the cell has other headers",
    "partial_word": "the quotation begins or ends inside a longer word or number",
    "continues_on_next_page": "the quotation continues on the next page, which the citation does not mention",
    "evidence_on_other_page": "the words are on another page",
    "source_unknown": "no document of this matter has that id",
    "source_missing": "the file is no longer in the folder",
    "page_out_of_range": "the document has no such page",
    "element_not_found": "the page has no such passage",
    "table_not_found": "the page has no such table",
    "row_not_found": "the table has no such row",
    "column_not_found": "the table has no such column",
    "cell_not_found": "the table has no such cell",
    "no_text_in_region": "there is no text in the marked area",
    "fingerprint_changed": "the file's bytes are not those that were cited; read the folder again",
    "no_text_layer": "the page has no text that can be compared; look at the page",
    "ocr_low_confidence": "the scan was read with too little confidence; look at the page",
    "no_table_structure": "no table was recognised on the page",
    "unknown_coordinate_origin": "it is not known from which corner the box is measured",
    "ambiguous_path": "more than one row or column has that name",
    "unit_unknown": "the document does not say in which unit the value is",
    "value_ambiguous": "the number can be read in two ways; look at the page",
    "text_not_visible": "the words are in the file, but a reader does not see them",
    "seen_differs": "the page shows different words from its text; look at the page",
    "garbled_text": "the page's text is encoded in a way that cannot be read",
    "document_locked": "the document needs a password",
    "document_unreadable": "the document could not be read",
    "schema_error": "a field is missing, unknown or of the wrong kind",
    "fingerprint_missing": "the citation does not say which bytes it means",
    "locator_missing": "the citation does not say where to look",
    "evidence_missing": "the citation does not say what to find",
    "evidence_empty": "the quotation has no letter or digit",
    "bad_geometry": "the box has no area or leaves the page",
    "unknown_kind": "this kind of check does not exist",
    "access_denied": "the document is in an access class that was not opened",
}

NOT_EVALUATED: dict[str, str] = {
    "no_content": "the statement has no words that could be looked for",
    "other_language": "the statement or the page is not in English, and only English is compared",
}
"""Why support was not evaluated, beside the reasons of a check."""

SEALED_MATTER = "the matter is sealed and was not opened; give its passphrase"
"""``access_denied`` of a check where it is the whole matter that is closed, and not a class in it."""

CHIPS: dict[str, str] = {
    "evidence_on_other_page": "Not on that page",
    "text_mismatch": "Words differ",
    "value_mismatch": "Value differs",
    "unit_mismatch": "Unit differs",
    "scale_mismatch": "Scale differs",
    "partial_word": "Part of a word",
    "continues_on_next_page": "Continues on next page",
    "source_missing": "File is gone",
    "ocr_low_confidence": "Scan: check by eye",
    "no_text_layer": "Scan: check by eye",
    "text_not_visible": "Hidden text",
    "seen_differs": "Page shows otherwise",
    "value_ambiguous": "Check by eye",
    "garbled_text": "Check by eye",
    "document_locked": "Needs a password",
}
"""Two or three words for a label, where the status says too little. ``REASONS`` gives the sentence."""

LIMITATIONS: dict[str, str] = {
    "qualifier_outside_quote": "The rest of the sentence has a condition or exception that the quotation leaves out.",
    "qualifiers_not_checked": "Conditions and exceptions were not looked for: the text is not English.",
    "ocr_text": "The text comes from a scan. Check it by eye.",
    "embedded_ocr": "The text is a scan's own text layer, of unknown quality. Check it by eye.",
    "multiple_occurrences": "The same words appear here more than once.",
    "header_or_footer": "The words are in a header or footer.",
    "hidden_text_inside": "There is hidden text among these words.",
    "struck_through": "Some of these words are struck through on the page.",
    "deleted_text": "Some of these words are marked as deleted in the document.",
    "inserted_text": "Some of these words are marked as inserted and may not have been accepted.",
    "comment_text": "These words are a comment, not part of the document's own text.",
    "quoted_reply": "Some of these words are quoted from an earlier message.",
    "object_inside_quote": "Something else is drawn or written among these words. Look at the page.",
    "annotation_text": "These words are an annotation on the page.",
    "field_text": "These words were filled into a form field.",
    "not_looked_at": "The page could not be drawn, so the words were not compared with what it shows.",
    "not_read_again": "The line could not be read again by OCR to compare it with its text.",
    "altered_quotation": "The quotation was altered as marked. Compare it with the page.",
    "qualifier_left_out": "The words left out hold a negation, exception or condition.",
    "crosses_elements": "The words run over more than one paragraph or block.",
    "crosses_cells": "The words run over more than one table cell or column.",
    "partial_sentence": "The quotation is only part of a sentence.",
}

WARNINGS: dict[WarningCode, str] = {
    WarningCode.NO_TEXT: "no text",
    WarningCode.OCR_USED: "text by OCR",
    WarningCode.OCR_LOW_CONFIDENCE: "scan read with little confidence",
    WarningCode.OCR_LANGUAGE_MISSING: "an OCR language is not installed",
    WarningCode.GARBLED_TEXT: "text encoding cannot be read",
    WarningCode.HIDDEN_TEXT: "hidden text",
    WarningCode.COVERED_TEXT: "covered text",
    WarningCode.OFF_PAGE_TEXT: "text outside the page",
    WarningCode.READING_ORDER_UNCERTAIN: "reading order uncertain",
    WarningCode.TABLE_UNCERTAIN: "table structure uncertain",
    WarningCode.LABELS_INCONSISTENT: "page numbers disagree",
    WarningCode.HAS_ANNOTATIONS: "has annotations",
    WarningCode.HAS_FORM_FIELDS: "has form fields",
    WarningCode.HAS_ATTACHMENTS: "has attachments",
    WarningCode.HAS_REVISIONS: "has tracked changes",
    WarningCode.HAS_STRUCK_TEXT: "has words that are struck through",
    WarningCode.FAILED_REDACTION: "text can be read under a redaction",
    WarningCode.BATES_GAP: "a Bates number is missing",
    WarningCode.BATES_DUPLICATE: "a Bates number appears twice",
    WarningCode.REPAIRED: "the file was damaged and repaired for reading",
    WarningCode.ENCRYPTED_OWNER_ONLY: "printing or copying is restricted by its owner",
    WarningCode.PAGE_FAILED: "a page could not be read",
    WarningCode.TRUNCATED: "only a part was read",
}

SOURCE_STATUSES: dict[SourceStatus, str] = {
    SourceStatus.INDEXED: "ready",
    SourceStatus.PARTIAL: "read in part",
    SourceStatus.NEEDS_PASSWORD: "needs a password",
    SourceStatus.UNREADABLE: "cannot be read",
    SourceStatus.UNSUPPORTED: "not a kind of file that is read",
    SourceStatus.SUPERSEDED: "replaced by a newer version",
    SourceStatus.MISSING: "no longer in the folder",
}

UNREAD_FILES: dict[str, str] = {
    "not_yet_read": "in the folder, but not read yet",
    "access_denied": "in an access class that was not opened",
    "partial": "not all of it could be read; the list of documents says what; every page that was read was searched",
}
"""Before the statuses of sources: why a file of the folder, or what of it, was not searched."""

TEXT_SOURCES: dict[TextSource, str] = {
    TextSource.NATIVE: "text",
    TextSource.OCR: "text by OCR",
    TextSource.MIXED: "text, partly by OCR",
    TextSource.NONE: "no text",
}

SUPPORT_LABELS: dict[SupportLabel, str] = {
    SupportLabel.SUPPORTED: "supports",
    SupportLabel.UNCLEAR: "unclear",
    SupportLabel.CONTRADICTED: "contradicts",
    SupportLabel.NOT_EVALUATED: "not evaluated",
}

SUPPORT_PHRASES: dict[SupportLabel, str] = {
    SupportLabel.SUPPORTED: "the passage supports it",
    SupportLabel.UNCLEAR: "whether the passage supports it is unclear",
    SupportLabel.CONTRADICTED: "the passage contradicts it",
    SupportLabel.NOT_EVALUATED: "whether the passage supports it was not evaluated",
}

WORDING_PARTS: dict[str, str] = {
    "other_words": "other words",
    "left_out": "left out",
    "who_and_what": "who and what",
    "value": "value",
    "who_says": "who says it",
    "bound": "limit",
    "condition": "condition",
    "exception": "exception",
    "modality": "duty or permission",
    "negation": "denial",
    "only": "only",
    "quantity": "how many",
    "order": "before, after, within",
    "and_or": "and, or",
    "tense": "when",
}
"""What differs between a worded claim and the words that it cites (``models.triage.alignment.Part``)."""

RELEASES: dict[Release, str] = {
    Release.SHOW: "Passage verified; legal conclusion pending review",
    Release.NEEDS_REVIEW: "Needs review before it is relied on",
    Release.BLOCKED: "Not supported",
}

CLAIM_TYPES: dict[ClaimType, str] = {
    ClaimType.SOURCE_FACT: "stated in a document",
    ClaimType.SYNTHESIS: "drawn from several passages",
    ClaimType.CALCULATION: "calculated from verified values",
}

ERRORS: dict[ErrorCode, str] = {
    ErrorCode.USAGE: "The command was not understood.",
    ErrorCode.INVALID_REQUEST: "The request is not in the expected format.",
    ErrorCode.INPUT_MISSING: "Something that was named does not exist.",
    ErrorCode.INPUT_UNREADABLE: "Something that was named cannot be read.",
    ErrorCode.MODEL_UNAVAILABLE: "The model is not available.",
    ErrorCode.OCR_UNAVAILABLE: "Text recognition is not available.",
    ErrorCode.ACCESS_DENIED: "The matter or document is sealed and was not opened.",
    ErrorCode.STORE_LOCKED: "Another process is writing this matter's data.",
    ErrorCode.STORE_DAMAGED: "The matter's data is damaged. Forget the matter and read the folder again.",
    ErrorCode.STORE_NEWER: "The matter's data was made by a newer Pincite. Update Pincite.",
    ErrorCode.INTERRUPTED: "Stopped. What was done is kept.",
    ErrorCode.INTERNAL: "An unexpected fault. A report of it stays on this machine.",
}

DECISIONS: dict[str, str] = {"accepted": "Accepted", "rejected": "Rejected", "needs_work": "Needs work"}
REVIEW_STATES: dict[str, str] = {"current": "decided", "reopened": "to be decided again"}
REOPEN_REASONS: dict[str, str] = {
    "source_changed": "the document changed on disk",
    "text_layer_changed": "the document was read again in another way",
    "verdict_changed": "the check has another result",
}

FAULTS: dict[str, str] = {
    "handle_not_shown": "The model cited a passage that it was not shown.",
    "no_evidence": "The model gave no evidence.",
}
UNANSWERED: dict[str, str] = {
    "nothing_shown": "No passage matches the question.",
    "not_found": "Not found in what was read.",
    "model_found_nothing": "The model found no answer in the passages that it was shown.",
    "none_verified": "Claims were made, but none passed verification.",
    "cannot_count": "The question asks how many there are. Passages are only a selection, so they were not counted.",
}


def answered_by(model: str) -> str:
    """How an answer was made, after ``answered``; ``model`` as the answer records it ("embedded:NAME")."""
    kind, _, name = model.partition(":")
    if kind == "embedded":
        return f"in the documents' own words; {name}, on this computer, helped to choose them"
    if kind == "ollama":
        return f"in the words of {name}, through Ollama"
    return "in the documents' own words, without a model"


ANOTHER_WAY = "Another way: --model auto, extractive, embedded, ollama or ollama:NAME."
ANOTHER_WAY_IN_WINDOW = "Settings, Model: how questions are answered"

CONFLICTS: dict[str, str] = {
    "amended": "One of these passages says that it changes the other.",
    "different_values": "These passages state different values for the same thing.",
    "negated": "One of these passages denies what the other says.",
}
ANSWER_WARNINGS: dict[str, str] = {
    "prompt_cut": "The model server read less than it was sent; parts of the passages were not considered.",
    "instructions_in_document": "A passage contains words addressed to a language model; they were left out.",
    "model_found_nothing": "The model found no answer; these are the passages’ own sentences.",
    "model_unavailable": "The model could not be reached; these are the documents’ own words.",
    "model_failed": "The model failed; what it had claimed by then is shown, or else the documents’ own words.",
    "model_out_of_time": "The model took too long and was stopped; what it had claimed by then is shown, or else the "
    "documents’ own words.",
    "model_found_no_part": "The model found nothing on part of what was asked.",
}
READ_AS = "Read as"
ANSWER_STATES: dict[str, str] = {
    "stated": "stated",
    "silent": "silent: read, and does not say",
    "conflicting": "The documents disagree.",
    "partial": "Only part of what was asked was found or could be read.",
    "unread": "unread: no searchable text",
    "unclear": "unclear: look at the document",
}
PREMISES: dict[str, str] = {
    "not_found": "The question takes for granted what no document says",
    "denied": "The question takes for granted what a document denies",
}
ANSWER_NOTES: dict[str, str] = {
    "outside": "This asks for advice, or for something outside the documents; only what they say can be answered.",
}
CLAIM_ANSWERS: dict[str, str] = {
    "yes": "answers the question",
    "perhaps": "may answer the question",
    "no": "does not answer the question, but is close to it",
}
CONCERNS: dict[str, str] = {
    "unreviewed": "not reviewed by anyone yet",
    "reopened": "decided before something changed; decide again",
    "not_supported": "failed its check and is included as not supported",
    "privileged": "marked as privileged",
    "restricted": "in a restricted access class",
    "hidden_text": "has hidden text",
    "failed_redaction": "has a redaction whose text can still be read",
    "source_changed": "changed or gone since it was read",
}
BUNDLE_FAULTS: dict[str, str] = {
    "not_readable": "cannot be read",
    "missing": "is missing",
    "not_listed": "does not belong to the bundle",
    "unexpected": "is not something that a bundle contains",
    "hash_differs": "was altered: its hash differs",
    "core_hash_differs": "was altered: the hash of the whole differs",
    "container_differs": "was altered outside its parts",
    "signature_wrong": "has a signature that does not match",
    "signature_missing": "is not signed with the key that was asked for",
    "report_differs": "does not agree with the rest of the bundle",
    "release_differs": "shows a claim in a way that its checks do not allow",
    "claim_differs": "contains a claim that differs from the words of its evidence",
    "match_differs": "was checked again and gives another result",
    "picture_differs": "is not a picture of this evidence",
    "audit_broken": "has lines that do not belong here, or lines are missing",
    "review_differs": "does not agree with the audit lines",
    "sources_differ": "does not name the documents that the report cites",
    "memo_differs": "does not say what the answer says",
    "document_differs": "does not agree with the documents in the folder",
}


def signature_words(signed_by: str | None, *, demanded: bool) -> tuple[str, ...]:
    """What a bundle's signature shows, and what the lack of one leaves open."""
    if signed_by is None:
        return (
            "It is not signed: nothing in it shows who made it or when, and whoever changed it could have made every "
            "hash in it again. Ask for a signed bundle, or check it against the documents (--matter).",
        )
    if demanded:
        return (f"Signed with the key that you named: {signed_by}",)
    return (
        f"Signed with the key {signed_by}. Whose key that is, the bundle cannot show: compare it with one that its "
        "owner gave you, and name it next time (--signed-by).",
    )


AUDIT_BREAKS: dict[str, str] = {
    "not_readable": "this line was changed after it was written",
    "chain_broken": "this line does not follow the one before it",
    "tail_cut": "lines are missing from here on",
    "half_line": "a line was not finished; the next one takes its place",
}
CALCULATIONS: dict[str, str] = {
    "sum": "sum",
    "difference": "difference",
    "ratio": "ratio",
    "days_between": "days between",
}


def source_status(record: SourceRecord) -> str:
    """ "412 pages, 3 scanned, ready"."""
    parts = []
    if record.page_count:
        parts.append("1 page" if record.page_count == 1 else f"{record.page_count:,} pages")
    if record.ocr_pages:
        parts.append(f"{record.ocr_pages:,} scanned")
    if record.unread_pages:
        parts.append(f"{record.unread_pages:,} without readable text")
    parts.append(SOURCE_STATUSES[record.status])
    missing = (WarningCode.TRUNCATED, WarningCode.PAGE_FAILED) if record.status is SourceStatus.PARTIAL else ()
    said = (w.detail for w in record.warnings if record.page_count == 0 or w.code in missing)
    reason = next(filter(None, said), None)
    return ", ".join(parts) + (f" ({reason})" if reason else "")


def unread_status(unread: "UnreadSource") -> str:
    """Why a file, or some pages of it, were not searched."""
    if unread.unread_pages:
        verb = "has" if unread.unread_pages == 1 else "have"
        return f"{unread.unread_pages:,} of {count(unread.page_count, 'page')} {verb} no readable text"
    return UNREAD_FILES.get(unread.status) or SOURCE_STATUSES[SourceStatus(unread.status)]


NOTHING_TO_SEARCH = "No readable text in the selected documents; pincite sources says why."


def unmatched_word(one: "UnmatchedWord") -> str:
    """What is near is offered, never taken for what was asked."""
    if " " in one.word:
        return f"No passage that was searched has {quoted(one.word)} word for word."
    near = f" Similar spelling: {', '.join(map(quoted, one.nearest))}." if one.nearest else ""
    return f"{quoted(one.word)} does not appear in what was searched.{near}"


_MALFORMED = {
    "quote_open": "a quotation mark is opened and not closed",
    "group_open": "a bracket is opened and not closed",
    "group_not_open": "a bracket is closed that was not opened",
    "group_empty": "there is nothing between the brackets",
    "operand_missing": "a word or phrase is missing here",
    "not_near": "w/ takes words, phrases and OR on both sides, not AND or NOT",
    "only_not": "say what is to be found, not only what is not",
    "distance": "after w/ comes a number from 1 to 1000, s (sentence) or p (paragraph)",
    "filter_empty": "a value is missing after the colon",
    "filter_unknown": "there is no such filter; there are from: to: type: author: date: bates: in:",
    "word_empty": "there is no letter or digit to search for",
    "wildcard_inside": "* can only end a word",
}
"""``retrieval.query.operators.Fault``."""


def malformed_query(fault: str, at: int, found: str) -> str:
    """``at`` counts characters from 0."""
    where = f"at character {at + 1}" + (f" ({quoted(found)})" if found else ", the end")
    return f"the query cannot be read {where}: {_MALFORMED[fault]}"


def unknown_filter(kind: str, value: str, at: int | None) -> str:
    """``at`` counts characters from 0; None for an option of the command line."""
    where = f"at character {at + 1} of the query" if at is not None else f"--{kind}"
    right = "2024, 2024-03, 2024-03-11 or two of them with .. between"
    if kind == "type":
        right = "a kind of file (pdf, word, mail, sheet …), of document or of text (form_field, footnote, footer …)"
    return f"{where}: {quoted(value)} is not {right}"


_PASSAGE_KINDS = {
    "text": "",
    "heading": "a heading",
    "footnote": "a footnote",
    "comment": "a comment",
    "header": "in the header of the page",
    "footer": "at the foot of the page",
    "stamp": "a stamp",
    "form_field": "a form field",
    "annotation": "an annotation",
}


def passage_kind(kind: str) -> str:
    """In brackets after the place; "" for running text."""
    return f" [{_PASSAGE_KINDS[kind]}]" if _PASSAGE_KINDS[kind] else ""


def read_both_ways(date: str, days: Sequence[str]) -> str:
    return f"{quoted(date)} may be {' or '.join(days)}; both were searched."


def hits_found(hits: int, documents: int) -> str:
    return f"{count(hits, 'hit')} in {count(documents, 'document')}:"


def count(number: int, one: str, many: str | None = None) -> str:
    """ "1 page", "1,200 pages"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def quoted(text: str) -> str:
    """One line in quotation marks, without a second pair around a text that has its own."""
    line = " ".join(text.split())
    has_own = len(line) > 1 and line[0] in '“"' and line[-1] in '”"'
    return line if has_own else f"“{line}”"


def page_name(label: str | None, page_index: int) -> str:
    """ "p. 15 (PDF page 18)" (contract, section 1)."""
    pdf = f"PDF page {page_index + 1}"
    return pdf if label is None else f"p. {label} ({pdf})"


SUPPORT_SIGNALS: dict[str, str] = {
    "negation": "one denies what the other states",
    "values": "a date, amount or number differs or is not there",
    "comparison": "a limit is turned around, such as before and after, most and least",
    "opposites": "a word is the opposite of the one on the page",
    "parties": "who does it to whom is swapped",
    "modality": "one obliges where the other permits",
    "who_and_what": "words are in other places than in the cited sentence",
    "bound": "a limit differs",
    "condition": "a condition differs or is left out",
    "exception": "an exception differs or is left out",
    "only": "“only” differs",
    "quantity": "how many it applies to differs",
    "order": "before, after or within differs",
    "and_or": "“and” in place of “or”, or “or” in place of “and”",
    "tense": "something future is stated as past, or the reverse",
    "who_says": "who says it is left out or differs",
    "value": "a value differs from the one in the cited sentence",
    "other_words": "some of its words have no counterpart in the cited sentence",
    "quoted_words": "words that it quotes are not there",
    "names": "a name is not there",
    "subject": "it does not say whom it is about",
    "recognised_words": "it rests on a word of a scan that was read with too little confidence",
    "read_whole": "not all of the page could be read, such as a picture; look at the page",
    "table_cell": "a table has another value where it names a row and a column, or it names none",
}
"""What speaks against a citation where a signal is under half, the weightiest first."""


def wording_line(difference: WordingDifference) -> str:
    """For example "Duty or permission: the claim has “must”, the page “may”"."""
    part = WORDING_PARTS.get(difference.part, difference.part)
    claim, page = f"“{difference.claim}”", f"“{difference.page}”"
    if not difference.page:
        said = f"the claim has {claim}, which the cited words do not say"
    elif not difference.claim:
        said = f"the cited words have {page}, which the claim leaves out"
    elif difference.claim.casefold() == difference.page.casefold():
        said = f"{claim} is in another place in the cited words"
    else:
        said = f"the claim has {claim}, the page {page}"
    return f"{part[0].upper()}{part[1:]}: {said}"


def support_line(result: "SupportResult", *, sealed: bool = False) -> str:
    """One line for a terminal: a score, and what speaks against the citation, only where there was something to score;
    else why there was not."""
    words = f"{result.item_id}: {SUPPORT_LABELS[result.label]}"
    if result.label is SupportLabel.NOT_EVALUATED:
        why = result.signals[0][0]
        return f"{words}: {SEALED_MATTER if sealed and why == 'access_denied' else (REASONS | NOT_EVALUATED)[why]}"
    words += f" ({result.score} of 1000)"
    return words if result.label is SupportLabel.SUPPORTED else f"{words}{_support_reasons(result)}"


def _support_reasons(result: "SupportResult") -> str:
    signals = dict(result.signals)
    why = [said for name, said in SUPPORT_SIGNALS.items() if signals.get(name, 1000) < 500]
    pages = {name[5:]: score for name, score in result.signals if name.startswith("page_") and name[5:].isdigit()}
    most = max(pages.values(), default=1000)
    silent = [index for index, score in pages.items() if score < 30 or most < 100]
    why += [f"page index {index} says almost nothing about it" for index in silent]
    if result.better_pages:
        page = result.better_pages[0]
        printed = f" (page {page.page_label})" if page.page_label else ""
        why.append(f"page index {page.page_index}{printed} fits better")
    return f": {'; '.join(why)}" if why else ""


def check_line(check: "CheckResult", *, sealed: bool = False) -> str:
    """One line for a terminal. ``sealed`` of a matter that was not opened."""
    words = STATUSES[check.status]
    if check.reason is not None:
        words += f": {SEALED_MATTER if sealed and check.reason == 'access_denied' else REASONS[check.reason]}"
    said = [f"{check.check_id}: {words}.", *(f"({difference_words(d)})" for d in check.difference)]
    said += [elsewhere_words(check), *(LIMITATIONS[code] for code in check.limitations)]
    return " ".join(filter(None, said))


def difference_words(difference: "Difference") -> str:
    """``number: cited “30”, the page has “60”``."""
    kind = difference.kind.replace("_", " ")
    if not difference.expected:
        return f"{kind}: the page also has “{difference.found}”"
    if not difference.found:
        return f"{kind}: cited “{difference.expected}”, the page lacks it"
    return f"{kind}: cited “{difference.expected}”, the page has “{difference.found}”"


def elsewhere_words(check: "CheckResult") -> str:
    """Where else the cited words stand: three places at most; nothing where there is none."""
    pages = [page_name(e.page_label, e.page_index) for e in check.found_elsewhere[:3]]
    return f"The words are on {' and '.join(pages)}." if pages else ""


CITE_VERDICTS: dict[str, str] = {
    "stands": "No problem found",
    "quotation_differs": "Quotation differs",
    "not_on_page": "Not on that page",
    "no_such_page": "No such page",
    "not_in_matter": "Not in this matter",
    "not_supported": "Not supported by the page",
    "unclear": "Unclear",
    "check_by_eye": "Check by eye",
}

CITE_ADVICE: dict[str, str] = {
    "not_there": "No document in this matter is the one cited. Add it to the folder, or correct the citation.",
    "several_documents": "More than one document could be meant. Say which.",
    "other_citation": "The document is here, but it has another citation or docket number.",
    "name_and_citation": "The name belongs to one document and the citation to another. Correct one of them.",
    "nothing_before": "This points back, but nothing before it is clearly what it points to.",
    "statute_not_in_matter": "The text of this statute is not in the matter, so it was not compared.",
    "beyond_end": "The document has no page of that number.",
    "other_paging": "The copy in this matter is not numbered as cited, so the page could not be found by its number.",
    "no_paragraph": "The document has no paragraph of that number.",
    "no_section": "The document has no section or clause of that number.",
    "no_line": "That page of the transcript has no line of that number.",
    "correct_quotation": "The document has other words. Correct the quotation.",
    "quotation_elsewhere": "The quoted words are on another page. Correct the pinpoint.",
    "runs_over": "The quotation runs over a page break. Cite both pages.",
    "another_voice": "These words are a syllabus’s, a separate opinion’s or a party’s. Say whose they are.",
    "quoted_there": "The page quotes these words from elsewhere. Name their source.",
    "look_at_page": "The quotation could not be checked by its text. Look at the page.",
    "better_page": "Another page of the same document fits better. Compare both.",
    "speaks_against": "The page seems to say the opposite, or another value. Read it.",
    "nothing_of_it": "The page says almost nothing about what it is cited for.",
    "compare": "Whether the page supports this is unclear. Compare them.",
    "worded_freely": "The page fits best, but says it in other words.",
    "no_pinpoint": "No page is cited. Add a pinpoint.",
    "nothing_to_compare": "There is no statement or quotation to compare with the page.",
    "stands": "Nothing was found against this citation; legal conclusion pending review.",
}
"""What to do about a citation of a draft."""

DRAFT_NOTES: dict[str, str] = {
    "changes_accepted": "The draft has tracked changes. It was read as if all of them were accepted.",
    "scanned": "The draft is a scan. Its text was recognised and may be wrong. Compare each finding with the draft.",
    "partly_unread": "Some pages of the draft could not be read, and citations on them were not checked.",
    "no_pages": "The draft has no page numbers, so places are given by paragraph.",
}
