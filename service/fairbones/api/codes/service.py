"""What is wrong on our side."""

from __future__ import annotations

from fairbones.api.codes.row import Row

SERVICE = (
    Row(
        "service/bug",
        500,
        "A fault of the service",
        "Something went wrong that should not have; the log of the service has it.",
        "Read the match before you repeat the request; tell the operator the `incident`.",
    ),
    Row(
        "service/busy",
        503,
        "Busy",
        "As many requests wait for events as may, or very many change this one match.",
        "Send the same request again after Retry-After seconds, or ask without `wait`.",
    ),
    Row(
        "service/not-ready",
        503,
        "Not ready",
        "The service is stopping, its store cannot be used or its keys do not fit; `because` is "
        "the code of the reason.",
        "Try again after Retry-After seconds; operators read the log.",
    ),
    Row(
        "service/stopping",
        503,
        "Stopping",
        "The service is told to stop: it answers what has come and takes nothing new.",
        "Send the same request again after Retry-After seconds: to another process, or to the "
        "next one.",
    ),
)
