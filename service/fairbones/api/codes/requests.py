"""What can be wrong with a request before anybody looks at a match."""

from __future__ import annotations

from fairbones.api.codes.row import Row

BODY = (
    Row(
        "json/syntax",
        400,
        "Not JSON",
        "The body is not a JSON text (RFC 8259), or something follows it.",
        "Send one JSON object, made by a JSON library.",
    ),
    Row(
        "json/utf8",
        400,
        "Not UTF-8",
        "The body is not UTF-8, or it begins with a byte order mark.",
        "Encode the body as UTF-8 without a byte order mark.",
    ),
    Row(
        "json/duplicate-key",
        400,
        "Key given twice",
        "An object has the same key twice; programs read such an object differently.",
        "Give every key once.",
    ),
    Row(
        "json/number",
        400,
        "Not a whole number in range",
        "A number has a fraction, an exponent or a minus sign, is above 2^53-1, or is no number.",
        "Send whole numbers from 0 to 9007199254740991; `field` names the one that is none.",
    ),
    Row(
        "json/null",
        400,
        "A null",
        "Somewhere in the body stands null; `field` says where.",
        "Leave a member out when it has no value.",
    ),
    Row(
        "json/depth",
        400,
        "Nested too deeply",
        "Objects and arrays stand more than 8 deep in each other.",
        "Send the object that the description of the call shows.",
    ),
    Row(
        "json/surrogate",
        400,
        "Half a character",
        "A string or a key has an escape for one half of a surrogate pair.",
        "Escape both halves, or send the character itself as UTF-8.",
    ),
    Row(
        "json/not-object",
        400,
        "Not an object",
        "The body is JSON, but not an object.",
        "Send a JSON object: {...}.",
    ),
)

REQUEST = (
    Row(
        "request/malformed",
        400,
        "Malformed request",
        "The request breaks HTTP or the limits of its head, or its body ended before its declared "
        "length.",
        "Send it again; if it fails again, look at the client or at the proxy between.",
    ),
    Row(
        "request/body-missing",
        400,
        "No body",
        "The call needs a JSON object and there is no body.",
        "Send a JSON object, with its Content-Length.",
    ),
    Row(
        "request/idempotency-key",
        400,
        "Unusable idempotency key",
        "Idempotency-Key is not 16 to 128 printable ASCII characters without spaces.",
        "Make a random one for each new match, such as a UUID, and repeat it only with a retry.",
    ),
    Row(
        "request/length-required",
        411,
        "Length required",
        "The body came in chunks, to a server that does not gather them.",
        "Send Content-Length instead of Transfer-Encoding.",
    ),
    Row(
        "request/too-large",
        413,
        "Body too large",
        "The declared length of the body is above the limit, which the answer names.",
        "Send only what the call needs; no request of this API comes near the limit.",
    ),
    Row(
        "request/media-type",
        415,
        "Not application/json",
        "The Content-Type is missing, or is not application/json in UTF-8.",
        "Send Content-Type: application/json.",
    ),
    Row(
        "request/encoding",
        415,
        "Compressed body",
        "The body has a Content-Encoding.",
        "Send the body as it is, without Content-Encoding.",
    ),
    Row(
        "request/method",
        405,
        "Method not allowed",
        "This address exists, but not with this method.",
        "Use one of the methods that the header Allow names.",
    ),
    Row(
        "request/unknown-field",
        422,
        "Unknown field",
        "A member of the body or a query parameter is not one of this call.",
        "Leave it out, or look up its spelling; `field` names it and `in` says where it stood.",
    ),
    Row(
        "request/missing-field",
        422,
        "Missing field",
        "A member that the call needs is not there.",
        "Send the member that `field` names.",
    ),
    Row(
        "request/repeated-field",
        422,
        "Parameter given twice",
        "A query parameter stands there more than once.",
        "Give the parameter that `field` names once.",
    ),
    Row(
        "request/type",
        422,
        "Wrong type",
        "A member or a query parameter has another type than the call asks for.",
        "Send the type that `expected` names for the `field`.",
    ),
    Row(
        "request/range",
        422,
        "Out of range",
        "A value has the right type, but not the right form, length or size.",
        "Send a value as `expected` says for the `field`.",
    ),
    Row(
        "request/cursor",
        422,
        "Not a cursor of this list",
        "The cursor was not given by this house, or was given for another `status` or `ruleset`.",
        "Begin again without a cursor; send each page's cursor as it came, and change nothing "
        "else but `limit`.",
    ),
    Row(
        "request/key-reused",
        409,
        "Idempotency key used for another request",
        "This Idempotency-Key came before with another body.",
        "Make a new key for a new match; repeat a key only with the very same body.",
    ),
    Row(
        "route/unknown",
        404,
        "No such address",
        "Nothing is served at this address.",
        "Look the address up in /openapi.yaml; mind slashes at the end and capital letters.",
    ),
)

CALLER = (
    Row(
        "auth/token-missing",
        401,
        "No seat token",
        "The call is for a seat, and there is no Authorization: Bearer header.",
        "Send the token that the seat was taken with.",
    ),
    Row(
        "auth/token-unknown",
        401,
        "Not this seat's token",
        "The token holds no seat of this match.",
        "Send the token that the seat was taken with; without one you get the public view.",
    ),
    Row(
        "auth/other-seat",
        403,
        "Another seat's token",
        "The token holds a seat of this match, but not the one that the address names.",
        "Name your own seat: your view says which it is under `you`.",
    ),
    Row(
        "auth/token-weak",
        400,
        "Unusable token",
        "The token is not 43 to 256 characters of A-Z a-z 0-9 - . _ ~ + / =.",
        "Make a token from at least 32 random bytes, in base64url or hex.",
    ),
    Row(
        "auth/api-key-missing",
        401,
        "No API key",
        "This house lets only those open matches who have an API key of its operator, and there "
        "is no Authorization: Bearer header.",
        "Send Authorization: Bearer and your API key, which begins with `fbk_`.",
    ),
    Row(
        "auth/api-key-unknown",
        401,
        "Not an API key of this house",
        "What was sent is no API key of this house, or one that was revoked.",
        "Ask the operator for a new key; a seat's token opens no match.",
    ),
    Row(
        "auth/api-keys-unreadable",
        503,
        "The house cannot read its API keys",
        "The file with the hashes of the API keys is missing, damaged or open to others; until it "
        "is put right nobody may open a match.",
        "Send the same request again later; operators read the log, which names the file.",
    ),
)

RATE = (
    Row(
        "rate/requests",
        429,
        "Too many requests",
        "More requests than the operator allows have come from your address, or with your token, "
        "within a minute.",
        "Send the same request again after Retry-After seconds; wait for events with `wait` "
        "instead of asking again and again.",
    ),
    Row(
        "rate/openings",
        429,
        "Too many tiles to wash",
        "Opening a match costs its `rounds_max` times the tiles of its set, and your address or "
        "API key has used up what the operator allows within a minute.",
        "Send the same request again after Retry-After seconds; where there is no such header the "
        "match is dearer than a whole minute: lower `rounds_max`.",
    ),
)
