"""How a refusal is told: RFC 9457 problems, with our codes and never with what was sent."""

from engram import errors
from engram.errors import EngramError
from engram.surfaces.http.answers import PROBLEM, Answer, Headers, document

# The status of each kind of error; one that is not named has that of the nearest class above.
STATUS: dict[type[EngramError], int] = {
    EngramError: 500,
    errors.StoreError: 503,
    errors.StoreLocked: 503,
    errors.StoreBusy: 503,
    errors.StoreReadOnly: 503,
    errors.DiskFull: 507,
    errors.StorePathInvalid: 409,  # a store without a folder has nothing to do this with
    errors.StoreInUse: 409,
    errors.DreamRunning: 409,
    errors.TurnRunning: 409,
    errors.SearchTimeout: 504,
    errors.RecallError: 409,
    errors.InvalidQuery: 422,
    errors.MemoryNotFound: 404,
    errors.ChangeNotFound: 404,
    errors.MemoryChanged: 412,
    errors.SlotNotFound: 404,
    errors.BudgetTooSmall: 422,
    errors.MemoryErased: 410,
    errors.CertificateInvalid: 422,
    errors.ProviderError: 503,
    errors.SecurityError: 403,
    errors.AccessDenied: 403,
    errors.ContentTooLarge: 413,
    errors.InvalidInput: 422,
    errors.KeyUnknown: 401,
    errors.KeyNotFound: 404,
    errors.WebhookNotFound: 404,
    errors.ImportRefused: 422,
    errors.FileUnreadable: 422,
    errors.ExportRefused: 409,
    errors.TooManyRequests: 429,
    errors.SignatureInvalid: 401,
    errors.EncryptionFailed: 503,
    errors.VaultUnreadable: 503,
    errors.KeyringUnavailable: 503,
    errors.LastWayIn: 409,
    errors.ProcessError: 500,
    errors.ConfigInvalid: 422,
    errors.Cancelled: 503,
    errors.RequestTimeout: 504,
}
_CHALLENGE = (b"www-authenticate", b'Bearer realm="engram"')
_SOON = (b"retry-after", b"1")


class Refused(Exception):
    """A request is answered with a problem; where HTTP has its own status for it, with that."""

    def __init__(self, error: EngramError, status: int = 0, headers: Headers = ()) -> None:
        super().__init__(error.code)
        self.error = error
        self.status = status or status_of(error)
        self.headers = headers


def status_of(error: EngramError) -> int:
    """The status that stands for an error."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def problem(error: EngramError, status: int = 0, headers: Headers = ()) -> Answer:
    """An error as a problem document."""
    status = status or status_of(error)
    if status == 401:
        headers = (*headers, _CHALLENGE)
    if status == 503 and not any(name == b"retry-after" for name, _ in headers):
        headers = (*headers, _SOON)
    told = document(problem_document(error, status), status, PROBLEM)
    return Answer(status, told.body, PROBLEM, headers)


def problem_document(error: EngramError, status: int) -> dict[str, object]:
    """What a problem says: the kind of error and what to do next, never a value that was sent."""
    return {
        "type": f"urn:engram:error:{error.code}",
        "title": error.message,
        "status": status,
        "detail": error.hint,
        "code": error.code,
    }


def of_refusal(refused: Refused) -> Answer:
    """The answer to a request that was refused."""
    return problem(refused.error, refused.status, refused.headers)
