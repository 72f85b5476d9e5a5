"""A claim's calculation, computed again from its own checks: at release, when an answer is read back, in a bundle."""

from collections.abc import Iterable

from app.services.answers.answers import Calculation
from models.answering.calculation import sentence_of
from models.answering.drafts import Operation as Asked
from verify.calculate import Calculation as Worked
from verify.calculate import Operation, agrees, operand_values
from verify.domain.claim import ClaimType
from verify.domain.ids import CheckId
from verify.report import CheckResult
from verify.request import Check, Request


def holds(
    claim_type: ClaimType, calculation: Calculation | None, request: Request, results: Iterable[CheckResult]
) -> bool | None:
    """True if the stated result is what the verified operands give; None for a claim that states none."""
    if claim_type is not ClaimType.CALCULATION:
        return None
    worked = _worked(calculation)
    known = {result.check_id: result for result in results if result.check_id is not None}
    return worked is not None and agrees(worked, _checks(request), known)


def is_said(text: str, calculation: Calculation | None, request: Request) -> bool:
    """True if a claim's text is the sentence that states this calculation over the values of its checks."""
    worked = _worked(calculation)
    values = None if worked is None else operand_values(worked, _checks(request))
    return worked is not None and values is not None and text == sentence_of(Asked(worked.operation.value), *values)


def _worked(calculation: Calculation | None) -> Worked | None:
    if calculation is None or calculation.operation not in list(Operation):
        return None
    return Worked(Operation(calculation.operation), calculation.operands, calculation.result, calculation.unit)


def _checks(request: Request) -> dict[CheckId, Check]:
    return {check.check_id: check for check in request.checks if isinstance(check, Check)}
